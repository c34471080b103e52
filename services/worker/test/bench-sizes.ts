import { sql } from 'kysely'
import type { Db } from '@tollgate/db/connect'
import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'

/** Storage used by usage data, in bytes. */
export type Sizes = {
  readonly events: number
  /** Log rows with their indexes. */
  readonly logs: number
  /** Keys of posted requests with their index, kept 35 days. */
  readonly keys: number
  /** Write-ahead log since Postgres was made. */
  readonly wal: number
  /** The usage streams in Redis' memory. */
  readonly streams: number
}

export async function readSizes(db: Db, redis: Redis, shards: number): Promise<Sizes> {
  const { rows } = await sql<Omit<Sizes, 'streams'>>`
    select (select count(*) from usage_keys) as events,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('logs'))::bigint as logs,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('usage_keys'))::bigint as keys,
      (pg_current_wal_lsn() - '0/0')::bigint as wal`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('a select without a table has one row')
  const usages = await Promise.all(
    Array.from({ length: shards }, (_, shard) => redis.memory('USAGE', keys.usage(shard), 'SAMPLES', 0).then((bytes) => bytes ?? 0)),
  )
  return { ...found, streams: usages.reduce((sum, bytes) => sum + bytes, 0) }
}
