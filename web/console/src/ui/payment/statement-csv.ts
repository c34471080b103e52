import type { Statement, StatementLine } from '@tollgate/contracts/resources/statements'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { csvOf } from '../list/csv.ts'

const MONTHS = 24

/** The lines of a statement as a file. */
export function statementCsv(t: TFunction<'statement'>, { lines }: Statement): string {
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
export function lastMonths(now: Date): readonly string[] {
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

/** Details of an entry beyond its kind. */
export function causeOf(t: TFunction<'statement'>, { kind, requests, note }: StatementLine): string {
  return kind === 'usage' ? t('requests', { count: requests }) : note
}
