/** Setting `schedule` of a channel: when it serves. `hours`: `09:00-18:00`, over midnight `22:00-06:00`. */
export type ChannelSchedule = {
  readonly hours: string
  /** IANA name, `Asia/Shanghai`; absent: UTC. */
  readonly time_zone?: string
  /** Days on which the hours begin, 1 (Monday) to 7; absent: every day. */
  readonly days?: readonly number[]
}

const HOURS = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/

/** Minutes of the day from which and until which; undefined for other text, 24:30 and hours of no length. */
export function readHours(text: string): { readonly from: number; readonly until: number } | undefined {
  const found = HOURS.exec(text)
  if (found === null) return undefined
  const [, fromHour, fromMinute, untilHour, untilMinute] = found.map(Number)
  const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0)
  const until = (untilHour ?? 0) * 60 + (untilMinute ?? 0)
  return until > 24 * 60 || from === until ? undefined : { from, until }
}

/** True if a value of `schedule` can be saved. */
export function isSchedule(value: unknown): value is ChannelSchedule {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { hours, time_zone = 'UTC', days = [1], ...others } = value as Readonly<Record<string, unknown>> // an object; each member is checked
  if (Object.keys(others).length > 0 || typeof hours !== 'string' || readHours(hours) === undefined) return false
  if (typeof time_zone !== 'string' || !isTimeZone(time_zone)) return false
  return Array.isArray(days) && days.length > 0 && days.every((day) => Number.isInteger(day) && day >= 1 && day <= 7)
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // The platform's only way to say that a zone does not exist.
    return false
  }
}
