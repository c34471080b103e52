import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

export type DatabaseFacts = {
  readonly version: string
  readonly started_at: number
  readonly size_bytes: number
  readonly connections: number
  readonly max_connections: number
  readonly waiting: number
  readonly oldest_transaction_s: number
}

/** Reads the catalogue and file sizes; no table of ours. */
export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<Record<keyof DatabaseFacts, string>>`
    select current_setting('server_version') as version,
      floor(extract(epoch from pg_postmaster_start_time()))::text as started_at,
      pg_database_size(current_database())::text as size_bytes,
      current_setting('max_connections') as max_connections,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::text as connections,
      (select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')::text as waiting,
      (select coalesce(floor(extract(epoch from max(now() - xact_start))), 0)
        from pg_stat_activity where datname = current_database() and backend_type = 'client backend')::text as oldest_transaction_s`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('Postgres returned no row')
  return {
    version: row.version,
    started_at: Number(row.started_at),
    size_bytes: Number(row.size_bytes),
    connections: Number(row.connections),
    max_connections: Number(row.max_connections),
    waiting: Number(row.waiting),
    oldest_transaction_s: Number(row.oldest_transaction_s),
  }
}

export type PartitionSums = {
  readonly table: string
  readonly partitions: number
  readonly first: string
  readonly last: string
  readonly size_bytes: number
  readonly rows: number
  readonly has_strays: boolean
}

/** The partitioned tables: sizes of the files, and the planner's estimate of rows. */
export async function listPartitionSums(db: Db): Promise<PartitionSums[]> {
  const { rows } = await sql<Record<Exclude<keyof PartitionSums, 'has_strays'>, string> & { strays: boolean }>`
    select p.relname as table,
      count(*) filter (where not d.is_default)::text as partitions,
      coalesce(min(c.relname) filter (where not d.is_default), '') as first,
      coalesce(max(c.relname) filter (where not d.is_default), '') as last,
      sum(pg_total_relation_size(c.oid))::text as size_bytes,
      sum(greatest(c.reltuples, 0))::bigint::text as rows,
      coalesce(bool_or(d.is_default and pg_relation_size(c.oid) > 0), false) as strays
    from pg_inherits i
      join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
      join pg_class c on c.oid = i.inhrelid
      cross join lateral (select c.relname like '%\\_default' as is_default) d
    group by p.relname order by p.relname`.execute(db)
  return await Promise.all(
    rows.map(async ({ table, partitions, first, last, size_bytes, rows: estimate, strays }) => ({
      table,
      partitions: Number(partitions),
      first,
      last,
      size_bytes: Number(size_bytes),
      rows: Number(estimate),
      // A file with pages can be empty of rows until the next vacuum.
      has_strays: strays && (await hasRows(db, `${table}_default`)),
    })),
  )
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select exists (select 1 from ${sql.table(table)} limit 1) as has`.execute(db)
  return rows[0]?.has === true
}
