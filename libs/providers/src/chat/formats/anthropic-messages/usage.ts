import type { ModelTokens, SamplingTokens, Usage } from '@tollgate/contracts/pricing/quote'
import { countAt, isObject, objectAt, readSums, statedCountAt, textAt, type JsonObject } from '../../../json.ts'

/**
 * The usage object of the Messages format in disjoint classes; `undefined` if it is missing or every sum is 0. `input_tokens` excludes
 * tokens read from and written to the cache, `output_tokens` includes thinking:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#tracking-cache-performance ·
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool#usage-and-pricing. The sums exclude separate samplings
 * (`SEPARATE_SAMPLINGS`), which are added here.
 */
export function usageFromAnthropic(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const { iterations } = raw
  const separate = Array.isArray(iterations)
    ? iterations.filter((iteration) => SEPARATE_SAMPLINGS.has(textAt(iteration, 'type') ?? ''))
    : []
  const parts = samplingsOf(iterations)
  const own = sumOf(parts.filter(({ isSeparate }) => !isSeparate))
  const stated = countsOf(raw)
  const isOthers = parts.length > 0
  // Where several models served the message, no class is below what they report.
  const whole = isOthers ? mapCounts((key) => Math.max(stated[key], own[key])) : stated
  const added = sumOf(separate.map(countsOf).map((counts) => ({ counts })))
  const { text_in, text_out, cache_read, cache_write, cache_write_1h } = mapCounts((key) => whole[key] + added[key])
  const prompt_tokens = text_in + cache_read + cache_write + cache_write_1h
  if (prompt_tokens === 0 && text_out === 0) return undefined
  const { missing } = readSums({
    prompt: statedCountAt(raw, 'input_tokens'),
    completion: statedCountAt(raw, 'output_tokens'),
    total: undefined,
  })
  const web_search = countAt(objectAt(raw, 'server_tool_use'), 'web_search_requests')
  return {
    text_in,
    text_out,
    cache_read,
    cache_write,
    ...(cache_write_1h === 0 ? {} : { cache_write_1h }),
    image_in: 0,
    audio_in: 0,
    audio_out: 0,
    ...(web_search === 0 ? {} : { tool_calls: { web_search } }),
    ...(isOthers ? { by_model: byModel(parts) } : {}),
    ...samplingsField(iterations),
    reasoning: Math.min(countAt(objectAt(raw, 'output_tokens_details'), 'thinking_tokens'), text_out),
    prompt_tokens,
    completion_tokens: text_out,
    ...(missing === undefined ? {} : { missing }),
    source: 'upstream',
  }
}

/**
 * Samplings that the vendor's sums do not include: a summary of the conversation, and the advice of a second model:
 * https://platform.claude.com/docs/en/build-with-claude/compaction-threshold ·
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 */
const SEPARATE_SAMPLINGS = new Set(['compaction', 'advisor_message'])

type Counts = Pick<Usage, 'text_in' | 'text_out' | 'cache_read' | 'cache_write'> & { readonly cache_write_1h: number }

type Sampling = { readonly model: string; readonly counts: Counts; readonly isSeparate: boolean }

/**
 * Samplings with their models, if one was of another model than the requested one: a fallback that served the message, or an adviser.
 * https://platform.claude.com/docs/en/api/beta/messages/create (`usage.iterations`)
 */
function samplingsOf(iterations: unknown): Sampling[] {
  if (!Array.isArray(iterations) || !iterations.some((one) => OTHER_MODELS.has(textAt(one, 'type') ?? ''))) return []
  return iterations.slice(0, MAX_SAMPLINGS).flatMap((one): Sampling[] => {
    const model = textAt(one, 'model')
    if (model === undefined || model.length > MAX_NAME) return []
    return [{ model, counts: countsOf(one), isSeparate: SEPARATE_SAMPLINGS.has(textAt(one, 'type') ?? '') }]
  })
}

/** More would not fit the event of a request; the rest is priced as one prompt. */
const MAX_KEPT = 64

/** Each sampling is a request of its own to the model, so that the price of a long prompt depends on its own length. */
function samplingsField(iterations: unknown): Pick<Usage, 'samplings'> {
  if (!Array.isArray(iterations) || iterations.length < 2) return {}
  const samplings = iterations.slice(0, MAX_KEPT).map((one): SamplingTokens => {
    const model = textAt(one, 'model')
    const counts = Object.entries(countsOf(one)).filter(([, count]) => count > 0)
    return { ...Object.fromEntries(counts), ...(model === undefined || model.length > MAX_NAME ? {} : { model }) }
  })
  return { samplings }
}

const OTHER_MODELS = new Set(['fallback_message', 'advisor_message'])
const MAX_SAMPLINGS = 1000
const MAX_NAME = 128
const MAX_MODELS = 6

function byModel(samplings: readonly Sampling[]): Record<string, ModelTokens> {
  const models = [...new Set(samplings.map(({ model }) => model))].slice(0, MAX_MODELS)
  return Object.fromEntries(models.map((model) => [model, sumOf(samplings.filter((one) => one.model === model))]))
}

const mapCounts = (of: (key: keyof Counts) => number): Counts => ({
  text_in: of('text_in'),
  text_out: of('text_out'),
  cache_read: of('cache_read'),
  cache_write: of('cache_write'),
  cache_write_1h: of('cache_write_1h'),
})
const sumOf = (list: readonly { readonly counts: Counts }[]): Counts =>
  mapCounts((key) => list.reduce((total, { counts }) => total + counts[key], 0))

function countsOf(raw: unknown): Counts {
  const written = objectAt(raw, 'cache_creation')
  const cache_write_1h = countAt(written, 'ephemeral_1h_input_tokens')
  const split = countAt(written, 'ephemeral_5m_input_tokens') + cache_write_1h
  return {
    text_in: countAt(raw, 'input_tokens'),
    text_out: countAt(raw, 'output_tokens'),
    cache_read: countAt(raw, 'cache_read_input_tokens'),
    cache_write: Math.max(countAt(raw, 'cache_creation_input_tokens'), split) - cache_write_1h,
    cache_write_1h,
  }
}

/**
 * Usage of a stream: that of `message_start` updated by `message_delta`. Its numbers are totals of the whole message; missing or 0 means
 * unchanged: https://platform.claude.com/docs/en/build-with-claude/streaming#event-types
 */
export function mergeUsage(early: JsonObject, late: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...early }
  for (const [key, value] of Object.entries(late)) if (value !== null && value !== 0) merged[key] = value
  return merged
}

/** Fields that the types of Anthropic's SDKs (1.11) require, and that other vendors do not state. */
const UNKNOWN = { inference_geo: null, service_tier: null, speed: null }

/** Encodes usage as the format's usage object. */
export function toAnthropicUsage(usage: Usage): JsonObject {
  const long = usage.cache_write_1h ?? 0
  const searches = usage.tool_calls?.['web_search'] ?? 0
  return {
    input_tokens: usage.text_in + usage.image_in + (usage.video_in ?? 0) + usage.audio_in,
    cache_creation_input_tokens: usage.cache_write + long,
    cache_read_input_tokens: usage.cache_read,
    cache_creation: { ephemeral_5m_input_tokens: usage.cache_write, ephemeral_1h_input_tokens: long },
    output_tokens: usage.completion_tokens,
    output_tokens_details: usage.reasoning === 0 ? null : { thinking_tokens: usage.reasoning },
    server_tool_use: searches === 0 ? null : { web_search_requests: searches, web_fetch_requests: 0 },
    ...UNKNOWN,
  }
}
