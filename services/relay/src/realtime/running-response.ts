import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import type { EstimatedInput } from './input-estimate.ts'

/** One token per 50 ms: https://platform.openai.com/docs/guides/realtime-costs */
const AUDIO_TOKENS_PER_SECOND = 20

/** Counts what one response has delivered so far; keeps neither text nor audio. */
export class RunningResponse {
  readonly #text = emptyCounts()
  #audio_bytes = 0
  hasContent = false
  first_token_ms = -1000

  add(delta: { readonly text: string; readonly audio_bytes: number }, elapsed_ms: number): void {
    if (!this.hasContent) this.first_token_ms = elapsed_ms
    this.hasContent = true
    this.#audio_bytes += delta.audio_bytes
    countInto(this.#text, delta.text)
  }

  /** Estimated usage of a response for which the vendor reported none. */
  estimate(model: string, { text_in, audio_in, bytes_per_second }: EstimatedInput & { readonly bytes_per_second: number }): Usage {
    const audio_out = Math.ceil((this.#audio_bytes / bytes_per_second) * AUDIO_TOKENS_PER_SECOND)
    const text_out = estimateTokens(this.#text, familyOf(model))
    const completion_tokens = audio_out + text_out
    const prompt_tokens = text_in + audio_in
    return { ...ZERO_USAGE, text_in, audio_in, text_out, audio_out, prompt_tokens, completion_tokens, source: 'estimated' }
  }
}
