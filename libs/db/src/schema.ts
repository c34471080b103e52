import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { BatchFault } from '@tollgate/contracts/deferred/deferred'
import type { Limits } from '@tollgate/contracts/relay/limits'
import type { AuditChange } from '@tollgate/contracts/resources/audit'
import type {
  BilledAmounts,
  InvoiceCause,
  InvoiceMapping,
  InvoiceResult,
  InvoiceSums,
  RecordedSums,
} from '@tollgate/contracts/resources/vendor-invoices'
import type { WhatIfCandidate, WhatIfResult } from '@tollgate/contracts/resources/what-if'
import type { PricePatch, PriceTexts, ReplayResult, WaitingPrice } from '@tollgate/contracts/resources/prices'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import type { WebhookEvent } from '@tollgate/contracts/texts/webhook-events'
import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import type { TaskMedia } from '@tollgate/contracts/tasks/tasks'
import type { ArchivePart } from '@tollgate/contracts/values/log-archive'

/**
 * The tables as Kysely sees them, written by hand; schema.test.ts compares them with the migrated database. bigint and numeric arrive as
 * safe integers (pool.ts throws beyond 2^53). Columns have the names of the API fields.
 */
export type Database = {
  setups: Setups
  options: Options
  users: Users
  two_factor: TwoFactor
  recovery_codes: RecoveryCodes
  passkeys: Passkeys
  bonus_claims: BonusClaims
  known_devices: KnownDevices
  account_views: AccountViews
  budgets: Budgets
  budget_windows: BudgetWindows
  receipt_keys: ReceiptKeys
  organisations: Organisations
  organisation_members: OrganisationMembers
  organisation_invitations: OrganisationInvitations
  organisation_claims: OrganisationClaims
  scim_tokens: ScimTokens
  scim_users: ScimUsers
  scim_groups: ScimGroups
  scim_group_members: ScimGroupMembers
  projects: Projects
  tokens: Tokens
  redemptions: Redemptions
  payment_events: PaymentEvents
  payment_orders: PaymentOrders
  audit_entries: AuditEntries
  deliveries: Deliveries
  webhook_endpoints: WebhookEndpoints
  request_feed: RequestFeed
  object_sink: ObjectSink
  mail_codes: MailCodes
  mailed_codes: MailedCodes
  notice_windows: NoticeWindows
  invite_rewards: InviteRewards
  channels: Channels
  channel_failures: ChannelFailures
  abilities: Abilities
  snapshot_versions: SnapshotVersions
  channel_balances: ChannelBalances
  channel_key_balances: ChannelKeyBalances
  channel_usage: ChannelUsage
  wallet_entries: WalletEntries
  token_grants: TokenGrants
  ledger_outbox: LedgerOutbox
  posting_cursors: PostingCursors
  posting_rejects: PostingRejects
  balance_corrections: BalanceCorrections
  ledger_reports: LedgerReports
  ledger_repairs: LedgerRepairs
  usage_keys: UsageKeys
  usage_hours: UsageHours
  usage_rollup_periods: UsageRollupPeriods
  spend_alerts: SpendAlerts
  weekly_reports: WeeklyReports
  usage_totals: UsageTotals
  usage_models: UsageModels
  logs: Logs
  log_store: LogStores
  log_outbox: LogOutbox
  refusals: Refusals
  refusals_by_minute: RefusalsByMinute
  refusal_minutes: RefusalMinutes
  refusal_cursor: RefusalCursor
  log_clearings: LogClearings
  log_archives: LogArchives
  price_replays: PriceReplays
  what_ifs: WhatIfs
  price_changes: PriceChanges
  price_history: PriceHistory
  price_refresh: PriceRefreshes
  tasks: Tasks
  task_polls: TaskPolls
  media_copies: MediaCopies
  task_changes: TaskChanges
  files: Files
  stored_total: StoredTotal
  file_pieces: FilePieces
  batches: Batches
  deferred_requests: DeferredRequests
  deferred_pieces: DeferredPieces
  imports: Imports
  imported_rows: ImportedRows
  vendor_invoices: VendorInvoices
  vendor_invoice_lines: VendorInvoiceLines
  vendor_invoice_mappings: VendorInvoiceMappings
  status_incidents: StatusIncidents
  status_updates: StatusUpdates
  managed_records: ManagedRecords
}

