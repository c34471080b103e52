import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { safeSum } from '../../safe-sum.ts'
import type { LogFilter } from '../../log-store.ts'
import { isAmong, tokensOf, usersOf } from './log-filter.ts'

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

export type MinuteCount = Omit<RefusalHour, 'hour'> & { readonly minute: UnixSeconds }

const COUNT_COLUMNS: ColumnTypes<MinuteCount> = {
  minute: 'bigint',
  user_id: 'bigint',
  token_id: 'bigint',
  reason: 'text',
  seen: 'bigint',
  listed: 'bigint',
}
/** A flood over more tokens and reasons than this is counted by the hour only. */
const MAX_KEYS_OF_A_MINUTE = 2000

/** Adds to the counts of minutes, and deletes minutes before `oldest`; `rows` contains each key once. */
export async function addRefusalCounts(tx: Tx, rows: readonly MinuteCount[], oldest: UnixSeconds): Promise<void> {
  await sql`delete from refusals_by_minute where minute < ${oldest}`.execute(tx)
  if (rows.length === 0) return
  await sql`
    insert into refusals_by_minute as r (${columnsOf(COUNT_COLUMNS)}) select * from ${tableOf(rows, COUNT_COLUMNS)}
    where (select count(*) from refusals_by_minute m where m.minute = x.minute) < ${MAX_KEYS_OF_A_MINUTE}
    on conflict (user_id, token_id, reason, minute) do update set seen = r.seen + excluded.seen, listed = r.listed + excluded.listed`.execute(
    tx,
  )
}

export type RefusalFilter = Pick<LogFilter, 'user_id' | 'user_ids' | 'token_name' | 'token_names'> & {
  /** The minutes that contain the ends are included. 0: no limit. */
  readonly from: UnixSeconds
  readonly to: UnixSeconds
}

export type RefusalSum = {
  readonly reason: string
  readonly seen: number
  readonly listed: number
  /** An hour at an end has no minutes, and is included whole. */
  readonly is_by_hour: boolean
}

/**
 * How many requests were refused, and how many of them are listed, by reason; most first. An hour at an end of the range counts by its
 * minutes if they add up to it.
 */
export async function sumRefusals(db: Db | Tx, filter: RefusalFilter): Promise<RefusalSum[]> {
  const edges = toArray(edgesOf(filter), 'bigint')
  const isBySum = sql`m.seen is not distinct from r.seen and m.listed is not distinct from r.listed`
  const counted = (of: 'seen' | 'listed') =>
    sql`case when r.hour = any(${edges}) and ${isBySum} then ${sql.ref(`m.${of}_within`)} else ${sql.ref(`r.${of}`)} end`
  const within = sql`minute >= ${startOf(filter.from, 60)} and ${filter.to === 0 ? sql`true` : sql`minute <= ${filter.to}`}`
  const { rows } = await sql<RefusalSum>`
    select reason, ${safeSum(sql`seen`)} as seen, ${safeSum(sql`listed`)} as listed, bool_or(is_by_hour) as is_by_hour from (
      select r.reason, ${counted('seen')} as seen, ${counted('listed')} as listed,
        r.hour = any(${edges}) and not (${isBySum}) as is_by_hour
      from refusals r
      left join lateral (
        select sum(seen) as seen, sum(listed) as listed,
          coalesce(sum(seen) filter (where ${within}), 0) as seen_within, coalesce(sum(listed) filter (where ${within}), 0) as listed_within
        from refusals_by_minute m
        where r.hour = any(${edges}) and m.user_id = r.user_id and m.token_id = r.token_id and m.reason = r.reason
          and m.minute >= r.hour and m.minute < r.hour + 3600
      ) m on true
      where ${sql.join(conditions(filter), sql` and `)}
    ) counts group by reason having sum(seen) > 0 or sum(listed) > 0 order by seen desc, reason`.execute(db)
  return rows
}

const startOf = (at: UnixSeconds, unit: 60 | 3600): UnixSeconds => at - (at % unit)

/** The hours of which the range contains a part. */
function edgesOf({ from, to }: RefusalFilter): UnixSeconds[] {
  const first = startOf(from, 60) > startOf(from, 3600) ? [startOf(from, 3600)] : []
  const isLastWhole = to === 0 || startOf(to, 60) === startOf(to, 3600) + 3540
  return isLastWhole ? first : [...first, startOf(to, 3600)]
}

function conditions(filter: RefusalFilter): RawBuilder<unknown>[] {
  const { from, to } = filter
  const [users, tokens] = [usersOf(filter), tokensOf(filter)]
  return [
    sql`hour >= ${startOf(from, 3600)}`,
    ...(to === 0 ? [] : [sql`hour <= ${to}`]),
    ...(users === undefined ? [] : [isAmong(sql`user_id`, users, 'bigint')]),
    ...(tokens === undefined
      ? []
      : [sql`exists (select from tokens t where t.id = r.token_id and t.user_id = r.user_id and ${isAmong(sql`t.name`, tokens, 'text')})`]),
  ]
}
