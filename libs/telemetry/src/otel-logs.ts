import { ROOT_CONTEXT, SeverityNumber, TraceFlags, trace, type Attributes, type Context, type Logger } from '@opentelemetry/api'
import type { LogReceiver } from './log-lines.ts'

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
}

/** Names of what was thrown in the conventions: https://opentelemetry.io/docs/specs/semconv/exceptions/exceptions-logs/ */
const EXCEPTION = { type: 'exception.type', message: 'exception.message', stack: 'exception.stacktrace' } as const

/** Emits log lines, which are redacted JSON, as records of their traces: the message is the body, other fields are attributes. */
export function createLogReceiver(logger: Logger): LogReceiver {
  return (line) => {
    const { level, time, msg, service: _service, err, trace_id, span_id, ...fields } = JSON.parse(line) as Record<string, unknown>
    const severityText = String(level)
    logger.emit({
      timestamp: new Date(String(time)),
      severityText,
      severityNumber: SEVERITIES[severityText] ?? SeverityNumber.UNSPECIFIED,
      body: typeof msg === 'string' ? msg : '',
      context: contextOf(trace_id, span_id),
      attributes: { ...toAttributes(fields), ...exceptionOf(err) },
    })
  }
}

function contextOf(traceId: unknown, spanId: unknown): Context {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED })
}

function toAttributes(fields: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value),
    ]),
  )
}

function exceptionOf(err: unknown): Attributes {
  if (typeof err !== 'object' || err === null) return {}
  const facts: Readonly<Record<string, unknown>> = { ...err }
  return Object.fromEntries(
    Object.entries(EXCEPTION).flatMap(([name, named]) => {
      const value = facts[name]
      return typeof value === 'string' ? [[named, value]] : []
    }),
  )
}
