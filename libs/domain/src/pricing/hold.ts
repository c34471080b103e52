import type { PricedTool, Quote, QuoteCard, RatioQuote } from '@tollgate/contracts/pricing/quote'
import type { Ratios } from '@tollgate/contracts/pricing/ratios'
import type { Quota } from '@tollgate/contracts/units'
import { servesTool } from './tool-prices.ts'
import { callQuota, ceilCharge, countedCalls, perTokenOf, toolQuota } from './charge.ts'
import { Decimal } from './decimal.ts'
import { quoteOf } from './other-models.ts'
import { ratiosOf } from './ratios.ts'

/** Token classes other than text that a request may cause; each raises the hold to its most expensive token. */
export type HoldClasses = {
  readonly audio?: boolean
  readonly images?: boolean
  readonly cache_write?: boolean
  readonly cache_write_1h?: boolean
  readonly image_out?: boolean
}

export type HoldInput = {
  readonly prompt_tokens: number
  /** The client's limit of completion tokens. Only with it must the balance cover the whole hold. */
  readonly max_tokens: number | undefined
  /** Option HoldOutputTokens, or the model's output limit if that is smaller. */
  readonly hold_output_tokens: number
  /** Option PreConsumedQuota: tokens at the prompt price that the balance must always cover. */
  readonly pre_consumed: number
  readonly classes?: HoldClasses
  /** The tools that the request offers. */
  readonly tools?: readonly PricedTool[]
}

/** Calls that are held for a tool without a limit; further calls may take a wallet below zero by their price. */
export const ASSUMED_TOOL_CALLS = 5

/** Safety factor on the estimated prompt when deciding which price cards it may reach. */
const LENGTH_MARGIN = 1.1

/**
 * The quota to hold before the call. `least` equals `want` if the client limited the completion or the call has a fixed price; otherwise
 * it is the prompt plus `pre_consumed`. Rounded up, and at least 1 for a model that is not free.
 *
 * The hold assumes the most expensive outcome: the dearest token class that the request may cause, the dearest card that the estimated
 * prompt plus 10 % reaches, the dearest model that the request names, and each tool called as often as the request allows (five times if it sets no limit).
 */
export function holdFor(quote: Quote, input: HoldInput): { want: Quota; least: Quota } {
  const tools = toolHold(quote, input.tools)
  if (quote.mode === 'price') {
    const price = ceilCharge(callQuota(quote, countedCalls(quote) ?? 1).plus(tools))
    return { want: price, least: price }
  }
  const { max_tokens } = input
  const want = dearestHold(quote, input, { output: max_tokens ?? Math.max(input.hold_output_tokens, input.pre_consumed), tools })
  if (max_tokens !== undefined) return { want, least: want }
  return { want, least: Math.min(want, dearestHold(quote, input, { more_input: input.pre_consumed, output: 0, tools })) }
}

type Amounts = { readonly more_input?: number; readonly output: number; readonly tools: Decimal }

function dearestHold(quote: RatioQuote, input: HoldInput, amounts: Amounts): Quota {
  let most = holdOf(quote, input, amounts)
  for (const other of Object.values(quote.others ?? {})) most = Math.max(most, holdOf(quoteOf(quote, other), input, amounts))
  return most
}

function holdOf(quote: RatioQuote, input: HoldInput, amounts: Amounts): Quota {
  let most = holdUnder(quote, undefined, input, amounts)
  const reached = input.prompt_tokens * LENGTH_MARGIN
  for (const card of quote.cards ?? []) if (card.above < reached) most = Math.max(most, holdUnder(quote, card, input, amounts))
  return most
}

function holdUnder(quote: RatioQuote, card: QuoteCard | undefined, input: HoldInput, amounts: Amounts): Quota {
  const ratios = ratiosOf(quote, card)
  const { prompt_tokens, classes = {} } = input
  const inRatio = dearestInput(ratios, classes)
  const { more_input = 0, output, tools } = amounts
  const perToken = perTokenOf(quote, ratios.model_ratio)
  const tokens = Decimal.of(prompt_tokens)
    .times(Decimal.of(inRatio))
    .plus(Decimal.of(more_input))
    .plus(dearestOutput(ratios, classes).times(Decimal.of(output)))
  return Math.max(ceilCharge(tokens.times(perToken).plus(tools)), perToken.isGreaterThan(Decimal.zero) ? 1 : 0)
}

/** The price of the dearest prompt token, relative to a prompt text token. */
function dearestInput(ratios: Ratios, classes: HoldClasses): number {
  let most = Math.max(1, ratios.cache_ratio)
  if (classes.cache_write === true) most = Math.max(most, ratios.cache_creation_ratio)
  if (classes.cache_write_1h === true) most = Math.max(most, ratios.cache_creation_1h_ratio)
  if (classes.images === true) most = Math.max(most, ratios.image_ratio, ratios.image_cache_ratio, ratios.video_ratio)
  return classes.audio === true ? Math.max(most, ratios.audio_ratio, ratios.audio_cache_ratio) : most
}

function textOutputs({ completion_ratio, reasoning_ratio, image_completion_ratio }: Ratios, classes: HoldClasses): number[] {
  const texts = [completion_ratio, reasoning_ratio]
  return classes.image_out === true ? [...texts, image_completion_ratio] : texts
}

function dearestOutput(ratios: Ratios, classes: HoldClasses): Decimal {
  const text = Decimal.of(Math.max(...textOutputs(ratios, classes)))
  if (classes.audio !== true) return text
  const audio = Decimal.of(ratios.audio_ratio).times(Decimal.of(ratios.audio_completion_ratio))
  return audio.isGreaterThan(text) ? audio : text
}

function toolHold(quote: Quote, asked: readonly PricedTool[] | undefined): Decimal {
  const { tools } = quote
  if (tools === undefined) return Decimal.zero
  let sum = Decimal.zero
  for (const [name, calls] of callsByName(asked ?? [])) {
    const prices = Object.entries(tools).filter(([key]) => servesTool(key, name))
    const dearest = prices.reduce((most, [, tool]) => Math.max(most, tool.price), 0)
    sum = sum.plus(toolQuota(quote, { price: dearest }, calls))
  }
  return sum
}

function callsByName(asked: readonly PricedTool[]): Map<string, number> {
  const calls = new Map<string, number>()
  for (const { name, max_calls = ASSUMED_TOOL_CALLS, at_least = 0 } of asked) {
    calls.set(name, Math.max(calls.get(name) ?? 0, max_calls, at_least))
  }
  return calls
}
