import type { Tracer } from '@opentelemetry/api'
import { noMetrics, type Metrics } from './metrics.ts'

export type Telemetry = {
  /** Absent when no collector is configured: callers skip all span work with one check. */
  readonly tracer: Tracer | undefined
  readonly metrics: Metrics
  /** Sends what is left, for 3 seconds at most, and closes the Prometheus port. */
  stop(): Promise<void>
}

export type TelemetryOptions = {
  readonly service: string
  readonly env: {
    /** Address of an OTLP/HTTP collector; empty: no traces, no pushed metrics. */
    readonly OTEL_EXPORTER_OTLP_ENDPOINT: string
    /** Port of the Prometheus endpoint `/metrics`; 0: none. */
    readonly METRICS_PORT: number
    /** Address it listens on; absent: this machine only. */
    readonly METRICS_HOST?: string
  }
  /** Number of this process among its siblings: each gets METRICS_PORT + instance, or a scrape would meet any of them. */
  readonly instance?: number
  /** Share of requests that get a trace when the caller did not decide. */
  readonly sampleRatio?: number
}

/**
 * Traces over OTLP and metrics over OTLP and Prometheus, each only if configured. Nothing is instrumented by itself: spans are made
 * by hand from timestamps (spans.ts), metrics are in-process numbers (metrics.ts). When off, the SDK is not even loaded.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT } = options.env
  if (OTEL_EXPORTER_OTLP_ENDPOINT === '' && METRICS_PORT === 0) return noTelemetry
  const { startSdk } = await import('./otel-sdk.ts')
  return await startSdk(options)
}

/** Telemetry that is off: for tests and for processes without a collector. */
export const noTelemetry: Telemetry = { tracer: undefined, metrics: noMetrics, stop: async () => undefined }
