import { Button, chakra, Flex, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { Budget } from '@tollgate/contracts/resources/budgets'
import { exactQuotaText, quotaText } from '@tollgate/domain/display/quota-text'
import { timeText } from '@tollgate/domain/display/time-text'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { budgetsOf, useBudgetChanges, type BudgetOwner } from '../../lib/budgets.ts'
import { failureText } from '../../lib/report.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../display/icon-button.tsx'
import { ManagedMark } from '../display/managed-note.tsx'
import { ProgressLine } from '../display/progress-line.tsx'
import { QuotaText, useQuotaStyle } from '../display/quota-text.tsx'
import { ToneTag } from '../display/tone-tag.tsx'
import { useConfirm } from '../overlay/use-confirm.tsx'
import { ErrorState } from '../page/states.tsx'
import { BudgetDays } from './budget-days.tsx'
import { BudgetDialog, type BudgetsOwner } from './budget-dialog.tsx'
import { freeWindows } from './budget-form.ts'

type BudgetsProps = {
  readonly owner: BudgetOwner
  /** True if budgets can be added here; each budget says itself whether the caller may change it. */
  readonly canAdd: boolean
  /** Names the owner of each, where a list has several. */
  readonly isMixed?: boolean
}

/** The budgets of a token, user or group, as they are now, with what changes them. */
export function Budgets({ owner, canAdd, isMixed = false }: BudgetsProps): ReactNode {
  const { t } = useTranslation('budgets')
  const { data, error, isPending, refetch } = useQuery(budgetsOf(owner))
  const [isAdding, setAdding] = useState(false)
  const windows = freeWindows(data ?? [])
  const whole: BudgetsOwner = { token_id: 0, user_id: 0, project_id: 0, member_id: 0, group: '', ...owner }
  return (
    <Stack gap="3">
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {isPending ? <Skeleton height="10" /> : null}
      {data?.length === 0 ? <Text color="text.muted">{t('none')}</Text> : null}
      {data === undefined || data.length === 0 ? null : (
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="4">
          {data.map((budget) => (
            <BudgetRow key={budget.id} budget={budget} owner={whole} isMixed={isMixed} />
          ))}
        </chakra.ul>
      )}
      {canAdd && data !== undefined && windows.length > 0 ? (
        <Button size="sm" variant="outline" alignSelf="flex-start" type="button" onClick={() => setAdding(true)}>
          <Plus aria-hidden />
          {t('add')}
        </Button>
      ) : null}
      {isAdding ? <BudgetDialog owner={whole} windows={windows} onClose={() => setAdding(false)} /> : null}
    </Stack>
  )
}

function BudgetRow({
  budget,
  owner,
  isMixed,
}: {
  readonly budget: Budget
  readonly owner: BudgetsOwner
  readonly isMixed: boolean
}): ReactNode {
  const { t } = useTranslation('budgets')
  const { window, scope, action, is_own } = budget
  const name = t(`window.${window}`)
  const of = isMixed ? ` · ${t(`of.${scope}`, { name: scope === 'group' ? budget.group : budget.token_name })}` : ''
  return (
    <chakra.li>
      <Flex gap="2" align="flex-start" justify="space-between">
        <Flex gap="2" rowGap="1" align="center" wrap="wrap" minW="0" minH="7">
          <Text as="span" color="text.strong" fontWeight="medium" overflowWrap="anywhere">
            {name}
            {of}
          </Text>
          <ToneTag tone={action === 'refuse' ? 'grey' : 'yellow'}>{t(action === 'refuse' ? 'refuses' : 'warns')}</ToneTag>
          <ManagedMark record={budget} />
        </Flex>
        {is_own ? <RowButtons budget={budget} owner={owner} name={name} /> : null}
      </Flex>
      {scope === 'group' && owner.group !== '' ? <GroupLine budget={budget} /> : <State budget={budget} />}
    </chakra.li>
  )
}

function RowButtons({ budget, owner, name }: { readonly budget: Budget; readonly owner: BudgetsOwner; readonly name: string }): ReactNode {
  const { t } = useTranslation('budgets')
  const [isEditing, setEditing] = useState(false)
  const { remove } = useBudgetChanges()
  const { ask, dialog } = useConfirm()
  const confirmRemoval = (): void =>
    ask({
      title: t('remove-title', { name }),
      help: budget.is_managed === true ? `${t('remove-help')} ${t('managed-remove')}` : t('remove-help'),
      confirm: t('remove-confirm'),
      isDangerous: true,
      run: async () => {
        await remove.mutateAsync(budget.id)
        toast.success(t('removed'))
      },
    })
  return (
    <Flex flexShrink="0" gap="1">
      <IconButton size="sm" variant="ghost" type="button" label={t('edit', { name })} onClick={() => setEditing(true)}>
        <Pencil />
      </IconButton>
      <IconButton size="sm" variant="ghost" type="button" label={t('remove', { name })} loading={remove.isPending} onClick={confirmRemoval}>
        <Trash2 />
      </IconButton>
      {isEditing ? <BudgetDialog owner={owner} budget={budget} windows={[]} onClose={() => setEditing(false)} /> : null}
      {dialog}
    </Flex>
  )
}

/** A group's budget counts for each user: here stands only what each may spend. */
function GroupLine({ budget }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  const style = useQuotaStyle()
  return (
    <Text textStyle="sm" color="text.muted">
      {t('each-user', { amount: quotaText(budget.amount, 'total', style) })} · <Restart budget={budget} />
    </Text>
  )
}

const FULL = 100
const NEARLY_FULL = 80

function State({ budget }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  const style = useQuotaStyle()
  const { amount, spent, held, ends_at } = budget
  const share = Math.min(FULL, Math.floor(((spent + held) / amount) * FULL))
  const palette = share >= FULL ? 'danger' : share >= NEARLY_FULL ? 'warning' : 'accent'
  const left = amount - spent - held
  return (
    <Stack gap="1" mt="1">
      <ProgressLine value={share} size="sm" colorPalette={palette} label={`${share}%`} />
      <Flex columnGap="3" wrap="wrap" justify="space-between" textStyle="sm" color="text.muted">
        <span>
          <QuotaText quota={spent} /> / <QuotaText quota={amount} /> {t('spent')}
          {held === 0 ? null : (
            <>
              {' · '}
              <QuotaText quota={held} /> {t('held')}
            </>
          )}
          {' · '}
          {left >= 0 ? (
            <>
              <QuotaText quota={left} /> {t('left')}
            </>
          ) : (
            t('over', { amount: quotaText(0 - left, 'total', style) })
          )}
        </span>
        <Restart budget={budget} />
      </Flex>
      {ends_at === 0 ? null : (
        <Text textStyle="sm" color={spent >= amount ? 'danger.fg' : 'warning.fg'}>
          {spent >= amount ? t('used-up') : t('forecast', { time: timeText(ends_at) })}
        </Text>
      )}
      <Past budget={budget} />
      <BudgetDays budget={budget} />
    </Stack>
  )
}

function Restart({ budget: { end } }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  return <span>{end === 0 ? t('never') : t('resets', { time: timeText(end) })}</span>
}

/** Spending in the periods before, a box each: the darker, the more of the amount. */
function Past({ budget: { amount, past } }: { readonly budget: Budget }): ReactNode {
  const { t } = useTranslation('budgets')
  const style = useQuotaStyle()
  if (past.length === 0) return null
  return (
    <Flex gap="2" align="center" wrap="wrap">
      <Text textStyle="xs" color="text.muted">
        {t('past')}
      </Text>
      <Flex as="ul" listStyleType="none" gap="0.5" wrap="wrap">
        {past.toReversed().map(({ start, spent }) => {
          const share = Math.round((spent / amount) * FULL)
          const words = t('past-one', { start: timeText(start), amount: exactQuotaText(spent, style), share })
          return (
            <chakra.li
              key={start}
              aria-label={words}
              data-hint={words}
              boxSize="3.5"
              borderRadius="sm"
              borderWidth="1px"
              borderColor="border"
              bg={share >= FULL ? 'danger.solid' : 'accent.solid'}
              opacity={share >= FULL ? 1 : Math.max(0.08, share / FULL)}
            />
          )
        })}
      </Flex>
    </Flex>
  )
}
