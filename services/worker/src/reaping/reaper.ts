import { readWithPosition } from '@tollgate/db/queries/position'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet'
import type { Db } from '@tollgate/db/connect'
import type { JobResult } from '@tollgate/jobs/jobs'
import { finalizeEvent } from '@tollgate/ledger/client/finalize-event'
import type { Redis } from '@tollgate/redis/connect'
import { findPendingEvent, listOpenHolds, type ListedHold } from '@tollgate/ledger/client/hold-store'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin, ReapResult } from '@tollgate/ledger/accounts/ledger-admin'
import { readNoted } from '@tollgate/ledger/recovery/store-position'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Observer } from '../observe.ts'
import { withTimeout } from '../with-timeout.ts'
import type { RelayWatch } from '@tollgate/ledger/reaping/relay-watch'

export type ReaperDeps = {
  readonly db: Db
  readonly redis: Redis
  /** A connection that fails at once and carries nothing big: how fast it answers says how Redis is. */
  readonly probeRedis: Redis
  readonly admin: LedgerAdmin
  readonly watch: RelayWatch
  readonly shards: number
  readonly observer: Pick<Observer, 'reaped'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

export type Reaper = {
  /** Looks at the heartbeats; called every second by a plain loop. */
  probe(): Promise<void>
  /** Ends the open requests of dead owners and sweeps old tombstones. */
  reap(signal?: AbortSignal): Promise<JobResult<'reap-holds'>>
}

const PROBE_TIMEOUT_MS = 1000
const TOMBSTONE_MS = 24 * 3_600_000
const SWEEP_LIMIT = 1000

export function createReaper(deps: ReaperDeps): Reaper {
  return { probe: () => probe(deps), reap: (signal) => reap(deps, signal) }
}

async function probe({ probeRedis, watch }: ReaperDeps): Promise<void> {
  const owners = watch.owners()
  try {
    const counters = await withTimeout(
      owners.length === 0 ? probeRedis.time().then(() => []) : probeRedis.mget(owners.map((relay_id) => keys.heartbeat(relay_id))),
      PROBE_TIMEOUT_MS,
      'Redis did not answer the probe',
    )
    watch.observe(counters)
  } catch {
    // A Redis that does not answer says nothing about relays: nobody may be called dead because of it.
    watch.startAnew()
  }
}

async function reap(deps: ReaperDeps, signal?: AbortSignal): Promise<JobResult<'reap-holds'>> {
  const open: { shard: number; listed: ListedHold }[] = []
  const totals = { owners_dead: 0, reaped: 0, unreadable: 0, swept: 0 }
  for (let shard = 0; shard < deps.shards; shard += 1) {
    for (const listed of await listOpenHolds(deps.redis, shard)) open.push({ shard, listed })
    const swept = await deps.admin.sweepTombstones(shard, TOMBSTONE_MS, SWEEP_LIMIT)
    if (swept.kind === 'swept') totals.swept += swept.count
  }
  deps.watch.follow(open.map(({ listed }) => listed.hold.relay_id))
  const dead = new Set(deps.watch.owners().filter((relay_id) => deps.watch.isDead(relay_id)))
  totals.owners_dead = dead.size
  for (const { shard, listed } of open) {
    if (signal?.aborted === true) break
    // Asked again for each hold: a probe may have failed meanwhile.
    if (!deps.watch.isDead(listed.hold.relay_id)) continue
    const { result, isReadable } = await reapOne(deps, shard, listed)
    if (result.kind === 'reaped') {
      totals.reaped += 1
      deps.observer.reaped(1)
    }
    if (!isReadable) totals.unreadable += 1
  }
  if (totals.reaped > 0) deps.log.warn({ count: totals.reaped, detail: [...dead].join(' ') }, 'ended open requests of relays that stopped')
  return totals
}

async function reapOne(
  deps: ReaperDeps,
  shard: number,
  { request_id, hold }: ListedHold,
): Promise<{ result: ReapResult; isReadable: boolean }> {
  const { user_id, token_id, relay_id, wallet_held, token_held } = hold
  const { pendingEvent, progress } = await findPendingEvent(deps.redis, shard, request_id)
  const now = await deps.admin.redisTime()
  const completed =
    pendingEvent === undefined ? undefined : finalizeEvent({ pendingEvent, progress, by: 'reaper', wallet_held, token_held, now })
  if (completed === undefined)
    deps.log.error({ shard, request_id }, 'a hold has no readable draft: released, its event goes to posting_rejects')
  // Without the quote nothing may be charged by guess; the hold is given back and the event shows up among the rejects.
  const input = {
    shard,
    request_id,
    user_id,
    token_id,
    relay_id,
    charge: completed?.charge ?? 0,
    body: completed?.body ?? pendingEvent ?? '',
  }
  const result = await deps.admin.reap(input)
  if (result.kind !== 'cold') return { result, isReadable: completed !== undefined }
  await loadAccounts(deps, user_id, token_id)
  return { result: await deps.admin.reap(input), isReadable: completed !== undefined }
}

/** Not where Postgres came back older: the next round tries again. */
async function loadAccounts({ db, redis, admin }: ReaperDeps, userId: number, tokenId: number): Promise<void> {
  const readAt = await admin.redisTime()
  const wallets = await readNoted(redis, () => readWithPosition(db, (own) => listWalletStates(own, [userId])))
  await admin.loadWallets(wallets ?? [], readAt)
  if (tokenId === 0) return
  const tokens = await readNoted(redis, () => readWithPosition(db, (own) => listTokenStates(own, [tokenId])))
  await admin.loadTokens(tokens ?? [], readAt)
}
