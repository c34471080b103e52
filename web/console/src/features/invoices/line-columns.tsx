import { chakra, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { InvoiceCause, InvoiceLine } from '@tollgate/contracts/resources/vendor-invoices'
import { groupDigits } from '@tollgate/domain/display/count-text'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../ui/list/table-columns.ts'
import { invoiceChannels } from './api.ts'
import { amountText, differenceText } from './money.ts'

/** Vendor and log beside each other, and why they differ. */
export function useLineColumns(channel_ids: readonly number[]): readonly Column<InvoiceLine>[] {
  const { t } = useTranslation('invoices')
  const nameOf = useChannelName()
  const textOf = useCauseText(nameOf)
  const channelOf = ({ channel_id }: InvoiceLine): string => (channel_id === 0 ? t('all-channels') : nameOf(channel_id))
  const causesOf = ({ causes }: InvoiceLine): string => causes.map(textOf).join('\n')
  return [
    { id: 'model', header: t('column.model'), cell: ({ model }) => model, text: ({ model }) => model, isFixed: true, card: 'title' },
    { id: 'day', header: t('column.day'), cell: ({ day }) => day, text: ({ day }) => day, card: 'status' },
    { id: 'channel', header: t('column.channel'), cell: channelOf, text: channelOf, isOptional: channel_ids.length === 1 },
    counted('input', t('column.input')),
    counted('output', t('column.output')),
    {
      id: 'difference',
      header: t('column.difference'),
      cell: (line) => <Amounts line={line} />,
      text: overOf,
      align: 'end',
      card: 'line',
    },
    {
      id: 'causes',
      header: t('column.causes'),
      cell: ({ causes }) => <Causes causes={causes} textOf={textOf} />,
      text: causesOf,
      isWrapped: true,
      isFixed: true,
      card: 'line',
      isAbsent: ({ causes }) => causes.length === 0,
    },
  ]
}

function counted(id: 'input' | 'output', header: string): Column<InvoiceLine> {
  return {
    id,
    header,
    cell: ({ vendor, own }) => <Both vendor={vendor?.[id]} own={own?.[id]} />,
    text: ({ vendor, own }) => (vendor?.[id] ?? 0) - (own?.[id] ?? 0),
    align: 'end',
    card: 'line',
  }
}

type BothProps = { readonly vendor: number | null | undefined; readonly own: number | undefined }

/** The vendor's figure, and the log's under it where it is another one. */
function Both({ vendor, own }: BothProps): ReactNode {
  const { t } = useTranslation('invoices')
  const text = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : groupDigits(value))
  return (
    <chakra.span display="inline-block" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {text(vendor)}
      {vendor === own || vendor === null ? null : (
        <Text as="span" display="block" textStyle="xs" color="text.muted">
          {t('own', { value: text(own) })}
        </Text>
      )}
    </chakra.span>
  )
}

const overOf = ({ vendor, own }: InvoiceLine): number =>
  vendor?.dollars === null ? 0 : Number(vendor?.dollars ?? 0) - Number(own?.dollars ?? 0)

function Amounts({ line }: { readonly line: InvoiceLine }): ReactNode {
  const { t } = useTranslation('invoices')
  const { vendor, own } = line
  if (vendor?.dollars === null) return '–'
  return (
    <chakra.span display="inline-block" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      {differenceText(overOf(line))}
      <Text as="span" display="block" textStyle="xs" color="text.muted">
        {t('vendors', { value: amountText(vendor?.dollars) })} · {t('own', { value: amountText(own?.dollars) })}
      </Text>
    </chakra.span>
  )
}

type CausesProps = { readonly causes: readonly InvoiceCause[]; readonly textOf: (cause: InvoiceCause) => string }

function Causes({ causes, textOf }: CausesProps): ReactNode {
  if (causes.length === 0) return '–'
  return (
    <Stack gap="1" minW={{ sm: '14rem' }}>
      {causes.map((cause) => (
        <Text key={cause.kind} as="span" overflowWrap="anywhere">
          {textOf(cause)}
        </Text>
      ))}
    </Stack>
  )
}

function useChannelName(): (id: number) => string {
  const channels = useQuery(invoiceChannels)
  const names = new Map(channels.data?.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? `#${id}`
}

/** A cause with its figures: `The price changed: 1.2 of the price here, since 2026-11-04`. */
function useCauseText(nameOf: (id: number) => string): (cause: InvoiceCause) => string {
  const { t } = useTranslation('invoices')
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${groupDigits(value)}`
  return ({ kind, calls, input, output, cached, ratio, day, hours, channel_id, model }) => {
    const facts = [
      ...(model === undefined || kind === 'other-item' ? [] : [t('fact.model', { model })]),
      ...(channel_id === undefined ? [] : [t('fact.channel', { name: nameOf(channel_id) })]),
      ...(calls === undefined ? [] : [t('fact.calls', { count: calls })]),
      ...(input === undefined ? [] : [t('fact.input', { value: signed(input) })]),
      ...(output === undefined ? [] : [t('fact.output', { value: signed(output) })]),
      ...(cached === undefined || cached === 0 ? [] : [t('fact.cached', { value: signed(cached) })]),
      ...(ratio === undefined ? [] : [t('fact.ratio', { value: Number(ratio.toPrecision(4)) })]),
      ...(day === undefined ? [] : [t('fact.day', { day })]),
      ...(hours === undefined ? [] : [t('fact.hours', { count: hours })]),
    ]
    return [t(`cause.${kind}`), facts.join(t('facts-join'))].filter((part) => part !== '').join(t('cause-join'))
  }
}
