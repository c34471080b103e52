import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { Contradictions, LogCondition, LogCursor, LogStore } from '../../log-store.ts'
import type { Span } from '../../spans.ts'
import type { Comparison, Mismatch } from './verify.ts'

const SHOWN = 10
const PAGE = 10_000
/** Rows that are so new may be in the store and not yet in the snapshot that the verifier reads. */
export const ON_THEIR_WAY_S = 600
/** Rows that are checked by one query: those of a page in time, or of requests whose ids the store keeps in memory to count them. */
const CHECKED_AT_ONCE = 500_000
const GROUPED_AT_ONCE = 2_000_000

const toComparison = (compared: number, found: readonly Mismatch[]): Comparison => ({
  compared,
  differences: found.length,
  mismatches: found.toSorted((a, b) => a.id.localeCompare(b.id)).slice(0, SHOWN),
})

/** Hours that are compared by one query on each side: no limit of time or memory depends on how many rows there are in all. */
const COMPARED_AT_ONCE_S = 7 * DAY_SECONDS

/**
 * The sums of hours against the rows of a log store, week after week. Hours from that of the oldest row that waits, or of the last ten
 * minutes, are left out: their rows are on their way.
 */
export async function compareStoredHours(tx: Db | Tx, store: LogStore, now: UnixSeconds): Promise<Comparison> {
  const cut = await findCut(tx, now)
  const end = cut - (cut % HOUR_SECONDS)
  const found: Mismatch[] = []
  let compared = 0
  for (let from = await findNextHour(tx, store, 0); from < end;) {
    const until = Math.min(from + COMPARED_AT_ONCE_S, end)
    const week = await compareSpan(tx, store, { from, until })
    compared += week.compared
    found.push(...week.found)
    from = await findNextHour(tx, store, until)
  }
  return toComparison(compared, found)
}

/** The first hour from a time on that has sums or rows; infinite: none has. */
async function findNextHour(tx: Db | Tx, store: LogStore, from: UnixSeconds): Promise<UnixSeconds> {
  const { rows } = await sql<{ hour: UnixSeconds | null }>`select min(hour) as hour from usage_hours where hour >= ${from}`.execute(tx)
  const [row] = await store.select({ columns: ['created_at'], order: 'oldest', limit: 1, filter: { from } })
  const stored = row === undefined ? Infinity : row.created_at - (row.created_at % HOUR_SECONDS)
  return Math.min(rows[0]?.hour ?? Infinity, stored)
}

type Compared = { readonly compared: number; readonly found: readonly Mismatch[] }

async function compareSpan(tx: Db | Tx, store: LogStore, { from, until }: Span): Promise<Compared> {
  const kept = new Map<string, readonly [requests: number, quota: number]>()
  const { rows } = await sql<{ hour: number; user_id: number; requests: number; quota: number }>`
    select hour, user_id, sum(logged_requests)::bigint as requests, sum(logged_quota)::bigint as quota from usage_hours
    where hour >= ${from} and hour < ${until} group by 1, 2`.execute(tx)
  for (const { hour, user_id, requests, quota } of rows) kept.set(`${hour} of user ${user_id}`, [requests, quota])
  const stored = await store.sumBy({ filter: { from }, until }, ['hour', 'user_id'])
  const found: Mismatch[] = []
  const differ = (id: string, left: number, right: number): void => {
    if (left !== right) found.push({ id, left: String(left), right: String(right) })
  }
  for (const { hour, user_id, rows: requests, quota } of stored) {
    const id = `${hour} of user ${user_id}`
    const [keptRequests, keptQuota] = kept.get(id) ?? [0, 0]
    differ(`${id}, requests`, keptRequests, requests)
    differ(`${id}, quota`, keptQuota, quota)
    kept.delete(id)
  }
  for (const [id, [requests, quota]] of kept) {
    differ(`${id}, requests`, requests, 0)
    differ(`${id}, quota`, quota, 0)
  }
  return { compared: new Set(rows.map(({ hour }) => hour)).size, found }
}

/** The time before which everything is in the snapshot and in the store. */
async function findCut(tx: Db | Tx, now: UnixSeconds): Promise<UnixSeconds> {
  const waiting = await tx
    .selectFrom('log_outbox')
    .select((eb) => eb.fn.min<number | null>('first_at').as('first'))
    .executeTakeFirst()
  return Math.min(now - ON_THEIR_WAY_S, waiting?.first ?? now)
}

type Charged = { readonly request_id: string; readonly state: string; readonly quota: number }

/** Rows of a log store in a time whose charge (left) differs from the charge in their usage key (right; −1: no key). */
export async function compareStoredKeys(
  tx: Db | Tx,
  store: LogStore,
  { since, until }: { readonly since: UnixSeconds; readonly until: UnixSeconds },
): Promise<Comparison> {
  const found: Mismatch[] = []
  let compared = 0
  let after = { created_at: since, id: 0 }
  for (;;) {
    const rows = await store.select({
      columns: ['id', 'created_at', 'type', 'request_id', 'state', 'quota'],
      ...({ order: 'oldest', limit: PAGE, after, until, has: ['request_id'], notStates: [REFUNDED] } as const),
    })
    const last = rows.at(-1)
    if (last === undefined) return toComparison(compared, found)
    const charged = rows
      .filter(({ type, request_id }) => type !== LogType.refused && /^\d{8}/.test(request_id))
      .map(({ request_id, state, quota }): Charged => ({ request_id, state, quota }))
    compared += charged.length
    if (charged.length > 0) found.push(...(await listWithoutKey(tx, charged)))
    after = last
  }
}

