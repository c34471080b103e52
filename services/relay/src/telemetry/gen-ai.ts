import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { Attempt } from '@tollgate/contracts/relay/usage-event'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { promptTokensOf } from '@tollgate/domain/pricing/ratios'
import type { Finish } from '@tollgate/providers/chat/answer-facts'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { finishReasonOf } from '@tollgate/providers/chat/gen-ai-messages'
import { findVendor } from '@tollgate/providers/vendors/index'
import { GEN_AI_METRICS, PROVIDER_NAMES, type GenAiAttribute } from '@tollgate/telemetry/gen-ai'
import type { Labels, Metrics } from '@tollgate/telemetry/metrics'
import { recordSpan, type SpanAttributes, type TraceContext, type Tracer } from '@tollgate/telemetry/spans'
import { visible } from '@tollgate/telemetry/visible'
import type { Calls } from '../request/calls.ts'
import type { RecordedContent } from '../request/content-recording.ts'
import type { Held } from '../request/phases.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'

type Finished = {
  readonly held: Held
  readonly calls: Calls
  readonly outcome: ResponseOutcome
  readonly first_token_ms: number
  readonly finish: Finish | undefined
  /** When the request ended, in milliseconds since its start. */
  readonly ended_ms: number
}
type Traced = Finished & { readonly content?: RecordedContent }

/** Metrics and spans of finished requests by the conventions for generative AI: an attempt is a call of a client. */
export type GenAi = {
  measure(finished: Finished): void
  /** A span per attempt below the request's; the last one has prompt and answer, if they were recorded. */
  trace(finished: Traced, tracer: Tracer, parent: TraceContext): void
}

export function createGenAi(metrics: Metrics): GenAi {
  const histogram = (name: keyof typeof GEN_AI_METRICS) => metrics.histogram(name, GEN_AI_METRICS[name])
  const tokens = histogram('gen_ai.client.token.usage')
  const durations = histogram('gen_ai.client.operation.duration')
  const firstChunks = histogram('gen_ai.client.operation.time_to_first_chunk')
  const keptLabels = createLabelCache()
  return {
    measure: (finished) => {
      const { outcome, calls, first_token_ms } = finished
      const last = calls.attempts.at(-1)
      for (const attempt of calls.attempts) {
        const { labels, input, output } = keptLabels(finished, attempt)
        durations.record((endOf(finished, attempt) - attempt.started_ms) / 1000, labels)
        if (attempt !== last || attempt.outcome !== 'answered') continue
        if (isStream(finished) && first_token_ms >= 0) firstChunks.record(Math.max(0, first_token_ms - attempt.started_ms) / 1000, labels)
        if (outcome.usage === undefined) continue
        tokens.record(promptTokensOf(outcome.usage), input)
        tokens.record(outcome.usage.completion_tokens, output)
      }
    },
    trace: (finished, tracer, parent) => {
      const { started_at } = finished.held.context.clock
      for (const [at, attempt] of finished.calls.attempts.entries())
        recordSpan(tracer, {
          name: `${operationOf(finished)} ${attempt.upstream_model}`,
          kind: 'client',
          parent,
          started: started_at + attempt.started_ms,
          ended: started_at + endOf(finished, attempt),
          attributes: attributesOf(finished, attempt, at + 1),
          ...(attempt.outcome === 'answered' ? {} : { error: attempt.outcome }),
        })
    },
  }
}

const isStream = ({ held }: Finished): boolean => held.request.chat.is_stream

/** The answer of the last attempt ends with the request. */
const endOf = ({ calls, ended_ms }: Finished, attempt: Attempt): number =>
  attempt.outcome === 'answered' && attempt === calls.attempts.at(-1) ? Math.max(attempt.ended_ms, ended_ms) : attempt.ended_ms

const OTHER_NAMES: Readonly<Record<string, string>> = {
  gemini: 'generate_content',
  completions: 'text_completion',
  interactions: 'chat',
  embeddings: 'embeddings',
  'gemini-embeddings': 'embeddings',
}

function operationOf({ held }: Pick<Finished, 'held'>): string {
  const { name } = held.request.operation
  return OTHER_NAMES[name] ?? (Object.hasOwn(chatCodecs, name) ? 'chat' : name)
}

const providerOf = (type: number): string => PROVIDER_NAMES[type] ?? findVendor(type)?.ownedBy ?? 'custom'

