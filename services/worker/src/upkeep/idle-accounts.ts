import type { Db } from '@tollgate/db/connect'
import { listPostingCursors } from '@tollgate/db/queries/ledger/posting'
import type { JobResult } from '@tollgate/jobs/jobs'
import { allShards, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { listIdleAccounts, type IdleAccount } from '@tollgate/ledger/accounts/idle-accounts'
import type { EvictResult, LedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import type { Observer } from '../telemetry/observe.ts'

export type EvictionDeps = {
  readonly db: Db
  readonly redis: LedgerServers
  readonly admin: Pick<LedgerAdmin, 'evictWallet' | 'evictToken'>
  readonly shards: number
  readonly observer: Pick<Observer, 'evicted'>
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic: () => number
}

export type Eviction = {
  /** Evicts a bounded number of accounts per shard. */
  run(signal?: AbortSignal): Promise<JobResult<'evict-idle'>>
}

const IDLE_MS = 3_600_000
const MAX_PER_SHARD = 200
/** A load may use data that was read 5 s ago, so eviction relies only on events that were posted before that. */
const SETTLED_MS = 10_000

type Posted = { readonly at: number; readonly n: ReadonlyMap<number, number> }

/** Removes idle accounts from Redis, relying on what was posted at the previous run; the first run only reads the cursors. */
export function createEviction(deps: EvictionDeps): Eviction {
  let settled: Posted | undefined
  return {
    run: async (signal) => {
      const now = await readPosted(deps)
      if (settled !== undefined && now.at - settled.at < SETTLED_MS) return { checked: 0, evicted: 0 }
      const before = settled
      settled = now
      return before === undefined ? { checked: 0, evicted: 0 } : evictBy(deps, before.n, signal)
    },
  }
}

async function readPosted({ db, shards, monotonic }: EvictionDeps): Promise<Posted> {
  const cursors = await listPostingCursors(db, allShards(shards))
  const sound = cursors.filter(({ is_suspect }) => !is_suspect)
  return { at: monotonic(), n: new Map(sound.map(({ shard, last_n }) => [shard, last_n])) }
}

async function evictBy(deps: EvictionDeps, posted: ReadonlyMap<number, number>, signal?: AbortSignal): Promise<JobResult<'evict-idle'>> {
  const totals = { checked: 0, evicted: 0 }
  for (const [shard, posted_n] of posted) {
    if (signal?.aborted === true) break
    const idle = await listIdleAccounts(deps.redis, { shard, idle_ms: IDLE_MS, limit: MAX_PER_SHARD })
    const results = await Promise.all(idle.map((account) => evictOne(deps, account, { shard, posted_n, idle_ms: IDLE_MS })))
    const evicted = results.filter(({ kind }) => kind === 'evicted').length
    totals.checked += idle.length
    totals.evicted += evicted
    deps.observer.evicted(evicted)
  }
  return totals
}

function evictOne(
  { admin }: EvictionDeps,
  { kind, id }: IdleAccount,
  at: { shard: number; posted_n: number; idle_ms: number },
): Promise<EvictResult> {
  return kind === 'wallet' ? admin.evictWallet({ ...at, user_id: id }) : admin.evictToken({ ...at, token_id: id })
}
