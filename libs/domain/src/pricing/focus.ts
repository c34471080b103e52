import type { LineItem, Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { Quota } from '@tollgate/contracts/units'
import { chargeOf } from './charge.ts'
import { Decimal } from './decimal.ts'
import { dollarsOf } from './format.ts'

/** Unit of what a line counts, in the words of FOCUS: https://focus.finops.org/focus-specification/v1-2/ */
export type FocusUnit = 'Tokens' | 'Characters' | 'Requests' | 'Units'

/** A line of a charge with its prices, as the FOCUS format of cost and usage has them. US dollars, exact. */
export type FocusLine = {
  readonly meter: string
  readonly unit: FocusUnit
  /** Prices are for this many units. */
  readonly per: 1 | 1_000_000
  readonly quantity: number
  /** Without the group's ratio. */
  readonly list_price: Decimal
  readonly price: Decimal
  /** The amount charged, the rounding of the whole charge included. */
  readonly billed: Decimal
}

const METERS: Readonly<Partial<Record<LineItem['kind'], string>>> = {
  input: 'Input tokens',
  'cache-read': 'Cached input tokens',
  'image-cache-read': 'Cached image tokens',
  'audio-cache-read': 'Cached audio tokens',
  'cache-write': 'Cache write tokens',
  'cache-write-1h': 'Cache write tokens (1 hour)',
  'image-in': 'Image input tokens',
  'video-in': 'Video input tokens',
  'audio-in': 'Audio input tokens',
  characters: 'Characters',
  seconds: 'Audio seconds as tokens',
  output: 'Output tokens',
  reasoning: 'Reasoning tokens',
  'image-out': 'Image output tokens',
  'audio-out': 'Audio output tokens',
  call: 'Requests',
  tool: 'Tool calls',
}

/** They turn a price in US dollars into quota of a group. */
const NOT_OF_LIST = new Set(['group_ratio', 'quota_per_unit', 'unit'])
/** A token at ratio 1 costs 0.002 US dollars per thousand. */
const USD_PER_MILLION = Decimal.of(2)

/** The lines of a booked request; their `billed` sums to its charge. */
export function focusLinesOf(quote: Quote, usage: Usage, quota: Quota): FocusLine[] {
  const lines = chargeOf(quote, usage)
    .lines.filter(({ kind }) => METERS[kind] !== undefined)
    .map((line) => toFocusLine(line, Decimal.of(quote.group_ratio)))
  const charged = dollarsOf(quota, quote.quota_per_unit)
  const dearest = lines.reduce((most, line, at) => (line.billed.isGreaterThan(lines[most]?.billed ?? Decimal.zero) ? at : most), 0)
  const rounding = charged.minus(lines.reduce((sum, { billed }) => sum.plus(billed), Decimal.zero))
  if (lines.length === 0) return quota === 0 ? [] : [unexplainedLine(charged)]
  return lines.map((line, at) => (at === dearest ? { ...line, billed: line.billed.plus(rounding) } : line))
}

/** A charge without its price: an entry of an earlier version, or one booked by hand. */
export const unexplainedLine = (charged: Decimal): FocusLine => ({
  meter: 'Other charges',
  unit: 'Requests',
  per: 1,
  quantity: 1,
  list_price: charged,
  price: charged,
  billed: charged,
})

function toFocusLine({ kind, label, tokens, count, factors }: LineItem, group_ratio: Decimal): FocusLine {
  const isPerMillion = tokens !== undefined || kind === 'characters'
  const factor = factors
    .filter(({ name }) => !NOT_OF_LIST.has(name))
    .reduce((product, { value }) => product.times(Decimal.parse(value)), isPerMillion ? USD_PER_MILLION : Decimal.one)
  const price = factor.times(group_ratio)
  const per = isPerMillion ? 1_000_000 : 1
  const quantity = tokens ?? count ?? 1
  const meter = `${METERS[kind] ?? kind}${label === undefined ? '' : `: ${label}`}`
  const line = { meter, unit: unitOf(kind, { tokens, count }), per, quantity, list_price: factor, price } as const
  return { ...line, billed: costOf(line, price) }
}

function unitOf(kind: LineItem['kind'], { tokens, count }: Pick<LineItem, 'tokens' | 'count'>): FocusUnit {
  if (tokens !== undefined) return 'Tokens'
  if (kind === 'characters') return 'Characters'
  return kind === 'call' && count === undefined ? 'Requests' : 'Units'
}

const MILLIONTH = Decimal.parse('0.000001')

/** The quantity in the unit that the price is for. */
export const pricedQuantityOf = ({ quantity, per }: Pick<FocusLine, 'quantity' | 'per'>): Decimal =>
  Decimal.of(quantity).times(per === 1 ? Decimal.one : MILLIONTH)

export const costOf = (line: Pick<FocusLine, 'quantity' | 'per'>, price: Decimal): Decimal => pricedQuantityOf(line).times(price)
