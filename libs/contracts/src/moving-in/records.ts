import { z } from 'zod'
import { BUDGET_WINDOWS } from '../pricing/budget-names.ts'
import { Limits } from '../relay/limits.ts'

/**
 * Records of an import, in the words of no program. A source makes these records from the rows of its store; the target writes them. Each
 * names the row it came from.
 */

/** The row of the source that a record was made from. */
const Origin = z.object({ table: z.string(), id: z.string() })
export type Origin = z.infer<typeof Origin>

/** A field that could not be carried as it is, and what was carried instead. */
export const RecordNote = z.object({ code: z.string(), detail: z.string() })
export type RecordNote = z.infer<typeof RecordNote>

const common = { origin: Origin, notes: z.array(RecordNote) }
const SourceId = z.int()

/** Members of an account that several people use, the owner first. */
const OrganisationRecord = z.object({
  name: z.string(),
  members: z.array(z.object({ user_id: SourceId, role: z.enum(['owner', 'admin', 'developer']) })),
})

/** A budget of a window in UTC, and the quota spent in the window that runs. */
const BudgetRecord = z.object({
  amount: z.int().min(1),
  window: z.enum(BUDGET_WINDOWS),
  /** As in `BudgetCalendar`. */
  start_day: z.int(),
  spent: z.int(),
})

