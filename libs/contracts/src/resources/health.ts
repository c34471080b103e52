import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Millis, UnixSeconds } from '../units.ts'

export const SERVICES = ['relay', 'control-plane', 'worker'] as const

/** Report of a running process about itself, every few seconds. */
export const ServiceFacts = z.object({
  service: z.enum(SERVICES),
  version: z.string(),
  host: z.string(),
  pid: z.int(),
  started_at: UnixSeconds,
  memory_bytes: z.int(),
  /** Free space of the disk that the process writes to; 0: not known. */
  disk_free_bytes: z.int(),
  disk_total_bytes: z.int(),
})
export type ServiceFacts = z.infer<typeof ServiceFacts>

export const SeenService = ServiceFacts.extend({
  id: z.string(),
  seen_at: UnixSeconds,
  /** It reported within the last 15 seconds. A process that stops in order removes itself. */
  is_running: z.boolean(),
})
export type SeenService = z.infer<typeof SeenService>

export const PostgresFacts = z.object({
  version: z.string(),
  started_at: UnixSeconds,
  answer_ms: Millis,
  size_bytes: z.int(),
  connections: z.int(),
  max_connections: z.int(),
  /** Sessions that wait for a lock. */
  waiting: z.int(),
  /** Age of the oldest open transaction in seconds. */
  oldest_transaction_s: z.int(),
  /** Absent without DATABASE_REPLICA_URL. */
  replica: z
    .object({
      /** How far it is behind at most; null: it is away. */
      lag_ms: Millis.nullable(),
      is_used: z.boolean(),
    })
    .optional(),
})
export type PostgresFacts = z.infer<typeof PostgresFacts>

export const RedisFacts = z.object({
  version: z.string(),
  started_at: UnixSeconds,
  answer_ms: Millis,
  memory_bytes: z.int(),
  /** 0: no limit. */
  max_memory_bytes: z.int(),
  eviction: z.string(),
  evicted_keys: z.int(),
  clients: z.int(),
  commands_per_second: z.int(),
  /** Every write is kept in the append-only file. */
  is_durable: z.boolean(),
  has_write_error: z.boolean(),
})
export type RedisFacts = z.infer<typeof RedisFacts>

/** A master of the cluster that holds the ledger. */
export const LedgerMaster = z.object({
  address: z.string(),
  /** Ledger shards that it has now. */
  shards: z.int(),
  /** Shards of it that are closed. */
  closed_shards: z.int(),
  /** Null when it does not answer. */
  redis: RedisFacts.nullable(),
})
export type LedgerMaster = z.infer<typeof LedgerMaster>

/** Log rows on their way to the store beside Postgres. */
export const LogStoreFacts = z.object({
  waiting_rows: z.int(),
  /** Age in seconds of the oldest; 0: none waits. */
  waiting_s: z.int(),
})
export type LogStoreFacts = z.infer<typeof LogStoreFacts>

export const LedgerFacts = z.object({
  is_open: z.boolean(),
  /** Shards that are closed, or whose server does not answer. */
  closed_shards: z.int(),
  lag_events: z.int(),
  lag_seconds: z.number(),
  suspect_shards: z.int(),
  open_holds: z.int(),
  /** Changes of users and tokens that are not in Redis yet; at most 1 000 are counted. */
  unsynced: z.int(),
  last_check: z.object({ started_at: UnixSeconds, differences: z.int(), is_sound: z.boolean() }).nullable(),
})
export type LedgerFacts = z.infer<typeof LedgerFacts>

export const QueueFacts = z.object({
  queue: z.string(),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
})
export type QueueFacts = z.infer<typeof QueueFacts>

/** The partitions of a table; sizes are of the files, rows are estimates of the planner. */
export const PartitionFacts = z.object({
  table: z.string(),
  partitions: z.int(),
  first: z.string(),
  last: z.string(),
  size_bytes: z.int(),
  rows: z.int(),
  /** Rows lie in the default partition: their own was not created in time. */
  has_strays: z.boolean(),
})
export type PartitionFacts = z.infer<typeof PartitionFacts>

export const BreakerFacts = z.object({
  channel_id: z.int(),
  /** Empty: the channel was deleted. */
  channel_name: z.string(),
  model: z.string(),
  state: z.enum(['open', 'half-open']),
  cause: z.enum(['failures', 'limited', 'dead']).optional(),
  remaining_ms: z.number(),
})
export type BreakerFacts = z.infer<typeof BreakerFacts>

/** An enabled channel that fails, until a request or a test succeeds or a person dismisses it. */
export const FailingChannel = z.object({ channel_id: z.int(), channel_name: z.string() })
export type FailingChannel = z.infer<typeof FailingChannel>

