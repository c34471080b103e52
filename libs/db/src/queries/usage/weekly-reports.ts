import { sql } from 'kysely'
import { UserStatus } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import type { Span } from '../../spans.ts'

/** The row of user 0 says that a week is done. */
const ALL = 0

export async function isWeekReported(db: Db, week: UnixSeconds): Promise<boolean> {
  const row = await db.selectFrom('weekly_reports').select('week').where('user_id', '=', ALL).where('week', '=', week).executeTakeFirst()
  return row !== undefined
}

export async function markWeekReported(db: Db, week: UnixSeconds): Promise<void> {
  await db
    .insertInto('weekly_reports')
    .values({ user_id: ALL, week })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Page = Span & { readonly after: number; readonly limit: number }

/** Users with requests in a week that were not reported to, in the order of their ids. */
export async function listUsersToReport(db: Db, { from, until, after, limit }: Page): Promise<number[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', '>', after)
    .where('u.status', '=', UserStatus.enabled)
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`exists (select from usage_hours h where h.user_id = u.id and h.hour >= ${from} and h.hour < ${until})`)
    .where(sql<boolean>`not exists (select from weekly_reports r where r.user_id = u.id and r.week = ${from})`)
    .orderBy('u.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes the report of a user's week; false: it was taken before. In the transaction that queues it. */
export async function takeWeeklyReport(tx: Tx, { user_id, week }: { user_id: number; week: UnixSeconds }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('weekly_reports')
    .values({ user_id, week })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
