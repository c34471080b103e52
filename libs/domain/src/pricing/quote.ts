import type { PricedExtras, Quote, QuoteCard, QuotedModel, RatioQuote, SpeechUnit } from '@tollgate/contracts/pricing/quote'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { VideoUnits } from '@tollgate/contracts/pricing/video-units'
import { completionRatioOf } from './completion-ratio.ts'
import { wildcardOf } from './gizmo.ts'
import { quotedImage } from './image.ts'
import { audioCompletionRatioOf, audioRatioOf, cacheCreationRatioOf, hasPublishedAudioPrice, imageRatioOf } from './media-ratio.ts'
import { bareNameOf, lacksOutputPrice } from './output-price.ts'
import { oneHourRatio } from './ratios.ts'
import { quotedTools, type ToolPrices } from './tool-prices.ts'
import { quotedVideo } from './video.ts'

/** Ratio of a model without a price, if the site or the user accepts such models. */
export const UNPRICED_RATIO = 37.5

export type QuoteInput = {
  readonly model: string
  readonly group: string
  readonly prices: (model: string) => PriceSnapshot | undefined
  readonly group_ratio: number
  /** Group of the user, if the group ratio is specific to it. */
  readonly user_group?: string
  /** The entry of GroupModelRatio, if the group ratio is specific to the model. */
  readonly group_model?: string
  readonly quota_per_unit: number
  readonly price_version: number
  /** Self-use mode, or the user's own `accept_unset_model_ratio_model`. */
  readonly isUnpricedAllowed: boolean
  /** Option OutputPriceRequired. */
  readonly isOutputRequired?: boolean
  /** Tools and images of the request. */
  readonly asked?: PricedExtras
  readonly tool_prices?: ToolPrices
  readonly video_units?: VideoUnits
}

/**
 * Every number that the charge of one request depends on. A price per call takes precedence over a ratio. An explicit 0 is a price; a
 * missing entry gives 'unpriced' unless unpriced models are accepted. Prices belong to the model name that the client requested.
 */
export function quoteFor(input: QuoteInput): Quote | 'unpriced' {
  const { model, group, group_ratio, user_group, group_model, quota_per_unit, price_version, asked } = input
  const row = findPrice(model, input.prices)
  const tools = asked?.tools === undefined ? undefined : quotedTools(input.tool_prices ?? {}, model, asked.tools)
  const common = {
    model,
    group,
    group_ratio,
    quota_per_unit,
    price_version,
    ...(user_group === undefined ? {} : { user_group }),
    ...(group_model === undefined ? {} : { group_model }),
    ...(tools === undefined ? {} : { tools }),
  }
  if (row.price !== undefined) {
    const image = asked?.image === undefined ? {} : quotedImage(model, asked.image)
    const answers = asked?.answers === undefined ? {} : { answers: asked.answers }
    const video = asked?.video === undefined ? {} : quotedVideo(input.video_units ?? {}, model, asked.video)
    return { ...common, mode: 'price', model_price: row.price, ...image, ...answers, ...video }
  }
  if (hasNoPrice(model, row, input)) return 'unpriced'
  const speech = asked?.speech === undefined ? {} : { speech: speechUnitOf(model, row) }
  return { ...common, ...ratioPartOf(model, row), ...speech }
}

type Accepted = Pick<QuoteInput, 'isUnpricedAllowed' | 'isOutputRequired'>

function hasNoPrice(model: string, row: Partial<PriceSnapshot>, { isUnpricedAllowed, isOutputRequired = false }: Accepted): boolean {
  if (isUnpricedAllowed) return false
  return row.ratio === undefined || (isOutputRequired && lacksOutputPrice(model, row))
}

/** A price of audio tokens makes speech one of tokens; every other price is one of a character. */
function speechUnitOf(model: string, row: Partial<PriceSnapshot>): SpeechUnit {
  const isByToken = row.audio_ratio !== undefined || row.audio_completion_ratio !== undefined || hasPublishedAudioPrice(bareNameOf(model))
  return isByToken ? 'token' : 'character'
}

/**
 * The quote with the prices of other models that the request names. They need a price by token where the requested model has one; the
 * first that has none is returned.
 */