function labelsOf(finished: Finished, { channel_type, upstream_model, outcome }: Attempt): Labels {
  return {
    'gen_ai.operation.name': operationOf(finished),
    'gen_ai.provider.name': providerOf(channel_type),
    'gen_ai.request.model': upstream_model,
    ...(outcome === 'answered' ? {} : { 'error.type': outcome }),
  }
}

type AttemptLabels = { readonly labels: Labels; readonly input: Labels; readonly output: Labels }

/** Labels by attempt, made once per set of them: the meter knows objects that it has seen. */
function createLabelCache(): (finished: Finished, attempt: Attempt) => AttemptLabels {
  const made = new BoundedMap<AttemptLabels>(MAX_LABELS)
  return (finished, attempt) => {
    const key = `${operationOf(finished)} ${attempt.channel_type} ${attempt.outcome} ${attempt.upstream_model}`
    const known = made.get(key)
    if (known !== undefined) return known
    const labels = labelsOf(finished, attempt)
    const all = { labels, input: { ...labels, 'gen_ai.token.type': 'input' }, output: { ...labels, 'gen_ai.token.type': 'output' } }
    made.set(key, all)
    return all
  }
}

/** Models are named by channels, but a channel may pass on any name. Twice as many may be kept. */
const MAX_LABELS = 500

function attributesOf(finished: Traced, attempt: Attempt, number: number): SpanAttributes {
  const { held, calls, content } = finished
  const { status, outcome, channel_id, channel_type, group = held.admission.group } = attempt
  const isLast = attempt === calls.attempts.at(-1)
  const isAnswer = outcome === 'answered' && isLast
  const attributes: Partial<Record<GenAiAttribute, SpanAttributes[string]>> = {
    ...labelsOf(finished, attempt),
    ...(isStream(finished) ? { 'gen_ai.request.stream': true } : {}),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
    'tollgate.request.id': held.context.id,
    'tollgate.request.model': visible(held.request.chat.model),
    'tollgate.channel.id': channel_id,
    'tollgate.channel.type': channel_type,
    'tollgate.group': visible(group),
    'tollgate.attempt': number,
    ...(isAnswer ? answerAttributes(finished, attempt) : {}),
    ...(isLast && content !== undefined ? contentAttributes(content) : {}),
  }
  return attributes
}

function answerAttributes({ held, calls, outcome, first_token_ms, finish }: Finished, { started_ms }: Attempt) {
  const { usage } = outcome
  const id = held.request.conversation?.conversation_id
  return {
    ...(finish === undefined ? {} : { 'gen_ai.response.finish_reasons': [finishReasonOf(finish)] }),
    ...(id === undefined ? {} : { 'gen_ai.conversation.id': visible(id) }),
    ...(held.request.chat.is_stream && first_token_ms >= 0
      ? { 'gen_ai.response.time_to_first_chunk': Math.max(0, first_token_ms - started_ms) / 1000 }
      : {}),
    ...(usage === undefined ? {} : usageAttributes(usage)),
    ...(usage === undefined ? {} : { 'tollgate.charge': quotaOf(calls.group.costEstimate.quote, usage) }),
  } satisfies Partial<Record<GenAiAttribute, SpanAttributes[string]>>
}

function contentAttributes({ input, output }: RecordedContent) {
  return {
    ...(input === undefined ? {} : { 'gen_ai.input.messages': input.json }),
    ...(output === undefined ? {} : { 'gen_ai.output.messages': output.json }),
    ...(input?.is_cut === true || output?.is_cut === true ? { 'tollgate.content.is_cut': true } : {}),
  } satisfies Partial<Record<GenAiAttribute, SpanAttributes[string]>>
}

function usageAttributes(usage: Usage) {
  const { cache_read, cache_read_image = 0, cache_read_audio = 0, cache_write, cache_write_1h = 0, reasoning, source } = usage
  return {
    'gen_ai.usage.input_tokens': promptTokensOf(usage),
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': cache_read + cache_read_image + cache_read_audio,
    'gen_ai.usage.cache_creation.input_tokens': cache_write + cache_write_1h,
    'gen_ai.usage.reasoning.output_tokens': reasoning,
    'tollgate.usage.source': source,
  } satisfies Partial<Record<GenAiAttribute, SpanAttributes[string]>>
}
