import { Box, Button, Flex, Skeleton, Table, Text } from '@chakra-ui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Statement as StatementData, StatementLine } from '@tollgate/contracts/resources/statements'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { Download, Printer } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../lib/report.ts'
import { TimeText } from '../../../ui/display/number-text.tsx'
import { QuotaText } from '../../../ui/display/quota-text.tsx'
import { Select } from '../../../ui/form/select-field.tsx'
import { csvOf, saveCsv } from '../../../ui/list/csv.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { ErrorState } from '../../../ui/page/states.tsx'
import { ownStatement } from './api.ts'

const MONTHS = 24

/** Every change of the balance in a month, with its cause; to save and to print. */
export function Statement(): ReactNode {
  const { t } = useTranslation('statement')
  const [months] = useState(() => lastMonths(new Date()))
  const [month, setMonth] = useState(months[0] ?? '')
  const query = useQuery({ ...ownStatement(month), placeholderData: keepPreviousData, meta: { quiet: true } })
  const { data } = query
  return (
    <Panel
      isFlush
      title={t('title', { month })}
      help={t('help')}
      action={
        <Flex gap="2" align="center" wrap="wrap" data-no-print="">
          <Select label={t('month')} value={month} choices={months.map((value) => ({ value, label: value }))} onChange={setMonth} />
          <Button
            size="sm"
            variant="outline"
            disabled={data === undefined}
            onClick={() => data && saveCsv(`statement-${data.month}`, csvFor(t, data))}
          >
            <Download aria-hidden />
            CSV
          </Button>
          <Button size="sm" variant="outline" disabled={data === undefined} onClick={() => window.print()}>
            <Printer aria-hidden />
            {t('print')}
          </Button>
        </Flex>
      }
    >
      {query.error === null ? null : <ErrorState message={failureText(query.error) ?? ''} onRetry={() => void query.refetch()} />}
      {query.isPending ? <Skeleton height="24" m="4" /> : null}
      {data === undefined ? null : <Lines statement={data} />}
    </Panel>
  )
}

function Lines({ statement: { opening, closing, lines, is_cut } }: { readonly statement: StatementData }): ReactNode {
  const { t } = useTranslation('statement')
  return (
    <Box overflowX="auto" tabIndex={0} role="group" aria-label={t('lines')} focusVisibleRing="inside">
      <Table.Root size="sm">
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeader>{t('column.time')}</Table.ColumnHeader>
            <Table.ColumnHeader>{t('column.cause')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('column.amount')}</Table.ColumnHeader>
            <Table.ColumnHeader textAlign="end">{t('column.balance')}</Table.ColumnHeader>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          <Sum label={t('opening')} quota={opening} />
          {lines.map((line) => (
            <Table.Row key={`${line.kind} ${line.reference} ${line.at}`}>
              <Table.Cell whiteSpace="nowrap">
                {line.kind === 'usage' ? (
                  <Text fontVariantNumeric="tabular-nums">{line.reference}</Text>
                ) : (
                  <TimeText time={line.at} absent="–" />
                )}
              </Table.Cell>
              <Table.Cell>
                {t(`kind.${line.kind}`)}
                {causeOf(t, line) === '' ? null : (
                  <Text as="span" color="text.muted">
                    {' · '}
                    {causeOf(t, line)}
                  </Text>
                )}
              </Table.Cell>
              <Table.Cell textAlign="end" color={line.amount < 0 ? 'text' : 'success.fg'}>
                {line.amount > 0 ? '+' : ''}
                <QuotaText quota={line.amount} />
              </Table.Cell>
              <Table.Cell textAlign="end">
                <QuotaText quota={line.balance} />
              </Table.Cell>
            </Table.Row>
          ))}
          <Sum label={t('closing')} quota={closing} />
        </Table.Body>
      </Table.Root>
      {lines.length === 0 ? (
        <Text px="4" py="3" color="text.muted">
          {t('none')}
        </Text>
      ) : null}
      {is_cut ? (
        <Text px="4" py="3" color="warning.fg">
          {t('cut')}
        </Text>
      ) : null}
    </Box>
  )
}

function Sum({ label, quota }: { readonly label: string; readonly quota: number }): ReactNode {
  return (
    <Table.Row fontWeight="medium" color="text.strong">
      <Table.Cell colSpan={3}>{label}</Table.Cell>
      <Table.Cell textAlign="end">
        <QuotaText quota={quota} />
      </Table.Cell>
    </Table.Row>
  )
}

function causeOf(t: TFunction<'statement'>, { kind, requests, note, reference }: StatementLine): string {
  if (kind === 'usage') return t('requests', { count: requests })
  if (note !== '') return note
  return kind === 'top-up' ? reference : ''
}

function csvFor(t: TFunction<'statement'>, { lines }: StatementData): string {
  const column = (id: string, header: string, text: (line: StatementLine) => string | number) => ({ id, header, cell: () => null, text })
  return csvOf<StatementLine>(
    [
      column('time', t('column.time'), ({ kind, at, reference }) => (kind === 'usage' ? reference : timeText(at))),
      column('cause', t('column.cause'), ({ kind }) => t(`kind.${kind}`)),
      column('note', t('column.note'), (line) => causeOf(t, line)),
      column('reference', t('column.reference'), ({ reference }) => reference),
      column('amount', t('column.amount'), ({ amount }) => amount),
      column('balance', t('column.balance'), ({ balance }) => balance),
    ],
    lines,
  )
}

/** This month (UTC) and the ones before it, as `2026-11`. */
function lastMonths(now: Date): readonly string[] {
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}
