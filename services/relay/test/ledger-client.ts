import { randomUUID } from 'node:crypto'
import { hashTokenKey } from '@tollgate/config/sealing'
import type { TokenRecord } from '@tollgate/contracts/internal-api'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { createLedger } from '@tollgate/ledger/client/ledger'
import type { SettleInput } from '@tollgate/ledger/client/types'
import { getTokenRecord } from '@tollgate/redis/stores/token-store'

/** What is held for a request until it is paid. */
export type Held = Omit<SettleInput, 'charge' | 'body'>

/** The two calls of the ledger, as each request of a relay makes them, with nothing around them. */
export type LedgerClient = {
  /** `authorization`: that of a client, `Bearer sk-` and a key of the world (bench-world.ts). Rejects when nothing is held. */
  hold(authorization: string): Promise<Held>
  /** Rejects when Redis did not take it. */
  pay(held: Held): Promise<void>
}

const BEARER = 'Bearer sk-'
const WANT = 1000
const CHARGE = 500
const A_MINUTE = 60_000
const WINDOW = { max: 1_000_000, window_ms: A_MINUTE } as const
const WINDOWS = [
  { name: 'total', ...WINDOW },
  { name: 'success', ...WINDOW },
] as const
/** As long as those of a request of 1 KB. */
const PENDING_EVENT = 'd'.repeat(650)
const BODY = 'b'.repeat(1800)

/** For load-tests/floor/floor-with-ledger.ts: what the ledger alone adds to the floor, whatever the gateway around it is made of. */
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
    if (found === undefined) throw new Error('the world has no such key')
    records.set(authorization, found)
    return found
  }

  return {
    hold: async (authorization) => {
      const { shard, user_id, token_id, user_auth, token_auth } = records.get(authorization) ?? (await recordOf(authorization))
      count += 1
      const account = { shard, request_id: `${day}${relay_id}${count}`, user_id, token_id }
      const asked = { relay_id, want: WANT, least: WANT, not_after: Date.now() + A_MINUTE, windows: WINDOWS, pendingEvent: PENDING_EVENT }
      const result = await ledger.reserve({ ...account, user_auth, token_auth, ...asked })
      if (result.kind !== 'held') throw new Error(`nothing was held: ${result.kind}`)
      const { wallet_held, token_held, epoch } = result
      return { ...account, wallet_held, token_held, epoch, success_window_ms: A_MINUTE }
    },
    pay: async (held) => {
      const result = await ledger.settle({ ...held, charge: CHARGE, body: BODY })
      if (result.kind !== 'settled') throw new Error(`not settled: ${result.kind}`)
    },
  }
}
