import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { createPostingGroups } from './groups.ts'
import { BATCH_SIZE } from './post-batch.ts'

let testbed: Testbed
let at = 1_000_000
beforeAll(async () => {
  testbed = await createTestbed()
  await testbed.addUser(1)
  await testbed.addUser(2)
})
afterAll(() => testbed.close())

/** Groups of a worker that has just started; each shard of this test is a group of its own. */
const aWorker = () => createPostingGroups({ ...testbed.posting, now: () => at }, { shards: SHARDS, groups: SHARDS })
const rows = async (): Promise<number> => (await testbed.db.selectFrom('logs').select('id').execute()).length

/** Events of one user that fill a batch. */
const fillStream = (user: number): Promise<unknown> =>
  Promise.all(Array.from({ length: BATCH_SIZE }, () => testbed.request(user, anId(), 1)))

describe('groups of shards', () => {
  it('wait while they have events to post, and while balance corrections are pending', async () => {
    const groups = aWorker()
    expect(await groups.listWaiting(false)).toEqual([])

    await testbed.request(1, anId(), 5)
    expect(await groups.listWaiting(false)).toEqual([1])
    await testbed.request(2, anId(), 5)
    expect(new Set(await groups.listWaiting(false))).toEqual(new Set([1, 2]))
    await Promise.all([groups.post(1), groups.post(2)])
    expect(await groups.listWaiting(false)).toEqual([])

    await testbed.db.insertInto('balance_corrections').values({ shard: 2, subject: 'user', subject_id: 2, n: 1 }).execute()
    expect(await groups.listWaiting(true)).toEqual([2])
    await groups.post(2)
    expect(await groups.listWaiting(true)).toEqual([])
  })

  it('do not wait while this process posts them', async () => {
    const groups = aWorker()
    await testbed.request(1, anId(), 5)

    const posting = groups.post(1)
    const waiting = await groups.listWaiting(false)

    expect(waiting).toEqual([])
    await posting
  })

  it('are posted without their queue when they have waited too long, and not before', async () => {
    const groups = aWorker()
    await testbed.request(1, anId(), 5)
    const before = await rows()

    await groups.listWaiting(false)
    at += 10_000
    await groups.postOverdue(10_000)
    expect(await rows()).toBe(before)
    at += 1
    await groups.postOverdue(10_000)
    expect(await rows()).toBe(before + 1)
  })

  it('are not posted without their queue when nothing waited meanwhile, or their queue has just run', async () => {
    const groups = aWorker()
    await groups.listWaiting(false)
    at += 60_000
    await testbed.request(1, anId(), 5)
    await groups.listWaiting(false)
    const before = await rows()
    await groups.postOverdue(10_000)
    expect(await rows()).toBe(before)

    at += 20_000
    await groups.post(1)
    await testbed.request(1, anId(), 5)
    await groups.postOverdue(10_000)
    expect(await rows()).toBe(before + 1)
    await groups.post(1)
  })

  it('share a run while their events fill one batch', async () => {
    await testbed.addUser(6)
    await testbed.addUser(7)
    const groups = aWorker()
    await testbed.request(6, anId(), 5)
    await testbed.request(7, anId(), 5)
    const [due, ...others] = await groups.listDue(false)

    expect(others).toEqual([])
    expect(await groups.postWithOthers(due ?? -1)).toMatchObject({ posted: 2 })
    expect(await groups.listDue(false)).toEqual([])
  })

  it('have a run each while their events fill more than one batch', async () => {
    const groups = aWorker()
    await testbed.request(6, anId(), 5)
    await fillStream(7)

    expect(new Set(await groups.listDue(false))).toEqual(new Set([6 % SHARDS, 7 % SHARDS]))
    expect(await groups.postWithOthers(6 % SHARDS)).toMatchObject({ posted: 1 })
    expect(await groups.postWithOthers(7 % SHARDS)).toMatchObject({ posted: BATCH_SIZE })
  })

  it('of a Postgres that came back older do not wait: recovery repairs them', async () => {
    const groups = aWorker()
    const posted = await testbed.redis.hget(keys.fence(1), 'posted')
    await testbed.request(1, anId(), 5)
    await testbed.redis.hset(keys.fence(1), 'posted', 1_000_000)

    expect(await groups.listWaiting(false)).toEqual([])
    await testbed.redis.hset(keys.fence(1), 'posted', posted ?? 0)
  })
})
