import { AppError } from '@tollgate/contracts/app-error'
import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { LogStore } from '../../log-store.ts'
import { reopenPeriods } from '../usage/usage-rollup.ts'
import { hasWaitingLogs } from '../ledger/log-outbox.ts'
import { partitionOf } from './log-months.ts'

/** The names of channels are in Postgres; null when the channel was deleted. */
export async function nameChannels<Row extends { readonly channel_id: number }>(
  db: Db | Tx,
  rows: readonly Row[],
): Promise<(Row & { readonly channel_name: string | null })[]> {
  const ids = [...new Set(rows.map((row) => row.channel_id))].filter((id) => id > 0)
  const found = ids.length === 0 ? [] : await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({ ...row, channel_name: names.get(row.channel_id) ?? null }))
}

/**
 * Deletes the rows of whole hours before a time, month after month, and sets the logged sums of these hours to 0. Safe to repeat. Returns
 * how many rows there were; fails while rows of that time wait for the store.
 */
export async function removeStoredLogs(db: Db | Tx, store: LogStore, before: UnixSeconds): Promise<number> {
  const until = before - (before % HOUR_SECONDS)
  if (await hasWaitingLogs(db, until)) throw new AppError('logs.store-away')
  const months = await store.sumBy({ until }, ['month'])
  for (const { month } of months.toSorted((a, b) => a.month.localeCompare(b.month))) {
    await store.removeBefore(Math.min(partitionOf(month).to, until))
  }
  await forgetLogged(db, until)
  return months.reduce((sum, { rows }) => sum + rows, 0)
}

async function forgetLogged(db: Db | Tx, until: UnixSeconds): Promise<void> {
  const { rows } = await sql<{ hour: UnixSeconds }>`
    select distinct hour from usage_hours where hour < ${until} and (logged_requests <> 0 or logged_quota <> 0)`.execute(db)
  const hours = rows.map(({ hour }) => hour)
  if (hours.length === 0) return
  const starts = (seconds: number) => toArray([...new Set(hours.map((hour) => hour - (hour % seconds)))], 'bigint')
  await sql`
    with opened as (${reopenPeriods({ hours: toArray(hours, 'bigint'), days: starts(DAY_SECONDS), weeks: starts(7 * DAY_SECONDS) })})
    update usage_hours set logged_requests = 0, logged_quota = 0
    where hour < ${until} and (logged_requests <> 0 or logged_quota <> 0)`.execute(db)
}
