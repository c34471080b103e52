import { z } from 'zod'
import { ROUTED_CALLS } from './routed-calls.ts'
import { CandidateResult } from '../relay/usage-event.ts'

/** A request that has not been sent: where would it go? */
export const RoutingQuestion = z.object({
  model: z.string().trim().min(1).max(255),
  call: z.enum(ROUTED_CALLS).default('openai-chat'),
  /** Ignored when a token is given. */
  group: z.string().trim().max(64).default(''),
  /** The token that would send it, with its group and model limits; 0: none. */
  token_id: z.int().nonnegative().max(Number.MAX_SAFE_INTEGER).default(0),
  /** The client's `prompt_cache_key`; empty: no session affinity. */
  conversation: z.string().max(500).default(''),
  /** Affinity key of a recorded request, as its log row has it; comes before `conversation`. Empty: none. */
  session: z
    .string()
    .max(12)
    .regex(/^[0-9a-z]*$/)
    .default(''),
  /** The region of the relay that would get it; empty: of one without a region. */
  region: z.string().trim().max(40).default(''),
})
export type RoutingQuestion = z.infer<typeof RoutingQuestion>

export const ForecastRow = z.object({
  group: z.string(),
  /** The model of a chain that it would be called for; absent: the requested one. */
  model: z.string().optional(),
  /** At the first attempt; `chosen` for every channel that can be chosen then. */
  first: CandidateResult,
  /** The probability of each attempt to go to this channel, given that all attempts before it failed. */
  probabilities: z.array(z.number()),
  /** The model's name at the channel. */
  upstream_model: z.string(),
})
export type ForecastRow = z.infer<typeof ForecastRow>

export const RoutingForecast = z.object({
  /** The group that the request would use first. */
  group: z.string(),
  /** The groups that it would use, one after the other; several only with `cross_group_retry`. */
  groups: z.array(z.string()),
  /** Attempts that the options allow: one, and the retries. */
  allowed_attempts: z.int(),
  /** Attempts that have a channel left. */
  attempts: z.int(),
  /** Further attempts are possible but were not computed. */
  is_cut: z.boolean(),
  rows: z.array(ForecastRow),
})
export type RoutingForecast = z.infer<typeof RoutingForecast>

/** Why a request would be refused before a channel is chosen: the error that the relay would answer. */
export const RoutingRefusal = z.discriminatedUnion('code', [
  z.object({ code: z.literal('record.missing') }),
  z.object({ code: z.literal('access.group-disabled'), group: z.string() }),
  z.object({ code: z.literal('access.group-gone'), group: z.string() }),
  z.object({ code: z.literal('access.no-model') }),
  z.object({ code: z.literal('access.model'), model: z.string() }),
  z.object({ code: z.literal('model.unknown'), model: z.string() }),
  z.object({ code: z.literal('channel.none'), group: z.string(), model: z.string() }),
])
export type RoutingRefusal = z.infer<typeof RoutingRefusal>
