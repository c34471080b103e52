import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'

/** Weeks are seven days of Unix time and begin on Thursday. */
export type RollupUnit = 'hour' | 'day' | 'week'
export const UNIT_SECONDS = { hour: HOUR_SECONDS, day: DAY_SECONDS, week: 7 * DAY_SECONDS } as const satisfies Record<RollupUnit, number>

/** Seconds from `from` (inclusive) until `until` (exclusive). */
export type Span = { readonly from: UnixSeconds; readonly until: UnixSeconds }

/** The periods that have sums: all from `from` until `until` (exclusive) except those that start at `open`. */
export type RolledUp = Span & { readonly open: readonly UnixSeconds[] }

const END_OF_TIME = Number.MAX_SAFE_INTEGER

/** The whole hours of a time range and the partial hours at its ends. Both ends are inclusive; 0 means no limit. */
export function splitHours(from: UnixSeconds, to: UnixSeconds): { whole: Span; edges: Span[] } {
  const all = { from: Math.max(0, from), until: to === 0 ? END_OF_TIME : to + 1 }
  if (all.from >= all.until) return { whole: { from: 0, until: 0 }, edges: [] }
  const whole = { from: ceil(all.from, HOUR_SECONDS), until: all.until === END_OF_TIME ? END_OF_TIME : floor(all.until, HOUR_SECONDS) }
  if (whole.from >= whole.until) return { whole: { from: 0, until: 0 }, edges: [all] }
  return {
    whole,
    edges: notEmpty([
      { from: all.from, until: whole.from },
      { from: whole.until, until: all.until },
    ]),
  }
}

/** The hours that a span touches, cut at its ends. */
export function hoursOf({ from, until }: Span): Span[] {
  const starts = Array.from(
    { length: Math.ceil((until - floor(from, HOUR_SECONDS)) / HOUR_SECONDS) },
    (_, at) => floor(from, HOUR_SECONDS) + at * HOUR_SECONDS,
  )
  return starts.map((start) => ({ from: Math.max(start, from), until: Math.min(start + HOUR_SECONDS, until) }))
}

/** The rolled-up periods that lie completely inside a range of hours, as one span; open periods are holes in it. */
export function rolledUpSpan(range: Span, rolledUp: RolledUp, unit: RollupUnit): Span {
  const seconds = UNIT_SECONDS[unit]
  const from = Math.max(rolledUp.from, ceil(Math.min(range.from, rolledUp.until), seconds))
  const until = Math.min(rolledUp.until, floor(Math.min(range.until, rolledUp.until), seconds))
  return from < until ? { from, until } : { from: range.from, until: range.from }
}

/** The parts of a range that no sum covers. */
export function rangesNotRolledUp(range: Span, rolledUp: RolledUp, unit: RollupUnit): Span[] {
  const inside = rolledUpSpan(range, rolledUp, unit)
  const holes = rolledUp.open
    .filter((start) => start >= inside.from && start < inside.until)
    .map((start) => ({ from: start, until: start + UNIT_SECONDS[unit] }))
  return notEmpty([{ from: range.from, until: inside.from }, ...holes, { from: inside.until, until: range.until }])
}

/** The parts of a range outside these hours, which must be sorted. */
export function spansBetween(range: Span, hours: readonly UnixSeconds[]): Span[] {
  const starts = [range.from, ...hours.map((hour) => hour + HOUR_SECONDS)]
  return notEmpty(starts.map((from, at) => ({ from, until: hours[at] ?? range.until })))
}

const notEmpty = (spans: readonly Span[]): Span[] => spans.filter(({ from, until }) => from < until)
const floor = (at: number, unit: number): number => at - (at % unit)
const ceil = (at: number, unit: number): number => floor(at + unit - 1, unit)
