import type { QuoteCard, RatioQuote, Usage } from '@tollgate/contracts/pricing/quote'
import type { Ratios } from '@tollgate/contracts/pricing/ratios'
import { Decimal } from './decimal.ts'

const ONE_HOUR = Decimal.of(1.6)

/** A prompt token cached for an hour costs 1.6 times one cached for five minutes: https://docs.anthropic.com/en/docs/about-claude/pricing */
export function oneHourRatio(cache_creation_ratio: number): number {
  return cache_creation_ratio === 1.25 ? 2 : Decimal.of(cache_creation_ratio).times(ONE_HOUR).toNumber()
}

/** The quote's ratios; a card replaces those it states. Ratios missing from both take their documented defaults. */
export function ratiosOf(quote: RatioQuote, card: QuoteCard | undefined): Ratios {
  const completion_ratio = card?.completion_ratio ?? quote.completion_ratio
  const cache_creation_ratio = card?.cache_creation_ratio ?? quote.cache_creation_ratio
  const cache_ratio = card?.cache_ratio ?? quote.cache_ratio
  return {
    model_ratio: card?.model_ratio ?? quote.model_ratio,
    completion_ratio,
    reasoning_ratio: reasoningRatioOf(quote, card, completion_ratio),
    cache_ratio,
    cache_creation_ratio,
    cache_creation_1h_ratio: card?.cache_creation_1h_ratio ?? quote.cache_creation_1h_ratio ?? oneHourRatio(cache_creation_ratio),
    image_ratio: card?.image_ratio ?? quote.image_ratio,
    image_cache_ratio: card?.image_cache_ratio ?? quote.image_cache_ratio ?? cache_ratio,
    image_completion_ratio: card?.image_completion_ratio ?? quote.image_completion_ratio ?? completion_ratio,
    video_ratio: card?.video_ratio ?? quote.video_ratio ?? 1,
    audio_ratio: card?.audio_ratio ?? quote.audio_ratio,
    audio_cache_ratio: card?.audio_cache_ratio ?? quote.audio_cache_ratio ?? cache_ratio,
    audio_completion_ratio: card?.audio_completion_ratio ?? quote.audio_completion_ratio,
  }
}

/** A card that states only the completion ratio prices reasoning alike. */
function reasoningRatioOf(quote: RatioQuote, card: QuoteCard | undefined, completion_ratio: number): number {
  if (card?.reasoning_ratio !== undefined) return card.reasoning_ratio
  return card?.completion_ratio === undefined ? (quote.reasoning_ratio ?? completion_ratio) : completion_ratio
}

/** All tokens of the prompt, cached and media tokens included. Cards are selected by this number. */
export function promptTokensOf(usage: Usage): number {
  const { cache_read_image = 0, cache_read_audio = 0, cache_write_1h = 0, video_in = 0 } = usage
  const cached = usage.cache_read + cache_read_image + cache_read_audio + usage.cache_write + cache_write_1h
  return usage.text_in + cached + usage.image_in + video_in + usage.audio_in
}

/** The card with the greatest `above` that the prompt exceeds. */
export function cardFor(quote: RatioQuote, prompt_tokens: number): QuoteCard | undefined {
  let found: QuoteCard | undefined
  for (const card of quote.cards ?? []) if (prompt_tokens > card.above && card.above > (found?.above ?? 0)) found = card
  return found
}
