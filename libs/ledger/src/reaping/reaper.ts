import { execAll } from '@tollgate/redis/exec-all'
import { keys } from '@tollgate/redis/keys'
import { allShards, heartbeatKey, partsOf, serverOfKey, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { withTimeout } from '@tollgate/redis/with-timeout'
import type { LedgerAdmin, ReapResult, TokenState, WalletState } from '../accounts/ledger-admin.ts'
import { finalizeEvent } from '../client/finalize-event.ts'
import { findPendingEvent, listOpenHolds, type ListedHold } from '../client/hold-store.ts'
import type { LedgerLog } from '../log.ts'
import type { StorePosition } from '../recovery/posted-ledger.ts'
import { readForRedis } from '../recovery/store-position.ts'
import type { RelayWatch } from './relay-watch.ts'

/** Rows of one account with the position of Postgres' log at the read. */
type AccountRows<State> = { readonly rows: readonly State[]; readonly position: StorePosition }

export type ReaperDeps = {
  readonly redis: LedgerServers
  /** Fails at once and carries nothing large, so its response time shows the state of Redis. */
  readonly probeRedis: LedgerServers
  readonly admin: LedgerAdmin
  /** Each server of the ledger has its own: a relay that one does not hear from may be well for another. */
  readonly newWatch: () => RelayWatch
  readonly shards: number
  readonly readWallet: (userId: number) => Promise<AccountRows<WalletState>>
  readonly readToken: (tokenId: number) => Promise<AccountRows<TokenState>>
  readonly observer: { reaped(holds: number): void }
  readonly log: Pick<LedgerLog, 'warn' | 'error'>
}

export type ReapTotals = {
  readonly relays_dead: number
  readonly reaped: number
  /** Holds without a readable pending event. */
  readonly unreadable: number
  /** Tombstones removed. */
  readonly swept: number
}

export type Reaper = {
  /** True if there are holds or tombstones, or relays that it watches. One call. */
  hasWork(): Promise<boolean>
  /** Reads the heartbeats; call it every second. */
  probe(): Promise<void>
  /** Ends the open requests of dead relays and removes old tombstones. */
  reap(signal?: AbortSignal): Promise<ReapTotals>
}

const PROBE_TIMEOUT_MS = 1000
const TOMBSTONE_MS = 24 * 3_600_000
const SWEEP_LIMIT = 1000

export function createReaper(deps: ReaperDeps): Reaper {
  const listParts = keepParts(deps)
  return {
    hasWork: async () => {
      const parts = listParts()
      if (parts.some(({ watch }) => watch.relayIds().length > 0)) return true
      const found = await settleAll(parts.map((part) => listShardsWithHolds(part)))
      return found.some((shards) => shards.length > 0)
    },
    probe: async () => void (await Promise.all(listParts().map((part) => probe(deps, part)))),
    reap: async (signal) => {
      const totals = await settleAll(listParts().map((part) => reap(deps, part, signal)))
      const sum = (name: keyof ReapTotals): number => totals.reduce((all, one) => all + one[name], 0)
      return { relays_dead: sum('relays_dead'), reaped: sum('reaped'), unreadable: sum('unreadable'), swept: sum('swept') }
    },
  }
}

/** One server and its relays. */
type WatchedPart = LedgerPart & { readonly watch: RelayWatch }

/** A server that gets or loses shards is watched from the start again: its counters may stand elsewhere. */
function keepParts({ redis: servers, shards, newWatch }: ReaperDeps): () => WatchedPart[] {
  let known: WatchedPart[] = []
  return () => {
    const before = new Map(known.map((part) => [part.redis, part]))
    const isSame = (part: LedgerPart, kept: LedgerPart): boolean => String(part.shards) === String(kept.shards)
    known = partsOf(servers, allShards(shards))
      .filter((part) => part.shards.length > 0)
      .map((part) => {
        const kept = before.get(part.redis)
        return kept !== undefined && isSame(part, kept) ? kept : { ...part, watch: newWatch() }
      })
    return known
  }
}

/** The answers; rejects if there is none. A server that is away does not keep the relays of others waiting. */
async function settleAll<T>(all: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(all)
  const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.find((one) => one.status === 'rejected')
  if (found.length === 0 && failed !== undefined) throw failed.reason
  return found
}

async function probe({ redis: servers, probeRedis }: ReaperDeps, { watch, shards }: WatchedPart): Promise<void> {
  const relayIds = watch.relayIds()
  if (relayIds.length === 0) return watch.observe([])
  const counters = relayIds.map((relayId) => heartbeatKey(servers, shards, relayId))
  try {
    const values = serverOfKey(probeRedis, counters[0] ?? '').mget(counters)
    watch.observe(await withTimeout(values, PROBE_TIMEOUT_MS, 'Redis did not answer the probe'))
  } catch {
    // Silence of Redis is no evidence against a relay.
    watch.restart()
  }
}

async function reap(deps: ReaperDeps, part: WatchedPart, signal?: AbortSignal): Promise<ReapTotals> {
  const { watch } = part
  const open: { shard: number; listed: ListedHold }[] = []
  const totals = { relays_dead: 0, reaped: 0, unreadable: 0, swept: 0 }
  for (const shard of await listShardsWithHolds(part)) {
    for (const listed of await listOpenHolds(deps.redis, shard)) open.push({ shard, listed })
    const swept = await deps.admin.sweepTombstones(shard, TOMBSTONE_MS, SWEEP_LIMIT)
    if (swept.kind === 'swept') totals.swept += swept.count
  }
  watch.watchOnly(open.map(({ listed }) => listed.hold.relay_id))
  const dead = new Set(watch.relayIds().filter((relayId) => watch.isDead(relayId)))
  totals.relays_dead = dead.size
  for (const { shard, listed } of open) {
    if (signal?.aborted === true) break
    // Checked again for each hold: a probe may have failed meanwhile.
    if (!watch.isDead(listed.hold.relay_id)) continue
    const { result, isReadable } = await reapOne(deps, shard, listed)
    if (result.kind === 'reaped') {
      totals.reaped += 1
      deps.observer.reaped(1)
    }
    if (!isReadable) totals.unreadable += 1
  }
  if (totals.reaped > 0) deps.log.warn({ count: totals.reaped, detail: [...dead].join(' ') }, 'Ended open requests of dead relays')
  return totals
}

/** Shards with open holds or tombstones: one call for all, where most have neither. */
async function listShardsWithHolds({ redis, shards }: LedgerPart): Promise<number[]> {
  const pipeline = redis.pipeline()
  for (const shard of shards) pipeline.hlen(keys.holds(shard))
  const counts = await execAll(pipeline)
  return shards.filter((_, at) => counts[at] !== 0)
}

async function reapOne(
  deps: ReaperDeps,
  shard: number,
  { request_id, hold }: ListedHold,
): Promise<{ result: ReapResult; isReadable: boolean }> {
  const { user_id, token_id, relay_id, wallet_held, token_held } = hold
  const { pendingEvent, progress } = await findPendingEvent(deps.redis, shard, request_id)
  const now = await deps.admin.redisTime(shard)
  const finalized =
    pendingEvent === undefined ? undefined : finalizeEvent({ pendingEvent, progress, by: 'reaper', wallet_held, token_held, now })
  if (finalized === undefined)
    deps.log.error({ shard, request_id }, 'Hold has no readable pending event: released, its event goes to posting_rejects')
  // Without the quote there is no price to charge by: the hold is released and the event is listed among the rejects.
  const input = {
    shard,
    request_id,
    user_id,
    token_id,
    relay_id,
    charge: finalized?.charge ?? 0,
    body: finalized?.body ?? pendingEvent ?? '',
  }
  const result = await deps.admin.reap(input)
  if (result.kind !== 'cold') return { result, isReadable: finalized !== undefined }
  await loadAccounts(deps, user_id, token_id)
  return { result: await deps.admin.reap(input), isReadable: finalized !== undefined }
}

/** Loads nothing from a Postgres that came back older: the next round tries again. */
async function loadAccounts({ redis, admin, readWallet, readToken }: ReaperDeps, userId: number, tokenId: number): Promise<void> {
  const readAt = await admin.beginRead()
  const wallets = await readForRedis(redis, () => readWallet(userId))
  await admin.loadWallets(wallets ?? [], readAt)
  if (tokenId === 0) return
  const tokens = await readForRedis(redis, () => readToken(tokenId))
  await admin.loadTokens(tokens ?? [], readAt)
}
