import { z } from 'zod'
import { databaseUrl, optionalDatabaseUrl } from './database-url.ts'

const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback)
const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback)
const flag = (fallback: boolean) =>
  z
    .enum(['1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False'])
    .default(fallback ? 'true' : 'false')
    .transform((text) => ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text))
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )

const shared = {
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** A process whose event loop has not turned for so many seconds ends, and is started again; 0: it is not watched. */
  EVENT_LOOP_TIMEOUT: count(15),
  REDIS_URL: z
    .string()
    .min(1)
    .refine((url) => !/^rediss?\+cluster:/.test(url), 'only the ledger can be on a cluster: name it in LEDGER_REDIS_URL'),
  /** The server, or cluster, of the ledger: balances, holds, usage events, limits. Empty: REDIS_URL. */
  LEDGER_REDIS_URL: z.string().default(''),
  /** Ledger shards; fixed for the life of a database. */
  SHARDS: z.coerce.number().int().min(1).max(1024).default(64),
  /** `id:base64url(32 bytes)`, comma separated; the first seals, all unseal. */
  KEY_CHANNELS: z.string().min(1),
  /** Secrets of internal calls, comma separated, each at least 32 characters; the first signs, all verify. */
  INTERNAL_SECRETS: list.refine(
    (all) => all.length > 0 && all.every((secret) => secret.length >= 32),
    'each internal secret needs at least 32 characters',
  ),
  /** CIDR ranges of proxies whose forwarding headers are trusted. */
  TRUSTED_PROXIES: list,
  /** Collector for traces and metrics (OTLP over HTTP); empty: off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().default(''),
  /** `otlp` sends log lines to the collector too, beside standard output. */
  OTEL_LOGS_EXPORTER: z.enum(['none', 'otlp']).default('none'),
  /** Which requests are traced, by OpenTelemetry's names; the default follows the caller's `traceparent` and traces all others. */
  OTEL_TRACES_SAMPLER: z
    .enum(['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'])
    .default('parentbased_always_on'),
  /** Share of traces, 0 to 1, for `traceidratio` and `parentbased_traceidratio`. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Conventions whose names are recorded before they are stable, comma-separated: `gen_ai_latest_experimental`. */
  OTEL_SEMCONV_STABILITY_OPT_IN: z.string().default(''),
  /** Port of the Prometheus endpoint; 0: off. */
  METRICS_PORT: port(0),
  /** Address of the Prometheus endpoint: 0.0.0.0 when the scraper runs on another machine. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Private address ranges that upstream calls may reach, e.g. 127.0.0.0/8 for local model servers. */
  UPSTREAM_ALLOW_PRIVATE: list,
  /**
   * Our own listeners and stores beside those that this environment names, as `host:port`: no channel, proxy or media address may reach
   * them. `*:port` blocks the port on every private address.
   */
  OWN_ADDRESSES: list.refine((all) => all.every((entry) => /^.+:\d{1,5}$/.test(entry)), 'each own address is host:port'),
  /** DNS servers for the hosts of vendors, mail, media and webhooks, as `address[:port]`; empty: the system's. */
  DNS_SERVERS: list,
  /** Private address ranges from which images named in prompts may be fetched. Leave empty: it lets callers reach internal services. */
  MEDIA_ALLOW_PRIVATE: list,
}

/** A store with the API of S3 that keeps finished videos (ADR 80); without MEDIA_STORE_URL none are kept. */
const mediaStore = {
  /** Address without the bucket, which follows as a part of the path. Example: https://s3.eu-central-1.amazonaws.com */
  MEDIA_STORE_URL: z.union([z.literal(''), z.url()]).default(''),
  MEDIA_STORE_BUCKET: z.string().default(''),
  MEDIA_STORE_REGION: z.string().min(1).default('us-east-1'),
  MEDIA_STORE_KEY_ID: z.string().default(''),
  MEDIA_STORE_SECRET: z.string().default(''),
}

