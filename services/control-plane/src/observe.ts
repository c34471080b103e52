import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { CallWatch, FinishedCall, StartedCall } from '@tollgate/http/bind-all'
import { secondsBuckets } from '@tollgate/telemetry/metrics'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { parentOf, startSpan, type OpenSpan } from '@tollgate/telemetry/spans'
import type { Deps } from './deps.ts'

/** One log line, one span and one measurement per call of the console. */
export function createObserver({ log }: Pick<Deps, 'log'>, { metrics, tracer }: Telemetry): (call: StartedCall) => CallWatch {
  const duration = metrics.histogram('tollgate_console_call_duration_seconds', {
    description: 'Duration of a console API call in seconds, by route, method and status',
    unit: 's',
    buckets: secondsBuckets,
  })
  return ({ endpoint, request_id, traceparent }) => {
    const span = startSpan(tracer, {
      name: `${endpoint.method} ${endpoint.path}`,
      kind: 'server',
      parent: parentOf(traceparent),
      attributes: { 'http.route': endpoint.path, request_id },
    })
    return {
      traceparent: span?.traceparent,
      finished: (call) => {
        const { status, duration_ms, error } = call
        // A refusal and a vendor's failure are expected outcomes; only failures of the service are errors.
        const isFailure = status >= 500 && !isUpstreamFault(error)
        logCall(log, call, { isFailure, span })
        if (metrics.isOn) duration.record(duration_ms / 1000, { route: endpoint.path, method: endpoint.method, status: String(status) })
        span?.end({ attributes: { 'http.response.status_code': status }, ...(isFailure ? { error } : {}) })
      },
    }
  }
}

function isUpstreamFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  return errors[error.code].blame === 'upstream'
}

function logCall(
  log: Deps['log'],
  { endpoint, status, duration_ms, request_id, ip, actor, error }: FinishedCall,
  { isFailure, span }: { isFailure: boolean; span: OpenSpan | undefined },
): void {
  const told = { request_id, method: endpoint.method, route: endpoint.path, status, duration_ms, client_ip: ip, actor_id: actor?.id }
  const fields = span === undefined ? told : { ...told, trace_id: span.trace_id, span_id: span.span_id }
  if (isFailure) log.error({ ...fields, err: error }, 'call failed')
  else log.info(fields, 'call')
}