type Json<T> = ColumnType<T | null, string | null | undefined, string | null>
/** A column with a default in the database, which an insert may omit. */
type D<T> = Generated<T>

type Setups = { id: D<number>; version: string; initialized_at: number }
type Options = { key: string; value: string; is_sealed: D<boolean>; updated_at: number; updated_by: number | null }

/** The time-based codes of an account; `last_step`: the time step of the last code that was accepted. */
type TwoFactor = { user_id: number; secret_sealed: string; is_on: D<boolean>; last_step: D<number>; created_at: number }

/** Unused recovery codes, as hashes. */
type RecoveryCodes = { user_id: number; code_hash: string }

type KnownDevices = {
  user_id: number
  device_hash: string
  seen_at: number
  /** Hash of the account, the address block and the client's name without its version. */
  origin_hash: D<string>
  /** Time of the last notice of a device of this origin, or 0. */
  told_at: D<number>
}

/** `claim`: the keyed hash of a mailbox or identity. */
type BonusClaims = { claim: string; created_at: number }

type Passkeys = {
  id: D<number>
  user_id: number
  credential_id: string
  public_key: string
  counter: D<number>
  transports: D<string>
  name: D<string>
  created_at: number
  last_used_at: D<number>
}

type Users = {
  id: D<number>
  shard: number
  username: string
  password_hash: D<string>
  display_name: D<string>
  role: D<number>
  status: D<number>
  email: D<string>
  github_id: D<string>
  oidc_id: D<string>
  wechat_id: D<string>
  telegram_id: D<string>
  linux_do_id: D<string>
  access_token_hash: string | null
  group: D<string>
  credited: D<number>
  spent: D<number>
  request_count: D<number>
  wallet_version: D<number>
  auth_version: D<number>
  aff_code: string | null
  aff_count: D<number>
  aff_quota: D<number>
  aff_history: D<number>
  inviter_id: D<number>
  setting: D<string>
  language: D<'zh' | 'en'>
  created_at: number
  deleted_at: Date | null
  limits: Json<Limits>
  /** Name, display name and e-mail in lower case, a line each. */
  search_text: GeneratedAlways<string>
  /** Refunds of failed tasks: a part of `credited`, and no use. */
  refunded: D<number>
}

type Tokens = {
  id: D<number>
  user_id: number
  name: D<string>
  key_hash: string
  key_sealed: string
  key_head: string
  key_tail: string
  status: D<number>
  created_time: number
  accessed_time: D<number>
  expired_time: D<number>
  granted: D<number>
  charged: D<number>
  used_quota: D<number>
  unlimited_quota: D<boolean>
  model_limits_enabled: D<boolean>
  model_limits: D<string>
  allow_ips: D<string>
  group: D<string>
  version: D<number>
  auth_version: D<number>
  deleted_at: Date | null
  limits: Json<Limits>
  /** With the group `auto`: a request that failed in one group is retried in the next. */
  cross_group_retry: D<boolean>
  /** Token of the console itself: its playground calls models with it, and no list shows it. */
  is_internal: D<boolean>
  /** The project of an organisation's token, the member who made it, and the member whose playground uses it. */
  project_id: number | null
  created_by: number | null
  internal_for: number | null
  /** Models that answer in place of the requested one, separated by commas, or none; null means the chains of the options. */
  fallback_models: string | null
  /** Prompts and answers go to the OpenTelemetry collector, if the site's option allows it; null means no. */
  telemetry_content: boolean | null
  /** Receipts of its requests have hashes of request and answer; null means no. */
  receipt_hashes: boolean | null
  /** When it came into its project. Null means when it was made. */
  project_since: number | null
}

type Redemptions = {
  id: D<number>
  user_id: number
  key_hash: string
  key_sealed: string
  status: D<number>
  name: D<string>
  quota: D<number>
  created_time: number
  redeemed_time: D<number>
  used_user_id: D<number>
  deleted_at: Date | null
  /** 0: never. */
  expired_time: D<number>
}

