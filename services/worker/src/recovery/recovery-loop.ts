import type { Db } from '@tollgate/db/connect'
import { ADVISORY_LOCKS, whileLocked } from '@tollgate/db/queries/installation/advisory-locks'
import { withStatements } from '@tollgate/db/statement-limits'
import { createRepair, recordLostEvents } from '@tollgate/db/queries/ledger/repairs'
import type { LedgerLog } from '@tollgate/ledger/log'
import { isIntact, type RecoveryResult } from '@tollgate/ledger/recovery/recovery'
import { runRecoveryRound } from '@tollgate/ledger/recovery/recovery-round'
import { forgetOpening } from '@tollgate/ledger/recovery/store-mark'
import type { Redis } from '@tollgate/redis/connect'
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
  /** Closes the server that had the ledger before; nothing is opened until it is closed. */
  readonly leave?: () => Promise<void>
  readonly shards: number
  readonly observer: Pick<Observer, 'repaired' | 'lost'>
  readonly log: LedgerLog
  readonly outage: OutageLog
  readonly now: () => number
}

type Connections = { readonly redis: Redis; readonly ledgerRedis: LedgerServers }

/** Forgets, once, the opening on the server of everything else, in case the ledger was there. */
export function createLeave({ redis, ledgerRedis }: Connections): () => Promise<void> {
  let hasLeft = ledgerRedis === redis
  return async () => {
    if (hasLeft) return
    await forgetOpening(redis, ledgerRedis)
    hasLeft = true
  }
}

/** Looks at both stores; when there is something to do, runs one round of recovery, in the process that holds the advisory lock. */
export async function runRecovery(deps: RecoveryLoopDeps): Promise<RecoveryResult['kind'] | 'not-ours'> {
  const { db, redis, streams, leave, shards, observer, log, outage, now } = deps
  try {
    await leave?.()
  } catch (cause) {
    outage.unavailable(cause)
    return 'unavailable'
  }
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
