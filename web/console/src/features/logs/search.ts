import { LogType } from '@tollgate/contracts/enums'
import { LOG_OUTCOMES, type LogOutcome } from '@tollgate/contracts/resources/logs'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Time ranges that are counted from now; `custom` uses start and end. */
export const PRESETS = ['hour', 'today', 'yesterday', 'seven-days', 'last-week', 'thirty-days', 'all'] as const
export type Preset = (typeof PRESETS)[number]

const TYPES: readonly number[] = Object.values(LogType)
const asType = (value: unknown): number | undefined => TYPES.find((type) => type === Number(value))
const asOutcome = (value: unknown): LogOutcome | undefined => LOG_OUTCOMES.find((outcome) => outcome === value)
const asPreset = (value: unknown): Preset | undefined => PRESETS.find((preset) => preset === value)

/** Reads the address of the log page. `open` is the open row and `at` its time, so that a reload finds its month. */
export const parseLogSearch = searchReader({
  type: asType,
  token_name: asText,
  model_name: asText,
  group: asText,
  channel: asCount,
  username: asText,
  request_id: asText,
  outcome: asOutcome,
  error_code: asText,
  min_seconds: asCount,
  session: asText,
  preset: asPreset,
  start: asCount,
  end: asCount,
  page: asPage,
  open: asCount,
  at: asCount,
})
export type LogSearch = ReturnType<typeof parseLogSearch>

/** From a second until another one, which does not belong to it. */
export type Span = { readonly from: UnixSeconds; readonly until: UnixSeconds }
export type LogRange = { readonly start_timestamp: UnixSeconds; readonly end_timestamp: UnixSeconds }

const HOUR = 3_600
const DAY = 86_400
/** 0 on the wire: no limit. */
const OPEN = 0

/** The chosen range; without one today 00:00 to one hour ahead. `now` is cut to the minute by the caller, so that keys are stable. */
export function rangeOf(search: LogSearch, now: UnixSeconds, midnight: UnixSeconds): LogRange {
  if (search.start !== undefined || search.end !== undefined)
    return { start_timestamp: search.start ?? OPEN, end_timestamp: search.end ?? OPEN }
  const preset = search.preset ?? 'today'
  const monday = midnight - ((new Date(midnight * 1000).getDay() + 6) % 7) * DAY
  const starts = {
    hour: now - HOUR,
    today: midnight,
    yesterday: midnight - DAY,
    'last-week': monday - 7 * DAY,
    'seven-days': midnight - 6 * DAY,
    'thirty-days': midnight - 29 * DAY,
    all: OPEN,
  } as const satisfies Record<Preset, UnixSeconds>
  const ends: Partial<Record<Preset, UnixSeconds>> = { yesterday: midnight - 1, 'last-week': monday - 1, all: OPEN }
  return { start_timestamp: starts[preset], end_timestamp: ends[preset] ?? now + HOUR }
}

/** Which preset the range selector shows. */
export function presetOf(search: LogSearch): Preset | 'custom' {
  return search.start !== undefined || search.end !== undefined ? 'custom' : (search.preset ?? 'today')
}
