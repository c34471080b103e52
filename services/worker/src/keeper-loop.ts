import type { Db } from '@tollgate/db/connect'
import { LOOP_LOCKS, tryLoopLock } from '@tollgate/db/queries/loop-lock'
import { createRepair } from '@tollgate/db/queries/repairs'
import type { Redis } from '@tollgate/redis/connect'
import { createKeeper, type KeeperResult, type Repair } from '@tollgate/redis/keeper'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Observer } from './observe.ts'
import { createPostedLedger } from './repair/posted-ledger.ts'

export type KeeperLoopDeps = {
  readonly db: Db
  /** Fails at once. */
  readonly redis: Redis
  /** For the streams of a shard under repair. */
  readonly streams: Redis
  readonly shards: number
  readonly observer: Pick<Observer, 'repaired'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly now: () => number
}

/** One look of the keeper, by whichever process has the advisory lock. */
export async function keepGate(deps: KeeperLoopDeps): Promise<KeeperResult['kind'] | 'not-ours'> {
  const { db, redis, streams, shards, log, now } = deps
  return db.transaction().execute(async (tx) => {
    if (!(await tryLoopLock(tx, LOOP_LOCKS.keeper))) return 'not-ours'
    const repairs: Repair[] = []
    const keeper = createKeeper({
      redis,
      shards,
      posted: createPostedLedger({ db, redis: streams, now }),
      onRepaired: (repair) => repairs.push(repair),
      onFailed: (shard, err) => log.error({ shard, err }, 'a ledger shard could not be repaired and stays closed'),
    })
    const result = await keeper.check()
    for (const repair of repairs) await noteRepair(deps, repair)
    if (result.kind === 'opened') log.info({ count: result.intact.length + result.repaired.length }, 'ledger gate opened')
    return result.kind
  })
}

async function noteRepair({ db, observer, log, now }: KeeperLoopDeps, repair: Repair): Promise<void> {
  log.error(repair, 'a ledger shard was repaired from what Postgres has posted')
  observer.repaired(repair.missing)
  await createRepair(db, { ...repair, created_at: Math.floor(now() / 1000) })
}
