import { ZERO_USAGE, type ModelTokens, type QuotedModel, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'

/** The quote of another model that the request names: its own ratios, at the same price at all hours, everything else as for the requested one. */
export function quoteOf({ others: _others, cards: _cards, hours: _hours, ...quote }: RatioQuote, quoted: QuotedModel): RatioQuote {
  return { ...quote, ...quoted }
}

export type OtherPart = { readonly name: string; readonly quoted: QuotedModel; readonly tokens: Usage }

/** Splits usage by the models that the quote has a price for; undefined: the requested model served all of it. */
export function splitByModel(quote: RatioQuote, usage: Usage): { readonly own: Usage; readonly others: readonly OtherPart[] } | undefined {
  const { others } = quote
  const { by_model } = usage
  if (others === undefined || by_model === undefined) return undefined
  const parts = Object.entries(by_model).flatMap(([served, tokens]): OtherPart[] => {
    const name = quotedNameOf(quote, served)
    const quoted = name === undefined ? undefined : others[name]
    return name === undefined || quoted === undefined ? [] : [{ name, quoted, tokens: usageOf(tokens, usage.source) }]
  })
  if (parts.length === 0) return undefined
  const own = { ...usage }
  for (const { tokens } of parts) for (const name of CLASSES) subtract(own, name, tokens[name])
  return { own, others: parts }
}

/** Tokens of a part as a usage. */
export function usageOf(tokens: ModelTokens, source: Usage['source']): Mutable {
  const usage: Mutable = { ...ZERO_USAGE, source }
  for (const name of CLASSES) if (tokens[name] !== undefined) usage[name] = tokens[name]
  return usage
}

export type Mutable = { -readonly [Key in keyof Usage]: Usage[Key] }

function subtract(own: Mutable, name: (typeof CLASSES)[number], tokens: number | undefined): void {
  const left = own[name]
  if (left !== undefined && tokens !== undefined) own[name] = Math.max(0, left - tokens)
}

/**
 * The quoted model under the name that the vendor reports, which may add a date or a variant to it; undefined: the requested model, or
 * one that the request does not name.
 */
export function quotedNameOf({ model, others = {} }: RatioQuote, served: string): string | undefined {
  if (served === model) return undefined
  if (Object.hasOwn(others, served)) return served
  const [longest] = [model, ...Object.keys(others)].filter((name) => served.startsWith(name)).toSorted((a, b) => b.length - a.length)
  return longest === model ? undefined : longest
}

/** The token classes that a part of the usage can have. */
export const CLASSES = [
  'text_in',
  'text_out',
  'cache_read',
  'cache_read_image',
  'cache_read_audio',
  'cache_write',
  'cache_write_1h',
  'image_in',
  'image_out',
  'video_in',
  'audio_in',
  'audio_out',
] as const satisfies readonly (keyof ModelTokens)[]

/** All tokens of a usage as those of one model. */
export function tokensByModel(model: string, usage: Usage): Record<string, ModelTokens> {
  const tokens = CLASSES.flatMap((name) => ((usage[name] ?? 0) === 0 ? [] : [[name, usage[name]] as const]))
  return { [model]: Object.fromEntries(tokens) }
}
