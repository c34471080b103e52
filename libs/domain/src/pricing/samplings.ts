import { type ModelTokens, type QuoteCard, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import { CLASSES, quotedNameOf, usageOf, type Mutable } from './other-models.ts'
import { cardFor, promptTokensOf } from './ratios.ts'

/** A part of the usage with the card that prices it. */
export type CardPart = { readonly card: QuoteCard | undefined; readonly usage: Usage }

/**
 * The usage by the card of each sampling: a vendor that samples several times for one answer prices each by its own prompt. What no
 * sampling states is priced by its own length. One part, almost always.
 */
export function byCard(quote: RatioQuote, usage: Usage, model: string): readonly CardPart[] {
  const samplings = quote.cards === undefined ? [] : (usage.samplings ?? []).filter((one) => isOf(quote, one.model, model))
  if (samplings.length < 2) return [{ card: cardFor(quote, promptTokensOf(usage)), usage }]
  const rest: Mutable = { ...usage }
  const parts = new Map<QuoteCard | undefined, Mutable>()
  const addTo = (tokens: ModelTokens): void => {
    const card = cardFor(quote, promptTokensOf(usageOf(tokens, usage.source)))
    const sum = parts.get(card) ?? usageOf({}, usage.source)
    for (const name of CLASSES) if ((tokens[name] ?? 0) > 0) sum[name] = (sum[name] ?? 0) + (tokens[name] ?? 0)
    parts.set(card, sum)
  }
  for (const sampling of samplings) {
    addTo(sampling)
    for (const name of CLASSES) if (rest[name] !== undefined) rest[name] = Math.max(0, (rest[name] ?? 0) - (sampling[name] ?? 0))
  }
  addTo(rest)
  return withReasoning(
    [...parts].map(([card, part]) => ({ card, usage: part })),
    usage,
  )
}

const isOf = (quote: RatioQuote, served: string | undefined, model: string): boolean =>
  served === undefined || (quotedNameOf(quote, served) ?? quote.model) === model

/** Classes that samplings do not state: reasoning is a part of any answer, the rest belongs to the request as a whole. */
function withReasoning(parts: readonly { readonly card: QuoteCard | undefined; readonly usage: Mutable }[], whole: Usage): CardPart[] {
  let left = whole.reasoning
  return parts.map(({ card, usage }, index) => {
    const reasoning = Math.min(left, usage.text_out)
    left -= reasoning
    const { characters, seconds } = whole
    const once = index > 0 ? {} : { ...(characters === undefined ? {} : { characters }), ...(seconds === undefined ? {} : { seconds }) }
    return { card, usage: { ...usage, ...once, reasoning } }
  })
}
