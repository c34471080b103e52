import { randomUUID } from 'node:crypto'
import { hashTokenKey } from '@tollgate/config/sealing'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { createLedger } from '@tollgate/ledger/client/ledger'
import type { SettleInput } from '@tollgate/ledger/client/types'
import { getTokenRecord } from '@tollgate/redis/stores/token-store'

/** The hold of a request until it is settled. */
export type Held = Omit<SettleInput, 'charge' | 'body'>

/** The two ledger calls that the relay makes per request, and nothing else. */
export type LedgerClient = {
  /** Reserves. `authorization` is a client's header, `Bearer sk-` and a key from seed-bench.ts. Rejects when nothing is held. */
  hold(authorization: string): Promise<Held>
  /** Settles. Rejects when Redis does not confirm. */
  settle(held: Held): Promise<void>
}

const BEARER = 'Bearer sk-'
const WANT = 1000
const CHARGE = 500
const MINUTE_MS = 60_000
const WINDOW = { max: 1_000_000, window_ms: MINUTE_MS } as const
const WINDOWS = [
  { name: 'total', ...WINDOW },
  { name: 'success', ...WINDOW },
] as const
/** As long as the texts of a 1 KB request. */
const PENDING_EVENT = 'd'.repeat(650)
const BODY = 'b'.repeat(1800)

/** Used by load-tests/floor/floor-with-ledger.ts to measure what the ledger alone adds to the floor. */
export async function openLedgerClient(redisUrl: string): Promise<LedgerClient> {
  const [money, plain] = [connectRedis(redisUrl, 'ledger'), connectRedis(redisUrl, 'plain')]
  await Promise.all([waitUntilReady(money), waitUntilReady(plain)])
  const ledger = createLedger(money)
  const records = new Map<string, TokenRecord>()
  const relay_id = randomUUID()
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  let count = 0

  const recordOf = async (authorization: string): Promise<TokenRecord> => {
    const found = await getTokenRecord(plain, hashTokenKey(authorization.slice(BEARER.length)))
    if (found === undefined) throw new Error('unknown token key')
    records.set(authorization, found)
    return found
  }

  return {
    hold: async (authorization) => {
      const { shard, user_id, token_id, user_auth, token_auth } = records.get(authorization) ?? (await recordOf(authorization))
      count += 1
      const account = { shard, request_id: `${day}${relay_id}${count}`, user_id, token_id }
      const input = { relay_id, want: WANT, least: WANT, not_after: Date.now() + MINUTE_MS, windows: WINDOWS, pendingEvent: PENDING_EVENT }
      const result = await ledger.reserve({ ...account, user_auth, token_auth, ...input })
      if (result.kind !== 'held') throw new Error(`not held: ${result.kind}`)
      const { wallet_held, token_held, epoch } = result
      return { ...account, wallet_held, token_held, epoch, success_window_ms: MINUTE_MS }
    },
    settle: async (held) => {
      const result = await ledger.settle({ ...held, charge: CHARGE, body: BODY })
      if (result.kind !== 'settled') throw new Error(`not settled: ${result.kind}`)
    },
  }
}
