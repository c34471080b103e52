import type { Usage } from '@tollgate/contracts/quote'
import { countAt, isObject, objectAt, readSums, statedCountAt, textAt, type JsonObject } from '../../json.ts'

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
  const counts = [raw, ...separate].map(countsOf)
  const sum = (key: keyof Counts) => counts.reduce((total, count) => total + count[key], 0)
  const [text_in, text_out, cache_read, cache_write] = [sum('text_in'), sum('text_out'), sum('cache_read'), sum('cache_write')]
  const cache_write_1h = sum('cache_write_1h')
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
    reasoning: Math.min(countAt(objectAt(raw, 'output_tokens_details'), 'thinking_tokens'), text_out),
    prompt_tokens,
    completion_tokens: text_out,
    ...(missing === undefined ? {} : { missing }),
    source: 'upstream',
  }
}

/**
 * Samplings that the vendor charges separately: a summary of the conversation, and the advice of a second model (priced as the first):
 * https://platform.claude.com/docs/en/build-with-claude/compaction-threshold ·
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool
 */
const SEPARATE_SAMPLINGS = new Set(['compaction', 'advisor_message'])

type Counts = Pick<Usage, 'text_in' | 'text_out' | 'cache_read' | 'cache_write'> & { readonly cache_write_1h: number }

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

/** Encodes usage as the format's usage object. */
export function toAnthropicUsage(usage: Usage): JsonObject {
  const long = usage.cache_write_1h ?? 0
  const searches = usage.tool_calls?.['web_search'] ?? 0
  return {
    input_tokens: usage.text_in + usage.image_in + usage.audio_in,
    cache_creation_input_tokens: usage.cache_write + long,
    cache_read_input_tokens: usage.cache_read,
    cache_creation: { ephemeral_5m_input_tokens: usage.cache_write, ephemeral_1h_input_tokens: long },
    output_tokens: usage.completion_tokens,
    ...(usage.reasoning === 0 ? {} : { output_tokens_details: { thinking_tokens: usage.reasoning } }),
    ...(searches === 0 ? {} : { server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 } }),
  }
}
