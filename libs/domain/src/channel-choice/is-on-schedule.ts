import { isSchedule, readHours } from '@tollgate/contracts/channels/channel-schedule'

type Hours = {
  readonly from: number
  readonly until: number
  readonly days: readonly number[] | undefined
  readonly time_zone: string
}

/** Read schedules by the setting's own object, which a changed channel replaces; undefined: cannot be read. */
const read = new WeakMap<object, Hours | undefined>()

/** True if a channel's setting `schedule` lets it serve at `now` (unix milliseconds). One that cannot be read lets it always. */
export function isOnSchedule(schedule: unknown, now: number): boolean {
  const hours = typeof schedule === 'object' && schedule !== null ? hoursOf(schedule) : undefined
  if (hours === undefined) return true
  const { from, until, days } = hours
  const { day, minute } = localTime(hours.time_zone, now)
  const serves = (on: number): boolean => days?.includes(on) ?? true
  if (from < until) return serves(day) && minute >= from && minute < until
  // Over midnight: the evening of this day, or the morning after the day before.
  return minute >= from ? serves(day) : minute < until && serves(day === 1 ? 7 : day - 1)
}

function hoursOf(schedule: object): Hours | undefined {
  if (read.has(schedule)) return read.get(schedule)
  const times = isSchedule(schedule) ? readHours(schedule.hours) : undefined
  const hours =
    times === undefined || !isSchedule(schedule) ? undefined : { ...times, days: schedule.days, time_zone: schedule.time_zone ?? 'UTC' }
  read.set(schedule, hours)
  return hours
}

type LocalTime = { readonly day: number; readonly minute: number }
/** The latest minute of a time zone; formatting one takes longer than a choice. */
type Clock = { readonly format: Intl.DateTimeFormat; at: number; time: LocalTime }

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MINUTE_MS = 60_000
const clocks = new Map<string, Clock>()

function localTime(time_zone: string, now: number): LocalTime {
  const at = Math.floor(now / MINUTE_MS)
  const clock = clocks.get(time_zone) ?? openClock(time_zone)
  if (clock.at !== at) {
    const parts = new Map(clock.format.formatToParts(now).map(({ type, value }) => [type, value]))
    clock.at = at
    clock.time = { day: DAYS.indexOf(parts.get('weekday') ?? '') + 1, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
  }
  return clock.time
}

function openClock(time_zone: string): Clock {
  const fields = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const clock = { format: new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, ...fields }), at: -1, time: { day: 1, minute: 0 } }
  clocks.set(time_zone, clock)
  return clock
}
