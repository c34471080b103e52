import { createHash } from 'node:crypto'
import type { TokenRecord } from '@tollgate/contracts/moving-in/records'
import type { BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { DEFAULT_QUOTA_PER_UNIT, type Quota } from '@tollgate/contracts/units'
import type { Cells } from '../cells/cells.ts'

/** LiteLLM names its rows by text; a record has a number, made of the text. */
export const idOf = (kind: 'user' | 'team' | 'key' | 'model' | 'day' | 'request', name: string): number =>
  Number.parseInt(createHash('sha256').update(`${kind}:${name}`).digest('hex').slice(0, 12), 16) + 1

export const toQuota = (dollars: number): Quota => Math.round(dollars * DEFAULT_QUOTA_PER_UNIT)

/** `{a,"b c"}`, as Postgres writes an array of texts. */
export function textArray(cells: Cells, column: string): string[] {
  const text = cells.text(column)
  if (!text.startsWith('{')) return []
  return [...text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  )
}

/** Unix seconds of a time without a zone, which is UTC; undefined: none. */
export function timeAt(cells: Cells, column: string): number | undefined {
  const text = cells.text(column)
  if (text === '') return undefined
  const at = Date.parse(`${text.replace(' ', 'T')}Z`)
  return Number.isFinite(at) ? Math.floor(at / 1000) : undefined
}

/** Unix seconds as the text of a time without a zone, which is UTC. */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

export const dayText = (seconds: number): string => timeText(seconds).slice(0, 10)

export type Budget = {
  /** Dollars; undefined: none. */
  readonly max: number | undefined
  readonly spend: number
  readonly duration: string
  /** Unix seconds at which its window ends; undefined: not known. */
  readonly reset: number | undefined
}

/** The budget of a row, filled up by the one that it names. A window that has ended counts as unspent. */
export function budgetOf(cells: Cells, shared: Cells | undefined, now: number): Budget {
  const max = numberAt(cells, 'max_budget') ?? (shared === undefined ? undefined : numberAt(shared, 'max_budget'))
  const duration = cells.text('budget_duration') || (shared?.text('budget_duration') ?? '')
  const reset = timeAt(cells, 'budget_reset_at') ?? (shared === undefined ? undefined : timeAt(shared, 'budget_reset_at'))
  const isDue = reset !== undefined && reset <= now
  return { max, spend: isDue ? 0 : Math.max(0, cells.number('spend')), duration, reset }
}

/** Durations that are windows here. A month of the calendar stands for thirty days. */
const WINDOWS: Readonly<Record<string, BudgetWindow>> = {
  '5h': '5h',
  '24h': 'day',
  '1d': 'day',
  '7d': 'week',
  '30d': 'month',
  '1mo': 'month',
}

/** The same budget as one of a window that begins on the day of the source's; undefined: it has no window, or one that is unknown here. */
export function windowBudgetOf({ max, spend, duration, reset }: Budget): TokenRecord['budget'] {
  const window = ownValue(WINDOWS, duration)
  const amount = toQuota(max ?? 0)
  if (window === undefined || amount < 1) return undefined
  return { amount, window, start_day: startDayOf(window, reset), spent: toQuota(spend) }
}

function startDayOf(window: BudgetWindow, reset: number | undefined): number {
  if (reset === undefined) return 1
  const day = new Date(reset * 1000)
  if (window === 'week') return day.getUTCDay() || 7
  return window === 'month' ? Math.min(day.getUTCDate(), 28) : 1
}

function numberAt(cells: Cells, column: string): number | undefined {
  if (!cells.has(column)) return undefined
  const value = cells.number(column, Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
