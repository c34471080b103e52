import type { Db } from '@tollgate/db/connect'
import { ADVISORY_LOCKS, whileLocked } from '@tollgate/db/queries/installation/advisory-locks'
import { withStatements } from '@tollgate/db/statement-limits'
import { createRepair, recordLostEvents } from '@tollgate/db/queries/ledger/repairs'
import type { LedgerLog } from '@tollgate/ledger/log'
import { isIntact, type RecoveryResult } from '@tollgate/ledger/recovery/recovery'
import { runRecoveryRound } from '@tollgate/ledger/recovery/recovery-round'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { Observer } from '../telemetry/observe.ts'
import type { OutageLog } from '../telemetry/outage-log.ts'
import { createPostedLedger } from './posted-ledger.ts'

export type RecoveryLoopDeps = {
  readonly db: Db
  /** Fails at once when Redis does not answer. */
  readonly redis: LedgerServers
  /** Waits for Redis; reads the streams of a shard under repair. */
  readonly streams: LedgerServers
  readonly shards: number
  readonly observer: Pick<Observer, 'repaired' | 'lost'>
  readonly log: LedgerLog
  readonly outage: OutageLog
  readonly now: () => number
}

/** Looks at both stores; when there is something to do, runs one round of recovery, in the process that holds the advisory lock. */
export async function runRecovery(deps: RecoveryLoopDeps): Promise<RecoveryResult['kind'] | 'not-ours'> {
  const { db, redis, streams, shards, observer, log, outage, now } = deps
  const posted = createPostedLedger({ db, redis: streams, now })
  // The round reports a store that does not answer.
  if (await isIntact({ redis, shards, posted }).catch(() => false)) {
    outage.available()
    return 'open'
  }
  const created_at = (): number => Math.floor(now() / 1000)
  const round = () =>
    runRecoveryRound({
      redis,
      streams,
      shards,
      posted,
      reports: {
        saveRepair: (repair) => createRepair(db, { ...repair, created_at: created_at() }),
        saveLostEvents: ({ shard, epoch, restored_n, relay_n, resent, lost }) =>
          recordLostEvents(db, { shard, epoch, restored_n, relay_n, resent, lost, created_at: created_at() }),
      },
      observer,
      outage,
      log,
    })
  const result = await whileLocked(db, ADVISORY_LOCKS.recovery, () => withStatements('repair', round))
  return result === 'busy' ? 'not-ours' : result
}
