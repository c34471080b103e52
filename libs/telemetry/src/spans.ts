import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  isSpanContextValid,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { LogFields } from './fields.ts'
import { withoutSecrets } from './redaction.ts'
import { visible } from './visible.ts'

export type { Attributes as SpanAttributes, Context as TraceContext, Tracer } from '@opentelemetry/api'

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The caller's trace from its `traceparent` header; without a valid header, a new trace starts. */
export function parentOf(traceparent: string | undefined): Context {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
  const [, traceId = '', spanId = '', flags = '00'] = match ?? []
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
}

/** Log fields that put a line into the caller's trace; none without a valid header. */
export function traceFieldsOf(traceparent: string | undefined): Pick<LogFields, 'trace_id' | 'span_id'> {
  const span = trace.getSpanContext(parentOf(traceparent))
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}

/** The `traceparent` header that makes the receiver a child of this span. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** The context below a span, for its children. */
export function below(span: Span, parent: Context = ROOT_CONTEXT): Context {
  return trace.setSpan(parent, span)
}

type FinishedSpan = {
  readonly name: string
  readonly kind?: 'server' | 'client' | 'internal' | 'consumer' | 'producer'
  readonly parent?: Context
  /** Milliseconds since 1970, as `Date.now()` gives them. */
  readonly started: number
  readonly ended: number
  readonly attributes?: Attributes
  /** Read only if the span is recorded. */
  readonly events?: () => readonly { readonly name: string; readonly at: number }[]
  readonly error?: unknown
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
  producer: SpanKind.PRODUCER,
} as const

/** Records a finished span from timestamps and returns it, as a parent for others. The relay does this once per sampled request. */
export function recordSpan(
  tracer: Tracer,
  { name, kind = 'internal', parent = ROOT_CONTEXT, started, ended, attributes = {}, events, error }: FinishedSpan,
): Span {
  const span = tracer.startSpan(name, { kind: kinds[kind], startTime: toHrTime(started), attributes }, parent)
  if (events !== undefined && span.isRecording()) for (const { name: event, at } of events()) span.addEvent(event, toHrTime(at))
  if (error !== undefined) markFailed(span, error)
  span.end(toHrTime(ended))
  return span
}

type SpanOptions = Omit<FinishedSpan, 'started' | 'ended' | 'events' | 'error'>

/** A running span, for work that starts and ends in two functions. */
export type OpenSpan = {
  readonly trace_id: string
  readonly span_id: string
  /** Header that makes the receiver's span a child of this one. */
  readonly traceparent: string
  end(result?: { readonly attributes?: Attributes; readonly error?: unknown }): void
}

/** Starts a span now; undefined without a tracer. */
export function startSpan(tracer: Tracer | undefined, { name, kind = 'internal', parent, attributes }: SpanOptions): OpenSpan | undefined {
  if (tracer === undefined) return undefined
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes: attributes ?? {} }, parent ?? ROOT_CONTEXT)
  return {
    trace_id: span.spanContext().traceId,
    span_id: span.spanContext().spanId,
    traceparent: traceparentOf(span),
    end: (result = {}) => {
      span.setAttributes(result.attributes ?? {})
      if (result.error !== undefined) markFailed(span, result.error)
      span.end()
    },
  }
}

/** Runs `work` inside a span; without a tracer, runs it only. */
export async function withSpan<T>(
  tracer: Tracer | undefined,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return await work(undefined)
  const { name, kind = 'internal', parent = ROOT_CONTEXT, attributes = {} } = options
  const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent)
  try {
    return await work(span)
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Explicit, because the SDK reads a small number as milliseconds since the process started. */
function toHrTime(millis: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(millis / 1000)
  return [seconds, Math.round((millis - seconds * 1000) * 1e6)]
}

function markFailed(span: Span, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  span.setStatus({ code: SpanStatusCode.ERROR, message: visible(withoutSecrets(message)) })
}
