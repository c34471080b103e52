import type { Usage } from '@tollgate/contracts/pricing/quote'
import { countAt, isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { cachedTokensOf } from '../../../prompt-classes.ts'
import { usageFromOpenAi } from '../openai-chat/usage.ts'

/**
 * The usage of a Responses object in disjoint classes; `undefined` if it is empty. `input_tokens` includes cached tokens, `output_tokens`
 * the reasoning. https://developers.openai.com/api/reference/resources/responses
 */
export function usageFromResponse(response: JsonObject): Usage | undefined {
  const raw = response['usage']
  if (!isObject(raw)) return undefined
  const usage = usageFromOpenAi({
    prompt_tokens: raw['input_tokens'],
    completion_tokens: raw['output_tokens'],
    total_tokens: raw['total_tokens'],
    prompt_tokens_details: raw['input_tokens_details'],
    completion_tokens_details: raw['output_tokens_details'],
  })
  if (usage === undefined) return undefined
  const tool_calls = toolCallsOf(response)
  return {
    ...usage,
    ...(Object.keys(tool_calls).length === 0 ? {} : { tool_calls }),
  }
}

/**
 * Calls of the vendor's own tools, by the name they are charged under: counted from the output items, not from the tools that the object
 * repeats. For web search, searches are charged and opened pages are not; the object's own count (`tool_usage`) wins.
 * https://developers.openai.com/api/docs/guides/tools-web-search
 */
export function toolCallsOf(response: JsonObject): Record<string, number> {
  const calls: Record<string, number> = {}
  const tools: readonly unknown[] = Array.isArray(response['tools']) ? response['tools'] : []
  const isPreview = tools.some((tool) => textAt(tool, 'type')?.startsWith('web_search_preview') === true)
  const search = isPreview ? 'web_search_preview' : 'web_search'
  for (const item of Array.isArray(response['output']) ? response['output'] : []) {
    const name = isObject(item) ? chargedAs(item, search) : undefined
    if (name !== undefined) calls[name] = (calls[name] ?? 0) + 1
  }
  const counted = countAt(objectAt(objectAt(response, 'tool_usage'), 'web_search'), 'num_requests')
  return counted === 0 ? calls : { ...calls, [search]: counted }
}

function chargedAs(item: JsonObject, search: string): string | undefined {
  const type = textAt(item, 'type')
  if (type === 'file_search_call') return 'file_search'
  if (type === 'web_search_call') return (textAt(objectAt(item, 'action'), 'type') ?? 'search') === 'search' ? search : undefined
  if (type !== 'image_generation_call' || textAt(item, 'result') === undefined) return undefined
  const variant = [textAt(item, 'quality'), textAt(item, 'size')]
  return variant.includes(undefined) ? 'image_generation' : ['image_generation', ...variant].join('/')
}

/** Encodes usage as the format's usage object. */
export function toResponsesUsage(usage: Usage): JsonObject {
  const { prompt_tokens, completion_tokens, cache_write, cache_write_1h = 0, reasoning } = usage
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: cachedTokensOf(usage), cache_write_tokens: cache_write + cache_write_1h },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt_tokens + completion_tokens,
  }
}
