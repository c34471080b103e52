import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import { sql, type RawBuilder } from 'kysely'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { logStoreOf, type LogStore } from '../../log-store.ts'
import {
  compareStoredHours,
  compareStoredKeys,
  compareStoredKinds,
  compareStoredRefunds,
  compareStoredStates,
  compareStoredTasks,
  countStoredRequests,
  ON_THEIR_WAY_S,
} from './verify-stored.ts'

/** Checks of the ledger's sums (promise L4, docs/ledger.md). Each returns the values that differ and how many were checked. */
export type Mismatch = { readonly id: string; readonly left: string; readonly right: string }
export type Comparison = {
  readonly compared: number
  readonly differences: number
  /** The first ten. */
  readonly mismatches: readonly Mismatch[]
}

const SHOWN = 10

/** Lets the statements of this transaction sort a million rows without temporary files. */
export async function allowLargeSorts(tx: Tx): Promise<void> {
  await sql`set local work_mem = '48MB'`.execute(tx)
}

/** credited = Σ wallet entries, for every user. */
export const compareCredited = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from users`,
    sql`
    select coalesce(u.id, e.user_id) as id, coalesce(u.credited, 0) as left, coalesce(e.amount, 0) as right
    from users u full join (select user_id, sum(amount) as amount from wallet_entries group by user_id) e on e.user_id = u.id
    where coalesce(u.credited, 0) <> coalesce(e.amount, 0)`,
  )

/**
 * Invites, all earnings, and the pending ones, which are what was earned less what was moved to the balance; for every user. Each value that
 * differs is a mismatch.
 */
export const compareInvites = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from users`,
    sql`
    with expected as (
      select u.id, u.aff_count, u.aff_history, u.aff_quota, coalesce(r.count, 0) as count, coalesce(r.amount, 0) as earned,
        coalesce(m.amount, 0) as moved
      from users u
      left join (select inviter_id, count(*) as count, sum(amount) as amount from invite_rewards group by inviter_id) r on r.inviter_id = u.id
      left join (select user_id, sum(amount) as amount from wallet_entries where kind = 'transfer' group by user_id) m on m.user_id = u.id
    )
    select id || ', invites' as id, aff_count as left, count as right from expected where aff_count <> count
    union all select id || ', earned', aff_history, earned from expected where aff_history <> earned
    union all select id || ', pending', aff_quota, earned - moved from expected where aff_quota <> earned - moved`,
  )

/** Refunded = Σ wallet entries of the task, and all of its charge after a failure or expiry, nothing while it is open; for every posted task. */
export const compareTasks = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from tasks where is_posted`,
    sql`
    with expected as (
      select t.task_id as id, t.refunded, coalesce(e.amount, 0) as booked,
        case when t.state in ('failure', 'expired') then t.quota when t.state = 'success' then least(t.refunded, t.quota) else 0 end as owed
      from tasks t
      left join (
        select split_part(reference, ':', 2) as task_id, sum(amount) as amount from wallet_entries
        where kind = 'refund' and reference like 'task:%' group by 1
      ) e on e.task_id = t.task_id
      where t.is_posted
    )
    select id || ', booked' as id, refunded as left, booked as right from expected where refunded <> booked
    union all select id || ', owed', refunded, owed from expected where refunded <> owed`,
  )

/**
 * Tasks older than `before` whose charge was never posted, although their request has log rows (right: their quota): their refund would
 * fail. The others that were looked at cost nothing, as after a usage event that was lost with a Redis store.
 */
export async function compareUnpostedTasks(db: Db | Tx, before: UnixMillis): Promise<Comparison> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const late = db.selectFrom('tasks').select(['task_id', 'request_id']).where('is_posted', '=', false).where('submit_time', '<', before)
    return await compareStoredTasks(store, await late.execute())
  }
  const unposted = sql`from tasks t where not t.is_posted and t.submit_time < ${before}`
  // The index on request_id leaves rows without one out.
  const logged = sql`(select sum(l.quota) from logs l where l.request_id = t.request_id and l.request_id <> '')`
  return await compare(
    db,
    sql`select count(*) ${unposted}`,
    sql`select id, "left", "right" from (select t.task_id as id, 0 as "left", ${logged} as "right" ${unposted}) as task where "right" is not null`,
  )
}

/** spent − refunded = Σ rollup, for every user: what failed tasks gave back is no use in any sum. */
export const compareSpent = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from users`,
    sql`
    select coalesce(u.id, h.user_id) as id, coalesce(u.spent - u.refunded, 0) as left, coalesce(h.quota, 0) as right
    from users u full join (select user_id, sum(quota) as quota from usage_hours group by user_id) h on h.user_id = u.id
    where coalesce(u.spent - u.refunded, 0) <> coalesce(h.quota, 0)`,
  )

