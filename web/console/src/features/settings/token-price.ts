import { dollarsOf, ratioOf } from './prices.ts'

/** The price of tokens as it is typed: as ratios, and the same in US dollars per million tokens. */
export type RatioTexts = { readonly ratio: string; readonly completion: string; readonly cache: string }
export type DollarTexts = { readonly input: string; readonly output: string; readonly cached: string }

export const numberIn = (text: string): number | undefined =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
export const textOf = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? '' : String(value))

export function dollarsFrom({ ratio, completion, cache }: RatioTexts): DollarTexts {
  const base = numberIn(ratio)
  const times = (text: string): string => {
    const factor = numberIn(text)
    return textOf(base === undefined || factor === undefined ? undefined : dollarsOf(base * factor))
  }
  return { input: textOf(base === undefined ? undefined : dollarsOf(base)), output: times(completion), cached: times(cache) }
}

/** The ratios of prices in dollars; text that is no number stays, so that it can be refused. */
export function ratiosFrom({ input, output, cached }: DollarTexts): RatioTexts {
  const base = numberIn(input)
  const over = (text: string): string => {
    const price = numberIn(text)
    if (price === undefined) return text
    return base === undefined || base === 0 ? '' : textOf(Number((price / base).toPrecision(12)))
  }
  return { ratio: base === undefined ? input : textOf(ratioOf(base)), completion: over(output), cache: over(cached) }
}
