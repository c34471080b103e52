import type { Usage } from '@tollgate/contracts/pricing/quote'
import { countAt, isObject, objectAt, readSums, statedCountAt, type JsonObject } from '../../../json.ts'
import { cachedTokensOf, promptClasses } from '../../../prompt-classes.ts'
import { generationOf } from './model.ts'

/**
 * `usageMetadata` in disjoint classes; `undefined` if it is empty. The prompt includes cached tokens; candidates exclude thoughts;
 * results of the vendor's tools count as prompt: https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function usageFromGemini(raw: unknown, extras: Extras = {}): Usage | undefined {
  if (!isObject(raw)) return undefined
  const tool_prompt = countAt(raw, 'toolUsePromptTokenCount')
  const thoughts = countAt(raw, 'thoughtsTokenCount')
  const {
    prompt,
    completion: candidates,
    missing,
  } = readSums(
    {
      prompt: statedCountAt(raw, 'promptTokenCount'),
      completion: statedCountAt(raw, 'candidatesTokenCount'),
      total: statedCountAt(raw, 'totalTokenCount'),
    },
    thoughts + tool_prompt,
  )
  if (prompt + tool_prompt + candidates + thoughts === 0) return undefined
  const classes = promptClasses({
    prompt,
    audio: modality(raw['promptTokensDetails'], 'AUDIO'),
    image: modality(raw['promptTokensDetails'], 'IMAGE'),
    cached: countAt(raw, 'cachedContentTokenCount'),
    cached_audio: modality(raw['cacheTokensDetails'], 'AUDIO'),
    cached_image: modality(raw['cacheTokensDetails'], 'IMAGE'),
  })
  const video_in = Math.min(modality(raw['promptTokensDetails'], 'VIDEO'), classes.text_in)
  const image_out = Math.min(modality(raw['candidatesTokensDetails'], 'IMAGE'), candidates)
  const audio_out = Math.min(modality(raw['candidatesTokensDetails'], 'AUDIO'), candidates - image_out)
  return {
    ...classes,
    text_in: classes.text_in - video_in + tool_prompt,
    ...(video_in > 0 ? { video_in } : {}),
    text_out: candidates - image_out - audio_out + thoughts,
    ...(image_out > 0 ? { image_out } : {}),
    audio_out,
    ...extrasOf(extras),
    reasoning: thoughts,
    prompt_tokens: prompt + tool_prompt,
    completion_tokens: candidates + thoughts,
    ...(missing === undefined ? {} : { missing }),
    source: 'upstream',
  }
}

/** Charged items that are not part of the usage object. */
export type Extras = { readonly images?: number; readonly searches?: number }

/** Encodes usage as the format's usage object. */
export function toGeminiUsage(usage: Usage): JsonObject {
  const {
    prompt_tokens,
    completion_tokens,
    reasoning,
    audio_out,
    image_out = 0,
    cache_read_image = 0,
    cache_read_audio = 0,
    video_in = 0,
  } = usage
  const cached = cachedTokensOf(usage)
  const image_in = usage.image_in + cache_read_image
  const audio_in = usage.audio_in + cache_read_audio
  const candidates = Math.max(completion_tokens - reasoning, 0)
  const prompt = details(prompt_tokens, [
    ['IMAGE', image_in],
    ['VIDEO', video_in],
    ['AUDIO', audio_in],
  ])
  const answered = details(candidates, [
    ['IMAGE', image_out],
    ['AUDIO', audio_out],
  ])
  return {
    promptTokenCount: prompt_tokens,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt_tokens + candidates + reasoning,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(prompt_tokens > 0 ? { promptTokensDetails: prompt } : {}),
    ...(image_out + audio_out > 0 ? { candidatesTokensDetails: answered } : {}),
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  }
}

/**
 * Searches that Google charges for: each distinct query from Gemini 3 on, before that each grounded answer.
 * https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
export function searchesIn(candidate: unknown, model: string | undefined): number {
  const queries = objectAt(candidate, 'groundingMetadata')['webSearchQueries']
  if (!Array.isArray(queries)) return 0
  const asked = new Set(queries.filter((query) => typeof query === 'string' && query !== '')).size
  return generationOf(model ?? '') >= 3 ? asked : Math.min(asked, 1)
}

function extrasOf({ images = 0, searches = 0 }: Extras): Pick<Usage, 'images' | 'tool_calls'> {
  return { ...(images > 0 ? { images } : {}), ...(searches > 0 ? { tool_calls: { google_search: searches } } : {}) }
}

function modality(list: unknown, name: string): number {
  if (!Array.isArray(list)) return 0
  return list.reduce<number>((sum, entry) => (isObject(entry) && entry['modality'] === name ? sum + countAt(entry, 'tokenCount') : sum), 0)
}

function details(total: number, others: readonly (readonly [string, number])[]): JsonObject[] {
  const named = others.filter(([, tokens]) => tokens > 0).map(([name, tokenCount]) => ({ modality: name, tokenCount }))
  const text = total - named.reduce((sum, { tokenCount }) => sum + tokenCount, 0)
  return [...(text > 0 ? [{ modality: 'TEXT', tokenCount: text }] : []), ...named]
}
