import type { BudgetCalendar } from '@tollgate/contracts/pricing/budgets'
import type { UnixSeconds } from '@tollgate/contracts/units'

/** A window of a budget: it includes `start` and ends before `end`. */
export type Period = {
  readonly start: UnixSeconds
  readonly end: UnixSeconds
  readonly previous_start: UnixSeconds
  /** The start of the window before the previous one. */
  readonly old_start: UnixSeconds
}

/** The end of the window `total`: the year 9999. */
export const NEVER: UnixSeconds = 253_402_300_800

const FIVE_HOURS = 5 * 3600

/** The window that a moment is in. Two windows of the same calendar never overlap and leave no gap, whatever clocks in between do. */
export function windowAt(calendar: BudgetCalendar, now: UnixSeconds): Period {
  const { window, time_zone, start_day, starts_at } = calendar
  if (window === 'total') return { start: 0, end: NEVER, previous_start: 0, old_start: 0 }
  if (window === '5h') {
    const start = starts_at + Math.floor((now - starts_at) / FIVE_HOURS) * FIVE_HOURS
    const before = (windows: number): UnixSeconds => Math.max(0, start - windows * FIVE_HOURS)
    return { start, end: start + FIVE_HOURS, previous_start: before(1), old_start: before(2) }
  }
  const name = `${window} ${start_day} ${time_zone}`
  const last = latest.get(name)
  if (last !== undefined && now >= last.start && now < last.end) return last
  const found = calendarWindow(window, start_day, time_zone, now)
  if (latest.size >= MAX_KEPT) latest.clear()
  latest.set(name, found)
  return found
}

/** The last window of each calendar: nearly every request asks for the current one, and Intl is slow. */
const latest = new Map<string, Period>()
const MAX_KEPT = 10_000

type LocalDay = { readonly year: number; readonly month: number; readonly day: number }

function calendarWindow(window: 'day' | 'week' | 'month', startDay: number, zone: string, now: UnixSeconds): Period {
  const today = localDay(zone, now)
  const midnight = (months: number, days: number): UnixSeconds =>
    startOfDay(zone, new Date(Date.UTC(today.year, today.month - 1 + months, today.day + days)))
  const daily = (length: number, back: number): Period => ({
    start: midnight(0, 0 - back),
    end: midnight(0, length - back),
    previous_start: midnight(0, 0 - length - back),
    old_start: midnight(0, -2 * length - back),
  })
  if (window === 'day') return daily(1, 0)
  if (window === 'week') {
    const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay() || 7
    return daily(7, (weekday - Math.min(startDay, 7) + 7) % 7)
  }
  const months = today.day >= startDay ? 0 : -1
  const monthly = (offset: number): UnixSeconds => startOfDay(zone, new Date(Date.UTC(today.year, today.month - 1 + offset, startDay)))
  return { start: monthly(months), end: monthly(months + 1), previous_start: monthly(months - 1), old_start: monthly(months - 2) }
}

/** The first second of a local day, given as that day in UTC; a day whose midnight does not exist begins after the gap. */
function startOfDay(zone: string, day: Date): UnixSeconds {
  const wanted = day.getTime() / 1000
  const offsets = [wanted - 86_400, wanted, wanted + 86_400].map((at) => localSeconds(zone, at) - at)
  const starts = offsets.map((offset) => wanted - offset).filter((at) => localSeconds(zone, at) >= wanted)
  return Math.min(...starts)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hourCycle: 'h23', ...fields })
  formats.set(zone, made)
  return made
}

/** Local time of a zone, as if it were UTC. */
function localSeconds(zone: string, at: UnixSeconds): number {
  const { year, month, day, hour, minute, second } = partsOf(zone, at)
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

function localDay(zone: string, at: UnixSeconds): LocalDay {
  return partsOf(zone, at)
}

function partsOf(zone: string, at: UnixSeconds): LocalDay & { readonly hour: number; readonly minute: number; readonly second: number } {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute'), second: of('second') }
}
