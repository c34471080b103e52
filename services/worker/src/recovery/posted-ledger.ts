import { dayOfRequestId } from '@tollgate/contracts/relay/usage-event'
import type { Db, Tx } from '@tollgate/db/connect'
import {
  clearShardSuspicion,
  listUsageKeys,
  lockPostingCursor,
  suspectPostingCursor,
  updatePostingCursors,
  type UsageKeyRow,
} from '@tollgate/db/queries/ledger/posting'
import { addBalanceCorrections } from '@tollgate/db/queries/wallet/balance-corrections'
import { readPostingState } from '@tollgate/db/queries/ledger/posting-state'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import type { LedgerServers } from '@tollgate/redis/ledger-servers'
import type { PostedLedger, PostedRequest, PostedShard } from '@tollgate/ledger/recovery/posted-ledger'
import { postSuspectBatch } from '../posting/post-batch.ts'
import { readEntries } from '../posting/post-shards.ts'

type Stores = {
  readonly db: Db
  readonly redis: LedgerServers
  /** Unix milliseconds. */
  readonly now: () => number
}

/** The queries of recovery, on Postgres. */
export function createPostedLedger({ db, redis, now }: Stores): PostedLedger {
  const seconds = (): number => Math.floor(now() / 1000)
  return {
    read: (shards) => readPostingState(db, shards),
    withCursor: (shard, work) =>
      db.transaction().execute(async (tx) => work(await lockPostingCursor(tx, shard), toPostedShard(tx, shard, seconds))),
    suspect: (shard, reason) => db.transaction().execute((tx) => suspectPostingCursor(tx, { shard, reason, now: seconds() })),
    postRest: async (shard, redisN) => {
      const read = (afterId: string) => readEntries(redis, shard, afterId)
      let missing = 0
      for (;;) {
        const batch = await db.transaction().execute((tx) => postSuspectBatch(tx, { shard, read, nowSeconds: seconds() }))
        missing += batch.missing
        if (!batch.isFull) break
      }
      return { missing: missing + (await raiseCursor(db, { shard, redisN, now: seconds() })) }
    },
  }
}

/** Moves the cursor past numbers that Redis assigned and whose events no store has. Returns how many. */
async function raiseCursor(db: Db, { shard, redisN, now }: { shard: number; redisN: number; now: number }): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { last_id, last_n } = await lockPostingCursor(tx, shard)
    if (redisN <= last_n) return 0
    await updatePostingCursors(tx, [{ shard, last_id, last_n: redisN, now }])
    return redisN - last_n
  })
}

function toPostedShard(tx: Tx, shard: number, seconds: () => number): PostedShard {
  return {
    listPosted: async (ids) => toPostedRequests(await listUsageKeys(tx, ids.filter(hasDay).map(toKey))),
    listWallets: async (ids) => (ids.length === 0 ? [] : listWalletStates(tx, ids)),
    listTokens: async (ids) => (ids.length === 0 ? [] : listTokenStates(tx, ids)),
    clearSuspicion: () => clearShardSuspicion(tx, { shard, now: seconds() }),
    correctLater: async (accounts) => {
      if (accounts.length > 0) await addBalanceCorrections(tx, { shard, n: (await lockPostingCursor(tx, shard)).last_n, accounts })
    },
  }
}

const toKey = (request_id: string) => ({ day: dayOfRequestId(request_id), request_id })
const hasDay = (request_id: string): boolean => Number.isInteger(dayOfRequestId(request_id))

function toPostedRequests(rows: readonly UsageKeyRow[]): PostedRequest[] {
  return [...Map.groupBy(rows, (row) => row.request_id)].map(([request_id, keys]) => ({
    request_id,
    isReapedOnly: keys.every(({ kind, by }) => kind === 'final' && by === 'reaper'),
    charge: keys.reduce((sum, { charge }) => sum + charge, 0),
  }))
}