/** A store with the API of S3 that gets a line of every posted request (ADR 119); without SINK_URL none does. */
const objectSink = {
  /** Address without the bucket, which follows as a part of the path. */
  SINK_URL: z.union([z.literal(''), z.url()]).default(''),
  SINK_BUCKET: z.string().default(''),
  SINK_REGION: z.string().min(1).default('us-east-1'),
  SINK_KEY_ID: z.string().default(''),
  SINK_SECRET: z.string().default(''),
  /** Before the hour in the names of objects. */
  SINK_PREFIX: z.string().default('requests/'),
}

const graceful = {
  /**
   * Seconds that a stopping service still accepts requests while `/readyz` answers 503: the time its load balancer takes to notice.
   * Up to as long again while requests keep coming.
   */
  DRAIN_GRACE: count(1),
}

const logStore = {
  /**
   * A ClickHouse that has the rows of the log instead of Postgres: `clickhouse://user:password@host:8123/database`, or `clickhouse+https://`
   * with port 8443. The same for control plane, worker and commands. Empty: the rows are in Postgres.
   */
  LOG_STORE_URL: z
    .string()
    .refine(
      (url) => url === '' || (URL.canParse(url) && ['clickhouse:', 'clickhouse+https:'].includes(new URL(url).protocol)),
      'a log store has an address like clickhouse://user:password@host:8123/database',
    )
    .default(''),
}

export const RelayEnv = z.object({
  ...shared,
  RELAY_HOST: z.string().default('0.0.0.0'),
  RELAY_PORT: port(3000),
  /** Relay processes; one per core. */
  RELAY_PROCESSES: z.coerce.number().int().min(1).default(1),
  /** Index of this process among RELAY_PROCESSES; set by the supervisor, and absent without one. */
  RELAY_PROCESS_SLOT: z.coerce.number().int().min(0).optional(),
  /** Region of this relay: channels whose setting `region` names it are preferred. Empty: none is. */
  RELAY_REGION: z.string().trim().max(40).default(''),
  /** Internal port of the control plane. */
  CONTROL_PLANE_INTERNAL_URL: z.string().default('http://127.0.0.1:3002'),
  /** Address of the control plane; paths that are not model routes are forwarded there. Empty: they are not. */
  CONSOLE_ORIGIN: z.string().default(''),
  /** Maximum bytes of one request body, after decompression. */
  RELAY_MAX_BODY: count(128 * 1024 * 1024),
  /** Maximum bytes of request bodies buffered at once, per process. */
  RELAY_BODY_BUDGET: count(512 * 1024 * 1024),
  /** Maximum seconds for the head of a request, from the connection or the end of the request before it. */
  RELAY_HEADERS_TIMEOUT: z.coerce.number().min(1).default(15),
  /** Minimum bytes per second of a request body, on average, after the first RELAY_BODY_GRACE seconds. */
  RELAY_BODY_MIN_RATE: count(1024),
  RELAY_BODY_GRACE: z.coerce.number().min(0).default(15),
  /** Maximum seconds until a request body has arrived. */
  RELAY_BODY_TIMEOUT: z.coerce.number().int().min(1).default(600),
  /** Worker threads per process for bodies over 256 KB, long texts and answers without usage; each starts on first use. */
  RELAY_POOL_THREADS: z.coerce.number().int().min(1).default(1),
  /** Maximum tasks that wait for each of these threads; more are rejected with 503. */
  RELAY_POOL_QUEUE: z.coerce.number().int().min(1).default(64),
  /** Maximum seconds between two bytes of an upstream stream. */
  STREAMING_TIMEOUT: count(60),
  /** Maximum connections to one address per channel and process; further requests wait for one. */
  UPSTREAM_CONNECTIONS: z.coerce.number().int().min(1).default(8192),
  /** Maximum seconds until the upstream's first byte. */
  FIRST_BYTE_TIMEOUT: count(300),
  /** Maximum seconds that a client may leave written bytes unread before its stream is closed. */
  WRITE_STALL_TIMEOUT: count(120),
  ...graceful,
  /** Maximum seconds that a stopping service waits for open streams. */
  DRAIN_DEADLINE: count(60),
  /** Maximum seconds until an open task expires; a family may have a shorter time. */
  TASK_DEADLINE: z.coerce.number().int().min(1).default(604_800),
  /** Maximum queued settlements, per process. */
  SETTLE_QUEUE_CAPACITY: count(50_000),
  /** Folder where unfinished settlements are kept for the next start. */
  RELAY_STATE_DIR: z.string().default('.data/relay'),
  ...mediaStore,
})
export type RelayEnv = z.infer<typeof RelayEnv>

