import type { Db } from '@tollgate/db/connect'
import { LOOP_LOCKS, tryLoopLock } from '@tollgate/db/queries/loop-lock'
import { createRepair, noteLostEvents } from '@tollgate/db/queries/repairs'
import type { Redis } from '@tollgate/redis/connect'
import { createRecovery, type RecoveryResult, type Repair } from '@tollgate/ledger/recovery/recovery'
import { listLostEvents, removeLostEvents } from '@tollgate/ledger/recovery/lost-events'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Observer } from '../observe.ts'
import type { OutageLog } from '../outage-log.ts'
import { createPostedLedger } from './posted-ledger.ts'

export type RecoveryLoopDeps = {
  readonly db: Db
  /** Fails at once. */
  readonly redis: Redis
  /** For the streams of a shard under repair. */
  readonly streams: Redis
  readonly shards: number
  readonly observer: Pick<Observer, 'repaired' | 'lost'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly outage: OutageLog
  readonly now: () => number
}

/** One look of the keeper, by whichever process has the advisory lock. */
export async function keepFence(deps: RecoveryLoopDeps): Promise<RecoveryResult['kind'] | 'not-ours'> {
  const { db, redis, streams, shards, log, now } = deps
  return db.transaction().execute(async (tx) => {
    if (!(await tryLoopLock(tx, LOOP_LOCKS.recovery))) return 'not-ours'
    const repairs: Repair[] = []
    const recovery = createRecovery({
      redis,
      shards,
      posted: createPostedLedger({ db, redis: streams, now }),
      onRepaired: (repair) => repairs.push(repair),
      onFailed: (shard, err) => log.error({ shard, err }, 'a ledger shard could not be repaired and stays closed'),
    })
    const result = await recovery.check()
    if (result.kind === 'unavailable') deps.outage.away(result.cause)
    else deps.outage.back()
    for (const repair of repairs) await noteRepair(deps, repair)
    if (result.kind === 'open') await noteLost(deps)
    if (result.kind === 'opened') log.info({ count: result.intact.length + result.repaired.length }, 'ledger gate opened')
    return result.kind
  })
}

async function noteRepair({ db, observer, log, now }: RecoveryLoopDeps, repair: Repair): Promise<void> {
  const { shard, reason, missing, redis_n, posted_n, restored_n } = repair
  const detail = `Redis had counted ${redis_n}, Postgres posted ${posted_n}, it goes on from ${restored_n}`
  log.error({ shard, reason, count: missing, detail }, 'a ledger shard was repaired from what Postgres has posted')
  observer.repaired(repair.missing)
  await createRepair(db, { ...repair, created_at: Math.floor(now() / 1000) })
}

/** Every relay has sent again what it remembers within this time of an opening. */
const RESENT_WITHIN_MS = 30_000

/** What relays remember and no store has any more is lost for good: it is counted, logged and kept for the report. */
async function noteLost({ db, streams, observer, log, now }: RecoveryLoopDeps): Promise<void> {
  for (const events of await listLostEvents(streams, RESENT_WITHIN_MS)) {
    const { shard, epoch, restored_n, relay_n, resent, lost } = events
    await noteLostEvents(db, { shard, epoch, restored_n, relay_n, resent, lost, created_at: Math.floor(now() / 1000) })
    await removeLostEvents(streams, events)
    observer.lost(lost)
    const line = { shard, count: lost, detail: `relays remember ${relay_n}, it went on from ${restored_n}, ${resent} were sent again` }
    if (lost > 0) log.error(line, 'usage events were lost with a store that came back older')
    else log.warn(line, 'a store came back older; relays brought back every event it had lost')
  }
}
