import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import { LIVE_AUDIO_TOKENS_PER_SECOND, LIVE_OUTPUT_BYTES_PER_SECOND } from '@tollgate/providers/operations/gemini-live'

type Said = { readonly texts: readonly string[]; readonly audio_seconds: number; readonly image_tokens: number }

/** Input of a live session since its last turn, and the vendor's answer; keeps neither text nor sound. */
export class LiveTurn {
  #text_in = emptyCounts()
  #text_out = emptyCounts()
  #audio_seconds = 0
  #image_tokens = 0
  #audio_bytes = 0
  #usage: Usage | undefined
  #searches = 0
  raw: string | undefined
  /** The vendor has begun to answer. */
  isRunning = false
  /** It said that the answer is complete. */
  hasEnded = false
  first_token_ms = -1000

  hear({ texts, audio_seconds, image_tokens }: Said): void {
    this.#audio_seconds += audio_seconds
    this.#image_tokens += image_tokens
    for (const text of texts) countInto(this.#text_in, text)
  }

  add({ text, audio_bytes }: { readonly text: string; readonly audio_bytes: number }, elapsed_ms: number): void {
    if (!this.isRunning) this.first_token_ms = elapsed_ms
    this.isRunning = true
    this.#audio_bytes += audio_bytes
    countInto(this.#text_out, text)
  }

  /** Google repeats its searches in the parts of one answer. */
  search(count: number): void {
    this.#searches = Math.max(this.#searches, count)
  }

  /** A count of the same prompt is a later state of the one before; one of another prompt is that of a further answer of the turn. */
  report(usage: Usage): void {
    const before = this.#usage
    this.#usage = before === undefined || before.prompt_tokens === usage.prompt_tokens ? usage : sum(before, usage)
  }

  /** The vendor's count; undefined: it sent none. */
  get usage(): Usage | undefined {
    return this.#usage === undefined ? undefined : this.#withSearches(this.#usage)
  }

  /** The vendor's count, otherwise one by what was said and delivered; every turn is charged with the ones before it. */
  usageOrEstimate(model: string, context_tokens: number): Usage {
    if (this.usage !== undefined) return this.usage
    const family = familyOf(model)
    const text_in = estimateTokens(this.#text_in, family) + this.#image_tokens + context_tokens
    const audio_in = Math.ceil(this.#audio_seconds * LIVE_AUDIO_TOKENS_PER_SECOND)
    const text_out = estimateTokens(this.#text_out, family)
    const audio_out = Math.ceil((this.#audio_bytes / LIVE_OUTPUT_BYTES_PER_SECOND) * LIVE_AUDIO_TOKENS_PER_SECOND)
    const sums = { prompt_tokens: text_in + audio_in, completion_tokens: text_out + audio_out }
    return this.#withSearches({ ...ZERO_USAGE, text_in, audio_in, text_out, audio_out, ...sums, source: 'estimated' })
  }

  #withSearches(usage: Usage): Usage {
    return this.#searches === 0 ? usage : { ...usage, tool_calls: { google_search: this.#searches } }
  }
}

const COUNTS = [
  'text_in',
  'cache_read',
  'cache_read_image',
  'cache_read_audio',
  'image_in',
  'audio_in',
  'video_in',
  'text_out',
  'image_out',
  'audio_out',
  'reasoning',
  'prompt_tokens',
  'completion_tokens',
] as const

function sum(one: Usage, other: Usage): Usage {
  const counts = COUNTS.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const).filter(([, count]) => count > 0)
  return { ...one, ...Object.fromEntries(counts) }
}
