/**
 * In-process numbers that an exporter reads on a timer: recording is one map look-up and one addition, no OpenTelemetry call.
 * With no exporter configured the same calls do nothing at all.
 */
export type Labels = Readonly<Record<string, string>>
export type Counter = { add(value: number, labels?: Labels): void }
export type Histogram = { record(value: number, labels?: Labels): void }
type Description = { readonly description: string; readonly unit?: string }
type HistogramDescription = Description & { readonly buckets?: readonly number[] }

export type Metrics = {
  readonly isOn: boolean
  counter(name: string, about: Description): Counter
  histogram(name: string, about: HistogramDescription): Histogram
  /** A value that is read when somebody collects; one reading per set of labels. */
  gauge(name: string, about: Description, read: () => number | readonly { labels: Labels; value: number }[]): void
}

export type Point<V> = { readonly labels: Labels; value: V }
export type HistogramValue = { count: number; sum: number; min: number; max: number; readonly counts: number[] }
type About = { readonly name: string; readonly description: string; readonly unit: string }
export type Instrument =
  | (About & { readonly kind: 'counter'; readonly points: Map<string, Point<number>> })
  | (About & { readonly kind: 'histogram'; readonly buckets: readonly number[]; readonly points: Map<string, Point<HistogramValue>> })
  | (About & { readonly kind: 'gauge'; readonly read: () => readonly { labels: Labels; value: number }[] })

/** Seconds, from a millisecond to five minutes. */
export const secondsBuckets: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

/** Sets of labels one instrument keeps; what comes later is counted under `overflow`, so that outside names cannot fill the memory. */
const MAX_POINTS = 2000

/** The metrics of a process that nobody reads. */
export const noMetrics: Metrics = {
  isOn: false,
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ record: () => undefined }),
  gauge: () => undefined,
}

/** Metrics kept in this process; `instruments` is what an exporter reads. */
export function createMetrics(): Metrics & { readonly instruments: readonly Instrument[] } {
  const instruments: Instrument[] = []
  return {
    isOn: true,
    instruments,
    counter(name, { description, unit = '1' }) {
      const points = new Map<string, Point<number>>()
      instruments.push({ kind: 'counter', name, description, unit, points })
      return {
        add(value, labels = {}) {
          pointOf(points, labels, () => 0).value += value
        },
      }
    },
    histogram(name, { description, unit = 's', buckets = secondsBuckets }) {
      const points = new Map<string, Point<HistogramValue>>()
      instruments.push({ kind: 'histogram', name, description, unit, buckets, points })
      return {
        record(value, labels = {}) {
          recordInto(pointOf(points, labels, () => emptyHistogram(buckets.length)).value, buckets, value)
        },
      }
    },
    gauge(name, { description, unit = '1' }, read) {
      const list = (): readonly { labels: Labels; value: number }[] => {
        const value = read()
        return typeof value === 'number' ? [{ labels: {}, value }] : value
      }
      instruments.push({ kind: 'gauge', name, description, unit, read: list })
    },
  }
}

function pointOf<V>(points: Map<string, Point<V>>, labels: Labels, empty: () => V): Point<V> {
  const key = keyOf(labels)
  const found = points.get(key)
  if (found !== undefined) return found
  if (points.size >= MAX_POINTS && key !== OVERFLOW_KEY) return pointOf(points, overflow, empty)
  const made: Point<V> = { labels: { ...labels }, value: empty() }
  points.set(key, made)
  return made
}

function keyOf(labels: Labels): string {
  let key = ''
  for (const name in labels) key += `${name}\u0000${labels[name]}\u0001`
  return key
}

const overflow: Labels = { overflow: 'true' }
const OVERFLOW_KEY = keyOf(overflow)

function emptyHistogram(buckets: number): HistogramValue {
  return { count: 0, sum: 0, min: Infinity, max: -Infinity, counts: Array.from({ length: buckets + 1 }, () => 0) }
}

function recordInto(into: HistogramValue, buckets: readonly number[], value: number): void {
  let at = 0
  while (at < buckets.length && value > (buckets[at] ?? Infinity)) at += 1
  into.counts[at] = (into.counts[at] ?? 0) + 1
  into.count += 1
  into.sum += value
  if (value < into.min) into.min = value
  if (value > into.max) into.max = value
}
