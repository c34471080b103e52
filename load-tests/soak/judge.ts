import { live, type Reading } from './readings.ts'

/** A straight line through one process's live heap, in bytes per hour, with half the width of its 95 % interval. */
export type Slope = { readonly perHour: number; readonly margin: number; readonly level: number; readonly count: number }

/** A rise that the interval excludes is still none when an hour of it is less than both. */
const LEAST_BYTES = 2 * 1024 * 1024
const LEAST_SHARE = 0.02
/** Pools that open a connection more than before are no leak. */
const MORE_DESCRIPTORS = 3
const LEAST_READINGS = 5

export function slopeOf(readings: readonly Reading[]): Slope | undefined {
  const count = readings.length
  if (count < LEAST_READINGS) return undefined
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / count
  const hours = readings.map(({ at }) => at / 3600)
  const bytes = readings.map(live)
  const [middle, level] = [mean(hours), mean(bytes)]
  const spread = hours.reduce((sum, hour) => sum + (hour - middle) ** 2, 0)
  const perHour = hours.reduce((sum, hour, at) => sum + (hour - middle) * ((bytes[at] ?? level) - level), 0) / spread
  const rest = hours.reduce((sum, hour, at) => sum + ((bytes[at] ?? level) - level - perHour * (hour - middle)) ** 2, 0)
  return { perHour, margin: studentOf(count - 2) * Math.sqrt(rest / (count - 2) / spread), level, count }
}

/** The 97.5 % quantile of Student's distribution, within one percent from four degrees of freedom on. */
const studentOf = (freedom: number): number => 1.96 + 2.4 / freedom + 3 / freedom ** 2

/** Zero within noise: the interval reaches zero, or an hour's rise is next to nothing. */
export const isLevel = ({ perHour, margin, level }: Slope): boolean =>
  perHour <= margin || (perHour < LEAST_BYTES && perHour < level * LEAST_SHARE)

/** Its heap is level as far as can be judged, and its descriptors are back. */
export const isSound = ({ slope, grown }: ProcessResult): boolean => (slope === undefined || isLevel(slope)) && grown.length === 0

export type ProcessResult = {
  readonly part: string
  /** undefined: too few readings after the warm-up to judge. */
  readonly slope: Slope | undefined
  readonly first: Reading
  readonly last: Reading
  /** Kinds of descriptors of which more are open than at the start. */
  readonly grown: readonly string[]
}

/** `readings` of one process in order: at the start, while the load came and went, at the end; the slope leaves out the warm-up. */
export function judgeProcess(part: string, readings: readonly Reading[], warmSeconds: number): ProcessResult {
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) throw new Error(`${part} was never read`)
  const slope = slopeOf(readings.slice(0, -1).filter(({ at }) => at >= warmSeconds))
  const grown = Object.entries(last.descriptors)
    .filter(([kind, count]) => count > (first.descriptors[kind] ?? 0) + MORE_DESCRIPTORS)
    .map(([kind, count]) => `${kind} ${first.descriptors[kind] ?? 0} → ${count}`)
  return { part, slope, first, last, grown }
}