type PaymentOrders = {
  id: D<number>
  trade_no: string
  user_id: number
  provider: 'epay' | 'stripe'
  /** As the payer chose it: `zfb`, `wx`, `stripe`. */
  method: string
  /** As the payer typed it: US dollars, or quota when currency display is off. */
  amount: number
  quota: number
  currency: string
  /** Decimal places of the currency; `money` and `refunded` are in its smallest unit. */
  places: number
  money: number
  refunded: D<number>
  status: D<'pending' | 'paid' | 'refunded' | 'failed' | 'expired'>
  /** The provider's own number of the payment. */
  provider_ref: D<string>
  dispute: D<'' | 'open' | 'won' | 'lost'>
  note: D<string>
  created_at: number
  paid_at: D<number>
  /** When the provider is asked next, while the order is pending. */
  check_at: number
  checks: D<number>
}

/** Verified statements of providers, one row per statement. */
type PaymentEvents = {
  provider: 'epay' | 'stripe'
  event_id: string
  trade_no: string
  kind: string
  outcome: string
  detail: D<string>
  /** How often the statement arrived. */
  received: D<number>
  first_at: number
  last_at: number
}

type AuditEntries = {
  id: D<number>
  created_at: number
  actor_id: number
  actor_name: D<string>
  actor_role: D<number>
  ip: D<string>
  action: string
  resource: string
  resource_id: D<string>
  changes: JSONColumnType<AuditChange[], string | undefined, string>
  /** The organisation for which a member did it. */
  organisation_id: number | null
}

type Deliveries = {
  id: D<number>
  channel: 'mail' | 'webhook' | 'event'
  target: string
  template: string
  language: 'zh' | 'en'
  details: JSONColumnType<Record<string, string>, string | undefined, string>
  user_id: D<number>
  state: D<string>
  attempts: D<number>
  created_at: number
  due_at: number
  ended_at: D<number>
  error: D<string>
  /** The webhook endpoint of an operator that an event goes to. */
  endpoint_id: number | null
}

type WebhookEndpoints = {
  id: D<number>
  name: string
  url: string
  events: JSONColumnType<WebhookEvent[], string, string>
  enabled: D<boolean>
  secret_sealed: D<string>
  /** Signs beside the new one until the time below. Empty before the first rotation. */
  old_secret_sealed: D<string>
  old_secret_until: D<number>
  /** Events that found its queue full. */
  dropped: D<number>
  created_at: number
}

/** Log rows that wait for a sink: those of one hour that one transaction posted. */
type RequestFeed = {
  id: D<number>
  /** Null: they are stored as objects. */
  endpoint_id: number | null
  hour: number
  first_at: number
  last_at: number
  /** Postgres' array literal, which goes back as it came. */
  log_ids: string
  /** A worker is writing them until then. */
  taken_until: D<number>
}

/** Has one row while log rows are stored as objects. */
type ObjectSink = { id: number }

type MailedCodes = {
  purpose: 'verification' | 'reset' | 'notification'
  address: string
  code_hash: string
  expires_at: number
}

/** Codes of the previous version. */
type MailCodes = {
  purpose: 'verification' | 'reset'
  address: string
  code_hash: string
  attempts: D<number>
  expires_at: number
}

type NoticeWindows = {
  user_id: number
  topic: string
  started_at: number
  count: number
}

type InviteRewards = {
  invitee_id: number
  inviter_id: number
  amount: number
  created_at: number
}

type Channels = {
  id: D<number>
  type: D<number>
  name: D<string>
  key_sealed: string
  key_hash: string
  /** The last characters of the keys (key-tail.ts), separated by spaces. */
  key_tails: D<string>
  /** JSON text of KeyStates (channel-keys.ts). */
  key_states: D<string>
  /** The earliest expiry of a key, or 0. */
  key_expires_at: D<number>
  status: D<number>
  openai_organization: D<string>
  test_model: D<string>
  base_url: D<string>
  other: D<string>
  models: D<string>
  group: D<string>
  model_mapping: D<string>
  status_code_mapping: D<string>
  param_override: D<string>
  setting: D<string>
  setting_sealed: D<string>
  max_input_tokens: D<number>
  priority: D<number>
  weight: D<number>
  auto_ban: D<number>
  tag: D<string>
  balance: D<number>
  balance_updated_time: D<number>
  response_time: D<number>
  test_time: D<number>
  /** Why the latest test failed; empty when it passed. */
  test_error: D<string>
  /** JSON text of the last result by capability (ChannelTests). */
  tests: D<string>
  /** JSON text of ModelCheck; empty since the models were edited. */
  model_check: D<string>
  other_info: D<string>
  created_time: number
}

