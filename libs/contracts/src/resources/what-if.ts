import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../values/common-schemas.ts'
import { MAX_FALLBACKS } from '../relay/model-fallbacks.ts'
import { ROUTING_STRATEGIES } from '../relay/routing-strategies.ts'
import { Quota, UnixSeconds } from '../units.ts'

/** A channel of the configuration, with the fields that differ from the recorded ones. */
export const ChangedChannel = z.object({
  id: z
    .int()
    .min(1)
    .max(2 ** 40),
  is_enabled: z.boolean().optional(),
  weight: z.int().min(0).max(1_000_000).optional(),
  priority: z.int().min(-1_000_000).max(1_000_000).optional(),
  /** The vendor's price by the price of this site. */
  cost_ratio: z.number().nonnegative().max(1000).optional(),
})
export type ChangedChannel = z.infer<typeof ChangedChannel>

/** Another price of a model, as ratios (1 is 2 US dollars for a million prompt tokens). */
export const ChangedPrice = z.object({
  model: z.string().min(1).max(255),
  model_ratio: z.number().nonnegative().max(1_000_000),
  /** Absent: as it is. */
  completion_ratio: z.number().nonnegative().max(1_000_000).optional(),
})
export type ChangedPrice = z.infer<typeof ChangedPrice>

/** A configuration to replay recorded requests with. What is absent stays as it was recorded. */
export const WhatIfCandidate = z.object({
  channels: z.array(ChangedChannel).max(1000).default([]),
  /** In place of option `RoutingStrategies`. */
  strategies: z.record(z.string().max(64), z.enum(ROUTING_STRATEGIES)).meta({ maxProperties: 1000 }).optional(),
  /** In place of option `ModelFallbacks`. */
  fallbacks: z
    .record(
      z.string().max(64),
      z.record(z.string().max(255), z.array(z.string().max(255)).max(MAX_FALLBACKS)).meta({ maxProperties: 1000 }),
    )
    .meta({ maxProperties: 1000 })
    .optional(),
  prices: z.array(ChangedPrice).max(500).optional(),
})
export type WhatIfCandidate = z.infer<typeof WhatIfCandidate>

/** Why a request could not be replayed. */
export const MISSING_FACTS = [
  /** Nothing was recorded: it is of an earlier version, or needed no channel. */
  'choice',
  /** The record was shortened. */
  'cut',
  /** The record does not lead to the channels that were called. */
  'differs',
  /** It would move to a group of which nothing was recorded. */
  'groups',
] as const
export type MissingFact = (typeof MISSING_FACTS)[number]

export const WhatIfSums = z.object({
  requests: z.int(),
  /** Calls of channels. */
  attempts: z.int(),
  /** Requests without an answer; of a channel: its calls without one. */
  failures: z.int(),
  /** The vendors' charge, in quota. */
  cost: Quota,
  /** The charge of users. */
  revenue: Quota,
  /** Milliseconds that answered requests took, in all. */
  ms: z.number(),
})
export type WhatIfSums = z.infer<typeof WhatIfSums>

export const WhatIfLine = z.object({ id: z.int(), name: z.string(), before: WhatIfSums, after: WhatIfSums })
export type WhatIfLine = z.infer<typeof WhatIfLine>

export const WhatIfPoint = z.object({ at: UnixSeconds, before: WhatIfSums, after: WhatIfSums })
export type WhatIfPoint = z.infer<typeof WhatIfPoint>

export const WhatIfResult = z.object({
  /** Requests that were replayed; `total` and all lines are of these. */
  requests: z.int(),
  /** Those that went elsewhere, or ended otherwise. */
  changed: z.int(),
  /** Those that got an answer only now; they have no usage, so they add no money. */
  newly_answered: z.int(),
  newly_failed: z.int(),
  /** Replayed requests whose outcome rests on a rate of failures that was observed. */
  by_rate: z.int(),
  /** Those that went to a channel of which no call for their model was observed; it counts as answering. */
  unmeasured: z.int(),
  /** Those whose model has no price among the new ones; they count as refused. */
  unpriced: z.int(),
  /** Requests that lack a fact, by fact, and what they were charged. */
  missing: z.record(z.enum(MISSING_FACTS), z.int()),
  missing_revenue: Quota,
  total: z.object({ before: WhatIfSums, after: WhatIfSums }),
  /** Largest change first; the rest is counted in `more_…`. */
  channels: z.array(WhatIfLine),
  models: z.array(WhatIfLine),
  users: z.array(WhatIfLine),
  more_channels: z.int(),
  more_models: z.int(),
  more_users: z.int(),
  /** Seconds of each point. */
  step: z.int(),
  series: z.array(WhatIfPoint),
})
export type WhatIfResult = z.infer<typeof WhatIfResult>

export const WHAT_IF_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type WhatIfState = (typeof WHAT_IF_STATES)[number]

/** One replay of recorded requests, without its result. */
export const WhatIfRun = z.object({
  id: z.int(),
  state: z.enum(WHAT_IF_STATES),
  since: UnixSeconds,
  until: UnixSeconds,
  candidate: WhatIfCandidate,
  requested_by: z.string(),
  created_at: UnixSeconds,
  /** 0: not finished. */
  finished_at: UnixSeconds,
  /** Log entries that were looked at, and about how many there are. */
  done: z.int(),
  total: z.int(),
})
export type WhatIfRun = z.infer<typeof WhatIfRun>

export const WhatIfReport = WhatIfRun.extend({ result: WhatIfResult.nullable() })
export type WhatIfReport = z.infer<typeof WhatIfReport>

/** Longest time that is replayed. */
export const MAX_WINDOW_HOURS = 30 * 24

/** The configuration of now, as far as a replay can change it. */
export const WhatIfPresent = z.object({
  channels: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      is_enabled: z.boolean(),
      weight: z.int(),
      priority: z.int(),
      cost_ratio: z.number(),
    }),
  ),
  strategies: z.record(z.string(), z.enum(ROUTING_STRATEGIES)),
  fallbacks: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  groups: z.array(z.string()),
  models: z.array(z.string()),
})
export type WhatIfPresent = z.infer<typeof WhatIfPresent>

export const whatIf = {
  list: endpoint({
    method: 'GET',
    path: '/api/what_if',
    access: 'admin',
    summary: 'The latest replays of recorded requests, without their results (ours)',
    data: z.array(WhatIfRun),
  }),
  present: endpoint({
    method: 'GET',
    path: '/api/what_if_present',
    access: 'admin',
    summary: 'The channels, strategies and chains of now, which a replay can change (ours)',
    data: WhatIfPresent,
  }),
  find: endpoint({
    method: 'GET',
    path: '/api/what_if/{id}',
    access: 'admin',
    summary: 'A replay of recorded requests, with its progress or result (ours)',
    params: IdParams,
    data: WhatIfReport,
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/what_if',
    access: 'admin',
    summary:
      'Chooses the channels of the requests of the last hours again with another configuration, in the background; ends an earlier replay (ours)',
    body: z.object({ hours: z.int().min(1).max(MAX_WINDOW_HOURS), candidate: WhatIfCandidate }),
    data: WhatIfRun,
  }),
  cancel: endpoint({
    method: 'DELETE',
    path: '/api/what_if/{id}',
    access: 'admin',
    summary: 'Cancels a replay of recorded requests (ours)',
    params: IdParams,
  }),
}
