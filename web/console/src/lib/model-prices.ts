/** Prices a person types, in dollars: per million tokens in and out, or per call. */
export type TypedPrice =
  | { readonly kind: 'tokens'; readonly input: string; readonly output: string }
  | { readonly kind: 'call'; readonly each: string }
export type PriceChange =
  | { readonly kind: 'ratios'; readonly ratio: number; readonly completion: number }
  | { readonly kind: 'price'; readonly price: number }
  | { readonly kind: 'invalid'; readonly reason: 'not-a-number' | 'zero' }

/** 1 USD is 500 000 units and ratio 1 is a unit per token: a million tokens at ratio 1 cost 2 dollars. */
const USD_PER_MILLION_AT_RATIO_1 = 2
const DECIMALS = 6

/** Turns typed dollars into what the options hold. A new price of 0 is refused. */
export function toPriceChange(typed: TypedPrice): PriceChange {
  if (typed.kind === 'call') {
    const price = amountOf(typed.each)
    if (price === undefined) return { kind: 'invalid', reason: 'not-a-number' }
    return price === 0 ? { kind: 'invalid', reason: 'zero' } : { kind: 'price', price }
  }
  const input = amountOf(typed.input)
  const output = amountOf(typed.output)
  if (input === undefined || output === undefined) return { kind: 'invalid', reason: 'not-a-number' }
  if (input === 0) return { kind: 'invalid', reason: 'zero' }
  return { kind: 'ratios', ratio: rounded(input / USD_PER_MILLION_AT_RATIO_1), completion: rounded(output / input) }
}

/** The option's JSON text with one model set; text that is not an object of numbers is refused rather than overwritten. */
export function withEntry(text: string, model: string, value: number): string {
  const map: unknown = JSON.parse(text)
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw new Error('The option is not a JSON object')
  return JSON.stringify({ ...map, [model]: value })
}

function amountOf(text: string): number | undefined {
  const amount = Number(text.trim())
  return text.trim() !== '' && Number.isFinite(amount) && amount >= 0 ? amount : undefined
}

const rounded = (value: number): number => Number(value.toFixed(DECIMALS))
