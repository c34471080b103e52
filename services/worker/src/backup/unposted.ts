import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '@tollgate/db/connect'
import { listPostingCursors } from '@tollgate/db/queries/ledger/posting'
import { keys } from '@tollgate/redis/keys'
import { allShards, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'

type Stores = { readonly db: Db; readonly redis: LedgerServers; readonly shards: number }

const LOOK_EVERY_MS = 100

/**
 * Waits until Postgres has every usage event that Redis had when the wait began, and returns how many are still missing after `patienceMs`.
 * A snapshot of Postgres that is read after that holds every request that ended before the backup began.
 */
export async function waitUntilPosted({ db, redis, shards }: Stores, patienceMs: number): Promise<number> {
  const all = allShards(shards)
  const appended = await Promise.all(all.map(async (shard) => Number((await serverOf(redis, shard).hget(keys.fence(shard), 'n')) ?? 0)))
  const deadline = performance.now() + patienceMs
  for (;;) {
    const posted = new Map((await listPostingCursors(db, all)).map(({ shard, last_n }) => [shard, last_n]))
    const missing = all.reduce((sum, shard) => sum + Math.max(0, (appended[shard] ?? 0) - (posted.get(shard) ?? 0)), 0)
    if (missing === 0 || performance.now() > deadline) return missing
    await wait(LOOK_EVERY_MS)
  }
}
