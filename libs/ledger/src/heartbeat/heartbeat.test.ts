import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  encodeAccount,
  encodeClient,
  encodeOpening,
  encodePendingText,
  encodeQuote,
  toEventBody,
} from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startHeartbeat, type HeartbeatOptions } from './heartbeat.ts'
import { finalizeEvent, type PendingEvent } from '../client/finalize-event.ts'
import { waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { findPendingEvent, listOpenHolds } from '../client/hold-store.ts'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Heartbeat, Ledger, Progress, SettleInput } from '../client/types.ts'
import { aReserve, aToken, aWallet, testRecovery, openLedger, RELAY_ID } from '@tollgate/testing/test-ledger'

const usage = {
  ...ZERO_USAGE,
  text_in: 10,
  text_out: 4,
  prompt_tokens: 10,
  completion_tokens: 4,
  source: 'estimated',
} as const
const pendingEvent: PendingEvent = {
  user_id: 42,
  token_id: 7,
  username: 'u',
  token_name: 't',
  group: 'default',
  model_name: 'm',
  is_stream: true,
  started_at: 1000,
  quote: { mode: 'price', model: 'm', group: 'default', group_ratio: 1, quota_per_unit: 500_000, price_version: 1, model_price: 0.0001 },
  explanation: { client: { ip: '', user_agent: '', method: 'POST', path: '/' } },
}
const aProgress = (request_id: string): Progress => ({
  request_id,
  shard: 1,
  is_delivered: true,
  usage,
  channel_id: 3,
  channel_name: 'east',
  channel_type: 1,
  upstream_model: 'm-2',
  first_token_ms: 90,
})

let server: TestRedis
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin
let heartbeat: Heartbeat | undefined
beforeAll(async () => {
  server = await startTestRedis()
})
afterAll(() => server.stop())
beforeEach(async () => {
  const opened = await openLedger(server.url)
  redis = opened.redis
  ledger = opened.ledger
  admin = opened.admin
  const readAt = await admin.redisTime()
  await admin.loadWallets([aWallet], readAt)
  await admin.loadTokens([aToken], readAt)
})
afterEach(async () => {
  await heartbeat?.stop()
  redis.disconnect()
})

const start = async (over: Partial<HeartbeatOptions> = {}): Promise<Heartbeat> => {
  heartbeat = await startHeartbeat({
    redis,
    relay_id: RELAY_ID,
    shards: 2,
    listProgress: () => [],
    isKnown: () => true,
    settleUnknown: (input) => ledger.settle(input),
    intervalMs: 20,
    ...over,
  })
  return heartbeat
}

