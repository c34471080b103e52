import { Alert, chakra, Table } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { channels } from '@tollgate/contracts/resources/channels'
import type { RoutingForecast, RoutingQuestion } from '@tollgate/contracts/channels/routing-forecast'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call, keyOf } from '../../lib/api.ts'
import { percentText } from '../../lib/percent-text.ts'
import { failureText } from '../../lib/report.ts'
import { CutText } from '../../ui/display/number-text.tsx'
import { TableFrame } from '../../ui/display/table-frame.tsx'
import { StatusTag } from '../../ui/display/tone-tag.tsx'
import { compareRouting, isOpen, type Compared, type Difference } from './reproduction-view.ts'

type ReproductionProps = { readonly question: RoutingQuestion; readonly explanation: Explanation }

/** The recorded choice of channels beside the forecast of the same request now, with the differences marked. */
export function Reproduction({ question, explanation }: ReproductionProps): ReactNode {
  const { t } = useTranslation('logs')
  const { data, error } = useQuery({
    queryKey: keyOf(channels.forecast, question),
    queryFn: ({ signal }) => call(channels.forecast, { body: question, signal }),
    staleTime: 0,
    gcTime: 0,
    meta: { quiet: true },
  })
  if (error !== null)
    return (
      <Alert.Root status="warning">
        <Alert.Indicator />
        <Alert.Description>{t('reproduce.refused', { reason: failureText(error) ?? '' })}</Alert.Description>
      </Alert.Root>
    )
  if (data === undefined) return <chakra.div minH="20" aria-busy />
  return <Comparison forecast={data} explanation={explanation} group={question.group} />
}

type ComparisonProps = { readonly forecast: RoutingForecast; readonly explanation: Explanation; readonly group: string }

function Comparison({ forecast, explanation, group }: ComparisonProps): ReactNode {
  const { t } = useTranslation('logs')
  const compared = compareRouting(explanation, forecast)
  const count = compared.filter(({ differences }) => differences.length > 0).length
  const isMoved = !forecast.groups.includes(group)
  return (
    <chakra.div aria-live="polite" display="flex" flexDirection="column" gap="2">
      <chakra.p color="text.strong">
        {isMoved ? t('reproduce.group', { before: group, now: forecast.group }) : ''}{' '}
        {count > 0 ? t('reproduce.count', { count }) : isMoved ? '' : t('reproduce.none')}
      </chakra.p>
      <TableFrame label={t('reproduce.table')}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              <Table.ColumnHeader>{t('column.channel')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('reproduce.recorded')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('reproduce.now')}</Table.ColumnHeader>
              <Table.ColumnHeader>{t('reproduce.difference')}</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {compared.map((row) => (
              <Line key={row.channel_id} row={row} />
            ))}
          </Table.Body>
        </Table.Root>
      </TableFrame>
      <chakra.p textStyle="xs" color="text.muted">
        {t('reproduce.help')}
      </chakra.p>
    </chakra.div>
  )
}

function Line({ row }: { readonly row: Compared }): ReactNode {
  return (
    <Table.Row>
      <Table.Cell whiteSpace="nowrap">
        <CutText text={`#${row.channel_id} ${row.channel_name}`} />
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <Recorded row={row} />
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <Now row={row} />
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <Differences differences={row.differences} />
      </Table.Cell>
    </Table.Row>
  )
}

function Recorded({ row: { recorded, turns } }: { readonly row: Compared }): ReactNode {
  const { t } = useTranslation('logs')
  if (recorded === undefined) return t('reproduce.not-recorded')
  return turns.length === 0 ? t(`result.${recorded.result}`) : turns.map((nth) => t('reproduce.turn', { nth: nth + 1 })).join(' · ')
}

function Now({ row: { now } }: { readonly row: Compared }): ReactNode {
  const { t } = useTranslation('logs')
  if (now === undefined) return t('reproduce.absent')
  if (!isOpen(now.first)) return t(`result.${now.first.result}`)
  const shares = now.probabilities.flatMap((share, nth) =>
    share === 0 ? [] : [`${t('reproduce.turn', { nth: nth + 1 })} ${percentText(share)}`],
  )
  return shares.length === 0 ? t('reproduce.later') : shares.join(' · ')
}

function Differences({ differences }: { readonly differences: readonly Difference[] }): ReactNode {
  const { t } = useTranslation('logs')
  return differences.map((difference) => (
    <StatusTag key={difference.kind} tone="orange">
      {difference.kind === 'priority' || difference.kind === 'weight'
        ? t(`reproduce.differences.${difference.kind}`, { before: difference.before, now: difference.now })
        : t(`reproduce.differences.${difference.kind}`)}
    </StatusTag>
  ))
}
