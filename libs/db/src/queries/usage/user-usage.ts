import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { logStoreOf } from '../../log-store.ts'
import { safeSum } from '../../safe-sum.ts'
import { rangesNotRolledUp, rolledUpSpan, type Span } from '../../spans.ts'
import { findRolledUp } from './usage-rollup.ts'

/** Cost of one user's requests on one day (UTC), and the number of charged ones. */
export type UserDay = { readonly day: UnixSeconds; readonly quota: Quota; readonly requests: number }

/** The days on which a user had requests or charges, oldest first: from the sums of rolled-up days, from the hours of the others. */
export async function listUserDays(tx: Tx, { user_id, from, until }: Span & { readonly user_id: number }): Promise<UserDay[]> {
  const rolledUp = await findRolledUp(tx, 'day')
  const inside = rolledUpSpan({ from, until }, rolledUp, 'day')
  const fine = rangesNotRolledUp({ from, until }, rolledUp, 'day').map(
    (span) => sql`
      union all select hour - hour % 86400, quota, ${charged} from usage_hours
      where user_id = ${user_id} and hour >= ${span.from} and hour < ${span.until}`,
  )
  const { rows } = await sql<UserDay>`
    select day, ${safeSum(sql`quota`)} as quota, sum(requests)::bigint as requests from (
      select start as day, quota, ${charged} as requests from usage_totals
      where cut = 'user' and subject = ${String(user_id)} and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${toArray(rolledUp.open, 'bigint')})
      ${sql.join(fine, sql` `)}) as part
    group by day having sum(requests) > 0 or sum(quota) <> 0 order by day`.execute(tx)
  return rows
}

/** When the newest logged request of a user ended. */
export async function findLastRequestTime(tx: Tx, userId: number): Promise<UnixSeconds | undefined> {
  const types = [LogType.consume, LogType.error] as const
  const store = logStoreOf(tx)
  if (store !== undefined) {
    const found = await store.select({ columns: ['created_at'], order: 'newest', limit: 1, filter: { user_id: userId }, types })
    return found[0]?.created_at
  }
  const row = await tx
    .selectFrom('logs')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('type', 'in', types)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Failed requests are free: the account's own counter does not have them either. */
const charged = sql`case when type = ${sql.lit(LogType.error)} then 0 else requests end`

type UserPage = Span & { /** The last id of the page before. */ readonly after: number; readonly limit: number }

/** Users with requests or charges in a span, deleted ones included, in the order of their ids. */
export async function listUsersWithUsage(tx: Tx, { from, until, after, limit }: UserPage): Promise<number[]> {
  const rows = await tx
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '>', after)
    .where(sql<boolean>`exists (select from usage_hours h where h.user_id = u.id and h.hour >= ${from} and h.hour < ${until})`)
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