/** Balances that vendors reported, one per read, for ninety days. */
type ChannelBalances = { channel_id: number; at: number; balance: number }

/** The last read of each key of a channel with several. `balance` is null where it failed, with the reason in `detail`. */
type ChannelKeyBalances = { channel_id: number; key_id: string; at: number; balance: number | null; detail: D<string> }

/** Which channels have a model in a group. Priority, weight and tag are the channel's: a new weight writes no row here. */
type Abilities = {
  group: string
  model: string
  channel_id: number
  enabled: boolean
}

type SnapshotVersions = { id: D<number>; version: number }
type ChannelUsage = { channel_id: number; shard: number; used_quota: D<number>; requests: D<number> }

type WalletEntries = {
  id: D<number>
  user_id: number
  kind: string
  amount: number
  reference: string
  actor_id: D<number>
  note: D<string>
  created_at: number
}

type TokenGrants = {
  id: D<number>
  token_id: number
  kind: string
  amount: number
  reference: string
  actor_id: D<number>
  created_at: number
}

type LedgerOutbox = {
  id: D<number>
  subject: 'user' | 'token'
  subject_id: number
  created_at: number
  done_at: number | null
}

type PostingCursors = {
  shard: number
  last_id: D<string>
  last_n: D<number>
  is_suspect: D<boolean>
  suspect_reason: D<string>
  updated_at: D<number>
}

type PostingRejects = {
  id: D<number>
  shard: number
  stream_id: string
  n: number | null
  raw: string
  reason: string
  created_at: number
}

type BalanceCorrections = {
  shard: number
  subject: 'user' | 'token'
  subject_id: number
  n: number
}

type LedgerReports = {
  id: D<number>
  source: 'job' | 'command'
  is_sound: boolean
  verdict: JSONColumnType<LedgerVerdict, string, string>
}

type LedgerRepairs = {
  id: D<number>
  shard: number
  epoch: number
  reason: string
  redis_n: number
  posted_n: number
  restored_n: number
  relay_n: D<number>
  missing: D<number>
  resent: D<number>
  lost: D<number>
  created_at: number
}

type UsageKeys = {
  day: number
  request_id: string
  kind: string
  by: string
  user_id: number
  token_id: number
  charge: number
  token_charge: number
  budgets: string | null
}

type UsageHours = {
  hour: number
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  group: string
  token_name: string
  type: number
  requests: D<number>
  quota: D<number>
  token_quota: D<number>
  prompt_tokens: D<number>
  completion_tokens: D<number>
  use_time_ms: D<number>
  logged_requests: D<number>
  logged_quota: D<number>
  input_tokens: D<number>
  cached_tokens: D<number>
  /** Packed histograms (duration-histogram.ts), as text. */
  latency: D<string>
  first_token: D<string>
  /** Requests that failed without the client's doing. Null where it was not counted. */
  faults: number | null
}

type SpendAlerts = {
  id: D<number>
  user_id: number
  token_id: D<number>
  period: string
  threshold: number
  told_start: D<number>
  told_at: D<number>
}

type WeeklyReports = { week: number; user_id: number }

type UsageRollupPeriods = {
  unit: string
  start: number
  state: string
  barrier: D<number>
}

type UsageTotals = {
  cut: string
  subject: string
  start: number
  type: number
  model_name: string
  group: string
  token_name: string
  requests: number
  quota: number
  tokens: number
  logged_requests: number
  logged_quota: number
  use_time_ms: D<number>
  input_tokens: D<number>
  cached_tokens: D<number>
  latency: D<string>
  first_token: D<string>
  faults: number | null
}

