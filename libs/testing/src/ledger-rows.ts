import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import postgres from 'postgres'
import { connectDb } from '@tollgate/db/connect'
import { createPartition, type Partition } from '@tollgate/db/queries/logs/partitions'
import { createRareVariant, createVariants, drawFrom, type Variant } from './ledger-variants.ts'

export type LedgerPlan = {
  /** Number of log rows; one in 1000 is a correction. */
  readonly rows: number
  /** Number of users, with one token each; every second token is limited. */
  readonly users: number
  readonly shards: number
  /** Unix seconds of the newest row. */
  readonly until: number
  /** The rows are spread evenly over this many hours before `until`. */
  readonly hours: number
  /** Default: 12. */
  readonly channels?: number
  /** Number of different token names; default: one per token. */
  readonly tokenNames?: number
  /** The first users and channels have most of the requests, as in production; default: all have equally many. */
  readonly isSkewed?: boolean
  /** One row in this many has the model `rare`; default: none. */
  readonly rareOneIn?: number
  /** Rows with their event, as posting writes them, but without request id and so without keys; a third of the work for the same lists. */
  readonly isBare?: boolean
  /** The same seed produces the same ledger. */
  readonly seed?: number
}

const CHANNELS = 12
const LINES_PER_CHUNK = 2000
/** One row in this many corrects the row before it, as the reaper does. */
const LATE_ONE_IN = 1000
const CREDITED = 1_000_000_000_000

const LOG_COLUMNS = `created_at, type, user_id, username, token_id, token_name, channel_id, model_name, "group", quota, prompt_tokens,
  completion_tokens, use_time, is_stream, content, other, request_id, state, usage, quote, explanation, event`

/**
 * Fills an empty, migrated database with a consistent ledger by COPY (about 50 000 rows per second on an idle core). Token n belongs
 * to user n; logs, usage keys, hourly sums and accounts agree. Redis stays empty.
 */
export async function seedLedger(url: string, plan: LedgerPlan): Promise<void> {
  await createPartitions(url, plan)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    await copyLogs(sql, plan)
    for (const statement of derived(plan)) await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

/** Builds secondary indexes afterwards. Truncating in the same transaction avoids WAL (`wal_level=minimal`). */
async function copyLogs(sql: postgres.Sql, plan: LedgerPlan): Promise<void> {
  const indexes = await sql<{ indexname: string; indexdef: string }[]>`
    select indexname, indexdef from pg_indexes where tablename = 'logs' and indexname <> 'logs_pkey'`
  await sql.begin(async (tx) => {
    await tx`truncate logs`
    for (const { indexname } of indexes) await tx.unsafe(`drop index ${indexname}`)
    const sink = await tx`copy logs (${tx.unsafe(LOG_COLUMNS)}) from stdin`.writable()
    await pipeline(Readable.from(chunksOf(logLines(plan))), sink)
    for (const { indexdef } of indexes) await tx.unsafe(indexdef.replace(' ON ONLY ', ' ON '))
  })
}

function* logLines(plan: LedgerPlan): Generator<string> {
  const draw = drawFrom(plan.seed ?? 1)
  const variants = createVariants(draw)
  const rare = createRareVariant(draw)
  const pick = (): Variant => variants[draw(variants.length)] as Variant // an index below its length
  const choose = plan.isSkewed === true ? skewed(draw) : draw
  const from = plan.until - plan.hours * 3600
  for (let row = 0; row < plan.rows; row += 1) {
    const at = from + Math.floor((row * plan.hours * 3600) / plan.rows)
    const user = 1 + choose(plan.users)
    const id = `${dayOf(at)}${row.toString(36).padStart(10, '0')}`
    const request = { at, user, id, token: tokenName(user, plan), channel: 1 + choose(plan.channels ?? CHANNELS) }
    const variant = plan.rareOneIn !== undefined && row % plan.rareOneIn === 0 ? rare : pick()
    yield lineOf(request, variant, { quota: variant.charge, state: variant.state }, plan)
    if (row % LATE_ONE_IN !== LATE_ONE_IN - 2) continue
    const corrected = pick()
    yield lineOf(request, corrected, { quota: corrected.charge - variant.charge, state: 'late' }, plan)
    row += 1
  }
}

export const SKEW = 3
/** The first of n gets a share of n^-⅓: of 1 000 users, the first gets a tenth. */
const skewed =
  (draw: (below: number) => number) =>
  (below: number): number =>
    Math.floor(below * (draw(2 ** 31) / 2 ** 31) ** SKEW)

const tokenName = (user: number, { users, tokenNames = users }: LedgerPlan): string => `token-${1 + ((user - 1) % tokenNames)}`

const NULL = '\\N'

type Request = { readonly at: number; readonly user: number; readonly token: string; readonly id: string; readonly channel: number }

type Ended = { readonly quota: number; readonly state: string }

function lineOf({ at, user, token, id, channel }: Request, variant: Variant, { quota, state }: Ended, { isBare }: LedgerPlan): string {
  const type = state === 'released' ? 5 : 2
  const who = [user, `user-${user}`, user, token, channel, variant.model, variant.group]
  const told =
    isBare === true
      ? [...variant.middle.slice(0, -1), '', '', '', NULL, NULL, NULL, variant.event]
      : [...variant.middle, id, state, ...variant.tail, NULL]
  return `${[at, type, ...who, quota, ...told].join('\t')}\n`
}

/** COPY is much faster with large chunks than with single lines. */
function* chunksOf(lines: Iterable<string>): Generator<Buffer> {
  let chunk: string[] = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < LINES_PER_CHUNK) continue
    yield Buffer.from(chunk.join(''))
    chunk = []
  }
  if (chunk.length > 0) yield Buffer.from(chunk.join(''))
}

