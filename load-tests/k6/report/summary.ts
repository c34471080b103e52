/** What k6 exported at the end of a course, as far as the page needs it: numbers by metric, and whether its thresholds held. */
export type Metric = { readonly values: Readonly<Record<string, number>>; readonly crossed: readonly string[] }
export type Summary = ReadonlyMap<string, Metric>

/** The export also holds what setup made; that is left behind here. */
export function parseSummary(text: string): Summary {
  const { metrics } = asObject(JSON.parse(text), 'the export')
  return new Map(Object.entries(asObject(metrics, 'metrics')).map(([name, metric]) => [name, toMetric(asObject(metric, name))] as const))
}

function toMetric(metric: Readonly<Record<string, unknown>>): Metric {
  const values = Object.entries(metric).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  // k6 writes true where a threshold was crossed.
  const thresholds = Object.entries(asObject(metric['thresholds'] ?? {}, 'thresholds'))
  return { values: Object.fromEntries(values), crossed: thresholds.filter(([, isCrossed]) => isCrossed === true).map(([text]) => text) }
}

function asObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new Error(`${what} of k6 is no object`)
  return value as Readonly<Record<string, unknown>> // an object, whose fields stay unknown
}
