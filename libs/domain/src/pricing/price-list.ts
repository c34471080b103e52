import type { Quote, RatioQuote } from '@tollgate/contracts/pricing/quote'
import { PRICE_CLASSES, type PriceClass, type PricingRow } from '@tollgate/contracts/resources/pricing'
import type { Ratio } from '@tollgate/contracts/units'
import { quoteFor } from './quote.ts'
import { tidy, USD_PER_MILLION_AT_RATIO_1 } from './ratio-dollars.ts'
import { cardFor, ratiosOf } from './ratios.ts'

/** The part of a row of the price list that says what a model costs. */
export type ListedPrice = Omit<
  PricingRow,
  'model_name' | 'owner_by' | 'vendor' | 'enable_groups' | 'supported_endpoint_types' | 'group_ratios' | 'retires' | 'successor' | 'coming'
>

const FURTHER = [
  'reasoning_ratio',
  'cache_ratio',
  'cache_creation_ratio',
  'cache_creation_1h_ratio',
  'image_ratio',
  'image_cache_ratio',
  'image_completion_ratio',
  'video_ratio',
  'audio_ratio',
  'audio_cache_ratio',
  'audio_completion_ratio',
] as const satisfies readonly (keyof RatioQuote & keyof ListedPrice)[]

/** The quote of a model without a price of its own: every ratio has the default of its class. */
const DEFAULTS = defaultQuote()

function defaultQuote(): RatioQuote {
  const quote = quoteFor({
    model: '',
    group: '',
    group_ratio: 1,
    quota_per_unit: 1,
    price_version: 0,
    prices: () => undefined,
    isUnpricedAllowed: true,
  })
  if (quote === 'unpriced' || quote.mode === 'price') throw new Error('a model without a price is charged by ratio')
  return quote
}

/** A model's price as the price list has it: what its quote says, without ratios that are the default of their class. */
export function listedPrice(quote: Quote): ListedPrice {
  if (quote.mode === 'price') {
    const { seconds, per_seconds } = quote
    const unit = seconds === undefined ? {} : { unit: 'second' as const, ...(per_seconds === undefined ? {} : { per_seconds }) }
    return { quota_type: 1, model_price: quote.model_price, model_ratio: 0, completion_ratio: 0, ...unit }
  }
  const further = FURTHER.flatMap((name) => {
    const value = quote[name]
    return value === undefined || value === DEFAULTS[name] ? [] : [[name, value] as const]
  })
  return {
    quota_type: 0,
    model_price: 0,
    model_ratio: quote.model_ratio,
    completion_ratio: quote.completion_ratio,
    ...Object.fromEntries(further),
    ...(quote.cards === undefined ? {} : { price_cards: quote.cards }),
    ...(quote.speech === 'character' ? { unit: 'character' as const } : {}),
    ...(quote.is_unpriced ? { is_unpriced: true } : {}),
  }
}

type ListedFor = { readonly group: string; readonly group_ratio: Ratio; readonly quota_per_unit: number }

/** The quote that a row of the price list stands for, so that a visitor's estimate follows the rules of charging. */
export function quoteOfListed(row: ListedPrice & { readonly model_name: string }, listedFor: ListedFor): Quote {
  const common = { ...listedFor, model: row.model_name, price_version: 0 }
  if (row.quota_type === 1) return { ...common, mode: 'price', model_price: row.model_price }
  const { model_ratio, completion_ratio, price_cards } = row
  const further = Object.fromEntries(FURTHER.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]] as const])))
  return {
    ...DEFAULTS,
    ...further,
    ...common,
    mode: 'ratio',
    model_ratio,
    completion_ratio,
    is_unpriced: row.is_unpriced === true,
    ...(price_cards === undefined ? {} : { cards: price_cards }),
  }
}

/** Which classes a list shows of a model: input and output, and the others that have a price of their own. */
export function listedClasses(row: ListedPrice & { readonly vendor: string }): readonly PriceClass[] {
  const own = {
    input: true,
    output: row.unit === undefined,
    reasoning: row.reasoning_ratio !== undefined,
    'cache-read': row.cache_ratio !== undefined,
    'cache-write': row.cache_creation_ratio !== undefined || (row.vendor === 'Anthropic' && row.cache_ratio !== undefined),
    'cache-write-1h': row.cache_creation_1h_ratio !== undefined,
    'image-in': row.image_ratio !== undefined,
    'image-out': row.image_completion_ratio !== undefined,
    'video-in': row.video_ratio !== undefined,
    'audio-in': row.audio_ratio !== undefined,
    'audio-out': row.audio_ratio !== undefined || row.audio_completion_ratio !== undefined,
  } as const satisfies Record<PriceClass, boolean>
  return PRICE_CLASSES.filter((name) => own[name])
}

/** US dollars of a million tokens of each class, for a prompt of this length; the group ratio is included. */
export function dollarsPerMillion(quote: RatioQuote, prompt_tokens = 0): Readonly<Record<PriceClass, number>> {
  const ratios = ratiosOf(quote, cardFor(quote, prompt_tokens))
  const price = (...by: readonly Ratio[]): number =>
    tidy(by.reduce((product, ratio) => product * ratio, ratios.model_ratio * quote.group_ratio * USD_PER_MILLION_AT_RATIO_1))
  return {
    input: price(),
    output: price(ratios.completion_ratio),
    reasoning: price(ratios.reasoning_ratio),
    'cache-read': price(ratios.cache_ratio),
    'cache-write': price(ratios.cache_creation_ratio),
    'cache-write-1h': price(ratios.cache_creation_1h_ratio),
    'image-in': price(ratios.image_ratio),
    'image-out': price(ratios.image_completion_ratio),
    'video-in': price(ratios.video_ratio),
    'audio-in': price(ratios.audio_ratio),
    'audio-out': price(ratios.audio_ratio, ratios.audio_completion_ratio),
  }
}