/** refunded = Σ wallet entries of failed tasks, for every user. */
export const compareRefunded = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from users`,
    sql`
    select coalesce(u.id, e.user_id) as id, coalesce(u.refunded, 0) as left, coalesce(e.amount, 0) as right
    from users u full join (
      select user_id, sum(amount) as amount from wallet_entries where kind = 'refund' and reference like 'task:%' group by user_id
    ) e on e.user_id = u.id
    where coalesce(u.refunded, 0) <> coalesce(e.amount, 0)`,
  )

/** Rows of a token and channel for a task's request, less its refunds = Σ of its rows, for every task whose rows are logged. */
export const compareRefundRows = (db: Db | Tx, now: UnixSeconds): Promise<Comparison> =>
  compareLogs(
    db,
    (store) => compareStoredRefunds(db, store, now),
    sql`select count(*) from logs where state = ${REFUNDED}`,
    sql`
    select t.task_id as id, t.quota - t.refunded as left, r.quota as right
    from tasks t
    join lateral (
      select sum(l.quota) as quota, bool_or(l.state = ${REFUNDED}) as has_refund, bool_or(l.state <> ${REFUNDED}) as has_charge
      from logs l where l.request_id = t.request_id and l.request_id <> '' and l.type <> ${LogType.refused}
    ) r on true
    where t.refunded > 0 and r.has_refund and r.has_charge and t.quota - t.refunded <> r.quota`,
  )

/** granted = Σ grants, for every token. */
export const compareGranted = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from tokens`,
    sql`
    select coalesce(t.id, g.token_id) as id, coalesce(t.granted, 0) as left, coalesce(g.amount, 0) as right
    from tokens t full join (select token_id, sum(amount) as amount from token_grants group by token_id) g on g.token_id = t.id
    where coalesce(t.granted, 0) <> coalesce(g.amount, 0)`,
  )

/** charged = Σ rollup of what was held from the token. */
export const compareCharged = (db: Db | Tx): Promise<Comparison> => compareTokens(db, 'charged', 'token_quota')

/** used_quota = Σ rollup of everything the token caused. */
export const compareTokenUse = (db: Db | Tx): Promise<Comparison> => compareTokens(db, 'used_quota', 'quota')

const compareTokens = (db: Db | Tx, kept: 'charged' | 'used_quota', summed: 'token_quota' | 'quota'): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from tokens`,
    sql`
    select coalesce(t.id, h.token_id) as id, coalesce(t.${sql.ref(kept)}, 0) as left, coalesce(h.quota, 0) as right
    from tokens t full join (
      select token_id, sum(${sql.ref(summed)}) as quota from usage_hours where token_id > 0 group by token_id) h on h.token_id = t.id
    where coalesce(t.${sql.ref(kept)}, 0) <> coalesce(h.quota, 0)`,
  )

/** Σ of a channel's rows per shard = Σ rollup. */
export const compareChannels = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(distinct channel_id) from channel_usage`,
    sql`
    select coalesce(c.channel_id, h.channel_id) as id, coalesce(c.quota, 0) as left, coalesce(h.quota, 0) as right
    from (select channel_id, sum(used_quota) as quota from channel_usage group by channel_id) c
    full join (select channel_id, sum(quota) as quota from usage_hours where channel_id > 0 group by channel_id) h on h.channel_id = c.channel_id
    where coalesce(c.quota, 0) <> coalesce(h.quota, 0)`,
  )

