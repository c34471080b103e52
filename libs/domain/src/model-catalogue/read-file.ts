import {
  ModelCatalogue,
  type CatalogueModel,
  type CataloguePrice,
  type PriceBand,
  type PriceLines,
} from '@tollgate/contracts/models/model-catalogue'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { Decimal } from '../pricing/decimal.ts'
import { dollars, isZero, scaled } from './dollars.ts'
import { MAKERS } from './makers.ts'
import { mergeCatalogues, type Merged } from './merge.ts'
import { readLitellm } from './read-litellm.ts'

/** A file of prices, in one of the known shapes. */
export const FILE_FORMATS = ['tollgate', 'litellm', 'models.dev', 'ratio_config', 'pricing'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

export type CatalogueFile = Merged & { readonly format: FileFormat; readonly date?: string }
export type FileFault = 'not-json' | 'unknown-format' | 'no-models'

type Entry = Readonly<Record<string, unknown>>
const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)
const entryOf = (value: unknown): Entry => (isEntry(value) ? value : {})

/** Reads a price file of another party. Prices that look wrong become questions; nothing that is no price is read as one. */
export function readCatalogueFile(text: string): CatalogueFile | { readonly fault: FileFault } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { fault: 'not-json' }
  }
  const found = readValue(value)
  if (found === undefined) return { fault: 'unknown-format' }
  return found.models.length === 0 ? { fault: 'no-models' } : found
}

function readValue(value: unknown): CatalogueFile | undefined {
  if (!isEntry(value)) return undefined
  if (value['format'] === 'tollgate-catalogue-1') return readOwn(value)
  const { data } = value
  if (Array.isArray(data)) return { format: 'pricing', ...checked(readPricing(data)) }
  if (isEntry(data) && isEntry(data['model_ratio'])) return { format: 'ratio_config', ...checked(readRatioConfig(data)) }
  const entries = Object.values(value)
  if (entries.some((entry) => isEntry(entry) && typeof entry['litellm_provider'] === 'string')) {
    return { format: 'litellm', ...checked(readLitellm(value)) }
  }
  if (entries.some((entry) => isEntry(entry) && isEntry(entry['models']))) return { format: 'models.dev', ...checked(readModelsDev(value)) }
  return undefined
}

const checked = (models: readonly CatalogueModel[]): Merged => mergeCatalogues(models, [])

function readOwn(value: unknown): CatalogueFile | undefined {
  const { success, data } = ModelCatalogue.safeParse(value)
  if (!success) return undefined
  const { questions } = checked(data.models)
  const doubted = new Set(questions.map(({ maker, model }) => `${maker}/${model}`))
  const models = data.models.map((model) => (doubted.has(`${model.maker}/${model.name}`) ? { ...model, prices: [] } : model))
  return { format: 'tollgate', date: data.date, models, questions }
}

/** The makers' ids at models.dev, whose `api.json` has dollars per million tokens. */
const MODELS_DEV: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  xai: 'xAI',
  mistral: 'Mistral',
  deepseek: 'DeepSeek',
  zai: 'Z.AI',
  moonshotai: 'Moonshot AI',
  alibaba: 'Alibaba Cloud',
}

const COSTS = {
  input: 'input',
  output: 'output',
  reasoning: 'reasoning',
  cache_read: 'cache_read',
  cache_write: 'cache_write',
  input_audio: 'audio_in',
  output_audio: 'audio_out',
} as const satisfies Record<string, keyof PriceLines>

function readModelsDev(file: Entry): CatalogueModel[] {
  return Object.entries(MODELS_DEV).flatMap(([id, maker]) =>
    Object.entries(entryOf(entryOf(file[id])['models'])).flatMap(([name, value]): CatalogueModel[] => {
      if (!isEntry(value) || !isName(name)) return []
      const price = costOf(maker, entryOf(value['cost']))
      return [
        {
          name,
          maker,
          mode: price?.lines.output === undefined ? 'other' : 'chat',
          abilities: [],
          prices: price === undefined ? [] : [price],
        },
      ]
    }),
  )
}

