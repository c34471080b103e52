import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Queue, Worker } from 'bullmq'
import { createJobClient } from '@tollgate/jobs/client'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { keys } from '@tollgate/redis/keys'
import { anId, createTestbed, SHARDS, type Testbed } from '../test/test-worker.ts'
import { isReady, startWorkerProcess, type WorkerProcess } from '../test/worker-process.ts'

let testbed: Testbed
const started: WorkerProcess[] = []
beforeAll(async () => {
  testbed = await createTestbed()
})
// A worker that a failed test left would do the next one's jobs.
afterEach(async () => {
  for (const { child, exited } of started.splice(0)) {
    child.kill('SIGKILL')
    await exited
  }
})
afterAll(() => testbed.close())

async function startReady(env: Record<string, string> = {}): Promise<WorkerProcess> {
  const worker = await startWorkerProcess({ databaseUrl: testbed.database.url, redisUrl: testbed.server.url, shards: SHARDS }, env)
  started.push(worker)
  await vi.waitFor(async () => expect(await isReady(worker.port), worker.output()).toBe(true), { timeout: 15_000, interval: 50 })
  return worker
}

async function sums() {
  const { db } = testbed
  const total = async (table: 'users' | 'logs' | 'usage_hours', column: 'spent' | 'quota'): Promise<number> => {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.sum<string | null>(eb.ref(column)).as('sum'))
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }
  const count = async (table: 'logs' | 'usage_keys'): Promise<number> =>
    Number(
      (
        await db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirst()
      )?.count,
    )
  return {
    spent: await total('users', 'spent'),
    logs: await total('logs', 'quota'),
    hours: await total('usage_hours', 'quota'),
    rows: await count('logs'),
    keys: await count('usage_keys'),
  }
}

