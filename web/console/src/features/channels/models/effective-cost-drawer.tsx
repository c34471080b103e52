import { chakra, Table } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import type { EffectiveCost } from '@tollgate/contracts/channels/effective-cost'
import { channels } from '@tollgate/contracts/resources/channels'
import { timeText } from '@tollgate/domain/display/time-text'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call as send, keyOf } from '../../../lib/api.ts'
import { percentText } from '../../../lib/percent-text.ts'
import { CountText, CutText } from '../../../ui/display/number-text.tsx'
import { TableFrame } from '../../../ui/display/table-frame.tsx'
import { StatusTag } from '../../../ui/display/tone-tag.tsx'
import { ChoiceField } from '../../../ui/form/labelled-field.tsx'
import { DetailDrawer } from '../../../ui/overlay/detail-drawer.tsx'

const HOURS = ['1', '6', '24'] as const

/** Recent cost of a million useful tokens of each model at each channel. */
export function EffectiveCostDrawer({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  const [hours, setHours] = useState<string>('6')
  const query = { hours: Number(hours) }
  const found = useQuery({
    queryKey: keyOf(channels.effectiveCosts, { query }),
    queryFn: ({ signal }) => send(channels.effectiveCosts, { query, signal }),
  }).data
  return (
    <DetailDrawer title={t('cost.title')} size="lg" onClose={onClose}>
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.p color="text.muted">{t('cost.help')}</chakra.p>
        <ChoiceField
          label={t('cost.hours')}
          value={hours}
          onValue={setHours}
          choices={HOURS.map((value) => ({ value, label: t('cost.last', { count: Number(value) }) }))}
        />
        {found === undefined ? null : <Costs rows={found.rows} />}
        {found?.is_cut === true ? <chakra.p color="warning.fg">{t('cost.cut')}</chakra.p> : null}
      </chakra.div>
    </DetailDrawer>
  )
}

function Costs({ rows }: { readonly rows: readonly EffectiveCost[] }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  if (rows.length === 0) return <chakra.p color="text.muted">{t('cost.none')}</chakra.p>
  return (
    <TableFrame label={t('cost.title')}>
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>
              {t('model')} · {t('channel')}
            </Table.ColumnHeader>
            {COLUMNS.map((name) => (
              <Table.ColumnHeader key={name} textAlign="end" whiteSpace="nowrap">
                {t(`cost.${name}`)}
              </Table.ColumnHeader>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {rows.map((row) => (
            <Table.Row key={`${row.channel_id} ${row.model}`}>
              <Table.Cell whiteSpace="nowrap">
                <CutText text={row.model} />
                <chakra.div color="text.muted" textStyle="xs">
                  <CutText text={`#${row.channel_id} ${row.channel_name}`} />
                </chakra.div>
              </Table.Cell>
              {COLUMNS.map((name) => (
                <Table.Cell key={name} textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                  <Figure row={row} name={name} />
                </Table.Cell>
              ))}
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </TableFrame>
  )
}

const COLUMNS = ['effective', 'list', 'ratio', 'cached', 'output', 'wasted', 'failures', 'requests', 'newest'] as const

function Figure({ row, name }: { readonly row: EffectiveCost; readonly name: (typeof COLUMNS)[number] }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  switch (name) {
    case 'effective':
      return (
        <>
          {dollars(row.usd_per_million)} {row.is_measured ? null : <StatusTag tone="grey">{t('cost.few')}</StatusTag>}
        </>
      )
    case 'list':
      return dollars(row.list_usd_per_million)
    case 'ratio':
      return String(row.cost_ratio)
    case 'cached':
      return percentText(row.cached_share)
    case 'output':
      return percentText(row.output_share)
    case 'wasted':
      return percentText(row.wasted_share)
    case 'failures':
      return row.failures_per_request === 0 ? '–' : row.failures_per_request.toFixed(2)
    case 'requests':
      return <CountText count={row.requests} />
    case 'newest':
      return timeText(row.last_at)
  }
}

const dollars = (usd: number | null): string => (usd === null ? '–' : `$${usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2)}`)
