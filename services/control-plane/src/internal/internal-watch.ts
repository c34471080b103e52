import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, startSpan } from '@tollgate/telemetry/spans'

/** Called at the start of a relay's call; the returned function is called with the status at its end. */
export type InternalWatch = (path: string, traceparent: string | undefined) => (status: number) => void

/** Records a measurement per internal call and a span in the relay's trace. */
export function createInternalWatch({ metrics, tracer }: Telemetry): InternalWatch {
  const duration = metrics.histogram('tollgate_internal_call_duration_seconds', {
    description: 'Duration of a call from a relay in seconds, by path and status',
    unit: 's',
  })
  return (path, traceparent) => {
    const started = performance.now()
    const span = startSpan(tracer, { name: `POST ${path}`, kind: 'server', parent: parentOf(traceparent) })
    return (status) => {
      if (metrics.isOn) duration.record((performance.now() - started) / 1000, { path, status: String(status) })
      span?.end({
        attributes: { 'http.response.status_code': status },
        ...(status >= 500 ? { error: `answered ${status}` } : {}),
      })
    }
  }
}
