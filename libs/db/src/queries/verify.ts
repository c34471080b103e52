import { sql } from 'kysely'
import type { Quote, Usage } from '@tollgate/contracts/quote'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../connect.ts'

/** The verifier's questions (ledger.md L4). Each answers with what does not agree, and how much was looked at. */
export type Mismatch = { readonly id: string; readonly left: Quota; readonly right: Quota }
export type Comparison = { readonly looked: number; readonly mismatches: readonly Mismatch[] }

/** credited = Σ wallet entries, for every user. */
export const compareCredited = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'users',
    sql`
    select u.id::text as id, u.credited as left, coalesce(e.amount, 0)::bigint as right
    from users u left join (select user_id, sum(amount) as amount from wallet_entries group by user_id) e on e.user_id = u.id
    where u.credited <> coalesce(e.amount, 0)`,
  )

/** spent = Σ roll-up, for every user. */
export const compareSpent = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'users',
    sql`
    select coalesce(u.id, h.user_id)::text as id, coalesce(u.spent, 0) as left, coalesce(h.quota, 0)::bigint as right
    from users u full join (select user_id, sum(quota) as quota from usage_hours group by user_id) h on h.user_id = u.id
    where coalesce(u.spent, 0) <> coalesce(h.quota, 0)`,
  )

/** granted = Σ grants, for every token. */
export const compareGranted = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'tokens',
    sql`
    select t.id::text as id, t.granted as left, coalesce(g.amount, 0)::bigint as right
    from tokens t left join (select token_id, sum(amount) as amount from token_grants group by token_id) g on g.token_id = t.id
    where t.granted <> coalesce(g.amount, 0)`,
  )

/** charged = Σ roll-up of what was held from the token. */
export const compareCharged = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'tokens',
    sql`
    select t.id::text as id, t.charged as left, coalesce(h.quota, 0)::bigint as right
    from tokens t left join (select token_id, sum(token_quota) as quota from usage_hours group by token_id) h on h.token_id = t.id
    where t.charged <> coalesce(h.quota, 0)`,
  )

/** used_quota = Σ roll-up of everything the token caused. */
export const compareTokenUse = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'tokens',
    sql`
    select t.id::text as id, t.used_quota as left, coalesce(h.quota, 0)::bigint as right
    from tokens t left join (select token_id, sum(quota) as quota from usage_hours group by token_id) h on h.token_id = t.id
    where t.used_quota <> coalesce(h.quota, 0)`,
  )

/** Σ of a channel's rows per shard = Σ roll-up. */
export const compareChannels = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'channel_usage',
    sql`
    select coalesce(c.channel_id, h.channel_id)::text as id, coalesce(c.quota, 0)::bigint as left, coalesce(h.quota, 0)::bigint as right
    from (select channel_id, sum(used_quota) as quota from channel_usage group by channel_id) c
    full join (select channel_id, sum(quota) as quota from usage_hours where channel_id > 0 group by channel_id) h on h.channel_id = c.channel_id
    where coalesce(c.quota, 0) <> coalesce(h.quota, 0)`,
  )

const LOGGED_HOURS = sql`
  (select hour, sum(logged_requests) as requests, sum(logged_quota) as quota from usage_hours group by hour) h
  full join (select created_at - created_at % 3600 as hour, count(*) as requests, sum(quota) as quota
    from logs where type in (2, 5) group by 1) l on l.hour = h.hour`

/** logged_requests of every hour = number of its log rows. */
export const compareLoggedRows = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'usage_hours',
    sql`
    select coalesce(h.hour, l.hour)::text as id, coalesce(h.requests, 0)::bigint as left, coalesce(l.requests, 0)::bigint as right
    from ${LOGGED_HOURS} where coalesce(h.requests, 0) <> coalesce(l.requests, 0)`,
  )

/** logged_quota of every hour = Σ of its log rows. */
export const compareLoggedQuota = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'usage_hours',
    sql`
    select coalesce(h.hour, l.hour)::text as id, coalesce(h.quota, 0)::bigint as left, coalesce(l.quota, 0)::bigint as right
    from ${LOGGED_HOURS} where coalesce(h.quota, 0) <> coalesce(l.quota, 0)`,
  )

/** Requests with more than one first terminal state, more than one correction, or a state that is none. */
export const compareStates = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    'logs',
    sql`
    select request_id as id, count(*) filter (where state <> 'late') as left, count(*) filter (where state = 'late') as right
    from logs where request_id <> '' group by request_id
    having count(*) filter (where state <> 'late') > 1 or count(*) filter (where state = 'late') > 1
      or bool_or(state not in ('settled', 'estimated', 'released', 'late'))`,
  )

async function compare(db: Db | Tx, table: string, question: ReturnType<typeof sql>): Promise<Comparison> {
  const { rows: counted } = await sql<{ looked: number }>`select count(*) as looked from ${sql.table(table)}`.execute(db)
  const { rows } = await sql<Mismatch>`${question} order by 1`.execute(db)
  return { looked: counted[0]?.looked ?? 0, mismatches: rows }
}

export type PricedLog = {
  readonly id: number
  readonly created_at: UnixSeconds
  readonly request_id: string
  readonly state: string
  readonly quota: Quota
  readonly usage: Usage
  readonly quote: Quote
}

/** Charged rows with what their price was made from, in key order; corrections are left out (they are differences). */
export function listPricedLogs(db: Db | Tx, after: { created_at: number; id: number }, limit: number): Promise<PricedLog[]> {
  return db
    .selectFrom('logs')
    .select(['id', 'created_at', 'request_id', 'state', 'quota', 'usage', 'quote'])
    .where('request_id', '<>', '')
    .where('state', 'in', ['settled', 'estimated', 'released'])
    .where('usage', 'is not', null)
    .where('quote', 'is not', null)
    .where((eb) =>
      eb.or([eb('created_at', '>', after.created_at), eb.and([eb('created_at', '=', after.created_at), eb('id', '>', after.id)])]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .$castTo<PricedLog>()
    .execute()
}

/** Ids of the users and their tokens in a shard, for the comparison with Redis. */
export async function listShardAccounts(db: Db | Tx, shard: number) {
  const users = await db
    .selectFrom('users')
    .select(['id', 'credited', 'spent', 'wallet_version as version'])
    .where('shard', '=', shard)
    .orderBy('id')
    .execute()
  const tokens = await db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.granted', 't.charged', 't.version'])
    .where('u.shard', '=', shard)
    .orderBy('t.id')
    .execute()
  return { users, tokens }
}

/** Shards that stand still, and events that could not be decoded. */
export async function countTroubles(db: Db | Tx): Promise<{ suspect: number[]; rejects: number }> {
  const suspect = await db.selectFrom('posting_cursors').select('shard').where('is_suspect', '=', true).orderBy('shard').execute()
  const { count } = await db
    .selectFrom('posting_rejects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { suspect: suspect.map((row) => row.shard), rejects: count }
}
