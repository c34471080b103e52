import { allShards } from '@tollgate/redis/ledger-servers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import type { Progress } from '@tollgate/ledger/client/types'
import { callScript } from '@tollgate/ledger/scripts/scripts'
import { postShards } from '../posting/post-shards.ts'
import { aBody, anId, createTestbed, RELAY_ID, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { createRelayWatch } from '@tollgate/ledger/reaping/relay-watch'
import { createReaper, type Reaper } from '@tollgate/ledger/reaping/reaper'
import { accountReads } from './account-reads.ts'

let testbed: Testbed
let clock: { at: number }
let reaper: Reaper
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())
beforeEach(() => {
  clock = { at: 0 }
  reaper = createReaper({
    observer: testbed.observer,
    ...accountReads(testbed.db),
    redis: testbed.redis,
    probeRedis: testbed.ledgerRedis,
    admin: testbed.admin,
    newWatch: () => createRelayWatch({ deadAfterMs: 60_000, monotonic: () => clock.at }),
    shards: SHARDS,
    log: testbed.log,
  })
})

/** The relay is seen with a hold, then sends no heartbeat for so many seconds. */
async function silence(seconds: number): Promise<void> {
  await reaper.reap()
  for (let i = 0; i < seconds; i += 1) {
    clock.at += 1000
    await reaper.probe()
  }
}

const delivered = (request_id: string, shard: number): Progress => ({
  request_id,
  shard,
  is_delivered: true,
  channel_id: 9,
  channel_name: 'west',
  channel_type: 1,
  upstream_model: 'gpt-y',
  first_token_ms: 120,
  usage: { ...aBody().usage, text_in: 10, text_out: 4, prompt_tokens: 10, completion_tokens: 4, source: 'estimated' },
})

const noteProgress = (progress: Progress) =>
  callScript(
    testbed.redis,
    progress.shard,
    'progress',
    [keys.holds(progress.shard), keys.progress(progress.shard)],
    [RELAY_ID, progress.request_id, JSON.stringify(progress)],
  )

const logOf = (requestId: string) => testbed.db.selectFrom('logs').selectAll().where('request_id', '=', requestId).execute()
const post = () => postShards(testbed.posting, allShards(SHARDS))

describe('reaper', () => {
  it('has work while a request is open, or a relay that it watches had one at its last run', async () => {
    expect(await reaper.hasWork()).toBe(false)
    await testbed.addUser(90)
    const id = anId()
    const held = await testbed.reserve(90, id)
    expect(await reaper.hasWork()).toBe(true)
    await reaper.reap()
    await testbed.settle(90, id, 1, held)
    expect(await reaper.hasWork()).toBe(true)
    await reaper.reap()
    expect(await reaper.hasWork()).toBe(false)
  })

  it('releases undelivered requests and charges delivered ones once the relay is dead', async () => {
    await testbed.addUser(1)
    const [silent, spoken] = [anId(), anId()]
    await testbed.reserve(1, silent)
    await testbed.reserve(1, spoken)
    await noteProgress(delivered(spoken, 1))
    await silence(60)
    expect(await reaper.reap()).toMatchObject({ reaped: 0 })
    clock.at += 1000
    await reaper.probe()

    expect(await reaper.reap()).toMatchObject({ relays_dead: 1, reaped: 2, unreadable: 0 })

    await post()
    // 10 prompt tokens and 4 × 3 for the completion, at model ratio 2.
    expect(await testbed.user(1)).toEqual({ spent: 44, request_count: 1 })
    expect(await testbed.redis.hget(keys.wallet(1, 1), 'held')).toBe('0')
    expect(await logOf(silent)).toMatchObject([{ type: 5, state: 'released', quota: 0 }])
    expect(await logOf(spoken)).toMatchObject([{ type: 2, state: 'estimated', quota: 44, channel_id: 9, completion_tokens: 4 }])
  })

  it('does not end requests of a relay that sends heartbeats', async () => {
    await testbed.addUser(2)
    const id = anId()
    const held = await testbed.reserve(2, id, { relay_id: 'beating' })
    await reaper.reap()
    for (let i = 0; i < 90; i += 1) {
      clock.at += 1000
      await testbed.redis.incr(keys.heartbeat('beating'))
      await reaper.probe()
    }

    expect(await reaper.reap()).toMatchObject({ relays_dead: 0, reaped: 0 })
    expect(await testbed.settle(2, id, 5, held)).toMatchObject({ kind: 'settled' })
  })

  it('lets a relay that was only paused correct the charge once', async () => {
    await testbed.addUser(3)
    const id = anId()
    const held = await testbed.reserve(3, id)
    await silence(61)
    expect(await reaper.reap()).toMatchObject({ reaped: 1 })

    expect(await testbed.settle(3, id, 70, held)).toMatchObject({ kind: 'late' })
    expect(await testbed.settle(3, id, 70, held)).toMatchObject({ kind: 'already' })

    await post()
    expect(await testbed.user(3)).toMatchObject({ spent: 70 })
  })

  it('loads a cold wallet and ends the request', async () => {
    await testbed.addUser(4)
    const id = anId()
    await testbed.reserve(4, id)
    await testbed.redis.del(keys.wallet(0, 4), keys.token(0, 4))
    await silence(61)

    expect(await reaper.reap()).toMatchObject({ reaped: 1 })
    expect(await testbed.redis.hmget(keys.wallet(0, 4), 'spent', 'held')).toEqual(['0', '0'])
  })

  it('releases a hold without a readable pending event, charges nothing and reports it', async () => {
    await testbed.addUser(5)
    await testbed.reserve(5, anId(), { pendingEvent: 'torn' })
    await silence(61)

    expect(await reaper.reap()).toMatchObject({ reaped: 1, unreadable: 1 })

    expect(await post()).toMatchObject({ rejected: 1 })
    expect(await testbed.redis.hget(keys.wallet(1, 5), 'held')).toBe('0')
    expect(testbed.lines.some((line) => line.level === 'error' && line.text.includes('no readable pending event'))).toBe(true)
  })

  it('calls no relay dead because Redis paused', async () => {
    await testbed.addUser(6)
    const id = anId()
    const held = await testbed.reserve(6, id)
    await silence(61)
    const pauser = testbed.redis.duplicate()
    await pauser.client('PAUSE', 700, 'ALL')
    await reaper.probe()

    await expect.poll(() => testbed.ledgerRedis.ping().catch(() => 'paused'), { timeout: 5000 }).toBe('PONG')
    expect(await reaper.reap()).toMatchObject({ relays_dead: 0, reaped: 0 })
    expect(await testbed.settle(6, id, 5, held)).toMatchObject({ kind: 'settled' })
    pauser.disconnect()
  })

  it('removes tombstones older than a day', async () => {
    await testbed.addUser(7)
    const id = anId()
    await testbed.reserve(7, id)
    await silence(61)
    await reaper.reap()
    await testbed.redis.zadd(keys.tombstones(3), Date.now() - 25 * 3_600_000, id)

    expect(await reaper.reap()).toMatchObject({ swept: 1 })
    expect(await testbed.redis.hexists(keys.holds(3), id)).toBe(0)
  })
})
