import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import type { Redis } from '@tollgate/redis/connect'
import { decodeHold } from './hold-codec.ts'
import { openFence } from '../recovery/fence.ts'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Ledger, ReserveResult } from './types.ts'
import { aReserve, aSettle, openLedger, RELAY_ID } from '@tollgate/testing/test-ledger'

/**
 * Random orders of everything that can happen to one wallet and one token, against a model of Postgres with three numbers. After every
 * step, spent and charged are the sums of the events, held is the sum of the open holds, and no balance is below zero by more than
 * charges exceeded their holds.
 */
const SHARD = 1
const REQUESTS = 8

type Command =
  | { readonly kind: 'reserve'; readonly request: number; readonly want: number; readonly least: number }
  | { readonly kind: 'settle' | 'reap'; readonly request: number; readonly charge: number }
  | { readonly kind: 'top-up' | 'grant'; readonly amount: number }
  | { readonly kind: 'toggle-limit' | 'post' | 'evict' | 'repair' | 'load' | 'sync' | 'reopen' }

const request = fc.nat(REQUESTS - 1)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reserve' as const), request, want: fc.nat(80), least: fc.nat(80) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('settle' as const), request, charge: fc.nat(100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reap' as const), request, charge: fc.nat(100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('top-up' as const, 'grant' as const), amount: fc.nat(50) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('toggle-limit' as const, 'post' as const, 'evict' as const, 'load' as const, 'sync' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('reopen' as const, 'repair' as const) }) },
)

