import type { Redis } from '@tollgate/redis/connect'
import { isCluster, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { listUnchecked } from '../recovery/fence.ts'

export type LedgerProgress = {
  readonly is_open: boolean
  /** Shards that recovery has not opened, or whose server does not answer. */
  readonly closed_shards: number
  readonly lag_events: number
  /** Age of the oldest event that is not posted. */
  readonly lag_seconds: number
  readonly suspect_shards: number
  readonly open_holds: number
}

type Cursor = { readonly shard: number; readonly last_id: string; readonly last_n: number; readonly is_suspect: boolean }

/**
 * How far posting is behind Redis. Costs two commands per shard, and one more per shard with unposted events. In a cluster shards whose
 * server does not answer count as closed, and nothing else of them is known.
 */
export async function readLedgerProgress(servers: LedgerServers, cursors: readonly Cursor[]): Promise<LedgerProgress> {
  const shards = cursors.map(({ shard }) => shard)
  const [unopened, found] = await Promise.all([
    listUnchecked(servers, shards),
    Promise.all(cursors.map((cursor) => progressOf(servers, cursor))),
  ])
  return {
    is_open: unopened.length === 0,
    closed_shards: unopened.length,
    lag_events: found.reduce((sum, { events }) => sum + events, 0),
    lag_seconds: Math.max(0, ...found.map(({ age_ms }) => age_ms)) / 1000,
    suspect_shards: cursors.filter(({ is_suspect }) => is_suspect).length,
    open_holds: found.reduce((sum, { holds }) => sum + holds, 0),
  }
}

type ShardProgress = { readonly events: number; readonly age_ms: number; readonly holds: number }

async function progressOf(servers: LedgerServers, cursor: Cursor): Promise<ShardProgress> {
  const read = readProgress(serverOf(servers, cursor.shard), cursor)
  return isCluster(servers) ? await read.catch(() => ({ events: 0, age_ms: 0, holds: 0 })) : await read
}

async function readProgress(redis: Redis, { shard, last_id, last_n }: Cursor): Promise<ShardProgress> {
  const [count, holds] = await Promise.all([redis.hget(keys.fence(shard), 'n'), redis.zcard(keys.holdTimes(shard))])
  const events = Math.max(0, Number(count ?? 0) - last_n)
  if (events === 0) return { events, age_ms: 0, holds }
  const [now, [oldest]] = await Promise.all([readRedisTime(redis), redis.xrange(keys.usage(shard), `(${last_id}`, '+', 'COUNT', 1)])
  return { events, age_ms: oldest === undefined ? 0 : now - Number(oldest[0].split('-')[0]), holds }
}
