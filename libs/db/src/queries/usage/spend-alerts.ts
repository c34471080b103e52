import { sql } from 'kysely'
import { UserStatus } from '@tollgate/contracts/enums'
import type { SpendPeriod } from '@tollgate/contracts/resources/spend-alerts'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { safeSum } from '../../safe-sum.ts'
import { listUserDays } from './user-usage.ts'

export type SpendAlertRow = {
  readonly id: number
  readonly user_id: number
  readonly token_id: number
  readonly token_name: string
  readonly period: SpendPeriod
  readonly threshold: Quota
  /** Time of the last notice; 0: never. */
  readonly notified_at: UnixSeconds
}

const select = (db: Db | Tx) =>
  db
    .selectFrom('spend_alerts as a')
    .leftJoin('tokens as t', 't.id', 'a.token_id')
    .select(['a.id', 'a.user_id', 'a.token_id', 'a.period', 'a.threshold', 'a.told_at as notified_at'])
    .select((eb) => eb.fn.coalesce('t.name', sql<string>`''`).as('token_name'))
    // The column's check allows the periods only.
    .$castTo<SpendAlertRow>()

export function listSpendAlerts(db: Db | Tx, user_id: number): Promise<SpendAlertRow[]> {
  return select(db).where('a.user_id', '=', user_id).orderBy('a.token_id').orderBy('a.id').execute()
}

type NewAlert = Pick<SpendAlertRow, 'user_id' | 'token_id' | 'period' | 'threshold'>

/** Sets the threshold for this subject and period. A new threshold can be notified again in the running period. */
export async function saveSpendAlert(tx: Tx, alert: NewAlert): Promise<void> {
  await sql`
    insert into spend_alerts as a (user_id, token_id, period, threshold) values (${alert.user_id}, ${alert.token_id}, ${alert.period}, ${alert.threshold})
    on conflict (user_id, token_id, period) do update set threshold = excluded.threshold, told_start = 0
    where a.threshold <> excluded.threshold`.execute(tx)
}

export async function removeSpendAlert(db: Db | Tx, { id, user_id }: { readonly id: number; readonly user_id: number }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('spend_alerts').where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return numDeletedRows === 1n
}

type Due = {
  /** Start of the running period of each kind. */
  readonly starts: Readonly<Record<SpendPeriod, UnixSeconds>>
  /** Only of users with usage since then. */
  readonly activeSince: UnixSeconds
  /** Only alerts with a greater id. */
  readonly after: number
  readonly limit: number
}

/** Alerts without a notice in the running period, in the order of their ids. */
export function listDueSpendAlerts(db: Db, { starts, activeSince, after, limit }: Due): Promise<SpendAlertRow[]> {
  return select(db)
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .where('a.id', '>', after)
    .where('u.status', '=', UserStatus.enabled)
    .where('u.deleted_at', 'is', null)
    .where(
      sql<boolean>`a.told_start < case a.period when 'day' then ${starts.day}::bigint when 'week' then ${starts.week}::bigint else ${starts.month}::bigint end`,
    )
    .where(sql<boolean>`exists (select from usage_hours h where h.user_id = a.user_id and h.hour >= ${activeSince})`)
    .orderBy('a.id')
    .limit(limit)
    .execute()
}

/** Charges of an account, or of one of its tokens, since the start of a day. */
export async function sumSpending(
  tx: Tx,
  { user_id, token_id, from }: { readonly user_id: number; readonly token_id: number; readonly from: UnixSeconds },
): Promise<Quota> {
  if (token_id === 0) {
    const days = await listUserDays(tx, { user_id, from, until: Number.MAX_SAFE_INTEGER })
    return days.reduce((sum, { quota }) => sum + quota, 0)
  }
  const { rows } = await sql<{ quota: Quota }>`
    select ${safeSum(sql`quota`)} as quota from usage_hours
    where user_id = ${user_id} and token_id = ${token_id} and hour >= ${from}`.execute(tx)
  return rows[0]?.quota ?? 0
}

/** Takes the one notice of this period; false: another worker has taken it, or the alert has changed or gone. */
export async function takeSpendAlert(
  tx: Tx,
  { id, threshold, start, now }: { readonly id: number; readonly threshold: Quota; readonly start: UnixSeconds; readonly now: UnixSeconds },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('spend_alerts')
    .set({ told_start: start, told_at: now })
    .where('id', '=', id)
    .where('threshold', '=', threshold)
    .where('told_start', '<', start)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