/** Answers of the last day that a channel ended, or counted, in a way that is not understood. */
export const UnexpectedAnswerFacts = z.object({
  channel_id: z.int(),
  /** Empty: the channel was deleted. */
  channel_name: z.string(),
  kind: z.enum(['unknown-end', 'usage', 'unknown-state', 'unclear-order']),
  /** The vendor's word for the end, or for a task's state; the sum that its usage lacks: `prompt` or `completion`; how an order failed. */
  word: z.string(),
  model: z.string(),
  request_id: z.string(),
  count: z.int(),
  /** Unix milliseconds. */
  at: z.number(),
})
export type UnexpectedAnswerFacts = z.infer<typeof UnexpectedAnswerFacts>

/** Where notices of channels, keys, vendors' balances and payment disputes go: to all enabled root accounts. */
export const NoticeFacts = z.object({
  /** Names of root accounts with neither an e-mail address nor a webhook. */
  unreached: z.array(z.string()),
  /** Root accounts whose notices are mailed. */
  by_mail: z.int(),
  /** A mail server and a sender are set. */
  can_mail: z.boolean(),
})
export type NoticeFacts = z.infer<typeof NoticeFacts>

const PROBLEMS = [
  'no-relay',
  'no-worker',
  'service-gone',
  'versions-differ',
  'disk-full',
  'fence-closed',
  'suspect-shards',
  'posting-late',
  'unsynced',
  'check-differs',
  'check-missing',
  'channels-failing',
  'breakers-open',
  'jobs-failed',
  'jobs-waiting',
  'unpriced-models',
  'output-unpriced',
  'models-retire',
  'unknown-end',
  'unusable-usage',
  'unknown-state',
  'unclear-orders',
  'roots-unreached',
  'mail-unset',
  'strays',
  'connections',
  'locks',
  'long-transaction',
  'replica-away',
  'replica-behind',
  'redis-memory',
  'redis-evicts',
  'redis-not-durable',
  'redis-write-error',
  'shards-closed',
  'master-away',
  'log-store-late',
  'ledger-redis-memory',
  'ledger-redis-evicts',
  'ledger-redis-not-durable',
  'ledger-redis-write-error',
  'unread',
] as const
export type HealthProblemCode = (typeof PROBLEMS)[number]

/** `bad`: requests fail or money waits. `warning`: it will get worse. */
export const HealthProblem = z.object({
  code: z.enum(PROBLEMS),
  level: z.enum(['bad', 'warning']),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type HealthProblem = z.infer<typeof HealthProblem>

/** A part is null when it could not be read in time. */
export const HealthParts = z.object({
  services: z.array(SeenService).nullable(),
  postgres: PostgresFacts.nullable(),
  redis: RedisFacts.nullable(),
  /** Absent without LEDGER_REDIS_URL, and where it names a cluster. */
  ledger_redis: RedisFacts.nullable().optional(),
  /** Absent unless LEDGER_REDIS_URL names a cluster. */
  ledger_masters: z.array(LedgerMaster).nullable().optional(),
  /** Absent without LOG_STORE_URL. */
  log_store: LogStoreFacts.nullable().optional(),
  ledger: LedgerFacts.nullable(),
  queues: z.array(QueueFacts).nullable(),
  partitions: z.array(PartitionFacts).nullable(),
  breakers: z.array(BreakerFacts).nullable(),
  failing: z.array(FailingChannel).nullable(),
  /** Models of enabled channels whose requests are refused because they have no price. */
  unpriced: z.array(z.string()).nullable(),
  /** Models of enabled channels that charge an answer by a guessed ratio, and those that their maker stops serving within a month. */
  sold: z
    .object({
      without_output: z.array(z.string()),
      retiring: z.array(z.object({ model: z.string(), retires: z.string(), successor: z.string() })),
    })
    .nullable(),
  unexpected_answers: z.array(UnexpectedAnswerFacts).nullable(),
  notices: NoticeFacts.nullable(),
})
export type HealthParts = z.infer<typeof HealthParts>

export const SystemHealth = HealthParts.extend({ read_at: UnixSeconds, problems: z.array(HealthProblem) })
export type SystemHealth = z.infer<typeof SystemHealth>

export const FailedJob = z.object({
  id: z.string(),
  name: z.string(),
  /** Its payload as JSON, shortened. */
  payload: z.string(),
  reason: z.string(),
  attempts: z.int(),
  failed_at: UnixSeconds,
})
export type FailedJob = z.infer<typeof FailedJob>

const JobId = z.object({ queue: z.string().max(40), id: z.string().min(1).max(200) })

export const health = {
  get: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'admin',
    summary: 'State of services, stores, ledger, queues and partitions, and what needs an operator (ours)',
    data: SystemHealth,
  }),
  failedJobs: endpoint({
    method: 'GET',
    path: '/api/health/jobs',
    access: 'root',
    summary: 'The newest failed jobs of a queue, at most 50 (ours)',
    query: z.object({ queue: z.string().max(40) }),
    data: z.array(FailedJob),
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/api/health/jobs/retry',
    access: 'root',
    summary: 'Runs a failed job again (ours)',
    body: JobId,
  }),
  removeJob: endpoint({
    method: 'POST',
    path: '/api/health/jobs/remove',
    access: 'root',
    summary: 'Removes a failed job from its queue (ours)',
    body: JobId,
  }),
}
