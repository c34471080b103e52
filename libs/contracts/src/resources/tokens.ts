import { z } from 'zod'
import { SeenRow } from '../values/seen-row.ts'
import { endpoint } from '../endpoint.ts'
import { Limits } from '../relay/limits.ts'
import { Amount, Quota, UnixSeconds } from '../units.ts'
import { IdParams, IsManaged, QueryInt, QueryText, textOf, textOrNull } from '../values/common-schemas.ts'

export const Token = z.object({
  id: z.int(),
  user_id: z.int(),
  /** 48 characters, without the prefix `sk-`. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: UnixSeconds,
  accessed_time: UnixSeconds,
  /** −1: never. */
  expired_time: UnixSeconds,
  remain_quota: Quota,
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  /** Comma-separated. */
  model_limits: z.string(),
  /** One address or CIDR range per line. */
  allow_ips: z.string(),
  used_quota: Quota,
  group: z.string(),
  /** Ours: limits of requests and tokens per minute and of open requests; null: no limits. */
  limits: Limits.nullable(),
  /** With the group `auto`: a request that failed in one group is retried in the next, at its prices. */
  cross_group_retry: z.boolean(),
  /** Only of an organisation's token: its project, the member who made it (0: none), and whether the caller may change it. */
  project_id: z.int().optional(),
  created_by: z.int().optional(),
  is_own: z.boolean().optional(),
  /** Ours: models that answer in place of one that no channel can serve, comma-separated; empty: none. null: the site's chains. */
  fallback_models: z.string().nullable(),
  /** Ours: prompts and answers are in the traces of its requests, where option TelemetryContentEnabled allows it. */
  telemetry_content: z.boolean(),
  /** Ours: receipts of its requests have the SHA-256 of request and answer. */
  receipt_hashes: z.boolean(),
  /** Ours. */
  is_managed: IsManaged,
  DeletedAt: z.string().nullable(),
})
export type Token = z.infer<typeof Token>

/** Tasks, batches and background responses that have not ended. */
export const OpenWork = z.object({ tasks: z.int(), batches: z.int(), responses: z.int() })
export type OpenWork = z.infer<typeof OpenWork>

/** Relays keep the lists of thousands of tokens in memory; a list also has at most 256 entries. */
const MAX_LIST = 8192

/** Foreign consoles send null for an empty number field of an unlimited token. */
const RemainQuota = Amount.nullable()

  .transform((quota) => quota ?? 0)

export const NewToken = z.object({
  name: textOf(1000),
  remain_quota: RemainQuota.default(0),
  expired_time: z.int().default(-1),
  unlimited_quota: z.boolean().default(false),
  model_limits_enabled: z.boolean().default(false),
  model_limits: textOf(MAX_LIST),
  allow_ips: textOrNull(MAX_LIST),
  group: textOf(200),
  limits: Limits.nullish(),
  cross_group_retry: z.boolean().default(false),
  /** For an organisation; 0: no project. */
  project_id: z.int().min(0).optional(),
  fallback_models: z.string().max(MAX_LIST).nullish(),
  telemetry_content: z.boolean().default(false),
  receipt_hashes: z.boolean().default(false),
})
export type NewToken = z.infer<typeof NewToken>

/** Absent fields keep their value. With `?status_only=…` only `status` is read. */
export const TokenChange = z.object({
  id: z.int().default(0),
  status: z.int().optional(),
  name: z.string().max(1000).optional(),
  remain_quota: RemainQuota.optional(),
  /** Ours: the remaining quota when the form was opened; quota spent since then stays spent. */
  remain_quota_before: Amount.optional(),
  /** Ours: an id made when the form is opened, so that a form sent twice changes the quota once. */
  form_id: z.string().max(64).optional(),
  expired_time: z.int().optional(),
  unlimited_quota: z.boolean().optional(),
  model_limits_enabled: z.boolean().optional(),
  model_limits: z.string().max(MAX_LIST).optional(),
  allow_ips: textOrNull(MAX_LIST),
  group: z.string().max(200).optional(),
  /** null removes the limits. */
  limits: Limits.nullish(),
  cross_group_retry: z.boolean().optional(),
  /** For an organisation; 0: no project. */
  project_id: z.int().min(0).optional(),
  /** null: the site's chains again. */
  fallback_models: z.string().max(MAX_LIST).nullish(),
  telemetry_content: z.boolean().optional(),
  receipt_hashes: z.boolean().optional(),
  was: SeenRow,
})
export type TokenChange = z.infer<typeof TokenChange>

export const tokens = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    right: 'tokens.read',
    summary: 'Own tokens, newest first; p starts at 0, size at most 100',
    query: z.object({ p: QueryInt, size: QueryInt }),
    data: z.array(Token),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    right: 'tokens.read',
    summary: 'Searches own tokens by name and by the key, its start or its end',
    query: z.object({ keyword: QueryText, token: QueryText }),
    data: z.array(Token),
  }),
  count: endpoint({
    method: 'GET',
    path: '/api/token/count',
    access: 'user',
    right: 'tokens.read',
    summary: 'How many tokens the caller has (ours); the list itself is not counted',
    data: z.object({ total: z.int() }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/token/{id}',
    access: 'user',
    right: 'tokens.read',
    summary: 'One own token',
    params: IdParams,
    data: Token,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    right: 'tokens.write',
    summary: 'Creates a token',
    body: NewToken,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    right: 'tokens.write',
    summary: 'Updates a token, or with status_only its status',
    query: z.object({ status_only: QueryText }),
    body: TokenChange,
    data: Token,
  }),
  openWork: endpoint({
    method: 'GET',
    path: '/api/token/{id}/open_work',
    access: 'user',
    right: 'tokens.read',
    summary: 'What a token has begun that has not ended (ours)',
    params: IdParams,
    data: OpenWork,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/token/{id}',
    access: 'user',
    right: 'tokens.write',
    summary: 'Deletes a token',
    params: IdParams,
    /** Ours. `ask`: refused while the token has open work; absent: deleted with a warning, as existing consoles expect. */
    query: z.object({ confirm: z.enum(['', 'ask', 'yes']).default('') }),
  }),
}
