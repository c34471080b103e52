import type { Db } from '@tollgate/db/connect'
import { LOOP_LOCKS, tryLoopLock } from '@tollgate/db/queries/loop-lock'
import { lockPostingCursor, markShardSuspect } from '@tollgate/db/queries/posting'
import type { Redis } from '@tollgate/redis/connect'
import { createKeeper, type PostedCursor } from '@tollgate/redis/keeper'
import type { Logger } from '@tollgate/telemetry/logger'

export type KeeperLoopDeps = {
  readonly db: Db
  readonly redis: Redis
  readonly shards: number
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now: () => number
}

/**
 * One look of the keeper, by whichever process has the advisory lock. Repair of a shard that is older than what was posted is not
 * done here: it is marked, stays closed, and the log says so.
 */
export async function keepGate(deps: KeeperLoopDeps): Promise<'open' | 'opened' | 'away' | 'not-ours'> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await tryLoopLock(tx, LOOP_LOCKS.keeper))) return 'not-ours'
    const keeper = createKeeper({
      redis: deps.redis,
      shards: deps.shards,
      withCursor: (shard, check) => checkCursor(deps, shard, check),
      onAlarm: (shard, reason) => deps.log.error({ shard, reason }, 'ledger shard is suspect and stays closed'),
    })
    const result = await keeper.check()
    if (result.kind === 'opened')
      deps.log.info({ count: deps.shards - result.suspect.length, skipped: result.suspect.length }, 'ledger gate opened')
    return result.kind
  })
}

async function checkCursor(
  { db, now }: KeeperLoopDeps,
  shard: number,
  check: (cursor: PostedCursor) => Promise<string | undefined>,
): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    const cursor = await lockPostingCursor(tx, shard)
    const problem = await check(cursor)
    if (problem !== undefined && !cursor.is_suspect) await markShardSuspect(tx, { shard, reason: problem, now: Math.floor(now() / 1000) })
    return problem
  })
}