export const UserRecord = z.object({
  ...common,
  id: SourceId,
  username: z.string(),
  /** As stored: a bcrypt hash, or empty. */
  password_hash: z.string(),
  display_name: z.string(),
  role: z.int(),
  is_enabled: z.boolean(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  /** The key of the management API in clear text; empty: none. */
  access_token: z.string(),
  group: z.string(),
  /** The balance of the wallet. */
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  aff_code: z.string(),
  /** Invite earnings that are not moved to the wallet, and all of them. */
  aff_quota: z.int(),
  aff_history: z.int(),
  /** Source id of the user who invited this one; 0: none. */
  inviter_id: SourceId,
  setting: z.record(z.string(), z.unknown()),
  /** Secret of time-based codes in base32; empty: no second step. */
  totp_secret: z.string(),
  created_at: z.int(),
  is_deleted: z.boolean(),
  /** Null: a person's account. */
  organisation: OrganisationRecord.nullable(),
  /** Shared by all tokens of the account; absent: the source knows none. */
  limits: Limits.optional(),
  /** Absent: no budget of a window. */
  budget: BudgetRecord.optional(),
})
export type UserRecord = z.infer<typeof UserRecord>

export const TokenRecord = z.object({
  ...common,
  id: SourceId,
  user_id: SourceId,
  name: z.string(),
  /** Without the prefix `sk-`; empty where the source keeps only its hash. */
  key: z.string(),
  /** SHA-256 of the whole key where it is all that the source keeps, and the last characters; else empty. */
  key_hash: z.string(),
  key_tail: z.string(),
  status: z.int(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  used_quota: z.int(),
  unlimited_quota: z.boolean(),
  /** Empty and not limited: all models. */
  models: z.array(z.string()),
  is_limited_to_models: z.boolean(),
  allow_ips: z.array(z.string()),
  group: z.string(),
  cross_group_retry: z.boolean(),
  /** Requests and tokens per minute, and requests at the same time; absent: no limit. */
  limits: Limits.optional(),
  /** Absent: no budget of a window. */
  budget: BudgetRecord.optional(),
  is_deleted: z.boolean(),
})
export type TokenRecord = z.infer<typeof TokenRecord>

export const ChannelRecord = z.object({
  ...common,
  id: SourceId,
  /** The type in the numbers of this gateway. */
  type: z.int(),
  name: z.string(),
  keys: z.array(z.string()),
  /** A channel with several keys, as opposed to one key of several lines. */
  has_several_keys: z.boolean(),
  key_mode: z.enum(['random', 'polling']),
  /** Indexes of keys that were disabled, with the status that they have in the source. */
  disabled_keys: z.array(z.object({ index: z.int(), reason: z.string(), at: z.int() })),
  status: z.int(),
  openai_organization: z.string(),
  test_model: z.string(),
  base_url: z.string(),
  other: z.string(),
  models: z.array(z.string()),
  groups: z.array(z.string()),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  param_override: z.string(),
  setting: z.record(z.string(), z.unknown()),
  priority: z.int(),
  weight: z.int(),
  auto_ban: z.boolean(),
  tag: z.string(),
  used_quota: z.int(),
  created_time: z.int(),
})
export type ChannelRecord = z.infer<typeof ChannelRecord>

export const OptionRecord = z.object({ ...common, key: z.string(), value: z.string() })
export type OptionRecord = z.infer<typeof OptionRecord>

export const CodeRecord = z.object({
  ...common,
  id: SourceId,
  user_id: SourceId,
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: z.int(),
  created_time: z.int(),
  redeemed_time: z.int(),
  used_user_id: SourceId,
  expired_time: z.int(),
})
export type CodeRecord = z.infer<typeof CodeRecord>

export const OrderRecord = z.object({
  ...common,
  id: SourceId,
  user_id: SourceId,
  trade_no: z.string(),
  method: z.string(),
  /** US dollars' worth of quota. */
  amount: z.int(),
  /** Hundredths of the shop's currency. */
  money: z.int(),
  status: z.enum(['pending', 'paid', 'expired']),
  created_at: z.int(),
  paid_at: z.int(),
})
export type OrderRecord = z.infer<typeof OrderRecord>

/** A subscription, as what is left of it. */
export const SubscriptionRecord = z.object({
  ...common,
  id: SourceId,
  user_id: SourceId,
  plan: z.string(),
  remaining: z.int(),
  ends_at: z.int(),
  is_active: z.boolean(),
})
export type SubscriptionRecord = z.infer<typeof SubscriptionRecord>

export const TaskRecord = z.object({
  ...common,
  /** Unique together with `family`. */
  id: SourceId,
  family: z.enum(['midjourney', 'suno', 'video']),
  platform: z.string(),
  task_id: z.string(),
  user_id: SourceId,
  channel_id: SourceId,
  action: z.string(),
  status: z.string(),
  state: z.enum(['success', 'failure', 'open']),
  progress: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  fail_reason: z.string(),
  image_url: z.string(),
  properties: z.record(z.string(), z.unknown()),
  data: z.unknown(),
  quota: z.int(),
  /** Unix milliseconds. */
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
})
export type TaskRecord = z.infer<typeof TaskRecord>

/** Use of a user and model in an hour. */
export const HourRecord = z.object({
  ...common,
  id: SourceId,
  user_id: SourceId,
  model: z.string(),
  hour: z.int(),
  requests: z.int(),
  tokens: z.int(),
  quota: z.int(),
})
export type HourRecord = z.infer<typeof HourRecord>

export const LogRecord = z.object({
  ...common,
  id: SourceId,
  created_at: z.int(),
  type: z.int(),
  user_id: SourceId,
  username: z.string(),
  token_id: SourceId,
  token_name: z.string(),
  channel_id: SourceId,
  model: z.string(),
  group: z.string(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  use_time: z.int(),
  is_stream: z.boolean(),
  content: z.string(),
  other: z.string(),
  request_id: z.string(),
})
export type LogRecord = z.infer<typeof LogRecord>

/** In the order in which they are written: each names rows of those before it. */
export const IMPORT_KINDS = [
  'users',
  'channels',
  'options',
  'tokens',
  'codes',
  'orders',
  'subscriptions',
  'tasks',
  'hours',
  'logs',
] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export type RecordOf = {
  readonly options: OptionRecord
  readonly users: UserRecord
  readonly channels: ChannelRecord
  readonly tokens: TokenRecord
  readonly codes: CodeRecord
  readonly orders: OrderRecord
  readonly subscriptions: SubscriptionRecord
  readonly tasks: TaskRecord
  readonly hours: HourRecord
  readonly logs: LogRecord
}

/** US dollars for a million tokens of each class; absent: the source states none. */
const ClassDollars = z.object({
  input: z.number(),
  output: z.number().optional(),
  cache_read: z.number().optional(),
  cache_write: z.number().optional(),
  cache_write_1h: z.number().optional(),
  image_in: z.number().optional(),
  audio_in: z.number().optional(),
  audio_out: z.number().optional(),
})
export type ClassDollars = z.infer<typeof ClassDollars>

/** A price in dollars. Its first band begins at 0, and a prompt longer than `above`, cached tokens included, has the prices of a later one. */
export const StatedPrice = z.object({
  ...common,
  model: z.string(),
  bands: z.array(z.object({ above: z.int(), dollars: ClassDollars })),
  /** Dollars of a call instead; null: it is charged by tokens. */
  call: z.number().nullable(),
})
export type StatedPrice = z.infer<typeof StatedPrice>

/** A price that the source really charged, as its newest log rows state it. */
export const ObservedPrice = z.object({
  model: z.string(),
  /** Null: the row states it rounded. */
  model_ratio: z.number().nullable(),
  completion_ratio: z.number(),
  cache_ratio: z.number().optional(),
  /** Dollars of a call; below 0: charged by tokens. */
  model_price: z.number(),
  at: z.int(),
})
export type ObservedPrice = z.infer<typeof ObservedPrice>
