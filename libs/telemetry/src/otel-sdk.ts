import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { context, logs, metrics, trace } from '@opentelemetry/api'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { AggregationTemporality, InstrumentType, PeriodicExportingMetricReader, type IMetricReader } from '@opentelemetry/sdk-metrics'
import { NodeSDK } from '@opentelemetry/sdk-node'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import { receiveLogLines } from './log-lines.ts'
import { createLogReceiver } from './otel-logs.ts'
import { createMetrics, MAX_LABEL_SETS } from './otel-metrics.ts'
import type { Telemetry, TelemetryOptions } from './otel.ts'

const EXPORT_INTERVAL_MS = 15_000
const MAX_STOP_MS = 3000
let isStarted = false

/** Loads and starts the SDK, which registers itself globally: one per process. Fails when the Prometheus port is taken. */
export async function startSdk({ service, env, instance = 0 }: TelemetryOptions): Promise<Telemetry> {
  if (isStarted) throw new Error('telemetry is already started in this process')
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, '')
  const scraped = env.METRICS_PORT === 0 ? undefined : await listenForScrapes(env.METRICS_HOST, env.METRICS_PORT + instance)
  const pushed = endpoint === '' ? undefined : createPushReader(endpoint)
  const exportsLogs = endpoint !== '' && env.OTEL_LOGS_EXPORTER === 'otlp'
  const sdk = new NodeSDK({
    resource: resourceFromAttributes({ 'service.name': `tollgate-${service}`, 'service.instance.id': `${hostname()}-${process.pid}` }),
    autoDetectResources: false,
    metricReaders: [pushed, scraped].filter((reader) => reader !== undefined),
    // One more than our own limit and its overflow series, so that the SDK's limit never applies.
    views: [{ instrumentName: '*', aggregationCardinalityLimit: MAX_LABEL_SETS + 2 }],
    spanProcessors: endpoint === '' ? [] : [createSpanProcessor(endpoint)],
    sampler: createSampler(env),
    logRecordProcessors: exportsLogs ? [createLogProcessor(endpoint)] : [],
    // `traceparent` headers are read and written in spans.ts.
    textMapPropagator: null,
  })
  sdk.start()
  isStarted = true
  if (exportsLogs) receiveLogLines(createLogReceiver(logs.getLogger('tollgate')))
  const stopDraining = scraped === undefined || pushed === undefined ? () => undefined : drainPeriodically(scraped)
  return {
    tracer: endpoint === '' ? undefined : trace.getTracer('tollgate'),
    metrics: createMetrics(metrics.getMeter('tollgate')),
    stop: async () => {
      stopDraining()
      receiveLogLines(undefined)
      // The exporters retry for longer than a service may take to stop.
      await Promise.race([sdk.shutdown().catch(() => undefined), wait(MAX_STOP_MS, undefined, { ref: false })])
      trace.disable()
      logs.disable()
      metrics.disable()
      context.disable()
      isStarted = false
    },
  }
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration (read 2026-11-29) */
function createSampler({
  OTEL_TRACES_SAMPLER: name = 'parentbased_always_on',
  OTEL_TRACES_SAMPLER_ARG: ratio = 1,
}: TelemetryOptions['env']): Sampler {
  const on = new AlwaysOnSampler()
  const off = new AlwaysOffSampler()
  const share = new TraceIdRatioBasedSampler(ratio)
  return {
    always_on: on,
    always_off: off,
    traceidratio: share,
    parentbased_always_on: new ParentBasedSampler({ root: on }),
    parentbased_always_off: new ParentBasedSampler({ root: off }),
    parentbased_traceidratio: new ParentBasedSampler({ root: share }),
  }[name]
}

function createSpanProcessor(endpoint: string): SpanProcessor {
  return new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })
}

function createLogProcessor(endpoint: string): BatchLogRecordProcessor {
  return new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `${endpoint}/v1/logs` }) })
}

function createPushReader(endpoint: string): IMetricReader {
  const exporter = new PushExporter({ url: `${endpoint}/v1/metrics` })
  return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: EXPORT_INTERVAL_MS })
}

async function listenForScrapes(host = '127.0.0.1', port: number): Promise<PrometheusExporter> {
  const reader = new ScrapeReader({ host, port, preventServerStart: true, withoutScopeInfo: true })
  await reader.startServer()
  return reader
}

/** With two readers, the SDK keeps for each what the other collected: an endpoint that is never scraped would grow without bound. */
function drainPeriodically(reader: IMetricReader): () => void {
  const timer = setInterval(() => void reader.collect().catch(() => undefined), EXPORT_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

class PushExporter extends OTLPMetricExporter {
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return temporalityOf(type, super.selectAggregationTemporality(type))
  }
}

class ScrapeReader extends PrometheusExporter {
  override selectAggregationTemporality(type: InstrumentType): AggregationTemporality {
    return temporalityOf(type, super.selectAggregationTemporality(type))
  }
}

/** Cumulative gauges keep exporting the last reading of a label set that is no longer observed; with delta it disappears. */
function temporalityOf(type: InstrumentType, otherwise: AggregationTemporality): AggregationTemporality {
  return type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : otherwise
}
