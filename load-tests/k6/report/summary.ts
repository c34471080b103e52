/** The part of k6's export that the page needs: values and crossed thresholds by metric. */
export type Metric = { readonly values: Readonly<Record<string, number>>; readonly crossed: readonly string[] }
export type Summary = ReadonlyMap<string, Metric>

/** Drops the data of setup, which the export also contains. */
export function parseSummary(text: string): Summary {
  const { metrics } = asObject(JSON.parse(text), 'the export')
  return new Map(Object.entries(asObject(metrics, 'metrics')).map(([name, metric]) => [name, toMetric(asObject(metric, name))] as const))
}

function toMetric(metric: Readonly<Record<string, unknown>>): Metric {
  const values = Object.entries(metric).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  // k6 writes `true` for a crossed threshold.
  const thresholds = Object.entries(asObject(metric['thresholds'] ?? {}, 'thresholds'))
  return { values: Object.fromEntries(values), crossed: thresholds.filter(([, isCrossed]) => isCrossed === true).map(([text]) => text) }
}

function asObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`${what} of k6's export is not an object`)
  return value as Readonly<Record<string, unknown>> // an object, whose fields stay unknown
}