/**
 * Statements that derive all other tables from the log rows, as posting does. Hours are inserted in the order of time, in which posting
 * adds them. Tokens of odd users are limited.
 */
const derived = ({ users, shards, tokenNames = users }: LedgerPlan): readonly string[] => [
  `insert into usage_keys (day, request_id, kind, by, user_id, token_id, charge, token_charge)
    select left(request_id, 8)::int, request_id, case state when 'late' then 'late' else 'final' end,
      case when state <> 'late' and request_id in (select request_id from logs where state = 'late') then 'reaper' else 'relay' end,
      user_id, token_id, quota, case when token_id % 2 = 1 then quota else 0 end from logs where request_id <> ''`,
  `insert into usage_hours
    select created_at - created_at % 3600, user_id, token_id, channel_id, model_name, "group", token_name, type,
      count(*) filter (where state <> 'late'), sum(quota), sum(case when token_id % 2 = 1 then quota else 0 end), sum(prompt_tokens),
      sum(completion_tokens), sum(use_time) * 1000, count(*), sum(quota), sum(prompt_tokens), sum(prompt_tokens) / 4,
      coalesce(sum(${packed('use_time * 1000')}) filter (where type = 2), 0), coalesce(sum(${packed('use_time * 200')}) filter (where type = 2), 0)
      from logs group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1`,
  ...derivedAccounts({ users, shards, tokenNames }),
  'analyze',
]

/** Statements that derive accounts from hour rows. */
export const derivedAccounts = ({
  users,
  shards,
  tokenNames = users,
}: Pick<LedgerPlan, 'users' | 'shards' | 'tokenNames'>): readonly string[] => [
  `insert into users (id, shard, username, credited, spent, request_count, created_at)
    select id, id % ${shards}, 'user-' || id, ${CREDITED}, coalesce(sum(h.quota), 0), coalesce(sum(h.requests), 0), 1
    from generate_series(1, ${users}) id left join usage_hours h on h.user_id = id group by id`,
  `insert into tokens (id, user_id, name, key_hash, key_sealed, key_head, key_tail, created_time, granted, charged, used_quota, unlimited_quota)
    select id, id, 'token-' || 1 + (id - 1) % ${tokenNames}, 'hash-' || id, '', '', '', 1, ${CREDITED}, coalesce(sum(h.token_quota), 0), coalesce(sum(h.quota), 0),
      id % 2 = 0 from generate_series(1, ${users}) id left join usage_hours h on h.token_id = id group by id`,
  `insert into wallet_entries (user_id, kind, amount, reference, created_at) select id, 'import', credited, 'seed-' || id, 1 from users`,
  `insert into token_grants (token_id, kind, amount, reference, created_at) select id, 'import', granted, 'seed-' || id, 1 from tokens`,
  `insert into channel_usage (channel_id, shard, used_quota, requests)
    select channel_id, user_id % ${shards}, sum(quota), sum(requests) from usage_hours group by 1, 2`,
  `select setval(pg_get_serial_sequence('users', 'id'), ${users}), setval(pg_get_serial_sequence('tokens', 'id'), ${users})`,
]

/** SQL of a histogram of one duration, as duration-histogram.ts packs it. */
const packed = (ms: string): string =>
  `('1e' || 12 * case when ${ms} <= 50 then 0 else least(43, ceil(ln(${ms} / 50.0) / ln(2) * 3)) end)::numeric`

/** Creates partitions as the worker does: logs by month, usage keys by day. */
async function createPartitions(url: string, { until, hours }: LedgerPlan): Promise<void> {
  const db = connectDb({ url, max: 1 })
  const partitions = new Map<string, Partition>()
  for (let at = until - hours * 3600; at <= until + 86_400; at += 86_400) {
    const day = new Date(at * 1000)
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()]
    const key = Number(dayOf(at))
    partitions.set(`usage_keys_${key}`, { parent: 'usage_keys', name: `usage_keys_${key}`, from: key, to: key })
    const name = `logs_${dayOf(at).slice(0, 6)}`
    partitions.set(name, { parent: 'logs', name, from: Date.UTC(year, month, 1) / 1000, to: Date.UTC(year, month + 1, 1) / 1000 })
  }
  try {
    for (const partition of partitions.values()) await db.transaction().execute((tx) => createPartition(tx, partition))
  } finally {
    await db.destroy()
  }
}

const dayOf = (at: number): string => new Date(at * 1000).toISOString().slice(0, 10).replaceAll('-', '')