export function withOthers(
  quote: Quote,
  names: readonly string[],
  { prices, ...accepted }: Pick<QuoteInput, 'prices' | 'isUnpricedAllowed' | 'isOutputRequired'>,
): Quote | { readonly unpriced: string } {
  if (quote.mode === 'price') return quote
  const others: Record<string, QuotedModel> = {}
  for (const name of names) {
    const row = findPrice(name, prices)
    if (row.price !== undefined || hasNoPrice(name, row, accepted)) return { unpriced: name }
    const { mode: _, is_unpriced: __, ...part } = ratioPartOf(name, row)
    others[name] = part
  }
  return { ...quote, others }
}

/** The quote with the factors of processing tiers. Each needs one: a missing price is never the normal one. */
export function withTiers(quote: Quote, names: readonly string[], prices: QuoteInput['prices']): Quote | 'unpriced-tier' {
  const factors = { ...prices('*')?.tiers, ...findPrice(quote.model, prices).tiers }
  const found = names.flatMap((name) => (Object.hasOwn(factors, name) ? [[name, factors[name] ?? 1] as const] : []))
  return found.length === names.length ? { ...quote, tiers: Object.fromEntries(found) } : 'unpriced-tier'
}

type RatioPart = Omit<
  RatioQuote,
  'model' | 'group' | 'group_ratio' | 'quota_per_unit' | 'price_version' | 'user_group' | 'tools' | 'tiers' | 'others' | 'speech'
>

const parts = new WeakMap<Partial<PriceSnapshot>, RatioPart>()

/** The ratios of a row with all rules applied. Cached by row object, which is replaced when a price changes. */
function ratioPartOf(model: string, row: Partial<PriceSnapshot>): RatioPart {
  const found = parts.get(row)
  if (found !== undefined) return found
  const part = toRatioPart(model, row)
  if (row.model === model) parts.set(row, part)
  return part
}

function toRatioPart(model: string, row: Partial<PriceSnapshot>): RatioPart {
  const name = bareNameOf(model)
  const cache_creation_ratio = row.cache_creation_ratio ?? cacheCreationRatioOf(name)
  const isWriteOfInput = row.cache_creation_ratio === undefined && cache_creation_ratio === 1
  const { reasoning_ratio, image_cache_ratio, image_completion_ratio, video_ratio, audio_cache_ratio, cards = [] } = row
  return {
    mode: 'ratio',
    model_ratio: row.ratio ?? UNPRICED_RATIO,
    completion_ratio: completionRatioOf(name, row.completion_ratio),
    ...(reasoning_ratio === undefined ? {} : { reasoning_ratio }),
    cache_ratio: row.cache_ratio ?? 1,
    cache_creation_ratio,
    cache_creation_1h_ratio: row.cache_creation_1h_ratio ?? (isWriteOfInput ? 1 : oneHourRatio(cache_creation_ratio)),
    image_ratio: row.image_ratio ?? imageRatioOf(name),
    ...(image_cache_ratio === undefined ? {} : { image_cache_ratio }),
    ...(image_completion_ratio === undefined ? {} : { image_completion_ratio }),
    ...(video_ratio === undefined ? {} : { video_ratio }),
    audio_ratio: row.audio_ratio ?? audioRatioOf(name),
    ...(audio_cache_ratio === undefined ? {} : { audio_cache_ratio }),
    audio_completion_ratio: row.audio_completion_ratio ?? audioCompletionRatioOf(name),
    ...(cards.length === 0 ? {} : { cards: cards.map(toQuotedCard) }),
    is_unpriced: row.ratio === undefined,
  }
}

/** Derives the price of an hour in the cache from a card's price of five minutes. */
function toQuotedCard(card: QuoteCard): QuoteCard {
  const { cache_creation_ratio, cache_creation_1h_ratio } = card
  if (cache_creation_ratio === undefined || cache_creation_1h_ratio !== undefined) return card
  return { ...card, cache_creation_1h_ratio: oneHourRatio(cache_creation_ratio) }
}

const NO_ROW: Partial<PriceSnapshot> = {}

/** The model's own entry; missing numbers come from its wildcard entry. */
function findPrice(model: string, prices: QuoteInput['prices']): Partial<PriceSnapshot> {
  const own = prices(model)
  const wildcard = wildcardOf(model)
  if (wildcard === undefined) return own ?? NO_ROW
  return { ...prices(wildcard), ...own }
}
