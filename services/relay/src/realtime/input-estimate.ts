import { emptyCounts } from '@tollgate/contracts/pricing/character-counts'
import { countInto } from '@tollgate/domain/pricing/count'
import { estimateTokens, familyOf } from '@tollgate/domain/pricing/estimate'
import { CACHED_SHARE, SPEECH_TOKENS_PER_SECOND } from '@tollgate/providers/operations/realtime'

export type EstimatedInput = { readonly text_in: number; readonly audio_in: number }

/** Estimate of the client's input since the last response, for vendors that report no usage; keeps neither text nor audio. */
export class InputEstimate {
  #text = emptyCounts()
  #audio_bytes = 0
  /** Tokens of the turns before. */
  context_tokens = 0

  add({ texts, audio_bytes }: { readonly texts: readonly string[]; readonly audio_bytes: number }): void {
    this.#audio_bytes += audio_bytes
    for (const text of texts) countInto(this.#text, text)
  }

  /** The prompt of a response; earlier turns count as the vendor's cache prices them. */
  tokens(model: string, bytes_per_second: number): EstimatedInput {
    const text = estimateTokens(this.#text, familyOf(model))
    return {
      text_in: text + Math.ceil(this.context_tokens / CACHED_SHARE),
      audio_in: Math.ceil((this.#audio_bytes / bytes_per_second) * SPEECH_TOKENS_PER_SECOND),
    }
  }

  /** A response was given: what was said belongs to the turns before it. */
  answered(context_tokens: number): void {
    this.#text = emptyCounts()
    this.#audio_bytes = 0
    this.context_tokens = context_tokens
  }
}
