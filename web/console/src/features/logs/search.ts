import { LogType } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'

/** Time ranges that are counted from now; `custom` uses start and end. */
export const PRESETS = ['hour', 'today', 'seven-days', 'thirty-days', 'all'] as const
export type Preset = (typeof PRESETS)[number]

/** What the address of the log page holds. */
export type LogSearch = {
  readonly type?: number
  readonly token_name?: string
  readonly model_name?: string
  readonly group?: string
  readonly channel?: number
  readonly username?: string
  readonly preset?: Preset
  /** Only with a range of one's own. */
  readonly start?: UnixSeconds
  readonly end?: UnixSeconds
  /** From 1. */
  readonly page?: number
  /** The open row: its id and, so that a reload finds its month, its time. */
  readonly open?: number
  readonly at?: UnixSeconds
}

const TYPES: readonly number[] = Object.values(LogType)
const TEXTS = ['token_name', 'model_name', 'group', 'username'] as const
const NUMBERS = ['channel', 'start', 'end', 'page', 'open', 'at'] as const

/** Reads the address; what is not understood is left out. */
export function parseLogSearch(search: Record<string, unknown>): LogSearch {
  const found: Record<string, unknown> = {}
  for (const name of TEXTS) {
    const value = search[name]
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[name] = String(value)
  }
  for (const name of NUMBERS) {
    const value = Number(search[name])
    if (Number.isSafeInteger(value) && value > 0 && !(name === 'page' && value === 1)) found[name] = value
  }
  const type = Number(search['type'])
  if (TYPES.includes(type)) found['type'] = type
  const preset = PRESETS.find((one) => one === search['preset'])
  if (preset !== undefined) found['preset'] = preset
  // Every entry was checked against its name above.
  return found as LogSearch
}

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
  const starts = {
    hour: now - HOUR,
    today: midnight,
    'seven-days': midnight - 6 * DAY,
    'thirty-days': midnight - 29 * DAY,
    all: OPEN,
  } as const satisfies Record<Preset, UnixSeconds>
  return { start_timestamp: starts[preset], end_timestamp: preset === 'all' ? OPEN : now + HOUR }
}

/** Which preset the range selector shows. */
export function presetOf(search: LogSearch): Preset | 'custom' {
  return search.start !== undefined || search.end !== undefined ? 'custom' : (search.preset ?? 'today')
}
