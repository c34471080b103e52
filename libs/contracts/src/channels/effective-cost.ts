import { z } from 'zod'
import { UnixSeconds } from '../units.ts'

/** Requests below which a figure says little, and the list price counts. */
export const ENOUGH_REQUESTS = 20

/** Sums of one model at one channel. Amounts are those of this site's prices without the group's ratio, in US dollars. */
export type TrafficSums = {
  readonly requests: number
  /** The price of all requests, those that were broken off too. */
  readonly usd: number
  /** The price of requests that did not reach their end. */
  readonly wasted_usd: number
  /** The price of the useful tokens without a cache; 0: the model has no price by token. */
  readonly list_usd: number
  /** Prompt and output of requests that reached their end. */
  readonly useful_tokens: number
  readonly prompt_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly failed_attempts: number
  readonly last_at: UnixSeconds
}

export type ChannelTraffic = TrafficSums & { readonly channel_id: number; readonly model: string }

/** Cost of the useful tokens of one model at one channel, from the requests of the last hours. */
export const EffectiveCost = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  model: z.string(),
  requests: z.int(),
  /** There were enough requests; otherwise `usd_per_million` is the list price. */
  is_measured: z.boolean(),
  /** US dollars that the vendor takes for a million useful tokens; null: no useful token and no price by token. */
  usd_per_million: z.number().nullable(),
  /** The same at the list price: no prompt token from a cache, nothing cancelled. */
  list_usd_per_million: z.number().nullable(),
  /** The vendor's price by the price of this site; 1 where the channel does not say. */
  cost_ratio: z.number(),
  /** Part of the prompt tokens that came from the vendor's cache. */
  cached_share: z.number(),
  /** Part of the useful tokens that were output. */
  output_share: z.number(),
  /** Part of the cost that went into answers which did not reach their end. */
  wasted_share: z.number(),
  /** Failed attempts at this channel for each request that it answered. */
  failures_per_request: z.number(),
  last_at: UnixSeconds,
})
export type EffectiveCost = z.infer<typeof EffectiveCost>

export const EffectiveCosts = z.object({
  since: UnixSeconds,
  until: UnixSeconds,
  /** Older requests of the time were left out, because there were too many. */
  is_cut: z.boolean(),
  rows: z.array(EffectiveCost),
})
export type EffectiveCosts = z.infer<typeof EffectiveCosts>

/** The traffic of the last hours as the worker measured it; relays and the channel list read it. */
export const MeasuredCosts = z.object({
  at: UnixSeconds,
  hours: z.int(),
  /** US dollars for a million useful tokens at the list prices of this site, of all channels, by model. */
  models: z.record(z.string(), z.number()),
  /** US dollars for a million useful tokens at this site's prices, before the channel's cost ratio. */
  rows: z.array(
    z.object({
      channel_id: z.int(),
      model: z.string(),
      usd: z.number(),
      requests: z.int(),
      useful_tokens: z.number(),
      last_at: UnixSeconds,
    }),
  ),
})
export type MeasuredCosts = z.infer<typeof MeasuredCosts>
