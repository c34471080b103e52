import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import { HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { LogStore } from '../../log-store.ts'
import type { Comparison, Mismatch } from './verify.ts'

const SHOWN = 10
const PAGE = 10_000

/** Rows that are not compared because they are in a log store. */
export const NOT_COMPARED: Comparison = { compared: 0, differences: 0, mismatches: [] }

const toComparison = (compared: number, found: readonly Mismatch[]): Comparison => ({
  compared,
  differences: found.length,
  mismatches: found.toSorted((a, b) => a.id.localeCompare(b.id)).slice(0, SHOWN),
})

/**
 * The sums of hours against the rows of a log store, month after month. Hours from that of the oldest row that waits, or of the last ten
 * minutes, are left out: their rows are on their way.
 */
export async function compareStoredHours(tx: Db | Tx, store: LogStore, now: UnixSeconds): Promise<Comparison> {
  const waiting = await tx
    .selectFrom('log_outbox')
    .select((eb) => eb.fn.min<number | null>('first_at').as('first'))
    .executeTakeFirst()
  const cut = Math.min(now - 600, waiting?.first ?? now)
  const until = cut - (cut % HOUR_SECONDS)
  const kept = new Map<string, readonly [requests: number, quota: number]>()
  const { rows } = await sql<{ hour: number; user_id: number; requests: number; quota: number }>`
    select hour, user_id, sum(logged_requests)::bigint as requests, sum(logged_quota)::bigint as quota from usage_hours
    where hour < ${until} group by 1, 2`.execute(tx)
  for (const { hour, user_id, requests, quota } of rows) kept.set(`${hour} of user ${user_id}`, [requests, quota])
  const stored = await store.sumBy({ until }, ['hour', 'user_id'])
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
  return toComparison(new Set(rows.map(({ hour }) => hour)).size, found)
}

type Charged = { readonly request_id: string; readonly state: string; readonly quota: number }

/** Rows of a log store since a time whose charge (left) differs from the charge in their usage key (right; −1: no key). */
export async function compareStoredKeys(tx: Db | Tx, store: LogStore, since: UnixSeconds): Promise<Comparison> {
  const found: Mismatch[] = []
  let compared = 0
  let after = { created_at: since, id: 0 }
  for (;;) {
    const rows = await store.select({
      columns: ['id', 'created_at', 'type', 'request_id', 'state', 'quota'],
      ...({ order: 'oldest', limit: PAGE, after, has: ['request_id'], notStates: [REFUNDED] } as const),
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
