import { live, type Reading } from './readings.ts'

/** Linear regression of a process's live heap: bytes per hour, half the width of the 95 % interval, and mean. */
export type Slope = { readonly perHour: number; readonly margin: number; readonly level: number; readonly count: number }

/** A significant rise is ignored if an hour of it is less than both. */
const MIN_RISE_BYTES = 2 * 1024 * 1024
const MIN_RISE_SHARE = 0.02
/** A pool may hold a few connections more than before. */
const MAX_MORE_DESCRIPTORS = 3
const MIN_READINGS = 5

export function slopeOf(readings: readonly Reading[]): Slope | undefined {
  const count = readings.length
  if (count < MIN_READINGS) return undefined
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count
  const hours = readings.map(({ at }) => at / 3600)
  const bytes = readings.map(live)
  const [middle, level] = [mean(hours), mean(bytes)]
  const spread = hours.reduce((sum, hour) => sum + (hour - middle) ** 2, 0)
  const perHour = hours.reduce((sum, hour, at) => sum + (hour - middle) * ((bytes[at] ?? level) - level), 0) / spread
  const residuals = hours.reduce((sum, hour, at) => sum + ((bytes[at] ?? level) - level - perHour * (hour - middle)) ** 2, 0)
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
  const slope = slopeOf(readings.slice(0, -1).filter(({ at }) => at >= warmSeconds))
  const grown = Object.entries(last.descriptors)
    .filter(([kind, count]) => count > (first.descriptors[kind] ?? 0) + MAX_MORE_DESCRIPTORS)
    .map(([kind, count]) => `${kind} ${first.descriptors[kind] ?? 0} → ${count}`)
  return { part, slope, first, last, grown }
}