type StatusIncidents = {
  id: D<number>
  /** Empty while an incident is only proposed by channel health. */
  title: D<string>
  state: string
  groups: JSONColumnType<string[], string, string>
  is_public: D<boolean>
  /** Why it was opened, for administrators only. */
  cause: D<string>
  /** The channel that it was opened for. */
  channel_id: number | null
  started_at: number
  /** 0: it is not over. */
  resolved_at: D<number>
  changed_at: number
}

type StatusUpdates = { id: D<number>; incident_id: number; state: string; text: string; created_at: number }

type UsageModels = { model_name: string }

type Logs = {
  id: D<number>
  created_at: number
  type: number
  user_id: D<number>
  username: D<string>
  token_id: D<number>
  token_name: D<string>
  channel_id: D<number>
  model_name: D<string>
  group: D<string>
  quota: D<number>
  prompt_tokens: D<number>
  completion_tokens: D<number>
  use_time: D<number>
  is_stream: D<boolean>
  content: D<string>
  other: D<string>
  request_id: D<string>
  state: D<string>
  usage: Json<Usage>
  quote: Json<Quote>
  explanation: Json<StoredExplanation>
  /** The code that the client received; empty unless the request failed or was refused. */
  error_code: D<string>
  /** Requests of one conversation share it; empty where it is not known. */
  session: D<string>
  /** The packed usage event; then `other` is empty, and usage, quote and explanation are null (ADR 147). */
  event: ColumnType<Buffer | null, Buffer | null | undefined>
}

/** One row once log rows go to a store beside Postgres (ADR 141). */
type LogStores = {
  id: D<number>
  created_at: number
  /** The number of the last batch. */
  batch: D<number>
  /** Unix milliseconds until which a worker sends a batch. */
  taken_until: D<number>
  /** The last row of `logs` that was moved, and how many were. */
  moved_at: D<number>
  moved_id: D<number>
  moved: D<number>
}

/** Log rows on their way to that store. */
type LogOutbox = {
  id: D<number>
  /** Rows that are sent together share a number. */
  batch: number | null
  rows: number
  /** Sinks get those that are of requests. */
  is_fed: boolean
  /** The time of the oldest row. */
  first_at: number
  /** Unix milliseconds. */
  created_at: number
  /** JSON lines, compressed with zstd. */
  content: Buffer
}

/** Refused requests per hour (ADR 39): how many there were, and how many of them have a log row. */
type Refusals = { hour: number; user_id: number; token_id: number; reason: string; seen: number; listed: number }

/** The minutes of recent hours in `refusals`; a key of a flood may have no minutes. */
type RefusalsByMinute = { minute: number; user_id: number; token_id: number; reason: string; seen: number; listed: number }

/** Rows that a token got in a minute; kept for an hour. */
type RefusalMinutes = { minute: number; token_id: number; reason: string; listed: number }

/** Orders to delete log entries before a time. */
type LogClearings = {
  id: D<number>
  before: number
  total: number
  removed: D<number>
  requested_by: string
  created_at: number
  /** 0: not finished. */
  finished_at: D<number>
}

/** Months of the log (UTC) whose rows are in the object store, or on their way to it or back. */
type LogArchives = {
  /** Like 2026-08. */
  month: string
  state: string
  /** Objects that are stored and were read back. */
  parts: JSONColumnType<ArchivePart[], string | undefined, string>
  /** How many of them are in Postgres again. */
  restored_parts: D<number>
  /** Why the last try ended early. */
  error: D<string>
  /** Empty: the option LogArchiveMonths. */
  requested_by: D<string>
  created_at: number
  /** 0: it is under way. */
  finished_at: D<number>
  /** Until this time a process works on it. */
  taken_until: D<number>
}

type PriceReplays = {
  id: D<number>
  state: D<string>
  since: number
  until: number
  prices: JSONColumnType<PriceTexts>
  requested_by: string
  created_at: number
  /** 0: not finished. */
  finished_at: D<number>
  done: D<number>
  total: number
  result: Json<ReplayResult>
}

