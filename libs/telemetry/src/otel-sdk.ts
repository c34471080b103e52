import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { ValueType, type HrTime } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type CollectionResult,
  type DataPoint,
  type IMetricReader,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { createMetrics, type Instrument, type Labels } from './metrics.ts'
import type { Telemetry, TelemetryOptions } from './otel.ts'

const EXPORT_INTERVAL_MS = 15_000
const LONGEST_STOP_MS = 3000

/** Loads and starts the SDK; only otel.ts calls it, and only when something is configured. */
export async function startSdk({ service, env, instance = 0, sampleRatio = 1 }: TelemetryOptions): Promise<Telemetry> {
  const resource = resourceFromAttributes({ 'service.name': `tollgate-${service}`, 'service.instance.id': `${hostname()}-${process.pid}` })
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')
  const metrics = createMetrics()
  const producer = toProducer(metrics.instruments, resource)
  const readers: IMetricReader[] = []
  if (endpoint !== '') {
    const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` })
    readers.push(new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: EXPORT_INTERVAL_MS, metricProducers: [producer] }))
  }
  if (env.METRICS_PORT !== 0)
    readers.push(await listenForPrometheus({ host: env.METRICS_HOST ?? '127.0.0.1', port: env.METRICS_PORT + instance }, producer))
  const meters = new MeterProvider({ resource, readers })
  const spans = endpoint === '' ? undefined : startSpans(endpoint, resource, sampleRatio)
  return {
    tracer: spans?.getTracer('tollgate'),
    metrics,
    stop: async () => {
      // A collector that is away would be tried again for many seconds; a service that stops does not wait for it.
      const late = wait(LONGEST_STOP_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled([meters.shutdown(), spans?.shutdown()]), late])
    },
  }
}

function startSpans(endpoint: string, resource: Resource, ratio: number): TracerProvider {
  return new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  })
}

async function listenForPrometheus(at: { host: string; port: number }, producer: MetricProducer): Promise<PrometheusExporter> {
  const exporter = new PrometheusExporter({ ...at, preventServerStart: true, metricProducers: [producer], withoutScopeInfo: true })
  await exporter.startServer()
  return exporter
}

function toProducer(instruments: readonly Instrument[], resource: Resource): MetricProducer {
  const startTime = toHrTime(Date.now())
  return {
    async collect(): Promise<CollectionResult> {
      const endTime = toHrTime(Date.now())
      const metrics = instruments.map((instrument) => toMetricData(instrument, startTime, endTime))
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'tollgate' }, metrics }] }, errors: [] }
    },
  }
}

function toMetricData(instrument: Instrument, startTime: HrTime, endTime: HrTime): MetricData {
  const descriptor = { name: instrument.name, description: instrument.description, unit: instrument.unit, valueType: ValueType.DOUBLE }
  const shared = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  const point = <V>(labels: Labels, value: V): DataPoint<V> => ({ startTime, endTime, attributes: labels, value })
  switch (instrument.kind) {
    case 'counter': {
      const dataPoints = [...instrument.points.values()].map(({ labels, value }) => point(labels, value))
      return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    }
    case 'gauge':
      return {
        ...shared,
        dataPointType: DataPointType.GAUGE,
        dataPoints: instrument.read().map(({ labels, value }) => point(labels, value)),
      }
    case 'histogram': {
      const dataPoints = [...instrument.points.values()].map(({ labels, value: { counts, ...value } }) =>
        point(labels, { ...value, buckets: { boundaries: [...instrument.buckets], counts: [...counts] } }),
      )
      return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints }
    }
  }
}

function toHrTime(millis: number): HrTime {
  const seconds = Math.floor(millis / 1000)
  return [seconds, Math.round((millis - seconds * 1000) * 1e6)]
}
