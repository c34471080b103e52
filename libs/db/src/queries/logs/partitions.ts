import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'

export type Partition = {
  readonly parent: 'logs' | 'usage_keys'
  readonly name: string
  /** `logs`: from (inclusive) to (exclusive) in unix seconds. `usage_keys`: one day, yyyymmdd, as `from`. */
  readonly from: number
  readonly to: number
}

/** The partition of the logs of a month, in UTC; `ahead` months after the given time. */
export function logPartition(time: Date, ahead = 0): Partition {
  const start = (months: number): number => Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1)
  const name = `logs_${new Date(start(ahead)).toISOString().slice(0, 7).replace('-', '')}`
  return { parent: 'logs', name, from: start(ahead) / 1000, to: start(ahead + 1) / 1000 }
}

/** Names of the existing partitions of a table, except the default partition. */
export async function listPartitions(db: Db, parent: Partition['parent']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${parent}::regclass and c.relname not like '%\\_default' order by 1`.execute(db)
  return rows.map((row) => row.name)
}

/** The time of the oldest log row in the default partition. */
export async function findOldestStray(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ oldest: string | null }>`select min(created_at)::text as oldest from logs_default`.execute(db)
  return rows[0]?.oldest === null || rows[0] === undefined ? undefined : Number(rows[0].oldest)
}

/**
 * Creates a partition and first moves its rows out of the default partition, which receives rows when a partition was not created in
 * time. One transaction; false when another process created the partition meanwhile.
 */
export async function createPartition(tx: Tx, partition: Partition): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('partitions'))`.execute(tx)
  const { rows } = await sql<{ is_there: boolean }>`select to_regclass(${partition.name}) is not null as is_there`.execute(tx)
  if (rows[0]?.is_there === true) return false
  const name = sql.table(partition.name)
  const parent = sql.table(partition.parent)
  const strays = sql.table(`${partition.parent}_default`)
  const range =
    partition.parent === 'logs'
      ? sql`created_at >= ${sql.lit(partition.from)} and created_at < ${sql.lit(partition.to)}`
      : sql`day = ${sql.lit(partition.from)}`
  const bounds =
    partition.parent === 'logs'
      ? sql`for values from (${sql.lit(partition.from)}) to (${sql.lit(partition.to)})`
      : sql`for values in (${sql.lit(partition.from)})`
  // Attaching locks the default partition against readers: with its indexes and a checked range the new one is attached as it is.
  const checked = sql.id(`${partition.name}_range`)
  await sql`create table ${name} (like ${parent} including defaults including constraints including indexes, constraint ${checked} check (${range}))`.execute(
    tx,
  )
  await sql`with moved as (delete from ${strays} where ${range} returning *) insert into ${name} select * from moved`.execute(tx)
  await sql`alter table ${parent} attach partition ${name} ${bounds}`.execute(tx)
  await sql`alter table ${name} drop constraint ${checked}`.execute(tx)
  return true
}

/** Drops a partition with all its rows. */
export async function removePartition(db: Db | Tx, name: string): Promise<void> {
  await sql`drop table if exists ${sql.table(name)}`.execute(db)
}