type VendorInvoices = {
  id: D<number>
  name: string
  vendor: string
  source: string
  time_zone: string
  channel_ids: JSONColumnType<number[]>
  accounts: JSONColumnType<Record<string, number>>
  first_day: string
  last_day: string
  rows: number
  /** Amounts by account, model and day. */
  billed: JSONColumnType<BilledAmounts[]>
  created_by: string
  created_at: number
  state: D<string>
  done: D<number>
  total: number
  /** 0: not finished. */
  finished_at: D<number>
  result: Json<InvoiceResult>
}

type VendorInvoiceLines = {
  invoice_id: number
  n: number
  channel_id: number
  model: string
  day: string
  vendor: Json<InvoiceSums>
  own: Json<RecordedSums>
  differs: boolean
  causes: JSONColumnType<InvoiceCause[]>
}

/** `columns_hash`: of the names of a table's columns. */
type VendorInvoiceMappings = { vendor: string; columns_hash: string; mapping: JSONColumnType<InvoiceMapping>; updated_at: number }

type WhatIfs = {
  id: D<number>
  state: D<string>
  since: number
  until: number
  candidate: JSONColumnType<WhatIfCandidate>
  requested_by: string
  created_at: number
  /** 0: not finished. */
  finished_at: D<number>
  done: D<number>
  total: number
  result: Json<WhatIfResult>
}

type PriceChanges = {
  id: D<number>
  state: D<string>
  at: number
  patch: JSONColumnType<PricePatch>
  creator_id: number
  created_by: string
  creator_role: number
  ip: string
  created_at: number
  /** 0: waiting. */
  finished_at: D<number>
  price_version: D<number>
  message: D<string>
}

/** A changed entry of a price option; null: there was none, or is none since. */
type PriceHistory = {
  id: D<number>
  at: number
  option: string
  entry: string
  before: Json<unknown>
  after: Json<unknown>
  cause: string
  by_name: string
}

type PriceRefreshes = {
  id: D<number>
  checked_at: number
  source: string
  date: string
  applied: JSONColumnType<string[]>
  waiting: JSONColumnType<WaitingPrice[]>
  baseline: JSONColumnType<Record<string, object>>
  message: D<string>
}

/** The last batch of the stream that is in Postgres. */
type RefusalCursor = { id: D<number>; last_id: D<string> }

/**
 * Work that outlives its request (ADR 67). Times are unix milliseconds. `task_id` is public and ours, `vendor_task_id` the vendor's;
 * `status` is the text that the API shows. A task is posted once its request's usage event is in Postgres, which sets `quota` and `token_quota` (the part
 * of it that a limited token paid).
 */
type Tasks = {
  id: D<number>
  task_id: string
  family: 'midjourney' | 'suno' | 'video'
  platform: D<string>
  user_id: number
  token_id: D<number>
  channel_id: D<number>
  channel_key: D<string>
  request_id: string
  vendor_task_id: D<string>
  action: D<string>
  model: D<string>
  state: 'not_started' | 'submitted' | 'queued' | 'in_progress' | 'unknown' | 'success' | 'failure' | 'expired'
  status: D<string>
  code: D<number>
  progress: D<string>
  prompt: D<string>
  prompt_en: D<string>
  description: D<string>
  fail_reason: D<string>
  image_url: D<string>
  media: JSONColumnType<TaskMedia[], string | undefined, string>
  stored: JSONColumnType<string[], string | undefined, string>
  properties: JSONColumnType<Record<string, unknown>, string | undefined, string>
  data: Json<unknown>
  quote: Json<Quote>
  quota: D<number>
  token_quota: D<number>
  refunded: D<number>
  is_posted: D<boolean>
  submit_time: number
  start_time: D<number>
  finish_time: D<number>
  deadline: number
  version: D<number>
  callback_url: D<string>
  removed_at: D<number>
  updated_at: D<number>
  budgets: D<string>
}

/** When an open task is asked about next: a row of its own, narrow because every question writes it twice. An ended task has none. */
type TaskPolls = {
  task: number
  channel_id: number
  next_poll_at: number
  polls: D<number>
  poll_failures: D<number>
  /** Since when the vendor names one state that is not known here, in unix milliseconds. */
  unread_since: number | null
  unread_digest: string | null
}

/** Tasks whose results are to be copied to the media store, or removed from it. Times are unix milliseconds. */
type MediaCopies = {
  task: number
  next_at: number
  attempts: D<number>
}