let server: TestRedis
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin
let runs = 0
beforeAll(async () => {
  server = await startTestRedis()
  const opened = await openLedger(server.url)
  redis = opened.redis
  ledger = opened.ledger
  admin = opened.admin
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

type Held = Extract<ReserveResult, { kind: 'held' }>
type Charged = { readonly n: number; readonly id: string; readonly charge: number; readonly token_charge: number }

/** One wallet and one token, and the model of Postgres. */
function createRun() {
  runs += 1
  const id = runs
  const postgres = { credited: 100, granted: 100, version: 1, is_limited: true, spent: 0, charged: 0, posted_n: 0 }
  const holds = new Map<number, Held>()
  const charges = new Map<number, number>()
  const unheld = { sum: 0 }
  const name = (r: number): string => `20261120-${id}-${r}`

  const events = async (): Promise<Charged[]> =>
    (await redis.xrange(keys.usage(SHARD), '-', '+'))
      .map(([, flat]) => Object.fromEntries(flat.flatMap((field, i) => (i % 2 === 0 ? [[field, flat[i + 1] ?? '']] : []))))
      .filter((event) => event['user'] === String(id))
      .map((event) => ({
        n: Number(event['n']),
        id: event['id'] ?? '',
        charge: Number(event['charge']),
        token_charge: Number(event['token_charge']),
      }))
  const load = async (): Promise<void> => {
    const readAt = await admin.redisTime()
    await admin.loadWallets(
      [
        {
          shard: SHARD,
          posted_n: postgres.posted_n,
          user_id: id,
          credited: postgres.credited,
          spent: postgres.spent,
          version: postgres.version,
          auth: 1,
        },
      ],
      readAt,
    )
    await admin.loadTokens(
      [
        {
          shard: SHARD,
          posted_n: postgres.posted_n,
          token_id: id,
          granted: postgres.granted,
          charged: postgres.charged,
          is_limited: postgres.is_limited,
          version: postgres.version,
          auth: 1,
        },
      ],
      readAt,
    )
  }
  const sync = async (): Promise<void> => {
    await admin.syncWallet({ shard: SHARD, user_id: id, credited: postgres.credited, version: postgres.version, auth: 1 })
    await admin.syncToken({
      shard: SHARD,
      token_id: id,
      granted: postgres.granted,
      is_limited: postgres.is_limited,
      version: postgres.version,
      auth: 1,
    })
  }
  const reserve = async (r: number, want: number, least: number): Promise<void> => {
    const wallet = await balancesOf(keys.wallet(SHARD, id), 'credited', 'spent')
    const token = await balancesOf(keys.token(SHARD, id), 'granted', 'charged')
    // Relays use an id once; a second call repeats the first one while its hold is open.
    const isNew = !holds.has(r)
    if (!isNew && decodeHold((await redis.hget(keys.holds(SHARD), name(r))) ?? '')?.kind !== 'open') return
    const answer = await ledger.reserve(
      aReserve({ shard: SHARD, request_id: name(r), user_id: id, token_id: id, want: Math.max(want, least), least }),
    )
    if (!isNew)
      return expect(answer).toMatchObject({ kind: 'held', wallet_held: holds.get(r)?.wallet_held, token_held: holds.get(r)?.token_held })
    if (answer.kind !== 'held') return
    if (wallet !== undefined && token !== undefined) {
      expect(answer.wallet_held).toBeLessThanOrEqual(Math.max(0, wallet.left))
      if (answer.token_held > 0) expect(answer.token_held).toBeLessThanOrEqual(token.left)
    }
    holds.set(r, answer)
  }
  const settle = async (r: number, proposed: number): Promise<void> => {
    const held = holds.get(r)
    if (held === undefined) return
    // A repeated settlement has the same content.
    const charge = charges.get(r) ?? proposed
    charges.set(r, charge)
    const { wallet_held, token_held, epoch } = held
    const input = aSettle({ shard: SHARD, request_id: name(r), user_id: id, token_id: id, charge, wallet_held, token_held, epoch })
    const before = (await events()).length
    const answer = await ledger.settle(input)
    const wrote = (await events()).length - before
    // A settlement without its hold had no money reserved: after a reap, or sent again in a new epoch (posting then drops the event by
    // its request id and corrects the balance).
    if (answer.kind === 'orphan' || answer.kind === 'late') unheld.sum += charge
    expect(wrote).toBe(answer.kind === 'settled' || answer.kind === 'late' || answer.kind === 'orphan' ? 1 : 0)
    // In every order, the request has finally cost its charge.
    const total = (await events()).filter((event) => event.id === name(r)).reduce((sum, event) => sum + event.charge, 0)
    if (answer.kind === 'settled' || answer.kind === 'late') expect(total).toBe(charge)
    // The same call again changes nothing and answers so.
    if (wrote === 1) expect(await ledger.settle(input)).toEqual({ kind: 'already' })
  }
  return { id, postgres, holds, unheld, name, events, load, sync, reserve, settle }
}

async function balancesOf(key: string, given: string, used: string) {
  const [a, b, held] = (await redis.hmget(key, given, used, 'held')).map((value) => (value === null ? undefined : Number(value)))
  return a === undefined || b === undefined || held === undefined ? undefined : { used: b, held, left: a - b - held }
}

async function step(run: ReturnType<typeof createRun>, command: Command): Promise<void> {
  const { id, postgres } = run
  switch (command.kind) {
    case 'reserve':
      return run.reserve(command.request, command.want, command.least)
    case 'settle':
      return run.settle(command.request, command.charge)
    case 'reap':
      await admin.reap({
        shard: SHARD,
        request_id: run.name(command.request),
        user_id: id,
        token_id: id,
        relay_id: RELAY_ID,
        charge: command.charge,
        body: '{}',
      })
      return
    case 'top-up':
      postgres.credited += command.amount
      postgres.version += 1
      return
    case 'grant':
      postgres.granted += command.amount
      postgres.version += 1
      return
    case 'toggle-limit':
      postgres.is_limited = !postgres.is_limited
      postgres.version += 1
      return
    case 'repair':
      // Recovery of a store that is behind: post its events, remove the balances.
      await step(run, { kind: 'post' })
      await redis.del(keys.wallet(SHARD, id), keys.token(SHARD, id))
      return
    case 'post': {
      const events = await run.events()
      postgres.spent = events.reduce((sum, event) => sum + event.charge, 0)
      postgres.charged = events.reduce((sum, event) => sum + event.token_charge, 0)
      postgres.posted_n = Math.max(0, ...events.map((event) => event.n))
      return
    }
    case 'evict':
      await admin.evictWallet({ shard: SHARD, user_id: id, posted_n: postgres.posted_n, idle_ms: 0 })
      await admin.evictToken({ shard: SHARD, token_id: id, posted_n: postgres.posted_n, idle_ms: 0 })
      return
    case 'load':
      return run.load()
    case 'sync':
      return run.sync()
    case 'reopen':
      await openFence(redis, { shard: SHARD, last_n: 0, last_id: '0-0' }, 'this store')
      return
  }
}

async function check(run: ReturnType<typeof createRun>): Promise<void> {
  const events = await run.events()
  const open = Object.entries(await redis.hgetall(keys.holds(SHARD))).flatMap(([request_id, text]) => {
    const hold = decodeHold(text)
    return hold?.kind === 'open' && hold.user_id === run.id ? [{ request_id, ...hold }] : []
  })
  const overspent = (held: (one: Held) => number, charged: (event: Charged) => number): number =>
    [...run.holds].reduce((sum, [r, one]) => {
      const total = events.filter((event) => event.id === run.name(r)).reduce((all, event) => all + charged(event), 0)
      return sum + Math.max(0, total - held(one))
    }, 0)
  const wallet = await balancesOf(keys.wallet(SHARD, run.id), 'credited', 'spent')
  if (wallet !== undefined) {
    expect(wallet.used).toBe(events.reduce((sum, event) => sum + event.charge, 0))
    expect(wallet.held).toBe(open.reduce((sum, hold) => sum + hold.wallet_held, 0))
    expect(wallet.left).toBeGreaterThanOrEqual(
      -run.unheld.sum -
        overspent(
          (one) => one.wallet_held,
          (event) => event.charge,
        ),
    )
  }
  const token = await balancesOf(keys.token(SHARD, run.id), 'granted', 'charged')
  if (token !== undefined) {
    expect(token.used).toBe(events.reduce((sum, event) => sum + event.token_charge, 0))
    expect(token.held).toBe(open.reduce((sum, hold) => sum + hold.token_held, 0))
    expect(token.left).toBeGreaterThanOrEqual(
      -run.unheld.sum -
        overspent(
          (one) => one.token_held,
          (event) => event.token_charge,
        ),
    )
  }
}

describe('the ledger', () => {
  it('conserves every unit in any order of events', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 50 }), async (commands) => {
        const run = createRun()
        await run.load()
        for (const one of commands) {
          await step(run, one)
          await check(run)
        }
        await redis.del(keys.usage(SHARD), keys.holds(SHARD))
      }),
      { numRuns: 60 },
    )
  })
})
