import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockPostingCursor } from '@tollgate/db/queries/posting'
import { anId, createWorld, SHARDS, type World } from '../testing/worker-world.ts'
import { postShards } from './post-shards.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

describe('posting', () => {
  it('passes over a shard whose cursor somebody holds, within seconds, and posts the others', async () => {
    await world.addUser(17)
    await world.addUser(18)
    await world.request(17, anId(), 10)
    await world.request(18, anId(), 20)
    const before = world.lines.length
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = world.db.transaction().execute(async (tx) => {
      await lockPostingCursor(tx, 17 % SHARDS)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const started = performance.now()

    expect(await postShards(world.posting, [17 % SHARDS, 18 % SHARDS])).toMatchObject({ posted: 1 })

    expect(performance.now() - started).toBeLessThan(3000)
    expect(await world.user(18)).toEqual({ spent: 20, request_count: 1 })
    expect(world.lines.slice(before)).toMatchObject([{ level: 'warn', fields: { shard: 17 % SHARDS } }])
    held.resolve()
    await holder
    expect(await postShards(world.posting, [17 % SHARDS])).toMatchObject({ posted: 1 })
    expect(await world.user(17)).toEqual({ spent: 10, request_count: 1 })
  })
})