/** One row per change of a task, for its explanation; `version` is the task's after the change. */
type TaskChanges = {
  task_id: string
  version: number
  at: number
  source: 'submit' | 'posting' | 'poll' | 'webhook' | 'deadline'
  state: 'not_started' | 'submitted' | 'queued' | 'in_progress' | 'unknown' | 'success' | 'failure' | 'expired'
  status: D<string>
  progress: D<string>
  quota: D<number>
  note: D<string>
}

/** An upper bound of what all users store. `summed_at`: Unix seconds of the last sum; 0: never. */
type StoredTotal = { id: D<number>; bytes: D<number>; summed_at: D<number> }

/** Files of batches; the bytes are in `file_pieces`. An upload that was not completed expires like a file. */
type Files = {
  seq: D<number>
  id: string
  user_id: number
  token_id: D<number>
  filename: string
  purpose: 'batch' | 'batch_output' | 'user_data' | 'vision'
  bytes: number
  is_complete: D<boolean>
  created_at: number
  expires_at: number
  /** Media type of a file that prompts name. */
  mime_type: ColumnType<string | null, string | null | undefined, string | null>
}

type FilePieces = {
  file_id: string
  n: number
  content: Buffer
}

type Batches = {
  seq: D<number>
  id: string
  user_id: number
  token_id: number
  ip: string
  endpoint: string
  input_file_id: string
  output_file_id: D<string>
  error_file_id: D<string>
  status: 'validating' | 'failed' | 'in_progress' | 'finalizing' | 'completed' | 'expired' | 'cancelling' | 'cancelled'
  errors: JSONColumnType<BatchFault[], string | undefined, string>
  metadata: Json<Record<string, string>>
  total: D<number>
  completed: D<number>
  failed: D<number>
  created_at: number
  expires_at: number
  in_progress_at: D<number>
  finalizing_at: D<number>
  completed_at: D<number>
  failed_at: D<number>
  expired_at: D<number>
  cancelling_at: D<number>
  cancelled_at: D<number>
  input_tokens: D<number>
  cached_tokens: D<number>
  output_tokens: D<number>
  reasoning_tokens: D<number>
  cancelled: D<number>
  expired: D<number>
}

/** Lines of batches and background responses (ADR 74); times in seconds. A batch's lines are deleted when its files are written. */
type DeferredRequests = {
  seq: D<number>
  id: string
  batch_id: D<string>
  custom_id: D<string>
  user_id: number
  token_id: number
  ip: string
  endpoint: string
  /** Deleted when the request ends. */
  body: string
  state: D<'pending' | 'running' | 'ended'>
  outcome: D<'' | 'answered' | 'cancelled' | 'expired' | 'interrupted'>
  is_cancelled: D<boolean>
  status: D<number>
  request_id: D<string>
  answer: D<string>
  attempts: D<number>
  next_at: number
  lease_until: D<number>
  created_at: number
  expires_at: number
  ended_at: D<number>
  /** Fields of a background request that its response repeats, as JSON. */
  facts: D<string>
  /** Size of the body or answer of a background response. */
  bytes: D<number>
  /** False: pieces of the body are still to come. */
  is_complete: D<boolean>
  has_answer_pieces: D<boolean>
  /** The id under which the answer was made. */
  made_id: D<string>
}

/** Large bodies and answers of background responses. */
type DeferredPieces = {
  request_id: string
  part: 'body' | 'answer'
  n: number
  content: Buffer
}

/** Views of the console as a user that have not ended; the times are Unix seconds. */
type AccountViews = {
  id_hash: string
  user_id: number
  viewer_id: number
  viewer_name: string
  viewer_role: number
  viewer_session: string
  ip: string
  started_at: number
  ends_at: number
}

type Budgets = {
  id: D<number>
  scope: 'token' | 'user' | 'group' | 'project' | 'member'
  user_id: D<number>
  token_id: D<number>
  group_name: D<string>
  amount: number
  window: '5h' | 'day' | 'week' | 'month' | 'total'
  time_zone: string
  start_day: number
  starts_at: number
  action: 'refuse' | 'warn'
  alert_percents: JSONColumnType<number[]>
  created_at: number
  updated_at: number
  deleted_at: Date | null
  project_id: D<number>
  member_id: D<number>
  /** A member set it for the organisation. */
  is_by_member: boolean | null
}