export const ControlPlaneEnv = z.object({
  ...shared,
  DATABASE_URL: databaseUrl,
  /** A streaming standby of that database, for lists, dashboards and exports. Empty: they read from the primary. */
  DATABASE_REPLICA_URL: optionalDatabaseUrl,
  /** Maximum seconds that the standby may be behind; reads leave it beyond. */
  DATABASE_REPLICA_MAX_LAG: z.coerce.number().int().min(3).default(10),
  ...logStore,
  KEY_OPTIONS: z.string().min(1),
  CONTROL_PLANE_HOST: z.string().default('0.0.0.0'),
  CONTROL_PLANE_PORT: port(3001),
  ...graceful,
  INTERNAL_HOST: z.string().default('127.0.0.1'),
  INTERNAL_PORT: port(3002),
  /** Folder of the built console; empty: none is served. */
  CONSOLE_DIR: z.string().default(''),
  /** Folder of the built documentation, served below /docs; empty or absent: none is served. */
  DOCS_DIR: z.string().default(''),
  /** `off`, a fixed code, or empty: one that follows from KEY_OPTIONS is printed at start. */
  SETUP_CODE: z.string().default(''),
  /** Address printed in the setup line and used until option ServerAddress is saved. */
  PUBLIC_URL: z.string().default('http://localhost:3000'),
  /** Further host names of the console besides those of PUBLIC_URL and option ServerAddress; `.example.org` allows all below it, `*` any. */
  ALLOWED_HOSTS: list,
  /** Addresses of the fixed sign-in providers: a GitHub Enterprise server has its own, Linux DO a mirror. */
  GITHUB_URL: z.url().default('https://github.com'),
  GITHUB_API_URL: z.url().default('https://api.github.com'),
  LINUX_DO_URL: z.url().default('https://connect.linux.do'),
  GLOBAL_API_RATE_LIMIT_ENABLE: flag(true),
  GLOBAL_API_RATE_LIMIT: count(180),
  GLOBAL_API_RATE_LIMIT_DURATION: count(180),
  GENERATE_DEFAULT_TOKEN: flag(false),
  /** Newest release as JSON with `tag_name`, `html_url` and `body`, as GitHub's API answers; empty: updates are not checked. */
  RELEASE_FEED_URL: z.union([z.literal(''), z.url()]).default(''),
  /** Address of a relay, for the playground. */
  RELAY_URL: z.url().default('http://127.0.0.1:3000'),
})
export type ControlPlaneEnv = z.infer<typeof ControlPlaneEnv>

/** Ages at which the verifier reports an entry as late. */
const ledgerLimits = {
  /** Maximum age of an open hold, in seconds. */
  MAX_HOLD_AGE: count(3600),
  /** Maximum age of an event that is not posted or a change that is not in Redis, in seconds. */
  MAX_POSTING_LAG: count(60),
}

