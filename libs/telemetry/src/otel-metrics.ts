import type { Meter } from '@opentelemetry/api'
import { secondsBuckets, type Labels, type Metrics } from './metrics.ts'

/** Sets of labels per instrument; later ones are recorded under `overflow="true"`, so that labels from outside cannot fill the memory. */
export const MAX_LABEL_SETS = 2000

/** Metrics recorded through an OpenTelemetry meter (docs/adr/0025-opentelemetry-metrics.md). */
export function createMetrics(meter: Meter): Metrics {
  return {
    isOn: true,
    counter(name, { description, unit = '1' }) {
      const counter = meter.createCounter(name, { description, unit })
      const bound = createLabelLimit()
      return { add: (value, labels) => counter.add(value, bound(labels)) }
    },
    histogram(name, { description, unit = 's', buckets = secondsBuckets }) {
      const histogram = meter.createHistogram(name, { description, unit, advice: { explicitBucketBoundaries: [...buckets] } })
      const bound = createLabelLimit()
      return { record: (value, labels) => histogram.record(value, bound(labels)) }
    },
    gauge(name, { description, unit = '1' }, read) {
      meter.createObservableGauge(name, { description, unit }).addCallback((result) => {
        const value = read()
        if (typeof value === 'number') result.observe(value)
        else for (const reading of value) result.observe(reading.value, reading.labels)
      })
    },
  }
}

const overflow: Labels = { overflow: 'true' }

/** The SDK's own cardinality limit starts again at each collection, while its cumulative series stay: it does not bound memory. */
function createLabelLimit(): (labels: Labels | undefined) => Labels | undefined {
  const known = new Set<string>()
  /** Callers on a hot path use the same objects again. */
  const seen = new WeakSet<Labels>()
  return (labels) => {
    if (labels === undefined || seen.has(labels)) return labels
    const key = keyOf(labels)
    if (!known.has(key)) {
      if (known.size >= MAX_LABEL_SETS) return overflow
      known.add(key)
    }
    seen.add(labels)
    return labels
  }
}

function keyOf(labels: Labels): string {
  let key = ''
  for (const name in labels) key += `${name}\u0000${labels[name]}\u0001`
  return key
}
