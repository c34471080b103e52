import type { LogRecord, Metric, Received, Span } from './otlp.ts'

/** The conventions that the names are checked against, written down here a second time on purpose. */
export const CONVENTIONS = {
  schema: 'https://opentelemetry.io/schemas/gen-ai/1.42.0',
  optIn: 'gen_ai_latest_experimental',
  attributes: new Set(
    (
      'operation.name provider.name request.model request.stream response.finish_reasons conversation.id usage.input_tokens ' +
      'usage.output_tokens usage.cache_read.input_tokens usage.cache_creation.input_tokens usage.reasoning.output_tokens ' +
      'response.time_to_first_chunk token.type'
    )
      .split(' ')
      .map((name) => `gen_ai.${name}`),
  ),
  metrics: {
    'gen_ai.client.token.usage': '{token}',
    'gen_ai.client.operation.duration': 's',
    'gen_ai.client.operation.time_to_first_chunk': 's',
  },
} as const

export const PROMPT = 'What is the weather behind the seven mountains?'
/** SpanKind: https://github.com/open-telemetry/opentelemetry-proto/blob/v1.5.0/opentelemetry/proto/trace/v1/trace.proto */
const [SERVER, CLIENT] = [2, 3]

/** Trace ids of the requests, and what identifies the others. */
export type Asked = {
  readonly whole: string
  readonly streamed: string
  readonly retried: string
  /** A request about which the relay writes a log line. */
  readonly logged: string
  readonly callerSpan: string
  /** Name of the span of the console's call. */
  readonly console: string
  readonly key: string
}
type Finding = { readonly name: string; readonly isMet: boolean }
type Seen = {
  readonly spans: readonly Span[]
  readonly metrics: readonly Metric[]
  readonly logs: readonly LogRecord[]
  readonly text: string
}

export function findingsOf(received: Received, asked: Asked): Finding[] {
  const seen: Seen = { spans: received.spans(), metrics: received.metrics(), logs: received.logs(), text: received.text() }
  return [...spanFindings(seen, asked), ...metricFindings(seen), ...logFindings(seen, asked), ...secretFindings(seen, asked)]
}

function spanFindings({ spans }: Seen, { whole, streamed, retried, callerSpan }: Asked): Finding[] {
  const callsOf = (trace: string): Span[] =>
    spans.filter(({ traceId, kind, attributes }) => traceId === trace && kind === CLIENT && 'gen_ai.operation.name' in attributes)
  const traces = [whole, streamed, retried]
  const names = traces.flatMap(callsOf).flatMap(({ attributes }) => Object.keys(attributes))
  const answered = traces.map((trace) => callsOf(trace).at(-1)?.attributes ?? {})
  const [wholeCall = {}, streamedCall = {}] = answered
  const [failed, second] = callsOf(retried)
  return [
    {
      name: 'Each request’s span is a child of the caller’s (`traceparent`), and the calls of vendors are children of the request’s.',
      isMet: traces.every((trace) => {
        const request = spans.find(({ traceId, parentSpanId, kind }) => traceId === trace && parentSpanId === callerSpan && kind === SERVER)
        return callsOf(trace).length > 0 && callsOf(trace).every(({ parentSpanId }) => parentSpanId === request?.spanId)
      }),
    },
    {
      name: 'Every `gen_ai.*` attribute has a name of the conventions; spans are named by operation and model.',
      isMet:
        names.length > 0 &&
        names.every((name) => !name.startsWith('gen_ai.') || CONVENTIONS.attributes.has(name)) &&
        callsOf(whole).every(({ name }) => name === 'chat gpt-4o'),
    },
    {
      name: 'Calls say operation, provider, model, tokens (with those of a cache and of reasoning), charge and channel.',
      isMet: answered.every(
        (call) =>
          call['gen_ai.operation.name'] === 'chat' &&
          call['gen_ai.provider.name'] === 'openai' &&
          call['gen_ai.usage.input_tokens'] === 12 &&
          call['gen_ai.usage.output_tokens'] === 6 &&
          call['gen_ai.usage.cache_read.input_tokens'] === 0 &&
          call['gen_ai.usage.reasoning.output_tokens'] === 0 &&
          typeof call['tollgate.charge'] === 'number' &&
          typeof call['tollgate.channel.id'] === 'number',
      ),
    },
    {
      name: 'Answers that call tools end with `tool_call`, whole and streamed; streams say their time to the first chunk, whole answers do not.',
      isMet:
        [wholeCall, streamedCall].every((call) => String(call['gen_ai.response.finish_reasons']) === 'tool_call') &&
        streamedCall['gen_ai.request.stream'] === true &&
        typeof streamedCall['gen_ai.response.time_to_first_chunk'] === 'number' &&
        wholeCall['gen_ai.request.stream'] === undefined &&
        wholeCall['gen_ai.response.time_to_first_chunk'] === undefined,
    },
    {
      name: 'A request that is tried again has a span for each attempt: the first with `error.type` and status, the second with the usage.',
      isMet:
        callsOf(retried).length === 2 &&
        failed?.attributes['error.type'] === 'refused' &&
        failed.attributes['http.response.status_code'] === 500 &&
        failed.attributes['gen_ai.usage.input_tokens'] === undefined &&
        second?.attributes['tollgate.attempt'] === 2,
    },
  ]
}

function metricFindings({ metrics }: Seen): Finding[] {
  const wanted = Object.entries(CONVENTIONS.metrics)
  return [
    {
      name: `Histograms ${wanted.map(([name, unit]) => `\`${name}\` (${unit})`).join(', ')} came, with tokens by type.`,
      isMet: wanted.every(([name, unit]) =>
        metrics.some((metric) => metric.name === name && metric.unit === unit && metric.points.some(({ count }) => Number(count) > 0)),
      ),
    },
    {
      name: 'The posting lag and the state of the ledger came, too.',
      isMet: ['tollgate_posting_lag_seconds', 'tollgate_ledger_fence_open'].every((name) => metrics.some((metric) => metric.name === name)),
    },
  ]
}

function logFindings({ logs, spans }: Seen, { logged, callerSpan, console: call }: Asked): Finding[] {
  const isOf = (line: LogRecord, span: Span): boolean => line.traceId === span.traceId && line.spanId === span.spanId
  return [
    {
      name: 'A log record of the relay about a request is in the trace of the request.',
      isMet: logs.some(({ service, traceId, spanId }) => service === 'tollgate-relay' && traceId === logged && spanId === callerSpan),
    },
    {
      name: 'Log records of calls of the console are in the traces of their spans.',
      isMet: spans.some((span) => span.name === call && logs.some((line) => line.text === 'call' && isOf(line, span))),
    },
  ]
}

function secretFindings({ text }: Seen, { key }: Asked): Finding[] {
  return [
    {
      name: 'No prompt, no text of an answer, no key of a token and no password is anywhere in it.',
      isMet: text.length > 0 && [PROMPT, 'scripted vendor.', 'picture.png', key].every((secret) => !text.includes(secret)),
    },
  ]
}
