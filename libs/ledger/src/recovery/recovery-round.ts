import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { listLostEvents, removeLostEvents, type LostEvents } from './lost-events.ts'
import type { LedgerLog } from '../log.ts'
import type { PostedLedger } from './posted-ledger.ts'
import { createRecovery, type RecoveryResult, type Repair } from './recovery.ts'

export type RecoveryRoundDeps = {
  /** Fails at once when Redis does not answer. */
  readonly redis: LedgerServers
  /** Waits for Redis; reads the reports of the relays. */
  readonly streams: LedgerServers
  readonly shards: number
  readonly posted: PostedLedger
  /** Stores what happened, for the report of the ledger. */
  readonly reports: {
    saveRepair(repair: Repair): Promise<void>
    saveLostEvents(events: LostEvents): Promise<void>
  }
  readonly observer: { repaired(missing: number): void; lost(events: number): void }
  readonly outage: { unavailable(cause: unknown): void; available(): void }
  readonly log: LedgerLog
}

/** One round of recovery: checks and repairs the shards, then reports repairs and events that were lost. One process at a time. */
export async function runRecoveryRound(deps: RecoveryRoundDeps): Promise<RecoveryResult['kind']> {
  const { redis, shards, posted, log, outage } = deps
  const repairs: Repair[] = []
  const recovery = createRecovery({
    redis,
    shards,
    posted,
    onRepaired: (repair) => repairs.push(repair),
    onFailed: (shard, err) => log.error({ shard, err }, 'Ledger shard could not be repaired and stays closed'),
  })
  const result = await recovery.check()
  if (result.kind === 'unavailable') outage.unavailable(result.cause)
  else outage.available()
  for (const repair of repairs) await reportRepair(deps, repair)
  if (result.kind === 'open') await reportLostEvents(deps)
  const opened =
    result.kind === 'opened' ? result.intact.length + result.repaired.length : result.kind === 'unavailable' ? result.opened : 0
  if (result.kind === 'opened' || opened > 0) log.info({ count: opened }, 'Ledger fence opened')
  return result.kind
}

async function reportRepair({ reports, observer, log }: RecoveryRoundDeps, repair: Repair): Promise<void> {
  const { shard, reason, missing, redis_n, posted_n, restored_n } = repair
  const detail = `Redis counted ${redis_n} events, Postgres posted ${posted_n}, numbers continue from ${restored_n}`
  log.error({ shard, reason, count: missing, detail }, 'Ledger shard repaired from Postgres')
  observer.repaired(missing)
  await reports.saveRepair(repair)
}

/** Every relay has sent its recent settlements again within this time after a fence opened. */
const RESENT_WITHIN_MS = 30_000

/** Counts, logs and saves the events that relays were answered and that no store has any more. */
async function reportLostEvents({ streams, reports, observer, log }: RecoveryRoundDeps): Promise<void> {
  for (const events of await listLostEvents(streams, RESENT_WITHIN_MS)) {
    const { shard, restored_n, relay_n, resent, lost } = events
    await reports.saveLostEvents(events)
    await removeLostEvents(streams, events)
    observer.lost(lost)
    const detail = `relays were answered up to ${relay_n}, the store continued from ${restored_n}, ${resent} were sent again`
    if (lost > 0) log.error({ shard, count: lost, detail }, 'Usage events lost: Redis came back older')
    else log.warn({ shard, count: lost, detail }, 'Redis came back older; relays sent every lost event again')
  }
}
