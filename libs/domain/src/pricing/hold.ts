import type { Quote, RatioQuote } from '@tollgate/contracts/quote'
import type { Quota } from '@tollgate/contracts/units'
import { callQuota, unitFactor } from './charge.ts'
import { Exact, toWholeAbove } from './exact.ts'

export type HoldInput = {
  readonly prompt_tokens: number
  /** What the client allows the answer to be; the only case in which the hold must fit as a whole. */
  readonly max_tokens: number | undefined
  /** Option HoldOutputTokens, or the model's output limit where that is smaller. */
  readonly hold_output_tokens: number
  /** Option PreConsumedQuota: tokens at the prompt price that must fit in any case. */
  readonly pre_consumed: number
  /** What the request may bring in beside plain text; each raises the hold to its dearest token. */
  readonly classes?: { readonly audio?: boolean; readonly images?: boolean; readonly cache_write?: boolean }
}

/**
 * What to hold before the call. `least` equals `want` when the client limited the answer (or the call has a price of its own);
 * otherwise it is the prompt plus `pre_consumed`. Rounded up, and never 0 for a model that costs something.
 */
export function holdFor(quote: Quote, input: HoldInput): { want: Quota; least: Quota } {
  if (quote.mode === 'price') {
    const price = toWholeAbove(callQuota(quote))
    return { want: price, least: price }
  }
  const { input: perIn, output: perOut } = dearest(quote, input.classes ?? {})
  const perToken = new Exact(quote.model_ratio).times(quote.group_ratio).times(unitFactor(quote.quota_per_unit))
  const prompt = new Exact(input.prompt_tokens).times(perIn)
  const hold = (tokens: Exact) => Math.max(toWholeAbove(tokens.times(perToken)), perToken.gt(0) ? 1 : 0)
  if (input.max_tokens !== undefined) {
    const want = hold(prompt.plus(perOut.times(input.max_tokens)))
    return { want, least: want }
  }
  const output = Math.max(input.hold_output_tokens, input.pre_consumed)
  const want = hold(prompt.plus(perOut.times(output)))
  return { want, least: Math.min(want, hold(prompt.plus(input.pre_consumed))) }
}

/** The dearest token of each side, relative to a prompt text token. */
function dearest(quote: RatioQuote, classes: NonNullable<HoldInput['classes']>): { input: Exact; output: Exact } {
  const ins = [1]
  const outs = [new Exact(quote.completion_ratio)]
  ins.push(quote.cache_ratio)
  if (classes.cache_write === true) ins.push(quote.cache_creation_ratio)
  if (classes.images === true) ins.push(quote.image_ratio)
  if (classes.audio === true) {
    ins.push(quote.audio_ratio)
    outs.push(new Exact(quote.audio_ratio).times(quote.audio_completion_ratio))
  }
  const output = outs.reduce((most, next) => (next.gt(most) ? next : most))
  return { input: new Exact(Math.max(...ins)), output }
}
