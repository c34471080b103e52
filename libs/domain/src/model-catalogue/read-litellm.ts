import type {
  CatalogueModel,
  CataloguePrice,
  ModelAbility,
  ModelMode,
  PriceBand,
  PriceHour,
  PriceLine,
  PriceLines,
} from '@tollgate/contracts/models/model-catalogue'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { dollars, isSame, isZero, perMillion, scaled } from './dollars.ts'
import { MAKERS, type Maker } from './makers.ts'

/** The keys of a price of one token. Every other key is in another unit, and none is read by a part of its name. */
const TOKEN_KEYS: Readonly<Record<string, PriceLine>> = {
  input_cost_per_token: 'input',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  cache_creation_input_token_cost_above_12hr: 'cache_write_1h',
  input_cost_per_image_token: 'image_in',
  cache_read_input_image_token_cost: 'image_cache_read',
  output_cost_per_image_token: 'image_out',
  input_cost_per_audio_token: 'audio_in',
  cache_read_input_audio_token_cost: 'audio_cache_read',
  output_cost_per_audio_token: 'audio_out',
  input_cost_per_video_token: 'video_in',
}

/** After the key, in this order: the lifetime in the cache (part of the key), the band, the tier. */
const SUFFIXES = /^(?<key>.+?)(?:_above_(?<thousands>\d+)k_tokens)?(?:_(?<tier>batches|flex|priority|ultrafast))?$/

const TIERS: Readonly<Record<string, string>> = { batches: 'batch' }

const MODES: Readonly<Record<string, ModelMode>> = {
  chat: 'chat',
  responses: 'chat',
  completion: 'chat',
  embedding: 'embedding',
  image_generation: 'image',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
  realtime: 'realtime',
  moderation: 'moderation',
  rerank: 'rerank',
  video_generation: 'video',
}

const ABILITIES: Readonly<Record<string, ModelAbility>> = {
  supports_vision: 'vision',
  supports_audio_input: 'audio',
  supports_pdf_input: 'files',
  supports_function_calling: 'tools',
  supports_reasoning: 'reasoning',
  supports_prompt_caching: 'cache',
  supports_response_schema: 'schema',
  supports_web_search: 'search',
}

type Entry = Readonly<Record<string, unknown>>

const isEntry = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The models of the makers' own routes in litellm's price file (`model_prices_and_context_window`), as its wheel on PyPI has it. */
export function readLitellm(file: Readonly<Record<string, unknown>>): CatalogueModel[] {
  return MAKERS.flatMap((maker) => {
    const { provider, head } = maker.litellm
    return Object.entries(file).flatMap(([key, entry]) => {
      if (!isEntry(entry) || entry['litellm_provider'] !== provider || !key.startsWith(head)) return []
      const name = key.slice(head.length)
      return name === '' || name.includes('/') ? [] : [toModel(maker, name, entry)]
    })
  })
}

