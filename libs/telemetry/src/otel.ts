import type { Tracer } from '@opentelemetry/api'
import { noMetrics, type Metrics } from './metrics.ts'

export type Telemetry = {
  /** Undefined when no collector is configured; callers then skip all span work. */
  readonly tracer: Tracer | undefined
  readonly metrics: Metrics
  /** Exports what is pending, for at most 3 seconds, and closes the Prometheus port. */
  stop(): Promise<void>
}

export type TracesSampler =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio'

export type TelemetryOptions = {
  readonly service: string
  readonly env: {
    /** Address of an OTLP/HTTP collector; empty: no traces, no pushed metrics. */
    readonly OTEL_EXPORTER_OTLP_ENDPOINT: string
    /** `otlp`: log lines go to the collector too. */
    readonly OTEL_LOGS_EXPORTER?: string
    /** Which requests are traced; absent: all, unless the caller's `traceparent` says that its trace is not recorded. */
    readonly OTEL_TRACES_SAMPLER?: TracesSampler
    /** Share of traces, 0 to 1, of the samplers with a ratio; absent: all. */
    readonly OTEL_TRACES_SAMPLER_ARG?: number
    /** Port of the Prometheus endpoint `/metrics`; 0: none. */
    readonly METRICS_PORT: number
    /** Address that it listens on; absent: 127.0.0.1. */
    readonly METRICS_HOST?: string
  }
  /** Index of this process among those of the service. Each listens on METRICS_PORT + instance, so that a scrape reaches one process. */
  readonly instance?: number
}

/**
 * Starts traces and logs over OTLP and metrics over OTLP and Prometheus, each only if configured; otherwise the SDK is not loaded. Nothing is
 * instrumented automatically: spans are recorded in code (spans.ts).
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT } = options.env
  if (OTEL_EXPORTER_OTLP_ENDPOINT === '' && METRICS_PORT === 0) return noTelemetry
  const { startSdk } = await import('./otel-sdk.ts')
  return await startSdk(options)
}

/** Telemetry of a process that exports nothing. */
export const noTelemetry: Telemetry = { tracer: undefined, metrics: noMetrics, stop: async () => undefined }
