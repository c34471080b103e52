import { LogType } from '@tollgate/contracts/enums'
import type { LogHistogram } from '@tollgate/contracts/resources/logs'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Span } from './search.ts'

/** The parts of a bar, from the bottom, with the log type that a click on one chooses. */
export const PARTS = [
  { part: 'charged', type: LogType.consume, colour: 'chart.1' },
  { part: 'refused', type: LogType.refused, colour: 'warning.solid' },
  { part: 'failed', type: LogType.error, colour: 'danger.solid' },
] as const
export type Part = (typeof PARTS)[number]['part']

export type Bar = Span & Readonly<Record<Part, number>> & { readonly total: number }

/** One bar per step of the range, empty ones included; the first and last may be cut by the range. */
export function barsOf({ seconds, from, until, steps }: LogHistogram): readonly Bar[] {
  const known = new Map(steps.map((step) => [step.at, step]))
  const anchor = steps[0]?.at ?? from
  const first = anchor - Math.ceil((anchor - from) / seconds) * seconds
  const count = Math.max(1, Math.ceil((until - first) / seconds))
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * seconds
    const { charged = 0, failed = 0, refused = 0 } = known.get(at) ?? {}
    return { from: Math.max(at, from), until: Math.min(at + seconds, until), charged, failed, refused, total: charged + failed + refused }
  })
}

export function totalsOf({ steps }: LogHistogram): Readonly<Record<Part, number>> {
  const sum = (part: Part): number => steps.reduce((all, step) => all + step[part], 0)
  return { charged: sum('charged'), refused: sum('refused'), failed: sum('failed') }
}

/** The time from one bar to another, in whichever order they were pointed at. */
export function spanBetween(bars: readonly Bar[], a: number, b: number): Span | undefined {
  const [first, last] = [bars[Math.min(a, b)], bars[Math.max(a, b)]]
  return first === undefined || last === undefined ? undefined : { from: first.from, until: last.until }
}

/** The bar below a place, from 0 to 1 of the width. */
export const barAt = (count: number, place: number): number => Math.min(count - 1, Math.max(0, Math.floor(place * count)))

/** Heights of the parts in parts of 100; what is there at all is visible. */
export function heightsOf(bar: Bar, most: number): Readonly<Record<Part, number>> {
  const height = (count: number): number => (count === 0 || most === 0 ? 0 : Math.max(3, (count / most) * 100))
  return { charged: height(bar.charged), refused: height(bar.refused), failed: height(bar.failed) }
}

export type Narrowed = { readonly start: UnixSeconds; readonly end: UnixSeconds }

/** The range of a span as the address names it: both ends belong to it. */
export const rangeOfSpan = ({ from, until }: Span): Narrowed => ({ start: from, end: until - 1 })
