import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'

export type RollupUnit = 'hour' | 'day'
export const UNIT_SECONDS = { hour: HOUR_SECONDS, day: DAY_SECONDS } as const satisfies Record<RollupUnit, number>

/** Seconds from `from` until `until`, which is outside. */
export type Span = { readonly from: UnixSeconds; readonly until: UnixSeconds }

/** Which units have sums: all from `from` until `until` (exclusive) except `open`. */
export type Folded = Span & { readonly open: readonly UnixSeconds[] }

const END_OF_TIME = Number.MAX_SAFE_INTEGER

/** The whole hours of a time range, and what sticks out at its ends; 0 is no limit. Both ends of the range are inclusive. */
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

/** The folded units wholly inside a range of hours, as one span with holes. */
export function foldedSpan(range: Span, folded: Folded, unit: RollupUnit): Span {
  const seconds = UNIT_SECONDS[unit]
  const from = Math.max(folded.from, ceil(Math.min(range.from, folded.until), seconds))
  const until = Math.min(folded.until, floor(Math.min(range.until, folded.until), seconds))
  return from < until ? { from, until } : { from: range.from, until: range.from }
}

/** The hours of a range that no fold answers for. */
export function unfoldedRanges(range: Span, folded: Folded, unit: RollupUnit): Span[] {
  const inside = foldedSpan(range, folded, unit)
  const holes = folded.open
    .filter((start) => start >= inside.from && start < inside.until)
    .map((start) => ({ from: start, until: start + UNIT_SECONDS[unit] }))
  return notEmpty([{ from: range.from, until: inside.from }, ...holes, { from: inside.until, until: range.until }])
}

/** What is left of a range without these hours, which are sorted. */
export function spansBetween(range: Span, hours: readonly UnixSeconds[]): Span[] {
  const starts = [range.from, ...hours.map((hour) => hour + HOUR_SECONDS)]
  return notEmpty(starts.map((from, at) => ({ from, until: hours[at] ?? range.until })))
}

const notEmpty = (spans: readonly Span[]): Span[] => spans.filter(({ from, until }) => from < until)
const floor = (at: number, unit: number): number => at - (at % unit)
const ceil = (at: number, unit: number): number => floor(at + unit - 1, unit)