function toModel(maker: Maker, name: string, entry: Entry): CatalogueModel {
  const mode = ownValue(MODES, textOf(entry['mode']) ?? '') ?? 'other'
  const price = priceOf(maker, mode, entry)
  const retires = dayOf(entry['deprecation_date'])
  const successor = textOf(entry['successor_model'])
  const page = textOf(entry['source'])
  return {
    name,
    maker: maker.name,
    mode,
    ...limitOf('max_input', entry['max_input_tokens']),
    ...limitOf('max_output', entry['max_output_tokens']),
    abilities: Object.entries(ABILITIES).flatMap(([key, ability]) => (entry[key] === true ? [ability] : [])),
    ...(retires === undefined ? {} : { retires }),
    ...(successor === undefined ? {} : { successor: successor.slice(successor.lastIndexOf('/') + 1) }),
    prices: price === undefined ? [] : [price],
    ...(page?.startsWith('https://') === true ? { page } : {}),
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const dayOf = (value: unknown): string | undefined => (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined)
const limitOf = (name: 'max_input' | 'max_output', value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}

const SOURCES: [string] = ['litellm']

/** An entry with several units states alternatives: the mode decides which of them is charged. */
function priceOf(maker: Maker, mode: ModelMode, entry: Entry): CataloguePrice | undefined {
  const tokens = tokenPriceOf(maker, entry)
  if (tokens !== undefined && (tokens.lines.output !== undefined || !needsOutput(mode, tokens.lines))) return tokens
  if (mode === 'speech') return unitPrice('character', entry['input_cost_per_character'])
  if (mode === 'transcription') return unitPrice('second', entry['input_cost_per_second'])
  if (mode === 'image') return unitPrice('call', entry['output_cost_per_image'] ?? entry['input_cost_per_image'])
  return tokens
}

function needsOutput(mode: ModelMode, lines: PriceLines): boolean {
  if (mode === 'embedding' || mode === 'moderation' || mode === 'rerank') return false
  return lines.image_out === undefined && lines.audio_out === undefined
}

function unitPrice(unit: 'character' | 'second' | 'call', value: unknown): CataloguePrice | undefined {
  const each = dollars(value)
  return each === undefined || isZero(each) ? undefined : { unit, each, lines: {}, sources: SOURCES }
}

type Found = { lines: Record<string, string>; bands: Map<number, Record<string, string>> }

/** The prices by token with their bands and tiers; undefined: the entry has none. */
function tokenPriceOf(maker: Maker, entry: Entry): CataloguePrice | undefined {
  const found = new Map<string, Found>()
  const within = (tier: string): Found => {
    const known = found.get(tier) ?? { lines: {}, bands: new Map<number, Record<string, string>>() }
    found.set(tier, known)
    return known
  }
  for (const [name, value] of Object.entries(entry)) {
    const { key = '', thousands, tier = '' } = SUFFIXES.exec(name)?.groups ?? {}
    const line = Object.hasOwn(TOKEN_KEYS, key) ? TOKEN_KEYS[key] : undefined
    const price = line === undefined ? undefined : perMillion(value)
    if (line === undefined || price === undefined) continue
    const { lines, bands } = within(TIERS[tier] ?? tier)
    if (thousands === undefined) lines[line] = price
    else {
      const above = Number(thousands) * 1000 - (maker.includesBoundary === true ? 1 : 0)
      bands.set(above, { ...bands.get(above), [line]: price })
    }
  }
  readRanges(entry['tiered_pricing'], within(''))
  const base = found.get('')
  if (base === undefined || Object.keys(base.lines).length === 0) return undefined
  const lines = withoutSame(base.lines)
  const bands = bandsOf(lines, base.bands)
  const tiers = [...found, ...factorTiers(entry['provider_specific_entry'], lines)].flatMap(([tier, { lines: own, bands: ownBands }]) =>
    tier === '' || own['input'] === undefined ? [] : [[tier, { lines: own, ...bandsField(bandsOf(own, ownBands)) }] as const],
  )
  return {
    unit: 'token',
    lines,
    ...bandsField(bands),
    ...(tiers.length === 0 ? {} : { tiers: Object.fromEntries(tiers) }),
    ...hoursField(entry['off_peak_pricing']),
    sources: SOURCES,
  }
}

/** The price of an entry is that of the peak; other hours have prices of their own, on days of the week in UTC. */
function hoursField(stated: unknown): { hours?: PriceHour[] } {
  if (!isEntry(stated) || !Array.isArray(stated['windows']) || stated['weekday_timezone'] !== undefined) return {}
  const lines = linesOf(stated)
  const hours = stated['windows'].flatMap((window: unknown): PriceHour[] => {
    if (!isEntry(window)) return []
    const days = Array.isArray(window['weekdays']) ? window['weekdays'].filter((day): day is number => typeof day === 'number') : []
    return [window['hours_utc']].flat().flatMap((range) => {
      const [from, to] = typeof range === 'string' ? range.split('-') : []
      const [day, ...others] = days
      if (from === undefined || to === undefined || day === undefined) return []
      return [{ days: [day, ...others], from, to: to === '00:00' ? '24:00' : to, lines }]
    })
  })
  return hours.length === 0 ? {} : { hours }
}

function linesOf(stated: Entry): Record<string, string> {
  return Object.fromEntries(
    Object.entries(TOKEN_KEYS).flatMap(([key, line]) => {
      const price = perMillion(stated[key])
      return price === undefined ? [] : [[line, price] as const]
    }),
  )
}

/** Tiers that multiply every price: where Anthropic computes an answer, and its fast mode. */
function factorTiers(factors: unknown, base: PriceLines): [string, Found][] {
  if (!isEntry(factors)) return []
  return ['us', 'fast'].flatMap((name) => {
    const factor = dollars(factors[name])
    if (factor === undefined || isZero(factor)) return []
    const lines = Object.entries(base).flatMap(([line, price]) =>
      price === undefined ? [] : [[line, scaled(price, factor, '1')] as const],
    )
    return [[name, { lines: Object.fromEntries(lines), bands: new Map() }]]
  })
}

const bandsField = (bands: PriceBand[]) => (bands.length === 0 ? {} : { bands })

/** Bands as a list of ranges of tokens, the first of which is the base. */
function readRanges(ranges: unknown, found: Found): void {
  if (!Array.isArray(ranges)) return
  for (const range of ranges) {
    const bounds: unknown = isEntry(range) ? range['range'] : undefined
    if (!isEntry(range) || !Array.isArray(bounds)) continue
    const from = Number(bounds[0])
    const lines = linesOf(range)
    if (from === 0) Object.assign(found.lines, { ...lines, ...found.lines })
    else if (Number.isSafeInteger(from)) found.bands.set(from, lines)
  }
}

/** Without classes whose price is that of the class they belong to. */
function withoutSame(lines: Readonly<Record<string, string>>): PriceLines {
  const { reasoning, ...others } = lines
  return reasoning === undefined || isSame(reasoning, lines['output']) ? others : { ...others, reasoning }
}

/** A class that a band leaves out keeps its relation to the input price. */
function bandsOf(base: PriceLines, bands: ReadonlyMap<number, Readonly<Record<string, string>>>): PriceBand[] {
  const { input } = base
  return [...bands]
    .toSorted(([left], [right]) => left - right)
    .flatMap(([above, stated]) => {
      const own = stated['input']
      if (own === undefined || input === undefined || isZero(input)) return []
      const derived = Object.entries(base).flatMap(([line, price]) =>
        line === 'input' || price === undefined ? [] : [[line, scaled(price, own, input)] as const],
      )
      return [{ above, lines: withoutSame({ ...Object.fromEntries(derived), ...stated }) }]
    })
}
