import type { CataloguePrice, PriceBand, PriceLine, PriceLines, TierPrice } from '@tollgate/contracts/models/model-catalogue'
import { isAbove } from './dollars.ts'
import { MAKERS } from './makers.ts'

/** A price of genai-prices: one number, or a base with further numbers for longer prompts. */
type Priced = string | { readonly base: string; readonly tiers: readonly { readonly start: number; readonly price: string }[] }
type Lines = Readonly<Record<string, Priced>>
type Dated = { readonly from?: string; readonly hours?: readonly [string, string]; readonly lines: Lines }

/** A model as scripts/catalogue/extract_genai_prices.py writes it. */
export type GenaiModel = {
  readonly provider: string
  readonly id: string
  /** Names that its matchers compare as a whole; heads, parts and patterns are not names. */
  readonly equals: readonly string[]
  readonly prices: readonly Dated[]
  readonly variants: readonly (Dated & { readonly when: Readonly<Record<string, string>> })[]
}

/** A model's prices: today's first, then known changes. Empty: the catalogue states none, which its calculator answers with 0. */
export type WitnessedModel = {
  readonly maker: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly prices: readonly CataloguePrice[]
}

const KEYS: Readonly<Record<string, PriceLine>> = {
  input_mtok: 'input',
  output_mtok: 'output',
  cache_read_mtok: 'cache_read',
  cache_write_mtok: 'cache_write',
  cache_write_1h_mtok: 'cache_write_1h',
  input_audio_mtok: 'audio_in',
  cache_audio_read_mtok: 'audio_cache_read',
  output_audio_mtok: 'audio_out',
  input_image_mtok: 'image_in',
  cache_image_read_mtok: 'image_cache_read',
  output_image_mtok: 'image_out',
  input_video_mtok: 'video_in',
}

/** `fast` of a service tier is another word for `priority`; `fast` as a speed is a tier of its own. */
const TIERS: Readonly<Record<string, string>> = {
  'processing:batch': 'batch',
  'service_tier:flex': 'flex',
  'service_tier:priority': 'priority',
  'speed:fast': 'fast',
}

/** The models of the makers in genai-prices (PyPI), with the prices that hold on this day (UTC) and those that follow. */
export function readGenai(models: readonly GenaiModel[], day: string): WitnessedModel[] {
  return models.flatMap(({ provider, id, equals, prices, variants }) => {
    const maker = MAKERS.find(({ genai }) => genai === provider)
    if (maker === undefined) return []
    const starts = [...new Set([...prices, ...variants].flatMap(({ from }) => (from !== undefined && from > day ? [from] : [])))].toSorted()
    const dated = [day, ...starts].flatMap((at) => {
      const price = priceAt(prices, variants, at)
      return price === undefined ? [] : [at === day ? price : { ...price, from: at }]
    })
    return [{ maker: maker.name, name: id, aliases: equals.filter((name) => name !== id && !name.includes('/')), prices: dated }]
  })
}

/** Among prices by date the last that has begun holds, not the first of the list; among the hours of a day that follow it the dearest. */
function activeAt<T extends Dated>(dated: readonly T[], day: string): T | undefined {
  let candidates: T[] = []
  for (const price of dated.filter(({ from }) => from === undefined || from <= day)) {
    candidates = price.hours === undefined ? [price] : [...candidates, price]
  }
  return candidates.reduce<T | undefined>((dearest, next) => (dearest === undefined || isDearer(next, dearest) ? next : dearest), undefined)
}

const baseOf = (priced: Priced | undefined): string => (typeof priced === 'string' ? priced : (priced?.base ?? '0'))
const isDearer = (left: Dated, right: Dated): boolean => isAbove(baseOf(left.lines['input_mtok']), baseOf(right.lines['input_mtok']))

function priceAt(prices: GenaiModel['prices'], variants: GenaiModel['variants'], day: string): CataloguePrice | undefined {
  const active = activeAt(prices, day)
  const base = active === undefined ? undefined : toTier(active.lines)
  if (base === undefined || Object.keys(base.lines).length === 0) return undefined
  const tiers = Object.entries(TIERS).flatMap(([when, tier]) => {
    const own = variants.filter((variant) => Object.entries(variant.when).every(([name, value]) => `${name}:${value}` === when))
    const found = activeAt(
      own.toSorted(({ from: left = '' }, { from: right = '' }) => (left < right ? -1 : left > right ? 1 : 0)),
      day,
    )
    const price = found === undefined ? undefined : toTier(found.lines)
    return price?.lines.input === undefined ? [] : [[tier, price] as const]
  })
  return { unit: 'token', ...base, ...(tiers.length === 0 ? {} : { tiers: Object.fromEntries(tiers) }), sources: ['genai-prices'] }
}

function toTier(stated: Lines): TierPrice {
  const lines: Partial<Record<PriceLine, string>> = {}
  const bands = new Map<number, PriceLines>()
  for (const [key, line] of Object.entries(KEYS)) {
    const priced = stated[key]
    if (priced === undefined) continue
    lines[line] = baseOf(priced)
    if (typeof priced !== 'string') for (const { start, price } of priced.tiers) bands.set(start, { ...bands.get(start), [line]: price })
  }
  const list = [...bands]
    .toSorted(([left], [right]) => left - right)
    .map(([above, own]): PriceBand => ({ above, lines: { ...lines, ...own } }))
  return { lines, ...(list.length === 0 ? {} : { bands: list }) }
}
