import type { Usage } from '@tollgate/contracts/pricing/quote'
import { countAt, isObject, objectAt, readSums, statedCountAt, type JsonObject } from '../../../json.ts'
import { cachedTokensOf, promptClasses } from '../../../prompt-classes.ts'

/**
 * The usage object of the OpenAI chat format in disjoint classes; `undefined` if it is missing or both sums are 0. `prompt_tokens`
 * includes cached and audio tokens. The sums are kept: details that exceed them are cut. Fields:
 * https://platform.openai.com/docs/api-reference/chat/object · prompt_cache_hit_tokens: https://api-docs.deepseek.com/guides/kv_cache ·
 * cached_tokens at the top: https://platform.moonshot.cn/docs/api/chat · cache_write_tokens:
 * https://openrouter.ai/docs/guides/administration/usage-accounting · cache_creation_input_tokens:
 * https://help.aliyun.com/zh/model-studio/context-cache (usage as dashscope 2.0.2 reads it)
 */
export function usageFromOpenAi(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const details = objectAt(raw, 'prompt_tokens_details')
  const answered = objectAt(raw, 'completion_tokens_details')
  const sums = readSums({
    prompt: statedCountAt(raw, 'prompt_tokens'),
    completion: statedCountAt(raw, 'completion_tokens'),
    total: statedCountAt(raw, 'total_tokens'),
  })
  const { prompt: prompt_tokens, missing } = sums
  const completion_tokens = completionTokens(raw, sums, countAt(answered, 'reasoning_tokens'))
  if (prompt_tokens === 0 && completion_tokens === 0) return undefined
  const cached = objectAt(details, 'cached_tokens_details')
  const classes = promptClasses({
    prompt: prompt_tokens,
    audio: countAt(details, 'audio_tokens'),
    image: countAt(details, 'image_tokens'),
    cached: cachedTokens(raw, details),
    cached_audio: countAt(cached, 'audio_tokens'),
    cached_image: countAt(cached, 'image_tokens'),
    written: countAt(details, 'cache_write_tokens') || countAt(details, 'cache_creation_input_tokens'),
    written_1h: countAt(objectAt(details, 'cache_write_tokens_details'), 'ttl_12h_tokens'),
  })
  const audio_out = Math.min(countAt(answered, 'audio_tokens'), completion_tokens)
  const image_out = Math.min(countAt(answered, 'image_tokens'), completion_tokens - audio_out)
  const text_out = completion_tokens - audio_out - image_out
  return {
    ...classes,
    text_out,
    ...(image_out === 0 ? {} : { image_out }),
    audio_out,
    reasoning: Math.min(countAt(answered, 'reasoning_tokens'), text_out),
    prompt_tokens,
    completion_tokens,
    ...(missing === undefined ? {} : { missing }),
    source: 'upstream',
  }
}

/** Encodes usage as the format's usage object, for a client that asked for it when upstream sent none. */
export function toOpenAiUsage(usage: Usage): JsonObject {
  const { prompt_tokens, completion_tokens, image_out = 0 } = usage
  const written = usage.cache_write + (usage.cache_write_1h ?? 0)
  const images = usage.image_in + (usage.cache_read_image ?? 0)
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    prompt_tokens_details: {
      cached_tokens: cachedTokensOf(usage),
      audio_tokens: usage.audio_in + (usage.cache_read_audio ?? 0),
      ...(written === 0 ? {} : { cache_write_tokens: written }),
      ...(images === 0 ? {} : { image_tokens: images }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audio_out,
      ...(image_out === 0 ? {} : { image_tokens: image_out }),
    },
  }
}

function cachedTokens(raw: JsonObject, details: JsonObject): number {
  return countAt(details, 'cached_tokens') || countAt(raw, 'prompt_cache_hit_tokens') || countAt(raw, 'cached_tokens')
}

/** xAI excludes reasoning from completion_tokens but includes it in the total: https://docs.x.ai/docs/guides/reasoning */
function completionTokens(
  raw: JsonObject,
  { prompt, completion }: { readonly prompt: number; readonly completion: number },
  reasoning: number,
): number {
  const isApart = reasoning > 0 && countAt(raw, 'total_tokens') === prompt + completion + reasoning
  return isApart ? completion + reasoning : completion
}
