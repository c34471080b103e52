import { chakra, Table } from '@chakra-ui/react'
import type { ForecastRow, RoutingForecast } from '@tollgate/contracts/channels/routing-forecast'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { percentText } from '../../../lib/percent-text.ts'
import { CutText } from '../../../ui/display/number-text.tsx'
import { TableFrame } from '../../../ui/display/table-frame.tsx'
import { inTryOrder } from './forecast-view.ts'

/** Each channel with the probability of each attempt, or the reason why it is never tried. */
export function ForecastTable({ forecast }: { readonly forecast: RoutingForecast }): ReactNode {
  const { t } = useTranslation('channel-forecast')
  const { rows, groups, allowed_attempts, attempts, is_cut } = forecast
  const hasModels = rows.some(({ model }) => model !== undefined)
  const turns = Array.from({ length: attempts }, (_, at) => at)
  return (
    <chakra.section aria-live="polite">
      <chakra.p mb="2">
        {attempts === 0 ? t('nothing') : t('found', { group: groups.join(' → '), allowed: allowed_attempts, attempts })}{' '}
        {is_cut ? t('cut') : ''}
      </chakra.p>
      <TableFrame label={t('table')}>
        <Table.Root size="sm">
          <Table.Header>
            <Table.Row>
              {groups.length > 1 ? <Table.ColumnHeader>{t('group')}</Table.ColumnHeader> : null}
              {hasModels ? <Table.ColumnHeader>{t('model')}</Table.ColumnHeader> : null}
              <Table.ColumnHeader>{t('channel')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('priority')}</Table.ColumnHeader>
              <Table.ColumnHeader textAlign="end">{t('weight')}</Table.ColumnHeader>
              {turns.map((at) => (
                <Table.ColumnHeader key={at} textAlign="end" whiteSpace="nowrap">
                  {t('attempt', { nth: at + 1 })}
                </Table.ColumnHeader>
              ))}
              <Table.ColumnHeader>{t('reason')}</Table.ColumnHeader>
            </Table.Row>
          </Table.Header>
          <Table.Body>
            {inTryOrder(rows).map((row) => (
              <Table.Row key={`${row.first.channel_id} ${row.group} ${row.model ?? ''}`}>
                {groups.length > 1 ? <Table.Cell whiteSpace="nowrap">{row.group}</Table.Cell> : null}
                {hasModels ? <Table.Cell whiteSpace="nowrap">{row.model ?? t('requested')}</Table.Cell> : null}
                <Table.Cell whiteSpace="nowrap">
                  <CutText text={`#${row.first.channel_id} ${row.first.channel_name}`} />
                </Table.Cell>
                <Table.Cell textAlign="end">{row.first.priority}</Table.Cell>
                <Table.Cell textAlign="end">{row.first.weight}</Table.Cell>
                {turns.map((at) => (
                  <Table.Cell key={at} textAlign="end" whiteSpace="nowrap" fontVariantNumeric="tabular-nums">
                    {percentText(row.probabilities[at] ?? 0)}
                  </Table.Cell>
                ))}
                <Table.Cell whiteSpace="nowrap">
                  <Reason row={row} />
                </Table.Cell>
              </Table.Row>
            ))}
          </Table.Body>
        </Table.Root>
      </TableFrame>
      {attempts > 1 ? (
        <chakra.p mt="2" textStyle="xs" color="text.muted">
          {t('after-failure')}
        </chakra.p>
      ) : null}
    </chakra.section>
  )
}

function Reason({ row: { first, upstream_model } }: { readonly row: ForecastRow }): ReactNode {
  const { t } = useTranslation(['channel-forecast', 'logs'])
  if (first.result !== 'chosen')
    return (
      <>
        {t(`logs:result.${first.result}`)}
        {first.remaining_ms === undefined ? '' : ` · ${t('logs:remaining', { seconds: Math.ceil(first.remaining_ms / 1000) })}`}
      </>
    )
  return (
    <chakra.span color="text.muted">
      {first.chosen_by === undefined ? '' : `${t(`logs:chosen-by.${first.chosen_by}`)} · `}
      {t('upstream', { model: upstream_model })}
    </chakra.span>
  )
}
