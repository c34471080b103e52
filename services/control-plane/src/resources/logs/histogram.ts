import { LogType } from '@tollgate/contracts/enums'
import type { LogHistogram } from '@tollgate/contracts/resources/logs'
import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { countLogs } from '@tollgate/db/queries/logs/log-counts'
import type { CountedStep, LogFilter } from '@tollgate/db/log-store'
import { isOfRows } from '@tollgate/db/queries/logs/log-filter'
import { countsAllRows, countSteps, findFirstHour, MAX_COUNTED_ROWS } from '@tollgate/db/queries/logs/log-histogram'
import { sumRows } from '@tollgate/db/log-page-position'
import type { Tx } from '@tollgate/db/connect'

const MINUTE = 60
const STEP_LENGTHS = [
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR_SECONDS,
  2 * HOUR_SECONDS,
  3 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  7 * DAY_SECONDS,
  30 * DAY_SECONDS,
] as const
const MAX_STEPS = 96
const MAX_OFFSET = 14 * HOUR_SECONDS

/** Counts a filter's requests over its range, which ends now at the latest; without a start it begins with the first usage. */
export async function histogramOf(
  tx: Tx,
  filter: LogFilter,
  { now, offset }: { readonly now: UnixSeconds; readonly offset: number },
): Promise<LogHistogram> {
  const until = Math.min((filter.to ?? 0) > 0 ? (filter.to ?? 0) + 1 : now + 1, now + 1)
  const from = Math.min((filter.from ?? 0) > 0 ? (filter.from ?? 0) : ((await findFirstHour(tx)) ?? until - HOUR_SECONDS), until - 1)
  const range = { ...filter, from, to: until - 1 }
  const wanted = stepLength(until - from)
  const readsRows =
    countsAllRows(tx) ||
    isOfRows(range) ||
    (wanted < HOUR_SECONDS && sumRows(await countLogs(tx, range, MAX_COUNTED_ROWS)) <= MAX_COUNTED_ROWS)
  const seconds = readsRows ? wanted : Math.max(wanted, HOUR_SECONDS)
  const shift = seconds > HOUR_SECONDS ? wholeHours(offset) : 0
  const counted = await countSteps(tx, range, { seconds, shift })
  const is_cut = !countsAllRows(tx) && isOfRows(range) && counted.reduce((sum, { rows }) => sum + rows, 0) >= MAX_COUNTED_ROWS
  return { seconds, from, until, steps: stepsOf(counted), is_cut }
}

const stepLength = (span: number): number => STEP_LENGTHS.find((seconds) => span / seconds <= MAX_STEPS) ?? Math.ceil(span / MAX_STEPS)

const wholeHours = (offset: number): number => Math.round(Math.min(Math.max(offset, -MAX_OFFSET), MAX_OFFSET) / HOUR_SECONDS) * HOUR_SECONDS

const FIELDS = new Map<number, 'charged' | 'failed' | 'refused'>([
  [LogType.consume, 'charged'],
  [LogType.error, 'failed'],
  [LogType.refused, 'refused'],
])

/** Entries that are not about a request are not counted. */
function stepsOf(counted: readonly CountedStep[]): LogHistogram['steps'] {
  const steps = new Map<number, LogHistogram['steps'][number]>()
  for (const { at, type, rows } of counted) {
    const field = FIELDS.get(type)
    if (field === undefined) continue
    const step = steps.get(at) ?? { at, charged: 0, failed: 0, refused: 0 }
    steps.set(at, { ...step, [field]: rows })
  }
  return [...steps.values()]
}