const isName = (name: string): boolean => name.length > 0 && name.length <= 200

function costOf(maker: string, cost: Entry): CataloguePrice | undefined {
  const lines = linesOf(cost)
  // A cost of nothing stands for an unknown one.
  if (lines.input === undefined || isZero(lines.input)) return undefined
  const bands = bandsOf(maker, lines, cost)
  return { unit: 'token', lines, ...(bands.length === 0 ? {} : { bands }), sources: ['models.dev'] }
}

function linesOf(cost: Entry): PriceLines {
  return Object.fromEntries(
    Object.entries(COSTS).flatMap(([key, line]) => {
      const price = dollars(cost[key])
      return price === undefined ? [] : [[line, price] as const]
    }),
  )
}

/** Where both are stated, the tiers hold: the older field names 200 000 tokens whatever the boundary is. */
function bandsOf(maker: string, lines: PriceLines, cost: Entry): PriceBand[] {
  const { tiers, context_over_200k } = cost
  const shift = MAKERS.find(({ name }) => name === maker)?.includesBoundary === true ? 1 : 0
  const stated = Array.isArray(tiers)
    ? tiers.filter(isEntry).map((tier) => [Number(entryOf(tier['tier'])['size']), tier] as const)
    : isEntry(context_over_200k)
      ? [[200_000, context_over_200k] as const]
      : []
  return stated
    .filter(([size]) => Number.isSafeInteger(size) && size > shift)
    .map(([size, tier]) => ({ above: size - shift, lines: { ...lines, ...linesOf(tier) } }))
    .toSorted((left, right) => left.above - right.above)
}

/** Ratios of another gateway of this family, where 1 is two dollars per million tokens. */
function readRatioConfig(data: Entry): CatalogueModel[] {
  const [ratios, prices, completions, caches] = ['model_ratio', 'model_price', 'completion_ratio', 'cache_ratio'].map((key) =>
    entryOf(data[key]),
  )
  const names = new Set([...Object.keys(ratios ?? {}), ...Object.keys(prices ?? {})])
  return [...names].filter(isName).map((name) =>
    ofRatios(name, 'ratio_config', {
      price: ownValue(prices ?? {}, name),
      ratio: ownValue(ratios ?? {}, name),
      completion: ownValue(completions ?? {}, name),
      cache: ownValue(caches ?? {}, name),
    }),
  )
}

function readPricing(rows: readonly unknown[]): CatalogueModel[] {
  return rows.filter(isEntry).flatMap((row) => {
    const { model_name, quota_type, model_price, model_ratio, completion_ratio, cache_ratio, is_unpriced } = row
    if (typeof model_name !== 'string' || !isName(model_name) || is_unpriced === true) return []
    const ratios = quota_type === 1 ? { price: model_price } : { ratio: model_ratio, completion: completion_ratio, cache: cache_ratio }
    return [ofRatios(model_name, 'pricing', ratios)]
  })
}

type Ratios = { readonly price?: unknown; readonly ratio?: unknown; readonly completion?: unknown; readonly cache?: unknown }

function ofRatios(name: string, source: string, { price, ratio, completion, cache }: Ratios): CatalogueModel {
  const model: Omit<CatalogueModel, 'prices'> = { name, maker: '', mode: 'chat', abilities: [] }
  const each = dollars(price)
  if (each !== undefined && !isZero(each)) {
    return { ...model, mode: 'other', prices: [{ unit: 'call', each, lines: {}, sources: [source] }] }
  }
  const at = dollars(ratio)
  if (at === undefined || isZero(at)) return { ...model, prices: [] }
  const input = Decimal.parse(at).times(Decimal.of(2)).toString()
  const over = (factor: unknown): string | undefined => {
    const text = dollars(factor)
    return text === undefined ? undefined : scaled(input, text, '1')
  }
  const [output, cache_read] = [over(completion), over(cache)]
  const lines = { input, ...(output === undefined ? {} : { output }), ...(cache_read === undefined ? {} : { cache_read }) }
  return { ...model, prices: [{ unit: 'token', lines, sources: [source] }] }
}