/**
 * The account of the same id holds its money and tokens. `domains`: those of its addresses, separated by commas. `provisioned_role`: of
 * members whose groups give none.
 */
type Organisations = {
  id: number
  name: string
  created_by: number
  created_at: number
  domains: string | null
  maps_claims: boolean | null
  provisioned_role: 'owner' | 'admin' | 'billing' | 'developer' | 'viewer' | null
  sign_in_provider: string | null
}

type OrganisationMembers = {
  organisation_id: number
  user_id: number
  role: 'owner' | 'admin' | 'billing' | 'developer' | 'viewer'
  joined_at: number
  source: 'scim' | 'oidc' | null
}

/** `email`: empty where the link alone admits. */
type OrganisationInvitations = {
  id: D<number>
  organisation_id: number
  email: D<string>
  role: 'owner' | 'admin' | 'billing' | 'developer' | 'viewer'
  code_hash: string
  invited_by: number
  created_at: number
  expires_at: number
  scim_user_id: string | null
}

/** Values of a claim at sign-in, and the role that each gives. */
type OrganisationClaims = {
  id: D<number>
  organisation_id: number
  claim: string
  value: string
  role: 'owner' | 'admin' | 'billing' | 'developer' | 'viewer'
}

/** `expires_at`: 0 for never. */
type ScimTokens = {
  id: D<number>
  organisation_id: number
  name: string
  token_hash: string
  created_by: number
  created_at: number
  expires_at: D<number>
  used_at: D<number>
}

/** `is_made`: the account was made for it. */
type ScimUsers = {
  id: string
  organisation_id: number
  user_id: number | null
  is_made: D<boolean>
  user_name: string
  active: boolean
  attributes: JSONColumnType<Record<string, unknown>, string | undefined, string>
  version: D<number>
  created_at: number
  changed_at: number
}

type ScimGroups = {
  id: string
  organisation_id: number
  display_name: string
  external_id: D<string>
  role: 'owner' | 'admin' | 'billing' | 'developer' | 'viewer' | null
  version: D<number>
  created_at: number
  changed_at: number
}

type ScimGroupMembers = { group_id: string; scim_user_id: string }

/** `removed_at`: 0 while it exists. */
type Projects = { id: D<number>; organisation_id: number; name: string; created_at: number; removed_at: D<number> }

type ReceiptKeys = {
  id: D<number>
  kid: string
  public_x: string
  key_sealed: string
  created_at: number
  retired_at: D<number>
}

type BudgetWindows = {
  budget_id: number
  user_id: number
  token_id: number
  window_start: number
  window_end: number
  base: D<number>
  spent: D<number>
  alerted_percent: D<number>
}

/** Channels that failed; the failure is over when `cleared_at` is after `failed_at`. Unix milliseconds. */
type ChannelFailures = {
  channel_id: number
  since: number
  failed_at: number
  status: D<number>
  message: D<string>
  model: D<string>
  cleared_at: D<number>
}

/** Databases of other programs that were carried. `cursors`: where the next run goes on reading, by kind. */
type Imports = {
  name: string
  family: string
  fingerprint: JSONColumnType<string[]>
  cursors: JSONColumnType<Record<string, string>, string | undefined, string>
  report: Json<ImportReport>
  created_at: number
  updated_at: number
}

/** A carried row. `digest`: of its record; `state`: the amounts that were carried, and digests of fields that a later run may change. */
type ImportedRows = {
  import_name: string
  kind: string
  source_id: string
  target_id: number
  digest: string
  state: JSONColumnType<Record<string, unknown>, string | undefined, string>
}

/** Records that files of configuration manage. `fields`, `secrets`: as they were applied last, secrets as fingerprints. */
type ManagedRecords = {
  kind: string
  name: string
  fields: JSONColumnType<Record<string, unknown>, string, string>
  secrets: JSONColumnType<Record<string, string>, string, string>
  /** The files of one owner remove only its own records. */
  owner: string
  applied_at: number
  applied_by: string
}