async function listWithoutKey(tx: Db | Tx, charged: readonly Charged[]): Promise<Mismatch[]> {
  const { rows } = await sql<Mismatch>`
    select x.request_id || ' (' || x.state || ')' as id, x.quota::text as left, coalesce(k.charge, -1)::text as right
    from ${tableOf(charged, { request_id: 'text', state: 'text', quota: 'bigint' })}
    left join usage_keys k on k.day = left(x.request_id, 8)::int and k.request_id = x.request_id
      and k.kind = case x.state when 'late' then 'late' else 'final' end
    where k.charge is null or k.charge <> x.quota`.execute(tx)
  return rows
}

type Unposted = { readonly task_id: string; readonly request_id: string }

/** Unposted tasks whose request has rows in a log store (right: their quota). */
export async function compareStoredTasks(store: LogStore, unposted: readonly Unposted[]): Promise<Comparison> {
  const quotas = new Map<string, number>()
  const ids = unposted.map(({ request_id }) => request_id).filter((id) => id !== '')
  for (let start = 0; start < ids.length; start += 1000) {
    const request_ids = ids.slice(start, start + 1000)
    const rows = await store.select({ columns: ['request_id', 'quota'], order: 'oldest', limit: PAGE, request_ids })
    for (const { request_id, quota } of rows) quotas.set(request_id, (quotas.get(request_id) ?? 0) + quota)
  }
  const found = unposted.flatMap(({ task_id, request_id }) => {
    const quota = quotas.get(request_id)
    return quota === undefined ? [] : [{ id: task_id, left: '0', right: String(quota) }]
  })
  return toComparison(unposted.length, found)
}

export async function countStoredRequests(store: LogStore): Promise<number> {
  const has = ['request_id'] as const
  return (await store.count({ has })) - (await store.count({ has, types: [LogType.refused] }))
}

/** Requests of a log store with more than one first terminal state (left) or more than one correction (right). */
export async function compareStoredStates(store: LogStore, requests: number): Promise<Comparison> {
  const one_in = Math.max(1, Math.ceil(requests / GROUPED_AT_ONCE))
  const found: Contradictions[] = []
  for (let offset = 0; offset < one_in; offset += 1) found.push(await store.findRepeatedStates({ one_in, offset }))
  return merged(requests, found)
}

/** Rows of a log store whose state does not fit their type, or that lack usage or quote, page after page in time. */
export async function compareStoredKinds(store: LogStore, requests: number): Promise<Comparison> {
  const found: Contradictions[] = []
  let after: LogCursor = { created_at: 0, id: 0 }
  for (;;) {
    const [next] = await store.select({ columns: ['created_at', 'id'], order: 'oldest', limit: 1, offset: CHECKED_AT_ONCE, after })
    found.push(await store.findUnfitRows({ after, ...(next === undefined ? {} : { before: next }) }))
    if (next === undefined) return merged(requests, found)
    after = { ...next, id: next.id - 1 }
  }
}

function merged(compared: number, found: readonly Contradictions[]): Comparison {
  const { mismatches } = toComparison(
    compared,
    found.flatMap(({ first }) => first),
  )
  return { compared, differences: found.reduce((sum, { total }) => sum + total, 0), mismatches }
}

/** Tasks whose kept charge (left) is not the sum of the rows of their request in a log store (right), where both kinds of rows are there. */
export async function compareStoredRefunds(tx: Db | Tx, store: LogStore, now: UnixSeconds): Promise<Comparison> {
  const cut = (await findCut(tx, now)) * 1000
  const refunded = await tx
    .selectFrom('tasks')
    .select(['task_id', 'request_id', 'submit_time', (eb) => eb('quota', '-', eb.ref('refunded')).as('kept')])
    .where('refunded', '>', 0)
    .where('request_id', '<>', '')
    .where('updated_at', '<', cut)
    .orderBy('submit_time')
    .execute()
  const found: Mismatch[] = []
  for (let start = 0; start < refunded.length; start += 1000) {
    const tasks = refunded.slice(start, start + 1000)
    const from = Math.floor((tasks[0]?.submit_time ?? 0) / 1000) - HOUR_SECONDS
    const sums = await sumRequests(store, { request_ids: tasks.map(({ request_id }) => request_id), filter: { from } })
    for (const { task_id, request_id, kept } of tasks) {
      const sum = sums.get(request_id)
      if (sum?.hasRefund !== true || !sum.hasCharge || sum.quota === kept) continue
      found.push({ id: task_id, left: String(kept), right: String(sum.quota) })
    }
  }
  return toComparison(await store.count({ states: [REFUNDED] }), found)
}

type RequestSum = { readonly quota: number; readonly hasRefund: boolean; readonly hasCharge: boolean }

async function sumRequests(store: LogStore, condition: LogCondition): Promise<Map<string, RequestSum>> {
  const sums = new Map<string, RequestSum>()
  let after: LogCursor = { created_at: 0, id: 0 }
  for (;;) {
    const columns = ['id', 'created_at', 'request_id', 'state', 'quota'] as const
    const rows = await store.select({ ...condition, columns, order: 'oldest', limit: PAGE, after, has: ['state'] })
    for (const { request_id, state, quota } of rows) {
      const { quota: sum, hasRefund, hasCharge } = sums.get(request_id) ?? { quota: 0, hasRefund: false, hasCharge: false }
      const isRefund = state === REFUNDED
      sums.set(request_id, { quota: sum + quota, hasRefund: hasRefund || isRefund, hasCharge: hasCharge || !isRefund })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return sums
    after = last
  }
}
