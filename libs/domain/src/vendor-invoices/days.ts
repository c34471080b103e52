import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { windowAt } from '../budgets/window.ts'

const PLAIN = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})$/

/** The day of a date, or of a moment in the time zone; undefined: it is neither. */
export function dayOfText(text: string, time_zone: string): string | undefined {
  const plain = PLAIN.exec(text.trim())
  if (plain !== null) return validDay(`${plain[1]}-${plain[2]}-${plain[3]}`)
  if (/^\d{9,10}$/.test(text)) return dayAt(Number(text), time_zone)
  const moment = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) ? Date.parse(withZone(text)) : Number.NaN
  return Number.isNaN(moment) ? undefined : dayAt(Math.floor(moment / 1000), time_zone)
}

/** A moment without a zone is in UTC. */
const withZone = (text: string): string => {
  const iso = text.replace(' UTC', 'Z').replace(' ', 'T')
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`
}

const validDay = (day: string): string | undefined =>
  Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day ? undefined : day

const calendar = (time_zone: string) => ({ window: 'day', time_zone, start_day: 1, starts_at: 0 }) as const

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(time_zone: string): Intl.DateTimeFormat {
  const known = formats.get(time_zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(time_zone, made)
  return made
}

/** The day of a moment in a time zone. */
export function dayAt(at: UnixSeconds, time_zone: string): string {
  const parts = new Map(
    formatOf(time_zone)
      .formatToParts(at * 1000)
      .map(({ type, value }) => [type, value]),
  )
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export type DaySpan = { readonly day: string; readonly start: UnixSeconds; readonly end: UnixSeconds }

/** The days from one to another in a time zone, both included. */
export function daysBetween(first: string, last: string, time_zone: string): DaySpan[] {
  const days: DaySpan[] = []
  // A zone is at most a day away from UTC.
  let at = Date.parse(first) / 1000 - DAY_SECONDS
  const until = Date.parse(last) / 1000 + 2 * DAY_SECONDS
  while (at <= until) {
    const { start, end } = windowAt(calendar(time_zone), at)
    const day = dayAt(start, time_zone)
    if (day >= first && day <= last) days.push({ day, start, end })
    at = end
  }
  return days
}
