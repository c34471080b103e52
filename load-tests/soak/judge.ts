import { live, type Reading } from './readings.ts'

export type Point = { /** Seconds. */ readonly at: number; readonly value: number }

/** Linear regression: change per hour, half the width of its 95 % interval, and mean, in the unit of the points. */
export type Slope = { readonly perHour: number; readonly margin: number; readonly level: number; readonly count: number }

/** A significant rise is ignored if an hour of it is less than both. */
const MIN_RISE_BYTES = 2 * 1024 * 1024
const MIN_RISE_SHARE = 0.02
/** A pool may hold a few connections more than before. */
const MAX_MORE_DESCRIPTORS = 3
const MIN_READINGS = 5

export function slopeOf(points: readonly Point[]): Slope | undefined {
  const count = points.length
  if (count < MIN_READINGS) return undefined
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count
  const hours = points.map(({ at }) => at / 3600)
  const values = points.map(({ value }) => value)
  const [middle, level] = [mean(hours), mean(values)]
  const spread = hours.reduce((sum, hour) => sum + (hour - middle) ** 2, 0)
  const perHour = hours.reduce((sum, hour, at) => sum + (hour - middle) * ((values[at] ?? level) - level), 0) / spread
  const residuals = hours.reduce((sum, hour, at) => sum + ((values[at] ?? level) - level - perHour * (hour - middle)) ** 2, 0)
  return { perHour, margin: studentOf(count - 2) * Math.sqrt(residuals / (count - 2) / spread), level, count }
}

/** The 97.5 % quantile of Student's distribution, within one percent from four degrees of freedom on. */
const studentOf = (freedom: number): number => 1.96 + 2.4 / freedom + 3 / freedom ** 2

/** True if the interval includes zero or the rise is negligible. */
export const isLevel = ({ perHour, margin, level }: Slope): boolean =>
  perHour <= margin || (perHour < MIN_RISE_BYTES && perHour < level * MIN_RISE_SHARE)

/** True if the heap is level or cannot be judged, and no descriptors are left open. */
export const isProcessSound = ({ slope, grown }: ProcessResult): boolean => (slope === undefined || isLevel(slope)) && grown.length === 0

export type ProcessResult = {
  readonly part: string
  /** Undefined if there are too few readings after the warm-up. */
  readonly slope: Slope | undefined
  readonly first: Reading
  readonly last: Reading
  /** Kinds of descriptors with more open than at the start. */
  readonly grown: readonly string[]
}

/** Judges one process by its readings in order of time; the slope excludes the warm-up. */
export function judgeProcess(part: string, readings: readonly Reading[], warmSeconds: number): ProcessResult {
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`${part} has no reading`)
  const warm = readings.slice(0, -1).filter(({ at }) => at >= warmSeconds)
  const slope = slopeOf(warm.map((reading) => ({ at: reading.at, value: live(reading) })))
  const grown = Object.entries(last.descriptors)
    .filter(([kind, count]) => count > (first.descriptors[kind] ?? 0) + MAX_MORE_DESCRIPTORS)
    .map(([kind, count]) => `${kind} ${first.descriptors[kind] ?? 0} → ${count}`)
  return { part, slope, first, last, grown }
}
