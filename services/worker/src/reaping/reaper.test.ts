import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import type { Progress } from '@tollgate/redis/ledger-types'
import { callScript } from '@tollgate/redis/scripts'
import { postShards } from '../posting/post-shards.ts'
import { aBody, anId, createWorld, OWNER, SHARDS, type World } from '../testing/worker-world.ts'
import { createOwnerWatch } from './owner-watch.ts'
import { createReaper, type Reaper } from './reaper.ts'

let world: World
let clock: { at: number }
let reaper: Reaper
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
beforeEach(() => {
  clock = { at: 0 }
  const watch = createOwnerWatch({ deadAfterMs: 60_000, monotonic: () => clock.at })
  reaper = createReaper({
    observer: world.observer,
    db: world.db,
    redis: world.redis,
    probeRedis: world.ledgerRedis,
    admin: world.admin,
    watch,
    shards: SHARDS,
    log: world.log,
  })
})

/** The owner is first seen with a hold, then does not beat for so many seconds. */
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
    world.redis,
    'progress',
    [keys.holds(progress.shard), keys.progress(progress.shard)],
    [OWNER, progress.request_id, JSON.stringify(progress)],
  )

const logOf = (requestId: string) => world.db.selectFrom('logs').selectAll().where('request_id', '=', requestId).execute()
const post = () =>
  postShards(
    world.posting,
    Array.from({ length: SHARDS }, (_, shard) => shard),
  )

describe('reaper', () => {
  it('releases what was not delivered and charges what was, once the owner is dead', async () => {
    await world.addUser(1)
    const [silent, spoken] = [anId(), anId()]
    await world.reserve(1, silent)
    await world.reserve(1, spoken)
    await noteProgress(delivered(spoken, 1))
    await silence(60)
    expect(await reaper.reap()).toMatchObject({ reaped: 0 })
    clock.at += 1000
    await reaper.probe()

    expect(await reaper.reap()).toMatchObject({ owners_dead: 1, reaped: 2, unreadable: 0 })

    await post()
    // 10 prompt tokens and 4 × 3 for the completion, at model ratio 2.
    expect(await world.user(1)).toEqual({ spent: 44, request_count: 1 })
    expect(await world.redis.hget(keys.wallet(1, 1), 'held')).toBe('0')
    expect(await logOf(silent)).toMatchObject([{ type: 5, state: 'released', quota: 0 }])
    expect(await logOf(spoken)).toMatchObject([{ type: 2, state: 'estimated', quota: 44, channel_id: 9, completion_tokens: 4 }])
  })

  it('leaves requests of an owner alone that beats', async () => {
    await world.addUser(2)
    const id = anId()
    const held = await world.reserve(2, id, { owner: 'beating' })
    await reaper.reap()
    for (let i = 0; i < 90; i += 1) {
      clock.at += 1000
      await world.redis.incr(keys.beat('beating'))
      await reaper.probe()
    }

    expect(await reaper.reap()).toMatchObject({ owners_dead: 0, reaped: 0 })
    expect(await world.settle(2, id, 5, held)).toMatchObject({ kind: 'settled' })
  })

  it('lets a relay that was only asleep correct the charge once', async () => {
    await world.addUser(3)
    const id = anId()
    const held = await world.reserve(3, id)
    await silence(61)
    expect(await reaper.reap()).toMatchObject({ reaped: 1 })

    expect(await world.settle(3, id, 70, held)).toMatchObject({ kind: 'late' })
    expect(await world.settle(3, id, 70, held)).toMatchObject({ kind: 'already' })

    await post()
    expect(await world.user(3)).toMatchObject({ spent: 70 })
  })

  it('loads a wallet that Redis forgot and ends the request', async () => {
    await world.addUser(4)
    const id = anId()
    await world.reserve(4, id)
    await world.redis.del(keys.wallet(0, 4), keys.token(0, 4))
    await silence(61)

    expect(await reaper.reap()).toMatchObject({ reaped: 1 })
    expect(await world.redis.hmget(keys.wallet(0, 4), 'spent', 'held')).toEqual(['0', '0'])
  })

  it('gives back the hold of an unreadable draft, charges nothing, and makes it visible', async () => {
    await world.addUser(5)
    await world.reserve(5, anId(), { draft: 'torn' })
    await silence(61)

    expect(await reaper.reap()).toMatchObject({ reaped: 1, unreadable: 1 })

    expect(await post()).toMatchObject({ rejected: 1 })
    expect(await world.redis.hget(keys.wallet(1, 5), 'held')).toBe('0')
    expect(world.lines.some((line) => line.level === 'error' && line.text.includes('no readable draft'))).toBe(true)
  })

  it('calls nobody dead because Redis paused', async () => {
    await world.addUser(6)
    const id = anId()
    const held = await world.reserve(6, id)
    await silence(61)
    const pauser = world.redis.duplicate()
    await pauser.client('PAUSE', 700, 'ALL')
    await reaper.probe()

    await expect.poll(() => world.ledgerRedis.ping().catch(() => 'paused'), { timeout: 5000 }).toBe('PONG')
    expect(await reaper.reap()).toMatchObject({ owners_dead: 0, reaped: 0 })
    expect(await world.settle(6, id, 5, held)).toMatchObject({ kind: 'settled' })
    pauser.disconnect()
  })

  it('sweeps tombstones older than a day', async () => {
    await world.addUser(7)
    const id = anId()
    await world.reserve(7, id)
    await silence(61)
    await reaper.reap()
    await world.redis.zadd(keys.tombstones(3), Date.now() - 25 * 3_600_000, id)

    expect(await reaper.reap()).toMatchObject({ swept: 1 })
    expect(await world.redis.hexists(keys.holds(3), id)).toBe(0)
  })
})