/** logged_requests and logged_quota of every hour = number and Σ of its log rows, per user; each of the two that differs is a mismatch. */
export const compareLogged = (db: Db | Tx, now: UnixSeconds = Math.floor(Date.now() / 1000)): Promise<Comparison> =>
  compareLogs(
    db,
    (store) => compareStoredHours(db, store, now),
    sql`select count(distinct hour) from usage_hours`,
    sql`
    with differing as materialized (
      select coalesce(h.hour, l.hour) || ' of user ' || coalesce(h.user_id, l.user_id) as id, coalesce(h.requests, 0) as kept_requests,
        coalesce(l.requests, 0) as requests, coalesce(h.quota, 0) as kept_quota, coalesce(l.quota, 0) as quota
      from (
        select hour, user_id, sum(logged_requests) as requests, sum(logged_quota) as quota from usage_hours group by hour, user_id
      ) h
      full join (
        select created_at - created_at % 3600 as hour, user_id, count(*) as requests, sum(quota) as quota
        from logs group by 1, 2
      ) l on l.hour = h.hour and l.user_id = h.user_id
      where coalesce(h.requests, 0) <> coalesce(l.requests, 0) or coalesce(h.quota, 0) <> coalesce(l.quota, 0)
    )
    select id || ', requests' as id, kept_requests as left, requests as right from differing where kept_requests <> requests
    union all select id || ', quota', kept_quota, quota from differing where kept_quota <> quota`,
  )

