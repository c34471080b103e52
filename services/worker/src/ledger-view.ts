import type { Db } from '@tollgate/db/connect'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger-reports'
import { listPostingCursors } from '@tollgate/db/queries/posting'
import type { Redis } from '@tollgate/redis/connect'
import { areScriptsLoaded } from '@tollgate/ledger/recovery/fence'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '@tollgate/ledger/accounts/ledger-admin'

/** State of the ledger at the last refresh, for gauges. */
export type LedgerState =
  | { readonly kind: 'unknown'; readonly is_open: false }
  | {
      readonly kind: 'known'
      readonly is_open: boolean
      readonly lag_events: number
      readonly lag_seconds: number
      readonly suspect_shards: number
      readonly open_holds: number
      /** Result of the verifier's last run; undefined before its first. */
      readonly last_check: { readonly differences: number; readonly started_at: number } | undefined
    }

export type LedgerView = {
  readonly current: () => LedgerState
  /** Reads the state again; after a failed read the state is `unknown`. */
  readonly refresh: () => Promise<void>
}

type Stores = { readonly db: Db; readonly redis: Redis; readonly shards: number }

export const UNKNOWN_STATE: LedgerState = { kind: 'unknown', is_open: false }

export function createLedgerView(stores: Stores): LedgerView {
  let state = UNKNOWN_STATE
  return {
    current: () => state,
    refresh: async () => {
      try {
        state = await readLedgerState(stores)
      } catch (error) {
        state = UNKNOWN_STATE
        throw error
      }
    },
  }
}

/** Costs two queries, two commands per shard, and one more per shard with unposted events. */
async function readLedgerState({ db, redis, shards }: Stores): Promise<LedgerState> {
  const all = Array.from({ length: shards }, (_, shard) => shard)
  const [cursors, last_check, isOpen, now] = await Promise.all([
    listPostingCursors(db, all),
    findLastLedgerReport(db),
    areScriptsLoaded(redis),
    readRedisTime(redis),
  ])
  const [counts, holds] = await Promise.all([
    Promise.all(all.map((shard) => redis.hget(keys.fence(shard), 'n'))),
    Promise.all(all.map((shard) => redis.zcard(keys.holdTimes(shard)))),
  ])
  const behind = cursors.map(({ shard, last_id, last_n }) => ({ shard, last_id, events: Math.max(0, Number(counts[shard] ?? 0) - last_n) }))
  const waiting = behind.filter(({ events }) => events > 0)
  const oldest = await Promise.all(waiting.map(({ shard, last_id }) => redis.xrange(keys.usage(shard), `(${last_id}`, '+', 'COUNT', 1)))
  const ages = oldest.flatMap(([entry]) => (entry === undefined ? [] : [now - Number(entry[0].split('-')[0])]))
  return {
    kind: 'known',
    is_open: isOpen,
    lag_events: waiting.reduce((sum, { events }) => sum + events, 0),
    lag_seconds: Math.max(0, ...ages) / 1000,
    suspect_shards: cursors.filter(({ is_suspect }) => is_suspect).length,
    open_holds: holds.reduce((sum, count) => sum + count, 0),
    last_check,
  }
}
