import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { NextGroup } from './admission.ts'

/** The frozen prices of a request, and what they mean for the hold. */
export type CostEstimate = {
  readonly quote: Quote
  readonly prompt_tokens: number
  /** Prompt plus the maximum of the answer: what the request takes of token-per-minute limits. */
  readonly tokens: number
  readonly want: number
  readonly least: number
}

/** A group that a request can move on to, with its prices. */
export type PricedGroup = NextGroup & { readonly costEstimate: CostEstimate }
