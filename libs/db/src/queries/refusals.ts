import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../columns.ts'
import type { Db, Tx } from '../connect.ts'
import { safeSum } from '../safe-sum.ts'

/** The id of the last applied batch, locked; undefined while another worker applies batches. */
export async function lockRefusalCursor(tx: Tx): Promise<string | undefined> {
  const row = await tx.selectFrom('refusal_cursor').select('last_id').forUpdate().skipLocked().executeTakeFirst()
  return row?.last_id
}

export async function updateRefusalCursor(tx: Tx, last_id: string): Promise<void> {
  await tx.updateTable('refusal_cursor').set({ last_id }).execute()
}

export type RefusalMinute = { readonly minute: UnixSeconds; readonly token_id: number; readonly reason: string; readonly listed: number }

/** The rows that tokens got in these minutes. */
export async function listRefusalMinutes(tx: Tx, minutes: readonly UnixSeconds[]): Promise<RefusalMinute[]> {
  const { rows } = await sql<RefusalMinute>`
    select minute, token_id, reason, listed from refusal_minutes where minute = any(${toArray(minutes, 'bigint')})`.execute(tx)
  return rows
}

const MINUTE_COLUMNS: ColumnTypes<RefusalMinute> = { minute: 'bigint', token_id: 'bigint', reason: 'text', listed: 'bigint' }

/** Adds rows of a minute, and deletes minutes before `oldest`. */
export async function addRefusalMinutes(tx: Tx, rows: readonly RefusalMinute[], oldest: UnixSeconds): Promise<void> {
  await tx.deleteFrom('refusal_minutes').where('minute', '<', oldest).execute()
  if (rows.length === 0) return
  await sql`
    insert into refusal_minutes as m (${columnsOf(MINUTE_COLUMNS)}) select * from ${tableOf(rows, MINUTE_COLUMNS)}
    on conflict (minute, token_id, reason) do update set listed = m.listed + excluded.listed`.execute(tx)
}

export type RefusalHour = {
  readonly hour: UnixSeconds
  readonly user_id: number
  readonly token_id: number
  readonly reason: string
  readonly seen: number
  readonly listed: number
}

const HOUR_COLUMNS: ColumnTypes<RefusalHour> = {
  hour: 'bigint',
  user_id: 'bigint',
  token_id: 'bigint',
  reason: 'text',
  seen: 'bigint',
  listed: 'bigint',
}

/** Adds to the hourly counts; `rows` contains each key once. */
export async function addRefusals(tx: Tx, rows: readonly RefusalHour[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into refusals as r (${columnsOf(HOUR_COLUMNS)}) select * from ${tableOf(rows, HOUR_COLUMNS)}
    on conflict (hour, user_id, token_id, reason) do update set seen = r.seen + excluded.seen, listed = r.listed + excluded.listed`.execute(
    tx,
  )
}

export type RefusalFilter = {
  readonly user_id?: number
  readonly token_name?: string
  /** Whole hours: those that contain the ends are included. 0: no limit. */
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

export type RefusalSum = { readonly reason: string; readonly seen: number; readonly listed: number }

/** How many requests were refused, and how many of them are listed, by reason; most first. */
export async function sumRefusals(db: Db | Tx, filter: RefusalFilter): Promise<RefusalSum[]> {
  const { rows } = await sql<RefusalSum>`
    select reason, ${safeSum(sql`seen`)} as seen, ${safeSum(sql`listed`)} as listed from refusals r
    where ${sql.join(conditions(filter), sql` and `)} group by reason order by seen desc, reason`.execute(db)
  return rows
}

function conditions({ user_id, token_name = '', from, to }: RefusalFilter): RawBuilder<unknown>[] {
  return [
    sql`hour >= ${from - (from % 3600)}`,
    ...(to === 0 ? [] : [sql`hour <= ${to}`]),
    ...(user_id === undefined ? [] : [sql`user_id = ${user_id}`]),
    ...(token_name === ''
      ? []
      : [sql`exists (select from tokens t where t.id = r.token_id and t.user_id = r.user_id and t.name = ${token_name})`]),
  ]
}
