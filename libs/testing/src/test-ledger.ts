import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import { createRecovery } from '@tollgate/ledger/recovery/recovery'
import { createLedger } from '@tollgate/ledger/client/ledger'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import type { ReserveInput, SettleInput } from '@tollgate/ledger/client/types'
import type { PostedCursor, PostedLedger, PostedRequest, StorePosition } from '@tollgate/ledger/recovery/posted-ledger'

export const RELAY_ID = '11111111-1111-4111-8111-111111111111'

/** An open ledger on an emptied Redis. */
export async function openLedger(url: string, shards = 2) {
  const redis = connectRedis(url, 'ledger')
  await waitUntilReady(redis)
  await redis.flushall()
  await redis.script('FLUSH')
  const opened = await testRecovery(redis, shards).check()
  if (opened.kind !== 'opened') throw new Error(`the fence did not open: ${opened.kind}`)
  return { redis, ledger: createLedger(redis), admin: createLedgerAdmin(redis) }
}

export function rethrow(_shard: number, cause: unknown): never {
  throw cause
}

export const testRecovery = (redis: LedgerServers, shards = 2, posted: PostedLedger = postedNothing()) =>
  createRecovery({ redis, shards, posted, onRepaired: () => undefined, onFailed: rethrow })

/** The same Postgres, whose log is elsewhere. */
export const withPosition = (posted: PostedLedger, position: StorePosition): PostedLedger => ({
  ...posted,
  read: async (shards) => ({ ...(await posted.read(shards)), position }),
})

/** A Postgres that has posted nothing, or what `over` says. */
export function postedNothing(over: Partial<PostedCursor> & { readonly requests?: readonly PostedRequest[] } = {}): PostedLedger {
  const { requests = [], ...known } = over
  const isOf = (shard: number): boolean => known.shard === undefined || known.shard === shard
  let [isSuspect, lastN] = [known.is_suspect ?? false, known.last_n ?? 0]
  const cursorOf = (shard: number): PostedCursor => ({
    last_id: '0-0',
    suspect_reason: '',
    ...(isOf(shard) ? { ...known, last_n: lastN, is_suspect: isSuspect } : { last_n: 0, is_suspect: false }),
    shard,
  })
  return {
    read: async (shards) => ({ position: { store: 'one', at: 1n }, cursors: shards.map(cursorOf) }),
    withCursor: (shard, work) =>
      work(cursorOf(shard), {
        listPosted: async (ids) => requests.filter(({ request_id }) => ids.includes(request_id)),
        listWallets: async () => [],
        listTokens: async () => [],
        clearSuspicion: async () => void (isSuspect = false),
        correctLater: async () => undefined,
      }),
    suspect: async (shard) => {
      const cursor = cursorOf(shard)
      isSuspect = true
      return cursor
    },
    postRest: async (_shard, redisN) => {
      lastN = Math.max(lastN, redisN)
      return { missing: 0 }
    },
  }
}

export const aReserve = (over: Partial<ReserveInput> = {}): ReserveInput => ({
  shard: 1,
  request_id: '20261120000000000000001',
  user_id: 42,
  token_id: 7,
  user_auth: 1,
  token_auth: 1,
  relay_id: RELAY_ID,
  want: 100,
  least: 100,
  not_after: Date.now() + 60_000,
  windows: [],
  pendingEvent: '{"pending":true}',
  ...over,
})

export const aSettle = (over: Partial<SettleInput> = {}): SettleInput => ({
  shard: 1,
  request_id: '20261120000000000000001',
  user_id: 42,
  token_id: 7,
  charge: 60,
  wallet_held: 100,
  token_held: 100,
  epoch: 1,
  success_window_ms: 0,
  body: '{"body":true}',
  ...over,
})

export const aWallet = { shard: 1, posted_n: 0, user_id: 42, credited: 1000, spent: 0, version: 1, auth: 1 }
export const aToken = { shard: 1, posted_n: 0, token_id: 7, granted: 1000, charged: 0, is_limited: true, version: 1, auth: 1 }
