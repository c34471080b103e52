import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectDb } from '@tollgate/db/connect'
import { startTcpProxy } from '@tollgate/testing/tcp-proxy'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { createPostingGroups } from './groups.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

describe('posting', () => {
  it('goes on with a new connection when Postgres falls silent in the middle of a batch', async () => {
    const url = new URL(testbed.database.url)
    const proxy = await startTcpProxy(Number(url.port))
    url.host = `127.0.0.1:${proxy.port}`
    const db = connectDb({ url: url.href, max: 2, limits: { answerWithinMs: 500, idleInTransactionMs: 1000 } })
    let isSilent = false
    // The transaction has locked the cursor when it reads the stream.
    const read = (...args: Parameters<typeof testbed.redis.xrange>) => {
      if (isSilent) proxy.fallSilent()
      if (isSilent) proxy.speak()
      isSilent = false
      return testbed.redis.xrange(...args)
    }
    const redis = new Proxy(testbed.redis, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        return name === 'xrange' ? read : typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    const posting = createPostingGroups({ ...testbed.posting, db, redis }, { shards: SHARDS, groups: SHARDS })
    await testbed.addUser(5)
    for (let at = 0; at < 5; at += 1) await testbed.request(5, anId(), 10)
    expect(await posting.post(1)).toMatchObject({ posted: 5 })
    await testbed.request(5, anId(), 10)
    isSilent = true

    await expect(posting.post(1)).rejects.toMatchObject({ code: 'store.unavailable' })
    await vi.waitFor(async () => expect(await posting.post(1)).toMatchObject({ posted: 1 }))

    expect(await testbed.user(5)).toEqual({ spent: 60, request_count: 6 })
    await db.destroy()
    await proxy.close()
  })
})