/** The number of log rows that are requests, which compareStates and compareKinds check. */
export async function countRequests(db: Db | Tx): Promise<number> {
  const store = logStoreOf(db)
  if (store !== undefined) return await countStoredRequests(store)
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from logs where request_id <> '' and type <> ${LogType.refused}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Requests with more than one first terminal state (left) or more than one correction (right). */
export const compareStates = (db: Db | Tx, requests: number): Promise<Comparison> =>
  compareLogs(
    db,
    (store) => compareStoredStates(store, requests),
    sql`select ${requests}::bigint`,
    sql`
    select request_id as id, count(*) filter (where state not in ('late', ${REFUNDED})) as left, count(*) filter (where state = 'late') as right
    from logs where request_id in (select request_id from logs where request_id <> '' and type <> ${LogType.refused} group by request_id having count(*) > 1)
    group by request_id
    having count(*) filter (where state not in ('late', ${REFUNDED})) > 1 or count(*) filter (where state = 'late') > 1`,
  )

/**
 * Rows of requests whose state is unknown or does not fit their type, or that lack the usage or quote to recompute their charge. A
 * refused request has no state and cost nothing.
 */
export const compareKinds = (db: Db | Tx, requests: number): Promise<Comparison> =>
  compareLogs(
    db,
    (store) => compareStoredKinds(store, requests),
    sql`select ${requests}::bigint`,
    sql`
    select request_id || ' (' || state || ')' as id, type as left, quota as right from logs
    where request_id <> '' and case when type = ${LogType.refused} then state <> '' or quota <> 0
      when state = ${REFUNDED} then type <> ${LogType.consume} or quota >= 0
      else state not in ('settled', 'estimated', 'released', 'late') or (state = 'released') <> (type = 5)
        or event is null and (usage is null or quote is null) end`,
  )

/** Usage keys are deleted after 35 days, a whole day at a time. */
const KEY_DAYS = 33

/** Recent rows whose charge (left) differs from the charge in their usage key (right; −1: no key). */
export const compareKeys = (db: Db | Tx, now: UnixSeconds): Promise<Comparison> =>
  compareLogs(
    db,
    (store) => compareStoredKeys(db, store, { since: now - KEY_DAYS * 86_400, until: now - ON_THEIR_WAY_S }),
    sql`select count(*) from usage_keys`,
    sql`
    select l.request_id || ' (' || l.state || ')' as id, l.quota as left, coalesce(k.charge, -1) as right
    from logs l left join usage_keys k on k.day = left(l.request_id, 8)::int and k.request_id = l.request_id
      and k.kind = case l.state when 'late' then 'late' else 'final' end
    where l.request_id ~ '^[0-9]{8}' and l.type <> ${LogType.refused} and l.state <> ${REFUNDED} and l.created_at > ${now - KEY_DAYS * 86_400} and (k.charge is null or k.charge <> l.quota)`,
  )

/** Spent in a window = Σ charges of the requests that it counted, for every window whose requests are all still known. */
export const compareBudgets = (db: Db | Tx, now: UnixSeconds): Promise<Comparison> => {
  const known = sql`window_start > ${now - KEY_DAYS * 86_400}`
  return compare(
    db,
    sql`select count(*) from budget_windows where ${known}`,
    sql`
    with counted as (
      select part[1]::bigint as budget_id, k.user_id, part[2]::bigint as window_start, sum(k.charge) as charge
      from usage_keys k cross join lateral regexp_matches(k.budgets, '[wt]([0-9]+):([0-9]+):', 'g') part
      where k.budgets is not null group by 1, 2, 3
    )
    select coalesce(w.budget_id, c.budget_id) || ' of user ' || coalesce(w.user_id, c.user_id) || ' from ' || coalesce(w.window_start, c.window_start) as id,
      coalesce(w.spent, 0) as left, coalesce(c.charge, 0) as right
    from (select * from budget_windows where ${known}) w
    full join (select * from counted where ${known}) c on c.budget_id = w.budget_id and c.user_id = w.user_id and c.window_start = w.window_start
    where coalesce(w.spent, 0) <> coalesce(c.charge, 0)`,
  )
}

/** Corrections without a first terminal state. */
export const compareCorrections = (db: Db | Tx): Promise<Comparison> =>
  compare(
    db,
    sql`select count(*) from usage_keys where kind = 'late'`,
    sql`
    select k.request_id as id, k.charge as left, 0 as right from usage_keys k where k.kind = 'late' and not exists (
      select from usage_keys f where f.day = k.day and f.request_id = k.request_id and f.kind = 'final')`,
  )

/** Asks a log store about its rows, and Postgres where there is none. */
async function compareLogs(
  db: Db | Tx,
  compareStored: (store: LogStore) => Promise<Comparison>,
  size: RawBuilder<unknown>,
  question: RawBuilder<unknown>,
): Promise<Comparison> {
  const store = logStoreOf(db)
  return store === undefined ? await compare(db, size, question) : await compareStored(store)
}

async function compare(db: Db | Tx, size: RawBuilder<unknown>, question: RawBuilder<unknown>): Promise<Comparison> {
  const { rows: counted } = await sql<{ compared: number }>`select (${size}) as compared`.execute(db)
  const { rows } = await sql<Mismatch & { total: number }>`
    select id::text, "left"::text, "right"::text, count(*) over () as total from (${question}) as found order by 1 limit ${SHOWN}`.execute(
    db,
  )
  return { compared: counted[0]?.compared ?? 0, differences: rows[0]?.total ?? 0, mismatches: rows }
}

/** Shards whose posting is stopped, events that could not be decoded, and account changes that are overdue in Redis. */
export async function countProblems(
  db: Db | Tx,
  before: UnixSeconds,
): Promise<{ suspect: number[]; rejects: number; overdue: { id: number; subject: string; subject_id: number }[] }> {
  const suspect = await db.selectFrom('posting_cursors').select('shard').where('is_suspect', '=', true).orderBy('shard').execute()
  const { count } = await db
    .selectFrom('posting_rejects')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const overdue = await db
    .selectFrom('ledger_outbox')
    .select(['id', 'subject', 'subject_id'])
    .where('done_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  return { suspect: suspect.map((row) => row.shard), rejects: count, overdue }
}
