import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { QueryInt, QueryText, queryText } from '../values/common-schemas.ts'

export const UsageDatum = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour, Unix seconds. */
  created_at: UnixSeconds,
  token_used: z.int(),
  count: z.int(),
  quota: Quota,
})
export type UsageDatum = z.infer<typeof UsageDatum>

const range = { start_timestamp: QueryInt, end_timestamp: QueryInt, default_time: QueryText }
const UsageData = z.array(UsageDatum)

/** Sums over requests. `requests` are charged ones, `errors` failed ones; the average duration is `use_time_ms` by both. */
const sums = {
  requests: z.int(),
  errors: z.int(),
  quota: Quota,
  tokens: z.int(),
  use_time_ms: z.int(),
  /** Tokens of prompts, and those of them that were read from a cache. */
  input_tokens: z.int(),
  cached_tokens: z.int(),
}

/** Percentiles of charged requests (absent without one): duration, and time until the first byte of a stream. */
const tails = {
  p50_ms: z.int().optional(),
  p95_ms: z.int().optional(),
  first_p50_ms: z.int().optional(),
  first_p95_ms: z.int().optional(),
}

/** The columns that charges and failures can be summed by; `project` and `member` those of an organisation's tokens. */
export const SERIES_BY = ['model', 'user', 'token', 'channel', 'group', 'project', 'member'] as const
export const SERIES_UNITS = ['hour', 'day', 'week'] as const
/** Quantity by which keys are ranked. */
export const SERIES_RANKS = ['quota', 'requests', 'tokens', 'errors'] as const

/** Usage over time by the largest keys; the rest has the empty key. */
export const UsageSeries = z.object({
  /** May be larger than asked for: users and tokens of all accounts are kept by day. */
  unit: z.enum(SERIES_UNITS),
  /** Days and weeks begin at midnight UTC instead of the reader's. */
  is_utc: z.boolean(),
  /** Option DataExportInterval: how often a console reads again. */
  refresh_minutes: z.int(),
  totals: z.object({ ...sums, ...tails }),
  /** All keys together: percentiles cannot be added up. */
  overall: z.array(z.object({ at: UnixSeconds, ...sums, ...tails })),
  keys: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      ...sums,
      ...tails,
      /** Charge of the upstream, estimated with `cost_ratio` of the channel; for root only. */
      cost: Quota.optional(),
    }),
  ),
  points: z.array(z.object({ at: UnixSeconds, key: z.string(), ...sums, ...tails })),
})
export type UsageSeries = z.infer<typeof UsageSeries>

const SeriesQuery = z.object({
  start_timestamp: QueryInt,
  end_timestamp: QueryInt,
  by: z.enum(SERIES_BY).catch('model'),
  unit: z.enum(SERIES_UNITS).catch('day'),
  rank: z.enum(SERIES_RANKS).catch('quota'),
  /** Seconds east of UTC, for the start of days and weeks. */
  timezone: QueryInt,
})

export const dashboard = {
  list: endpoint({
    method: 'GET',
    path: '/api/data/',
    load: 'heavy',
    access: 'admin',
    summary: 'Usage by model and hour; with username only of that user',
    query: z.object({ ...range, username: QueryText }),
    data: UsageData,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/data/self',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Own usage, at most 30 days',
    query: z.object(range),
    data: UsageData,
  }),
  series: endpoint({
    method: 'GET',
    path: '/api/data/series',
    load: 'heavy',
    access: 'admin',
    summary: 'Usage over time by model, user, token, channel or group, with username only of that user, also by project or member (ours)',
    query: SeriesQuery.extend({ username: queryText(200) }),
    data: UsageSeries,
  }),
  ownSeries: endpoint({
    method: 'GET',
    path: '/api/data/self/series',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Own usage over time by model, token or group, of an organisation also by project or member (ours)',
    query: SeriesQuery,
    data: UsageSeries,
  }),
}
