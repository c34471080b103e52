import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { AnswerMemory } from './answer-memory.ts'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { listLostEvents, removeLostEvents, reportLostEvents } from './lost-events.ts'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await startTestRedis()
  redis = connectRedis(server.url, 'plain')
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.flushall())

/** A relay that was answered up to n in epoch 100 of shard 1; the `resent` settlements were accepted again. */
function aMemory(n: number, resent: readonly number[] = []): AnswerMemory {
  const memory = new AnswerMemory()
  memory.note(1, { n, epoch: 100 })
  for (const one of resent) memory.noteResent(1, { n: one, epoch: 100 })
  return memory
}

describe('lost events', () => {
  it('are the events after the restored number that relays remember, minus those sent again', async () => {
    await redis.hset(keys.fence(1), 'epoch', 200, 'restored', 50)
    await reportLostEvents(redis, 'a', aMemory(57, [51, 53, 49]))
    await reportLostEvents(redis, 'b', aMemory(60, [60]))
    await reportLostEvents(redis, 'c', aMemory(50))

    const [found, ...others] = await listLostEvents(redis, 0)

    expect(others).toEqual([])
    expect(found).toMatchObject({ shard: 1, epoch: 200, restored_n: 50, relay_n: 60, resent: 3, lost: 7 })
    if (found !== undefined) await removeLostEvents(redis, found)
    expect(await listLostEvents(redis, 0)).toEqual([])
  })

  it('do not include events that were answered after the opening', async () => {
    await redis.hset(keys.fence(1), 'epoch', 200, 'restored', 50)
    const memory = aMemory(50)
    memory.note(1, { n: 51, epoch: 200 })
    memory.note(1, { n: 52, epoch: 200 })

    await reportLostEvents(redis, 'a', memory)

    expect(await listLostEvents(redis, 0)).toEqual([])
  })

  it('are reported after every relay has had time to send again', async () => {
    const [seconds] = await redis.time()
    await redis.hset(keys.fence(1), 'epoch', Number(seconds) * 1000, 'restored', 50)
    await reportLostEvents(redis, 'a', aMemory(57))

    expect(await listLostEvents(redis, 30_000)).toEqual([])
    expect(await listLostEvents(redis, -1)).toHaveLength(1)
  })
})
