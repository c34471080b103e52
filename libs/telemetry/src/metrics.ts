export type Labels = Readonly<Record<string, string>>
export type Reading = { readonly labels: Labels; readonly value: number }
type Counter = { add(value: number, labels?: Labels): void }
type Histogram = { record(value: number, labels?: Labels): void }
type Description = { readonly description: string; readonly unit?: string }
type HistogramDescription = Description & { readonly buckets?: readonly number[] }

/** The instruments of one process. Callers check `isOn` before they build labels on a hot path. */
export type Metrics = {
  readonly isOn: boolean
  /** Starts at no series: add 0 for each set of labels whose first increase must be visible. */
  counter(name: string, about: Description): Counter
  /** Seconds in `secondsBuckets`, unless unit and buckets say otherwise. */
  histogram(name: string, about: HistogramDescription): Histogram
  /** `read` runs at each collection; a set of labels it leaves out is not exported. */
  gauge(name: string, about: Description, read: () => number | readonly Reading[]): void
}

/** Upper bounds in seconds, from a millisecond to five minutes. */
export const secondsBuckets: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

/** Metrics of a process that exports none. */
export const noMetrics: Metrics = {
  isOn: false,
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ record: () => undefined }),
  gauge: () => undefined,
}
