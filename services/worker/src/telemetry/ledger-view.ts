import type { Db } from '@tollgate/db/connect'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { findSinkLag, type SinkLag } from '@tollgate/db/queries/logs/request-feed'
import { readOutboxState, type OutboxState } from '@tollgate/db/queries/ledger/log-outbox'
import { listPostingCursors } from '@tollgate/db/queries/ledger/posting'
import { allShards, isCluster, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { countOpenTasks, type OpenTaskCount } from '@tollgate/db/queries/tasks/tasks'
import { readLedgerProgress, type LedgerProgress } from '@tollgate/ledger/usage-stream/ledger-progress'
import { readMasters, type MasterState } from './ledger-masters.ts'

/** State of the ledger at the last refresh, for gauges. */
export type LedgerState =
  | { readonly kind: 'unknown'; readonly is_open: false }
  | (LedgerProgress & {
      readonly kind: 'known'
      /** Open tasks by family and channel. */
      readonly tasks: readonly OpenTaskCount[]
      /** Times of the oldest requests and events that wait for a sink. */
      readonly sinks: SinkLag
      /** Log rows that wait for a log store; none without one. */
      readonly outbox: OutboxState
      /** Result of the verifier's last run; undefined before its first. */
      readonly last_check: { readonly differences: number; readonly started_at: number } | undefined
    })

export type LedgerView = {
  readonly current: () => LedgerState
  /** The masters of the ledger's cluster at the last refresh; none without a cluster. */
  readonly masters: () => readonly MasterState[]
  /** Reads the state again; after a failed read the state is `unknown`. */
  readonly refresh: () => Promise<void>
}

type Stores = { readonly db: Db; readonly redis: LedgerServers; readonly shards: number }

export const UNKNOWN_STATE: LedgerState = { kind: 'unknown', is_open: false }

export function createLedgerView(stores: Stores): LedgerView {
  let state = UNKNOWN_STATE
  let masters: readonly MasterState[] = []
  return {
    current: () => state,
    masters: () => masters,
    refresh: async () => {
      if (isCluster(stores.redis)) masters = await readMasters(stores.redis)
      try {
        state = await readLedgerState(stores)
      } catch (error) {
        state = UNKNOWN_STATE
        throw error
      }
    },
  }
}

/** Costs five queries and the commands of `readLedgerProgress`. */
async function readLedgerState({ db, redis, shards }: Stores): Promise<LedgerState> {
  const all = allShards(shards)
  const [cursors, last_check, tasks, sinks, outbox] = await Promise.all([
    listPostingCursors(db, all),
    findLastLedgerReport(db),
    countOpenTasks(db, Date.now()),
    findSinkLag(db),
    readOutboxState(db),
  ])
  return { kind: 'known', ...(await readLedgerProgress(redis, cursors)), last_check, tasks, sinks, outbox }
}
