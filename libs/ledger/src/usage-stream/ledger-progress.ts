import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'
import { isFenceOpen } from '../recovery/fence.ts'

export type LedgerProgress = {
  readonly is_open: boolean
  readonly lag_events: number
  /** Age of the oldest event that is not posted. */
  readonly lag_seconds: number
  readonly suspect_shards: number
  readonly open_holds: number
}

type Cursor = { readonly shard: number; readonly last_id: string; readonly last_n: number; readonly is_suspect: boolean }

/** How far posting is behind Redis. Costs two commands per shard, and one more per shard with unposted events. */
export async function readLedgerProgress(redis: Redis, cursors: readonly Cursor[]): Promise<LedgerProgress> {
  const [isOpen, now, counts, holds] = await Promise.all([
    isFenceOpen(redis),
    readRedisTime(redis),
    Promise.all(cursors.map(({ shard }) => redis.hget(keys.fence(shard), 'n'))),
    Promise.all(cursors.map(({ shard }) => redis.zcard(keys.holdTimes(shard)))),
  ])
  const behind = cursors.map(({ shard, last_id, last_n }, at) => ({
    shard,
    last_id,
    events: Math.max(0, Number(counts[at] ?? 0) - last_n),
  }))
  const waiting = behind.filter(({ events }) => events > 0)
  const oldest = await Promise.all(waiting.map(({ shard, last_id }) => redis.xrange(keys.usage(shard), `(${last_id}`, '+', 'COUNT', 1)))
  const ages = oldest.flatMap(([entry]) => (entry === undefined ? [] : [now - Number(entry[0].split('-')[0])]))
  return {
    is_open: isOpen,
    lag_events: waiting.reduce((sum, { events }) => sum + events, 0),
    lag_seconds: Math.max(0, ...ages) / 1000,
    suspect_shards: cursors.filter(({ is_suspect }) => is_suspect).length,
    open_holds: holds.reduce((sum, count) => sum + count, 0),
  }
}
