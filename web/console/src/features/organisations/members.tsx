import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { organisation, type Member } from '@tollgate/contracts/resources/organisations'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import { mayGive } from '@tollgate/domain/access/rights'
import { timeText } from '@tollgate/domain/display/time-text'
import { Crown, LogOut, PiggyBank, UserMinus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import type { Guarded } from '../../lib/guarded.ts'
import { chooseAccount } from '../../lib/organisations.ts'
import { may } from '../../lib/rights.ts'
import { failureText, report } from '../../lib/report.ts'
import { saying } from '../../lib/saying.ts'
import { session, useUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Budgets } from '../../ui/budgets/lazy-budgets.tsx'
import { shownName } from '../../ui/display/avatar.tsx'
import { IconButton } from '../../ui/display/icon-button.tsx'
import { ToneTag } from '../../ui/display/tone-tag.tsx'
import { CheckBox } from '../../ui/form/check-box.tsx'
import { Select } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { DetailDrawer } from '../../ui/overlay/detail-drawer.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { Panel, PanelRow } from '../../ui/page/panel.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { members, useChange } from './api.ts'

const FILTERED_FROM = 12

/** Members with their roles, and what changes them. */
export function MembersPanel({ name, guarded }: { readonly name: string; readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('organisations')
  const { data, error, refetch } = useQuery(members)
  const [filter, setFilter] = useState('')
  const [budgetsOf, setBudgetsOf] = useState<Member | undefined>(undefined)
  const [leaving, setLeaving] = useState<Member | undefined>(undefined)
  const wanted = filter.trim().toLowerCase()
  const shown = data?.filter((one) => `${one.username} ${one.display_name} ${one.email}`.toLowerCase().includes(wanted))
  return (
    <Panel title={t('members.title')} help={t('members.help')} isFlush action={<Leave name={name} />}>
      {error !== null && data === undefined ? <ErrorState message={failureText(error) ?? ''} onRetry={() => void refetch()} /> : null}
      {(data?.length ?? 0) < FILTERED_FROM ? null : (
        <chakra.div px="4" pt="3" maxW="sm">
          <TextField label={t('members.filter')} value={filter} onValue={setFilter} />
        </chakra.div>
      )}
      {shown?.map((member) => (
        <MemberRow
          key={member.user_id}
          member={member}
          guarded={guarded}
          onBudgets={() => setBudgetsOf(member)}
          onRemove={() => setLeaving(member)}
        />
      ))}
      {budgetsOf === undefined ? null : (
        <DetailDrawer title={t('members.budgets', { name: shownName(budgetsOf) })} onClose={() => setBudgetsOf(undefined)}>
          <Text textStyle="sm" color="text.muted" mb="4">
            {t('members.budgets-help')}
          </Text>
          <MemberBudgets member={budgetsOf} />
        </DetailDrawer>
      )}
      {leaving === undefined ? null : <Removal member={leaving} onClose={() => setLeaving(undefined)} />}
    </Panel>
  )
}

function MemberBudgets({ member }: { readonly member: Member }): ReactNode {
  return <Budgets owner={{ member_id: member.user_id }} canAdd={may(useUser(), 'budgets.write')} />
}

type RowProps = { readonly member: Member; readonly guarded: Guarded; readonly onBudgets: () => void; readonly onRemove: () => void }

function MemberRow({ member, guarded, onBudgets, onRemove }: RowProps): ReactNode {
  const { t } = useTranslation('organisations')
  const own = useUser()?.member?.role ?? 'viewer'
  const name = shownName(member)
  const giving = useChange((role: MemberRole) => call(organisation.setRole, { params: { id: member.user_id }, body: { role } }))
  const roles = MEMBER_ROLES.filter((role) => mayGive(own, role))
  const mayChange = mayGive(own, member.role) && roles.length > 0
  const give = async (role: MemberRole): Promise<void> => {
    await saying(giving.mutateAsync(role), () => t('members.role-set'))
    const user = session.user()
    if (member.is_self && user?.member !== undefined && !giving.isError) session.start({ ...user, member: { ...user.member, role } })
  }
  return (
    <PanelRow
      title={
        <Flex gap="2" align="center" wrap="wrap">
          {name}
          {member.is_self ? <ToneTag tone="grey">{t('members.you')}</ToneTag> : null}
          {member.source === null ? null : (
            <ToneTag tone="blue" hint={t(`members.source-help.${member.source}`)}>
              {t(`members.source.${member.source}`)}
            </ToneTag>
          )}
        </Flex>
      }
      action={
        <Flex gap="1" align="center">
          {mayChange ? (
            <Box w="36">
              <Select
                isWide
                label={t('members.role', { name })}
                value={member.role}
                choices={roles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
                onChange={(value) => void give(MEMBER_ROLES.find((role) => role === value) ?? member.role)}
              />
            </Box>
          ) : (
            <ToneTag tone="grey" hint={t(`roles-help.${member.role}`)}>
              {t(`roles.${member.role}`)}
            </ToneTag>
          )}
          <IconButton size="sm" variant="ghost" label={t('members.budgets', { name })} onClick={onBudgets}>
            <PiggyBank />
          </IconButton>
          {own === 'owner' && !member.is_self && member.role !== 'owner' ? <HandOver member={member} guarded={guarded} /> : null}
          {mayChange && !member.is_self ? (
            <IconButton size="sm" variant="ghost" label={t('members.remove', { name })} onClick={onRemove}>
              <UserMinus />
            </IconButton>
          ) : null}
        </Flex>
      }
    >
      {[member.email, t('members.joined-at', { time: timeText(member.joined_at) })].filter((part) => part !== '').join(' · ')}
    </PanelRow>
  )
}

function HandOver({ member, guarded }: { readonly member: Member; readonly guarded: Guarded }): ReactNode {
  const { t } = useTranslation('organisations')
  const name = shownName(member)
  const { ask, dialog } = useConfirm()
  const passing = useChange(() => guarded(() => call(organisation.handOver, { body: { user_id: member.user_id } })))
  const run = async (): Promise<void> => {
    await passing.mutateAsync(undefined)
    const user = session.user()
    if (user?.member !== undefined) session.start({ ...user, member: { ...user.member, role: 'admin' } })
    toast.success(t('members.handed-over', { name }))
  }
  return (
    <>
      <IconButton
        size="sm"
        variant="ghost"
        label={t('members.hand-over', { name })}
        onClick={() =>
          ask({
            title: t('members.hand-over-title', { name }),
            help: t('members.hand-over-help'),
            confirm: t('members.hand-over', { name }),
            // Not awaited: a proof may be asked for after this question.
            run: () => void run().catch(report),
          })
        }
      >
        <Crown />
      </IconButton>
      {dialog}
    </>
  )
}

/** Asks what becomes of the tokens that the member made. */
function Removal({ member, onClose }: { readonly member: Member; readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('organisations')
  const [isKeeping, setKeeping] = useState(false)
  const name = shownName(member)
  const removing = useChange(() =>
    call(organisation.removeMember, { params: { id: member.user_id }, query: { tokens: isKeeping ? 'keep' : 'disable' } }),
  )
  const run = async (): Promise<void> => {
    await saying(removing.mutateAsync(undefined), () => t('members.removed'))
    onClose()
  }
  return (
    <FormDialog
      title={t('members.remove-title', { name })}
      submit={t('members.remove', { name })}
      isBusy={removing.isPending}
      isDangerous
      onSubmit={() => void run()}
      onClose={onClose}
    >
      <Text>{t('members.remove-help', { name })}</Text>
      <CheckBox label={t('members.remove-keep')} isChecked={isKeeping} onChange={() => setKeeping(!isKeeping)} />
    </FormDialog>
  )
}

function Leave({ name }: { readonly name: string }): ReactNode {
  const { t } = useTranslation('organisations')
  const { ask, dialog } = useConfirm()
  const leave = async (): Promise<void> => {
    try {
      await call(organisation.leave, {})
      chooseAccount(undefined, '/organisations')
    } catch (error) {
      report(error)
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        onClick={() =>
          ask({ title: t('members.leave-title', { name }), help: t('members.leave-help'), confirm: t('members.leave'), run: leave })
        }
      >
        <LogOut aria-hidden />
        {t('members.leave')}
      </Button>
      {dialog}
    </>
  )
}
