import { sql } from 'kysely'
import { HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { ArchivePart, ArchiveState, LogPosition } from '@tollgate/contracts/values/log-archive'
import type { Db, Tx } from '../../connect.ts'
import { logStoreOf, requireLogsInPostgres } from '../../log-store.ts'
import { toJsonb } from '../../jsonb.ts'
import { reopenPeriods, startsOf } from '../usage/usage-rollup.ts'
import { partitionOf } from './log-months.ts'
import { createPartition, removePartition, type Partition } from './partitions.ts'

export type LogArchive = {
  readonly month: string
  readonly state: ArchiveState
  readonly parts: readonly ArchivePart[]
  readonly restored_parts: number
  readonly error: string
  readonly requested_by: string
  readonly created_at: UnixSeconds
  /** 0: it is under way. */
  readonly finished_at: UnixSeconds
}

/** Sums by which rows are known to be the same ones: log rows are never changed. `ids` may exceed a double. */
export type LogSums = { readonly rows: number; readonly quota: number; readonly ids: string }

/** A log row as JSON, with what its part needs to know of it. */
export type LogLine = LogPosition & { readonly quota: number; readonly line: string }

type Order = { readonly month: string; readonly requested_by: string; readonly now: UnixSeconds }

const COLUMNS = ['month', 'state', 'parts', 'restored_parts', 'error', 'requested_by', 'created_at', 'finished_at'] as const

/** The newest month first. */
export async function listLogArchives(db: Db | Tx): Promise<LogArchive[]> {
  return await db.selectFrom('log_archives').select(COLUMNS).$castTo<LogArchive>().orderBy('month', 'desc').execute()
}

export async function findLogArchive(db: Db | Tx, month: string): Promise<LogArchive | undefined> {
  return await db.selectFrom('log_archives').select(COLUMNS).$castTo<LogArchive>().where('month', '=', month).executeTakeFirst()
}

/** Months that are not in Postgres, the oldest first. `to` of 0 or undefined: without end. */
export async function listMonthsAway(tx: Tx, { from = 0, to = 0 }: { from?: UnixSeconds; to?: UnixSeconds }): Promise<string[]> {
  const rows = await tx
    .selectFrom('log_archives')
    .select('month')
    .where('state', 'in', ['archived', 'restoring'])
    .orderBy('month')
    .execute()
  return rows.map(({ month }) => month).filter((month) => partitionOf(month).to > from && (to <= 0 || partitionOf(month).from <= to))
}

/** Orders that a month goes to the object store; false if it is there, or on its way. */
export async function orderArchive(db: Db | Tx, { month, requested_by, now }: Order): Promise<boolean> {
  requireLogsInPostgres(db)
  const ordered = { state: 'writing', requested_by, created_at: now, finished_at: 0, error: '' } as const
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('log_archives')
    .values({ month, ...ordered })
    .onConflict((oc) => oc.column('month').doUpdateSet(ordered).where('log_archives.state', '=', 'restored'))
    .executeTakeFirstOrThrow()
  return changed === 1n
}

/** Orders that an archived month comes back; false if it is not archived. `parts`: those of a month that this database does not know. */
export async function orderRestore(db: Db | Tx, order: Order, parts?: readonly ArchivePart[]): Promise<boolean> {
  requireLogsInPostgres(db)
  const { month, requested_by, now } = order
  const ordered = { state: 'restoring', restored_parts: 0, requested_by, created_at: now, finished_at: 0, error: '' } as const
  if (parts === undefined) {
    const { numUpdatedRows } = await db
      .updateTable('log_archives')
      .set(ordered)
      .where('month', '=', month)
      .where('state', '=', 'archived')
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('log_archives')
    .values({ month, parts: toJsonb(parts), ...ordered })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirstOrThrow()
  return changed === 1n
}

/** Takes an order that no process works on, the oldest first; until `until` no other process takes it. */
export async function claimArchive(
  db: Db,
  { now, until, month }: { readonly now: UnixSeconds; readonly until: UnixSeconds; readonly month?: string },
): Promise<LogArchive | undefined> {
  const due = db
    .selectFrom('log_archives')
    .select('month')
    .where('state', 'in', ['writing', 'restoring'])
    .where('taken_until', '<=', now)
    .$if(month !== undefined, (query) => query.where('month', '=', month ?? ''))
    .orderBy('created_at')
    .orderBy('month')
    .limit(1)
    .forUpdate()
    .skipLocked()
  return await db
    .updateTable('log_archives')
    .set({ taken_until: until })
    .where('month', '=', due)
    .returning(COLUMNS)
    .$castTo<LogArchive>()
    .executeTakeFirst()
}

/** Gives an order back: at once, or with the reason why it is tried again after `until`. */
export async function releaseArchive(
  db: Db,
  { month, until, error = '' }: { readonly month: string; readonly until: UnixSeconds; readonly error?: string },
): Promise<void> {
  await db.updateTable('log_archives').set({ taken_until: until, error }).where('month', '=', month).execute()
}

/** Adds an object to a month that is being written. */
export async function addArchivePart(
  db: Db,
  { month, part, until }: { month: string; part: ArchivePart; until: UnixSeconds },
): Promise<void> {
  await sql`update log_archives set parts = parts || ${toJsonb([part])}, taken_until = ${until} where month = ${month}`.execute(db)
}

/** Forgets what was written of a month, because its rows changed. */
export async function removeArchiveParts(db: Db, month: string): Promise<void> {
  await db
    .updateTable('log_archives')
    .set({ parts: toJsonb([]) })
    .where('month', '=', month)
    .where('state', '=', 'writing')
    .execute()
}

export async function finishArchive(
  db: Db | Tx,
  { month, state, now }: { readonly month: string; readonly state: 'archived' | 'restored'; readonly now: UnixSeconds },
): Promise<void> {
  await db.updateTable('log_archives').set({ state, finished_at: now, taken_until: 0, error: '' }).where('month', '=', month).execute()
}

/** The time of the oldest row; undefined: there is none. */
export async function findOldestLog(db: Db): Promise<UnixSeconds | undefined> {
  // A log store is archived by its own means.
  if (logStoreOf(db) !== undefined) return undefined
  return (await db.selectFrom('logs').select('created_at').orderBy('created_at').limit(1).executeTakeFirst())?.created_at
}

type Range = Pick<Partition, 'from' | 'to'>

/** Rows of a time, in order, after a row. */
export async function listLogLines(db: Db, range: Range, { after, limit }: { after: LogPosition; limit: number }): Promise<LogLine[]> {
  const { rows } = await sql<LogLine>`
    select created_at, id, quota, row_to_json(l)::text as line from (
      select * from logs
      where created_at >= ${range.from} and created_at < ${range.to} and (created_at, id) > (${after.created_at}, ${after.id})
      order by created_at, id limit ${limit}) as l
    order by created_at, id`.execute(db)
  return rows
}

const SUMS = sql`count(*) as rows, coalesce(sum(quota), 0)::bigint as quota, coalesce(sum(id), 0)::text as ids`

export const sumParts = (parts: readonly LogSums[]): LogSums => ({
  rows: parts.reduce((sum, { rows }) => sum + rows, 0),
  quota: parts.reduce((sum, { quota }) => sum + quota, 0),
  ids: String(parts.reduce((sum, { ids }) => sum + BigInt(ids), 0n)),
})

/** Bytes that the objects take in the store. */
export const bytesOf = (parts: readonly ArchivePart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

const isSame = (left: LogSums | undefined, right: LogSums): boolean =>
  left?.rows === right.rows && left.quota === right.quota && left.ids === right.ids

/** Creates the partition of a month if its rows are in the default partition. */
export async function requireLogPartition(db: Db, partition: Partition): Promise<void> {
  await db.transaction().execute((tx) => createPartition(tx, partition))
}

/**
 * Removes the rows of a month and subtracts them from the logged sums of their hours, if they are those that were archived; false: they
 * are others. Waits for those who read the log, so the caller limits its waits for locks.
 */
export async function dropLogMonth(tx: Tx, partition: Partition, archived: LogSums): Promise<boolean> {
  const table = sql.table(partition.name)
  await sql`lock table only ${table} in share row exclusive mode`.execute(tx)
  const { rows } = await sql<LogSums>`select ${SUMS} from ${table}`.execute(tx)
  if (!isSame(rows[0], archived)) return false
  await addLogged(tx, { table: partition.name, range: partition, sign: -1 })
  await removePartition(tx, partition.name)
  return true
}

const restoreTableOf = ({ name }: Partition): string => `restoring_${name}`

/**
 * Creates the table that takes the rows of a month until all are there; a backup leaves it out. Returns how many parts it has.
 */
export async function createRestoreTable(tx: Tx, month: string): Promise<number> {
  const name = restoreTableOf(partitionOf(month))
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass(${name}) is not null as is_there`.execute(tx)
  if (rows[0]?.is_there !== true) {
    await sql`create table ${sql.table(name)} (like logs including all)`.execute(tx)
    await tx.updateTable('log_archives').set({ restored_parts: 0 }).where('month', '=', month).execute()
  }
  return (await tx.selectFrom('log_archives').select('restored_parts').where('month', '=', month).executeTakeFirstOrThrow()).restored_parts
}

/** Adds rows as they were archived; columns that are newer have their defaults. */
export async function addRestoredLines(tx: Tx, partition: Partition, lines: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'logs'::regclass and attnum > 0 and not attisdropped
      and attname in (select json_object_keys(${lines[0] ?? '{}'}::text::json))`.execute(tx)
  const columns = sql.join(rows.map(({ name }) => sql.id(name)))
  await sql`
    insert into ${sql.table(restoreTableOf(partition))} (${columns})
    select ${columns} from json_populate_recordset(null::logs, ${`[${lines.join(',')}]`}::text::json)`.execute(tx)
}

/** Notes that another part is there. Throws if another process was faster. */
export async function countRestoredPart(tx: Tx, { month, nth, until }: { month: string; nth: number; until: UnixSeconds }): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('log_archives')
    .set({ restored_parts: nth + 1, taken_until: until })
    .where('month', '=', month)
    .where('state', '=', 'restoring')
    .where('restored_parts', '=', nth)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows !== 1n) throw new Error(`another process restores ${month}`)
}

/** Makes the rows of a month part of the log again, and adds them to the logged sums of their hours. Throws if they are not all there. */
export async function attachRestoredMonth(tx: Tx, partition: Partition, archived: LogSums): Promise<void> {
  const name = restoreTableOf(partition)
  const table = sql.table(name)
  const { rows } = await sql<LogSums>`select ${SUMS} from ${table}`.execute(tx)
  if (!isSame(rows[0], archived)) throw new Error(`the restored rows of ${partition.name} are not those that were archived`)
  await addLogged(tx, { table: name, range: partition, sign: 1 })
  // Rows of that month that came meanwhile, for example with an import.
  await createPartition(tx, partition)
  await sql`insert into ${table} select * from ${sql.table(partition.name)}`.execute(tx)
  await removePartition(tx, partition.name)
  await sql`alter table ${table} rename to ${sql.id(partition.name)}`.execute(tx)
  const bounds = sql`for values from (${sql.lit(partition.from)}) to (${sql.lit(partition.to)})`
  await sql`alter table logs attach partition ${sql.table(partition.name)} ${bounds}`.execute(tx)
}

type Logged = { readonly table: string; readonly range: Range; readonly sign: 1 | -1 }

/** Adds the rows of a table to the logged sums of their hours, or subtracts them. */
async function addLogged(tx: Tx, { table, range: { from, to }, sign }: Logged): Promise<void> {
  const hours = Array.from({ length: (to - from) / HOUR_SECONDS }, (_, nth) => from + nth * HOUR_SECONDS)
  const factor = sql.lit(sign)
  await sql`
    with opened as (${reopenPeriods(startsOf(hours))})
    insert into usage_hours as h (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, logged_requests, logged_quota)
    select created_at - created_at % 3600, user_id, token_id, channel_id, model_name, "group", token_name, type,
      ${factor} * count(*), ${factor} * sum(quota)
    from ${sql.table(table)} group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (hour, user_id, token_id, channel_id, model_name, "group", token_name, type) do update set
      logged_requests = h.logged_requests + excluded.logged_requests, logged_quota = h.logged_quota + excluded.logged_quota`.execute(tx)
}