export const WorkerEnv = z
  .object({
    ...shared,
    DATABASE_URL: databaseUrl,
    /** Prepares repeated statements on connections that lead to Postgres itself; false: on none. */
    DATABASE_PREPARE: flag(true),
    ...logStore,
    KEY_OPTIONS: z.string().min(1),
    /** Address of the health port: 0.0.0.0 when probes come from another machine, as in Kubernetes. */
    WORKER_HOST: z.string().default('127.0.0.1'),
    /** Port of `/healthz` and `/readyz`. */
    WORKER_PORT: port(3004),
    /** Milliseconds between two posting rounds of a group of shards. */
    POST_USAGE_INTERVAL: count(1000),
    /** Groups of shards that are posted at the same time, by all workers together; absent: 4, or as many as there are shards. */
    POSTING_GROUPS: z.coerce.number().int().min(1).optional(),
    /** Milliseconds between two questions about a young task; other times of polling are multiples of it. */
    TASK_POLL_INTERVAL: z.coerce.number().int().min(100).default(5000),
    /** Seconds without a heartbeat after which the holds of a relay are settled by the worker. */
    REAP_AFTER: count(60),
    /** Address that links in mails lead to until option ServerAddress is saved: the console's, as for the control plane. */
    PUBLIC_URL: z.string().default('http://localhost:3000'),
    /** Address of a relay, for lines of batches and background responses. */
    RELAY_URL: z.url().default('http://127.0.0.1:3000'),
    /** Deferred requests that this worker sends at once. */
    DEFERRED_CONCURRENCY: count(16),
    CHANNEL_TEST_FREQUENCY: count(0),
    CHANNEL_UPDATE_FREQUENCY: count(0),
    ...mediaStore,
    ...objectSink,
    ...ledgerLimits,
  })
  .refine(({ POSTING_GROUPS = 1, SHARDS }) => POSTING_GROUPS <= SHARDS, {
    path: ['POSTING_GROUPS'],
    error: 'there are not so many shards (SHARDS)',
  })
export type WorkerEnv = z.infer<typeof WorkerEnv>

export const VerifierEnv = z.object({
  DATABASE_URL: databaseUrl,
  REDIS_URL: shared.REDIS_URL,
  LEDGER_REDIS_URL: shared.LEDGER_REDIS_URL,
  SHARDS: shared.SHARDS,
  ...logStore,
  ...ledgerLimits,
})
export type VerifierEnv = z.infer<typeof VerifierEnv>

export const BackupEnv = VerifierEnv.pick({ DATABASE_URL: true, REDIS_URL: true, LEDGER_REDIS_URL: true, SHARDS: true })
export type BackupEnv = z.infer<typeof BackupEnv>

export const LogsArchiveEnv = VerifierEnv.pick({ DATABASE_URL: true, LOG_STORE_URL: true }).extend(mediaStore)

export const ResealEnv = z.object({ DATABASE_URL: databaseUrl, KEY_CHANNELS: shared.KEY_CHANNELS, KEY_OPTIONS: z.string().min(1) })

/** Where migrations run, if not at DATABASE_URL: a pooler may end their long statements. */
const MIGRATE_DATABASE_URL = optionalDatabaseUrl

export const RestoreEnv = VerifierEnv.pick({ DATABASE_URL: true, SHARDS: true }).extend({ MIGRATE_DATABASE_URL })

/** The migration job of a deployment (deploy/migrate). */
export const MigrateEnv = z.object({
  LOG_LEVEL: shared.LOG_LEVEL,
  /** Address for the role that owns the schema. */
  DATABASE_URL: databaseUrl,
  MIGRATE_DATABASE_URL,
  /** Address for the role that reads and writes rows; with ADMIN_DATABASE_URL. */
  ROWS_DATABASE_URL: optionalDatabaseUrl,
  /**
   * Address for a superuser, which creates both roles with the passwords of the two addresses above. Empty: the operator made the roles.
   */
  ADMIN_DATABASE_URL: optionalDatabaseUrl,
})
export type MigrateEnv = z.infer<typeof MigrateEnv>

/** Where tests get Postgres and Redis from (libs/testing). */
export const TestServersEnv = z.object({
  TEST_SERVERS: z.enum(['local', 'containers']).default('local'),
  TEST_POSTGRES_IMAGE: z.string().min(1).default('postgres:18-alpine'),
  TEST_REDIS_IMAGE: z.string().min(1).default('redis:8-alpine'),
})
export type TestServersEnv = z.infer<typeof TestServersEnv>

/** Parses the environment or throws one readable line that names each wrong variable and never its value. */
export function parseEnv<S extends z.ZodType>(shape: S, env: NodeJS.ProcessEnv = process.env): z.output<S> {
  const parsed = shape.safeParse(env)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`environment: ${problems.join('; ')}`)
}

/** The environment of a child process: this process's own, with changes. */
export function inheritedEnv(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes }
}
