import type { FinishedCall } from '@tollgate/http/bind-all'
import { secondsBuckets } from '@tollgate/telemetry/metrics'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, recordSpan } from '@tollgate/telemetry/spans'
import type { Deps } from './deps.ts'

/** One log line, one span and one measurement for every finished call. */
export function createObserver(deps: Pick<Deps, 'log' | 'now'>, telemetry: Telemetry): (call: FinishedCall) => void {
  const duration = telemetry.metrics.histogram('tollgate_console_call_duration', {
    description: 'Time of a console call',
    unit: 's',
    buckets: secondsBuckets,
  })
  return (call) => {
    const { endpoint, status, duration_ms, error } = call
    // A refusal is an expected outcome; only our own failures are errors.
    const isFailure = status >= 500 && status !== 501
    logCall(deps, call, isFailure)
    duration.record(duration_ms / 1000, { route: endpoint.path, method: endpoint.method, status: String(status) })
    if (telemetry.tracer === undefined) return
    const ended = deps.now()
    recordSpan(telemetry.tracer, {
      name: `${endpoint.method} ${endpoint.path}`,
      kind: 'server',
      parent: parentOf(call.traceparent),
      started: ended - duration_ms,
      ended,
      attributes: { 'http.route': endpoint.path, 'http.response.status_code': status, request_id: call.request_id },
      ...(isFailure ? { error } : {}),
    })
  }
}

function logCall(
  { log }: Pick<Deps, 'log'>,
  { endpoint, status, duration_ms, request_id, ip, actor, error }: FinishedCall,
  isFailure: boolean,
): void {
  const fields = { request_id, method: endpoint.method, route: endpoint.path, status, duration_ms, client_ip: ip, actor_id: actor?.id }
  if (isFailure) log.error({ ...fields, err: error }, 'call failed')
  else log.info(fields, 'call')
}