describe('heartbeat', () => {
  it('raises its counter and knows Redis’ time', async () => {
    const running = await start()

    await expect.poll(async () => Number(await redis.get(keys.heartbeat(RELAY_ID)))).toBeGreaterThan(3)
    expect(Math.abs(running.redisNow(1) - (await admin.redisTime()))).toBeLessThan(1000)
    expect(running.notAfter(1) - running.redisNow(1)).toBeGreaterThan(1000)
    expect(running.notAfter(1) - running.redisNow(1)).toBeLessThanOrEqual(2000)
    expect(running.isAlive(1)).toBe(true)
  })

  it('renews leases with every heartbeat, by Redis’ time', async () => {
    const times: number[] = []
    await start({ renewLeases: async (nowAt) => void times.push(nowAt(keys.sharedSlots('group', 'default'))) })

    await expect.poll(() => times.length).toBeGreaterThan(2)
    for (const time of times) expect(Math.abs(time - (await admin.redisTime()))).toBeLessThan(5000)
  })

  it('writes the progress of open requests, only for its own open holds', async () => {
    await ledger.reserve(aReserve({ request_id: 'mine', pendingEvent: JSON.stringify(pendingEvent) }))
    await ledger.reserve(aReserve({ request_id: 'other', relay_id: 'another-relay', pendingEvent: '{}' }))

    await start({ listProgress: () => ['mine', 'other', 'gone'].map(aProgress) })

    expect(await redis.hkeys(keys.progress(1))).toEqual(['mine'])
    expect(await findPendingEvent(redis, 1, 'mine')).toEqual({ pendingEvent: JSON.stringify(pendingEvent), progress: aProgress('mine') })
    expect((await listOpenHolds(redis, 1)).map(({ request_id }) => request_id).toSorted()).toEqual(['mine', 'other'])
  })

  it('settles unknown holds of its own by their progress once they are 30 s old', async () => {
    for (const request_id of ['old', 'young', 'known'])
      await ledger.reserve(aReserve({ request_id, pendingEvent: JSON.stringify(pendingEvent) }))
    for (const id of ['old', 'known']) {
      const line = (await redis.hget(keys.holds(1), id)) ?? ''
      await redis.hset(
        keys.holds(1),
        id,
        line.replace(/\d+$/, (at) => String(Number(at) - 31_000)),
      )
    }
    const settled: SettleInput[] = []
    await start({
      listProgress: () => [aProgress('old')],
      isKnown: (id) => id === 'known',
      ownHoldsEveryMs: 30,
      settleUnknown: async (input) => {
        settled.push(input)
        return ledger.settle(input)
      },
    })

    await expect.poll(() => settled.length).toBe(1)
    expect(settled[0]).toMatchObject({ request_id: 'old', charge: 50, wallet_held: 100, token_held: 100 })
    expect(toEventBody(JSON.parse(settled[0]?.body ?? ''))).toMatchObject({
      state: 'estimated',
      by: 'relay',
      channel_id: 3,
      token_charge: 50,
    })
    expect((await listOpenHolds(redis, 1)).map(({ request_id }) => request_id).toSorted()).toEqual(['known', 'young'])
  })

  it('continues while holds are checked, however long that takes', async () => {
    await ledger.reserve(aReserve({ request_id: 'old', pendingEvent: JSON.stringify(pendingEvent) }))
    const line = (await redis.hget(keys.holds(1), 'old')) ?? ''
    await redis.hset(
      keys.holds(1),
      'old',
      line.replace(/\d+$/, (at) => String(Number(at) - 31_000)),
    )
    const asked = Promise.withResolvers<void>()
    const settled = Promise.withResolvers<void>()
    const running = await start({
      isKnown: () => false,
      ownHoldsEveryMs: 30,
      settleUnknown: () => {
        asked.resolve()
        return settled.promise
      },
    })
    await asked.promise
    const before = Number(await redis.get(keys.heartbeat(RELAY_ID)))
    const allowed = running.notAfter(1)

    try {
      await expect.poll(async () => Number(await redis.get(keys.heartbeat(RELAY_ID)))).toBeGreaterThan(before + 3)
      expect(running.notAfter(1)).toBeGreaterThan(allowed)
    } finally {
      settled.resolve()
    }
  })

  it('releases the hold of an unanswered reserve as soon as not_after has passed', async () => {
    await ledger.reserve(aReserve({ request_id: 'refused', pendingEvent: JSON.stringify(pendingEvent) }))
    const running = await start({ intervalMs: 50, settleUnknown: (input) => ledger.settle(input) })

    running.noteUnconfirmed({ shard: 1, request_id: 'refused' })
    running.noteUnconfirmed({ shard: 1, request_id: 'never-taken' })
    expect((await listOpenHolds(redis, 1)).map(({ request_id }) => request_id)).toEqual(['refused'])

    await expect.poll(async () => (await listOpenHolds(redis, 1)).length, { timeout: 5000 }).toBe(0)
    expect(await redis.hmget(keys.wallet(1, 42), 'spent', 'held')).toEqual(['0', '0'])
  })

  it('reports that a fence was opened', async () => {
    let reopened = 0
    await start({ onReopened: () => (reopened += 1) })
    await redis.script('FLUSH')
    await testRecovery(redis).check()

    await expect.poll(() => reopened).toBe(1)
  })

  it('is not alive after a time without answers, and alive again with the next one', async () => {
    const running = await start({ deadAfterMs: 300 })
    const other = redis.duplicate().on('error', () => undefined)
    await waitUntilReady(other)
    await other.client('PAUSE', 1000, 'ALL')

    await expect.poll(() => running.isAlive(1), { timeout: 2000 }).toBe(false)
    await expect.poll(() => running.isAlive(1), { timeout: 5000 }).toBe(true)
    other.disconnect()
  })

  it('continues after Redis was unavailable, and reports each failure', async () => {
    const errors: unknown[] = []
    const running = await start({ onError: (cause) => errors.push(cause) })
    const other = redis.duplicate().on('error', () => undefined)
    await expect.poll(() => other.ping().catch(() => '')).toBe('PONG')
    const before = running.notAfter(1)
    await other.client('PAUSE', 700, 'ALL')

    await expect.poll(() => errors.length, { timeout: 5000 }).toBeGreaterThan(0)
    await expect.poll(() => running.notAfter(1), { timeout: 5000 }).toBeGreaterThan(before + 600)
    other.disconnect()
  })
})

describe('a pending event', () => {
  const complete = (progress: Progress | undefined, text = JSON.stringify(pendingEvent)) =>
    finalizeEvent({ pendingEvent: text, progress, by: 'reaper', wallet_held: 80, token_held: 0, now: 4000 })

  it('is read in the form that relays write, and in that of earlier versions', () => {
    const opening = {
      account: encodeAccount(pendingEvent),
      quote: encodeQuote(pendingEvent.quote),
      opening: encodeOpening(pendingEvent, pendingEvent.quote),
      client: encodeClient(pendingEvent.explanation.client),
      model: pendingEvent.quote.model,
    }

    expect(complete(aProgress('x'), encodePendingText(opening, pendingEvent))).toEqual(complete(aProgress('x')))
  })

  it('is released when no delivery is recorded', () => {
    for (const progress of [undefined, { ...aProgress('x'), is_delivered: false }]) {
      const done = complete(progress)
      expect(done?.charge).toBe(0)
      expect(UsageEventBody.parse(toEventBody(JSON.parse(done?.body ?? '')))).toMatchObject({
        state: 'released',
        by: 'reaper',
        ended_by: 'reaper',
        duration_ms: 3000,
        usage: { source: 'none' },
      })
    }
  })

  it('is charged by its own quote after a delivery, without a token that was not held', () => {
    const done = complete(aProgress('x'))

    expect(done?.charge).toBe(50)
    expect(UsageEventBody.parse(toEventBody(JSON.parse(done?.body ?? '')))).toMatchObject({
      state: 'estimated',
      explanation: { wallet_held: 80, token_held: 0 },
      token_charge: 0,
      upstream_model: 'm-2',
      usage: { completion_tokens: 4 },
    })
  })

  it.each(['', 'torn {', '{"state":"settled"}'])('cannot be charged when its text is %j', (text) => {
    expect(complete(aProgress('x'), text)).toBeUndefined()
  })
})