describe('the worker process', () => {
  it(
    'opens the fence, posts through its queue, and neither loses nor doubles an event when it is killed repeatedly',
    { timeout: 60_000 },
    async () => {
      await testbed.redis.script('FLUSH')
      const users = [1, 2, 3, 4, 5, 6]
      let worker = await startReady()
      for (const id of users) await testbed.addUser(id)

      const charge = 7
      let sent = 0
      for (let kill = 0; kill < 3; kill += 1) {
        const requests = Array.from({ length: 400 }, (_, i) => testbed.request(users[i % users.length] ?? 1, anId(), charge))
        sent += requests.length
        // Killed while posting: some of these events are in Postgres, most are not.
        await vi.waitFor(async () => expect(Number((await sums()).rows)).toBeGreaterThan(sent - 400), { timeout: 10_000, interval: 5 })
        worker.child.kill('SIGKILL')
        await worker.exited
        await Promise.all(requests)
        worker = await startReady()
      }

      const total = sent * charge
      await vi.waitFor(async () => expect(await sums()).toEqual({ spent: total, logs: total, hours: total, rows: sent, keys: sent }), {
        timeout: 20_000,
      })
      const inRedis = await Promise.all(users.map((id) => testbed.redis.hget(keys.wallet(id % SHARDS, id), 'spent')))
      expect(inRedis.reduce((sum, spent) => sum + Number(spent), 0)).toBe(total)
      worker.child.kill('SIGTERM')
      expect(await worker.exited).toBe(0)
    },
  )

  it(
    'posts with workers that have different numbers of groups, each event once, while one is killed and one falls silent',
    { timeout: 90_000 },
    async () => {
      const users = [51, 52, 53, 54]
      for (const id of users) await testbed.addUser(id)
      const killed = await startReady({ POSTING_GROUPS: '1' })
      const silent = await startReady({ POSTING_GROUPS: '2' })
      const before = await sums()
      const charge = 3
      let sent = 0
      const send = async (count: number): Promise<void> => {
        sent += count
        await Promise.all(Array.from({ length: count }, (_, i) => testbed.request(users[i % users.length] ?? 51, anId(), charge)))
      }
      const untilPosted = (timeout: number) =>
        vi.waitFor(async () => expect((await sums()).rows).toBe(before.rows + sent), { timeout, interval: 20 })
      const untilPosting = (rows: number) =>
        vi.waitFor(async () => expect((await sums()).rows).toBeGreaterThan(rows), { timeout: 10_000, interval: 2 })

      const load = send(1000)
      await untilPosting(before.rows)
      killed.child.kill('SIGKILL')
      await load
      await untilPosted(5000)

      await startReady({ POSTING_GROUPS: String(SHARDS) })
      const more = send(1000)
      await untilPosting(before.rows + 1000)
      silent.child.kill('SIGSTOP')
      await more
      await untilPosted(15_000)

      silent.child.kill('SIGCONT')
      await send(100)
      await untilPosted(5000)
      const total = sent * charge
      expect(await sums()).toEqual({
        spent: before.spent + total,
        logs: before.logs + total,
        hours: before.hours + total,
        rows: before.rows + sent,
        keys: before.keys + sent,
      })
    },
  )

  it('applies the balance corrections of a killed worker', { timeout: 40_000 }, async () => {
    const { db, redis } = testbed
    await testbed.addUser(40)
    await testbed.request(40, anId(), 5)
    const first = await startReady()
    await vi.waitFor(async () => expect((await testbed.user(40)).spent).toBe(5), { timeout: 10_000, interval: 50 })
    first.child.kill('SIGKILL')
    await first.exited
    // As it leaves them when it dies between its commit and Redis.
    const shard = 40 % SHARDS
    await redis.hset(keys.wallet(shard, 40), 'spent', 999)
    await db.insertInto('balance_corrections').values({ shard, subject: 'user', subject_id: 40, n: 1 }).execute()
    const waiting = () => db.selectFrom('balance_corrections').select(['subject', 'subject_id']).execute()

    const second = await startReady()

    await vi.waitFor(async () => expect(await redis.hget(keys.wallet(shard, 40), 'spent')).toBe('5'), {
      timeout: 15_000,
      interval: 50,
    })
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 5000 })
    second.child.kill('SIGTERM')
    expect(await second.exited).toBe(0)
  })

  it('posts all waiting events on SIGTERM', { timeout: 30_000 }, async () => {
    const worker = await startReady({ POST_USAGE_INTERVAL: '3600000' })
    await vi.waitFor(() => expect(worker.output()).toContain('Worker started'))
    await testbed.addUser(20)
    const before = (await sums()).rows
    for (let i = 0; i < 50; i += 1) await testbed.request(20, anId(), 1)

    worker.child.kill('SIGTERM')

    expect(await worker.exited, worker.output()).toBe(0)
    expect((await sums()).rows).toBe(before + 50)
  })

  it('schedules the ledger check once a day', { timeout: 30_000 }, async () => {
    const worker = await startReady()
    const queue = new Queue('ledger', { connection: queueConnection(testbed.server.url), prefix: QUEUE_PREFIX })

    await vi.waitFor(async () => expect(await queue.getJobScheduler('verify-ledger-0')).toMatchObject({ pattern: '10 4 * * *' }), 10_000)

    await queue.close()
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  it('removes failed jobs after an hour, also when none fails later', { timeout: 30_000 }, async () => {
    const options = { connection: queueConnection(testbed.server.url), prefix: QUEUE_PREFIX }
    const queue = new Queue('archive', options)
    const failing = new Worker('archive', () => Promise.reject(new Error('no store')), options)
    const [old, recent] = [await queue.add('old', {}), await queue.add('recent', {})]
    await vi.waitFor(async () => expect(await queue.getFailedCount()).toBe(2), 10_000)
    await failing.close()
    const anHourAgo = Date.now() - 3_601_000
    await testbed.redis.zadd(queue.toKey('failed'), anHourAgo, String(old.id))
    await testbed.redis.hset(queue.toKey(String(old.id)), 'finishedOn', anHourAgo)

    const worker = await startReady()

    await vi.waitFor(async () => expect((await queue.getFailed()).map(({ id }) => id)).toEqual([recent.id]), 10_000)
    await queue.close()
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  it('runs no job while there is nothing to do', { timeout: 90_000 }, async () => {
    const { redis } = testbed
    const worker = await startReady()
    const untilReported = async (times: number) => {
      const reports = new Set<string>()
      const read = async () => {
        for (const line of await redis.hvals(keys.services())) if (line.includes(`"pid":${worker.child.pid}`)) reports.add(line)
        return reports.size
      }
      await vi.waitFor(async () => expect(await read()).toBe(times), { timeout: 30_000, interval: 100 })
    }
    // The id of the last job of each queue that had jobs every few seconds.
    const lastJobs = () => redis.mget(['ledger', 'mail', 'tasks', 'probe'].map((queue) => `${QUEUE_PREFIX}:${queue}:id`))
    await untilReported(2)
    const before = await lastJobs()

    await untilReported(2)

    expect(await lastJobs()).toEqual(before)
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  it('continues posting when Redis lost its queues', { timeout: 60_000 }, async () => {
    const worker = await startReady()
    await testbed.addUser(30)
    const before = (await sums()).rows
    for (const key of await testbed.redis.keys('{bull}*')) await testbed.redis.del(key)
    await testbed.request(30, anId(), 1)

    await vi.waitFor(async () => expect((await sums()).rows).toBe(before + 1), { timeout: 20_000, interval: 100 })
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  it('answers a job through the queue; its sender gets a time-out when no worker runs', { timeout: 30_000 }, async () => {
    const client = createJobClient(testbed.server.url)
    expect(await client.ask('test-channel', { channel_id: 4711 }, 300)).toBe('timeout')
    const worker = await startReady()

    const answer = await client.ask('test-channel', { channel_id: 4712 }, 10_000)

    expect(answer).toMatchObject({ ok: false, status: 0, message: 'Channel 4712 does not exist', fault: { params: { id: 4712 } } })
    await client.close()
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
  })

  it('exits with one line when its environment is wrong', async () => {
    const worker = await startWorkerProcess(
      { databaseUrl: testbed.database.url, redisUrl: testbed.server.url, shards: SHARDS },
      { WORKER_PORT: 'soon' },
    )

    expect(await worker.exited).toBe(1)
    expect(worker.output()).toMatch(/^worker: environment: WORKER_PORT: .*\n$/)
  })
})
