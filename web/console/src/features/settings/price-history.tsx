import { Button, chakra, Skeleton, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { PriceCause, PriceEdit } from '@tollgate/contracts/resources/prices'
import { dollarsOfRatio } from '@tollgate/domain/pricing/ratio-dollars'
import { timeText } from '@tollgate/domain/display/time-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { useConfirm } from '../../ui/overlay/use-confirm.tsx'
import { ErrorState } from '../../ui/page/states.tsx'
import { priceChanges, priceHistory, usePutBack, type PastChange } from './price-tools-api.ts'

type Shown = {
  readonly key: string
  readonly at: number
  readonly origin: string
  readonly edits: readonly PriceEdit[]
  readonly past?: PastChange
}

/** The scheduled changes of a model's price, then its past ones, newest first. */
export function PriceHistory({ name }: { readonly name: string }): ReactNode {
  const { t } = useTranslation('price-tools')
  const past = useQuery(priceHistory(name))
  const { data: changes = [] } = useQuery(priceChanges)
  if (past.error !== null && past.data === undefined)
    return <ErrorState message={t('history.failed')} onRetry={() => void past.refetch()} />
  if (past.data === undefined) return <Skeleton height="4rem" />
  const origin = (cause: PriceCause, by: string): string => t(`history.${cause}`, { user: by })
  const coming = changes.flatMap(({ id, state, at, patch, created_by }): Shown[] => {
    const edits = Object.entries(patch).flatMap(([option, entries]) =>
      // The patch was made for price options, and null in it removes an entry.
      Object.hasOwn(entries, name) ? [{ option: option as PriceEdit['option'], before: undefined, after: entries[name] }] : [],
    )
    return state !== 'waiting' || edits.length === 0
      ? []
      : [{ key: `coming ${id}`, at, origin: t('history.coming', { user: created_by }), edits }]
  })
  const before = past.data.map(({ at, cause, by_name, edits }, index): Shown => {
    return { key: String(index), at, origin: origin(cause, by_name), edits, past: { at, cause, by_name, name } }
  })
  const all = [...coming, ...before]
  if (all.length === 0)
    return (
      <Text textStyle="sm" color="text.muted">
        {t('history.none')}
      </Text>
    )
  return (
    <Stack as="ol" gap="3" listStyleType="none" aria-label={t('history.title')}>
      {all.map(({ key, at, origin: from, edits, past: change }) => (
        <chakra.li key={key}>
          <Text textStyle="xs" color="text.muted">
            {timeText(at)} · {from}
            {change === undefined ? null : <PutBack change={change} />}
          </Text>
          {edits.map((edit) => (
            <Edit key={edit.option} edit={edit} />
          ))}
        </chakra.li>
      ))}
    </Stack>
  )
}

function PutBack({ change }: { readonly change: PastChange }): ReactNode {
  const { t } = useTranslation('price-tools')
  const putBack = usePutBack()
  const confirm = useConfirm()
  const run = async (): Promise<void> => {
    await putBack.mutateAsync(change)
    toast.success(t('history.put-back-done'))
  }
  const question = { title: t('history.put-back-title'), help: t('history.put-back-help'), confirm: t('history.put-back'), run }
  return (
    <>
      <Button type="button" size="2xs" variant="ghost" ms="1" onClick={() => confirm.ask(question)}>
        {t('history.put-back')}
      </Button>
      {confirm.dialog}
    </>
  )
}

function Edit({ edit: { option, before, after } }: { readonly edit: PriceEdit }): ReactNode {
  const { t } = useTranslation(['price-tools', 'options'])
  const text = (value: unknown): string => (value === null ? t('history.nothing') : valueText(option, value))
  return (
    <Text textStyle="sm" overflowWrap="anywhere">
      {t(`options:${option}.label`)}{' '}
      <chakra.span fontVariantNumeric="tabular-nums" color="text.strong">
        {before === undefined ? '' : `${text(before)} `}→ {text(after)}
      </chakra.span>
    </Text>
  )
}

/** A model ratio with the dollars that it stands for. */
function valueText(option: PriceEdit['option'], value: unknown): string {
  if (typeof value !== 'number') return JSON.stringify(value)
  if (option === 'ModelPrice') return `$${value}`
  return option === 'ModelRatio' ? `${value} ($${dollarsOfRatio(value)}/1M)` : String(value)
}
