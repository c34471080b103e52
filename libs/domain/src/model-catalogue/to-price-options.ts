import type { CatalogueModel, CataloguePrice, PriceLine, PriceLines } from '@tollgate/contracts/models/model-catalogue'
import { decodeOption, type OptionValues } from '@tollgate/contracts/options/registry'
import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import type { QuoteCard } from '@tollgate/contracts/pricing/quote'
import { CATALOGUE_PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { Decimal } from '../pricing/decimal.ts'
import { toPriceSnapshots } from '../pricing/price-snapshots.ts'
import { isZero, ratioOf, scaled } from './dollars.ts'

type PriceOption = (typeof CATALOGUE_PRICE_OPTIONS)[number]

/** The entries of one model, by option; an option without one has none for the model. */
export type PriceEntries = { readonly [Key in PriceOption]?: OptionValues[Key][string] }

/** The dollars of a million tokens at ratio 1. */
const AT_RATIO_1 = '2'
/** A minute counts as a thousand tokens. */
const SECONDS = Decimal.of(60_000)

/**
 * A price of the catalogue as entries of the price options; undefined: the options cannot state it, so the model stays without a price.
 * Every class that the maker prices apart is stated, so that no rule by name completes it.
 */
export function toPriceEntries(model: Priced, price: CataloguePrice): PriceEntries | undefined {
  const entries = entriesOf(model, price)
  return entries === undefined || !isStorable(model.name, entries) ? undefined : entries
}

type Priced = Pick<CatalogueModel, 'mode' | 'name' | 'abilities'>

/** False for a price beyond what the options hold, which would refuse those of all models. */
const isStorable = (name: string, entries: PriceEntries): boolean =>
  CATALOGUE_PRICE_OPTIONS.every(
    (key) => entries[key] === undefined || decodeOption(key, JSON.stringify({ [name]: entries[key] })).kind !== 'refused',
  )

function entriesOf({ mode, name, abilities }: Priced, price: CataloguePrice): PriceEntries | undefined {
  const { unit, each, lines } = price
  if (unit !== 'token') {
    if (each === undefined) return undefined
    if (unit === 'call') return { ModelPrice: Number(each) }
    if (unit === 'second')
      return name.startsWith('whisper') ? { ModelRatio: ratioOf(Decimal.parse(each).times(SECONDS).toString(), AT_RATIO_1) } : undefined
    return { ModelRatio: ratioOf(scaled(each, '1000000', '1'), AT_RATIO_1) }
  }
  const { input } = lines
  const output = lines.output ?? lines.image_out ?? lines.audio_out
  const hasNoOutput = mode === 'embedding' || mode === 'moderation' || mode === 'rerank'
  if (input === undefined || isZero(input) || (output === undefined && !hasNoOutput)) return undefined
  const { model_ratio, ...ratios } = ratiosOf({ ...lines, ...(output === undefined ? {} : { output }) })
  const hears = ['speech', 'transcription', 'realtime'].includes(mode) || abilities.includes('audio')
  const cards = (price.bands ?? []).map(({ above, lines: own }): QuoteCard => ({ above, ...ratiosOf(own) }))
  const hours = (price.hours ?? []).map(({ lines: own, ...window }): PriceWindow => ({ ...window, ratio: tierFactors(lines, own) }))
  const tiers = Object.entries(price.tiers ?? {}).map(([tier, own]) => [tier, tierFactors(lines, own.lines)] as const)
  return {
    ModelRatio: model_ratio,
    ...entry('CompletionRatio', ratios.completion_ratio),
    ...entry('ReasoningRatio', ratios.reasoning_ratio),
    ...entry('CacheRatio', ratios.cache_ratio),
    ...entry('CreateCacheRatio', ratios.cache_creation_ratio),
    ...entry('CreateCacheRatio1h', ratios.cache_creation_1h_ratio),
    ...entry('ImageRatio', ratios.image_ratio),
    ...entry('ImageCacheRatio', ratios.image_cache_ratio),
    ...entry('ImageCompletionRatio', ratios.image_completion_ratio),
    ...entry('VideoRatio', ratios.video_ratio),
    // Audio without a price of its own costs what text costs.
    ...entry('AudioRatio', ratios.audio_ratio ?? (hears ? 1 : undefined)),
    ...entry('AudioCacheRatio', ratios.audio_cache_ratio),
    ...entry(
      'AudioCompletionRatio',
      ratios.audio_completion_ratio ?? (hears && ratios.audio_ratio === undefined ? ratios.completion_ratio : undefined),
    ),
    ...(cards.length === 0 ? {} : { PriceCards: cards }),
    ...(tiers.length === 0 ? {} : { TierRatio: Object.fromEntries(tiers) }),
    ...(hours.length === 0 ? {} : { PriceHours: hours }),
  }
}

/** The price row that relays get of a model with these entries and no others. */
export function toPriceRow(model: string, entries: PriceEntries): PriceSnapshot {
  const options = Object.fromEntries(
    CATALOGUE_PRICE_OPTIONS.map((key) => [key, entries[key] === undefined ? {} : { [model]: entries[key] }]),
  )
  // Every price option is in the list, and each entry has the option's type.
  const [row] = toPriceSnapshots(options as Parameters<typeof toPriceSnapshots>[0])
  return row ?? { model }
}

const entry = <Key extends PriceOption>(key: Key, value: number | undefined) => (value === undefined ? {} : { [key]: value })

type StatedRatios = Omit<QuoteCard, 'above'>

function ratiosOf({ input = '0', ...lines }: PriceLines): StatedRatios {
  const over = (line: Exclude<PriceLine, 'input'>, under = input): number | undefined => {
    const price = lines[line]
    return price === undefined ? undefined : ratioOf(price, under)
  }
  const field = (name: keyof StatedRatios, value: number | undefined) => (value === undefined ? {} : { [name]: value })
  const { audio_in = input } = lines
  const audio = lines.audio_in ?? (lines.audio_out === undefined ? undefined : input)
  return {
    model_ratio: ratioOf(input, AT_RATIO_1),
    ...field('completion_ratio', over('output')),
    ...field('reasoning_ratio', over('reasoning')),
    ...field('cache_ratio', over('cache_read')),
    ...field('cache_creation_ratio', over('cache_write')),
    ...field('cache_creation_1h_ratio', over('cache_write_1h')),
    ...field('image_ratio', over('image_in')),
    ...field('image_cache_ratio', over('image_cache_read')),
    ...field('image_completion_ratio', over('image_out')),
    ...field('video_ratio', over('video_in')),
    ...field('audio_ratio', audio === undefined ? undefined : ratioOf(audio, input)),
    ...field('audio_cache_ratio', over('audio_cache_read')),
    ...field('audio_completion_ratio', over('audio_out', audio_in)),
  }
}

/** The classes of a tier's factors, by the line of the catalogue. */
const FACTOR_OF: Readonly<Partial<Record<PriceLine, keyof StatedRatios>>> = {
  output: 'completion_ratio',
  reasoning: 'reasoning_ratio',
  cache_read: 'cache_ratio',
  cache_write: 'cache_creation_ratio',
  cache_write_1h: 'cache_creation_1h_ratio',
  image_in: 'image_ratio',
  image_cache_read: 'image_cache_ratio',
  image_out: 'image_completion_ratio',
  video_in: 'video_ratio',
  audio_in: 'audio_ratio',
  audio_cache_read: 'audio_cache_ratio',
  audio_out: 'audio_completion_ratio',
}

/** One factor where all classes have the same, else those of the classes that differ from the input's. A class without a tier price keeps its own. */
function tierFactors(base: PriceLines, tier: PriceLines): OptionValues['TierRatio'][string][string] {
  const factor = (line: PriceLine): number => {
    const [over, under] = [tier[line], base[line]]
    return over === undefined || under === undefined || isZero(under) ? 1 : ratioOf(over, under)
  }
  const model_ratio = factor('input')
  const others = Object.entries(FACTOR_OF).flatMap(([line, name]) => {
    const stated = line as PriceLine
    if (isZero(base[stated] ?? '0') || factor(stated) === model_ratio) return []
    return [[name, factor(stated)] as const]
  })
  return others.length === 0 ? model_ratio : { model_ratio, ...Object.fromEntries(others) }
}
