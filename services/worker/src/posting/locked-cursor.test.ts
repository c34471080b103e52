import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockPostingCursor } from '@tollgate/db/queries/ledger/posting'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { postShards } from './post-shards.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

describe('posting', () => {
  it('leaves a shard to the transaction that has its cursor, at once and without a word, and posts the others', async () => {
    await testbed.addUser(17)
    await testbed.addUser(18)
    await testbed.request(17, anId(), 10)
    await testbed.request(18, anId(), 20)
    const before = testbed.lines.length
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = testbed.db.transaction().execute(async (tx) => {
      await lockPostingCursor(tx, 17 % SHARDS)
      locked.resolve()
      await held.promise
    })
    await locked.promise

    expect(await postShards(testbed.posting, [17 % SHARDS, 18 % SHARDS])).toMatchObject({ posted: 1 })

    expect(await postShards(testbed.posting, [17 % SHARDS])).toMatchObject({ posted: 0 })
    expect(await testbed.user(18)).toEqual({ spent: 20, request_count: 1 })
    // A wait for the lock would end with a warning.
    expect(testbed.lines.slice(before)).toEqual([])
    held.resolve()
    await holder
    expect(await postShards(testbed.posting, [17 % SHARDS])).toMatchObject({ posted: 1 })
    expect(await testbed.user(17)).toEqual({ spent: 10, request_count: 1 })
  })
})
