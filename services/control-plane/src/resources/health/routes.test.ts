import { sql } from 'kysely'
import { Queue, Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FailedJob, SystemHealth } from '@tollgate/contracts/resources/health'
import { connectDb } from '@tollgate/db/connect'
import { startTcpProxy } from '@tollgate/testing/tcp-proxy'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { addChannelActivity } from '@tollgate/redis/stores/channel-activity'
import { addUnexpectedAnswers } from '@tollgate/redis/stores/unexpected-answers'
import { startServiceReport } from '@tollgate/redis/stores/running-services'
import { keys } from '@tollgate/redis/keys'
import { readProcessFacts } from '@tollgate/telemetry/process-facts'
import { setOptions } from '../../../test/registration.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { createApp } from '../../app.ts'
import { getSystemHealth } from './service.ts'

describe('system health', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  const health = async (): Promise<SystemHealth> => (await root('GET', '/api/health')).body.data as SystemHealth // the declared shape
  const codes = async (): Promise<string[]> => (await health()).problems.map(({ code }) => code)

  it('shows stores, ledger, queues and partitions of a system without services', async () => {
    const shown = await health()

    expect(shown).toMatchObject({
      services: [],
      ledger: { is_open: false, lag_events: 0, open_holds: 0, suspect_shards: 0, unsynced: 1, last_check: null },
      breakers: [],
    })
    expect(shown.postgres?.version).toMatch(/^\d+/)
    expect(shown.postgres?.size_bytes).toBeGreaterThan(1_000_000)
    expect(shown.redis?.version).toMatch(/^\d+\./)
    expect(shown.redis?.clients).toBeGreaterThan(0)
    expect(shown.queues?.map(({ queue }) => queue)).toEqual(['probe', 'tasks', 'ledger', 'mail', 'webhooks', 'upkeep', 'archive'])
    expect(shown.partitions?.map(({ table }) => table)).toEqual(['logs', 'usage_keys'])
    expect(await codes()).toEqual(expect.arrayContaining(['no-relay', 'no-worker', 'fence-closed']))
  })

  it('says which root accounts get no notices, until each has a way and mail can be sent', async () => {
    const found = async () => (await health()).problems.filter(({ code }) => code === 'roots-unreached' || code === 'mail-unset')
    const users = test.database.db.updateTable('users').where('username', '=', 'root')
    expect(await found()).toEqual([{ code: 'roots-unreached', level: 'warning', values: { count: 1, users: 'root' } }])

    await users.set({ email: 'root@example.org' }).execute()
    expect(await found()).toEqual([{ code: 'mail-unset', level: 'warning', values: {} }])

    await users.set({ setting: JSON.stringify({ notify_type: 'webhook', webhook_url: 'https://hook.example.org/' }) }).execute()
    expect(await found()).toEqual([])

    await users.set({ setting: '' }).execute()
    await setOptions(test, { SMTPServer: 'mail.example.org', SMTPAccount: 'gate@example.org' })
    expect(await found()).toEqual([])
    await users.set({ email: '' }).execute()
  })

  it('lists processes that report, tells those that vanished, and forgets those that stopped', async () => {
    const { redis } = test.deps
    const facts = (service: 'relay' | 'worker') => async () => ({ service, ...(await readProcessFacts('.')) })
    const relay = startServiceReport({ redis, id: 'relay-1', facts: facts('relay'), now: Date.now, intervalMs: 50 })
    const worker = startServiceReport({ redis, id: 'worker-1', facts: facts('worker'), now: () => Date.now() - 20_000, intervalMs: 50 })

    await vi.waitFor(async () => expect((await health()).services).toHaveLength(2))
    const [first, second] = (await health()).services ?? []
    expect(first).toMatchObject({ id: 'relay-1', service: 'relay', pid: process.pid, is_running: true })
    expect(first?.disk_total_bytes).toBeGreaterThan(0)
    expect(second).toMatchObject({ id: 'worker-1', is_running: false })
    expect(await codes()).toEqual(expect.arrayContaining(['no-worker', 'service-gone']))

    await relay.stop()
    await worker.stop()
    await redis.hset(keys.services(), { old: JSON.stringify({ at: 1, facts: {} }), other: 'of another version' })
    expect((await health()).services).toEqual([])
    expect(await redis.hlen(keys.services())).toBe(0)
  })

  it('names the channels whose breaker is open once, however many relays report it', async () => {
    const breaker = { channel_id: 9, model: 'm', key_id: '', state: 'open', cause: 'failures' } as const
    for (const [relay_id, remaining_ms] of [
      ['a', 1000],
      ['b', 5000],
    ] as const)
      await addChannelActivity(test.deps.redis, {
        start: 0,
        counts: new Map(),
        errors: new Map(),
        breakers: [{ ...breaker, remaining_ms }],
        relay_id,
        now: Date.now(),
      })

    expect((await health()).breakers).toEqual([
      { channel_id: 9, channel_name: '', model: 'm', state: 'open', cause: 'failures', remaining_ms: 5000 },
    ])
  })

  it('names the answers of the last day that ended or were counted in a way that is not understood', async () => {
    const { redis } = test.deps
    const answer = { channel_id: 8, kind: 'unknown-end', word: 'moon', model: 'm', request_id: 'r-1', count: 2 } as const
    await addUnexpectedAnswers(redis, [
      { ...answer, at: Date.now() - 1000 },
      { ...answer, word: 'old', at: Date.now() - 25 * 3_600_000 },
    ])
    await addUnexpectedAnswers(redis, [{ ...answer, at: Date.now(), request_id: 'r-2' }])

    const { unexpected_answers, problems } = await health()

    expect(unexpected_answers).toMatchObject([{ channel_id: 8, channel_name: '', word: 'moon', request_id: 'r-2', count: 4 }])
    expect(problems.find(({ code }) => code === 'unknown-end')?.values).toMatchObject({ channel: '#8', model: 'm', word: 'moon', count: 4 })
  })

  it('tells rows in a default partition', async () => {
    await sql`insert into logs_default (created_at, type, user_id) values (1, 1, 1)`.execute(test.database.db)

    expect((await health()).partitions?.find(({ table }) => table === 'logs')).toMatchObject({ has_strays: true })
    expect(await codes()).toContain('strays')
  })

  it('shows failed jobs to root, who runs them again or removes them; both are audited', async () => {
    const connection = queueConnection(test.deps.env.REDIS_URL)
    const queue = new Queue('mail', { connection, prefix: QUEUE_PREFIX })
    let mayPass = false
    const worker = new Worker('mail', async () => (mayPass ? 'sent' : await Promise.reject(new Error('no mail server'))), {
      connection,
      prefix: QUEUE_PREFIX,
    })
    await queue.addBulk([
      { name: 'send-mails', data: { to: 1 } },
      { name: 'send-mails', data: { to: 2 } },
    ])
    const failed = async (): Promise<FailedJob[]> => (await root('GET', '/api/health/jobs?queue=mail')).body.data as FailedJob[] // the declared shape
    await vi.waitFor(async () => expect(await failed()).toHaveLength(2))
    const [one, two] = await failed()
    expect(one).toMatchObject({ name: 'send-mails', reason: 'no mail server', attempts: 1 })
    expect(await codes()).toContain('jobs-failed')

    mayPass = true
    expect((await root('POST', '/api/health/jobs/retry', { queue: 'mail', id: one?.id })).body.success).toBe(true)
    expect((await root('POST', '/api/health/jobs/remove', { queue: 'mail', id: two?.id })).body.success).toBe(true)

    await vi.waitFor(async () => expect((await queue.getCompleted()).map(({ id }) => id)).toEqual([one?.id]))
    expect(await failed()).toEqual([])
    expect((await root('POST', '/api/health/jobs/retry', { queue: 'mail', id: two?.id })).body).toMatchObject({
      success: false,
      message: '这个任务已不在失败列表中',
    })
    expect((await root('GET', '/api/health/jobs?queue=nope')).body).toMatchObject({ success: false, message: '没有这个任务队列' })
    const { items } = (await root('GET', '/api/audit/?resource=job')).body.data as { items: { action: string; resource_id: string }[] }
    expect(items.map(({ action, resource_id }) => `${action} ${resource_id}`)).toEqual([`remove mail/${two?.id}`, `retry mail/${one?.id}`])
    await worker.close()
    await queue.close()
  })

  it('shows within three seconds that Redis hangs', async () => {
    const startedAt = performance.now()
    const [answer, shown] = await test.whileRedisHangs(
      async () => await Promise.all([root('GET', '/api/health'), getSystemHealth(test.deps)]),
    )

    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(answer).toMatchObject({ status: 503, body: { success: false } })
    expect(shown).toMatchObject({ redis: null, queues: null, postgres: { version: expect.stringMatching(/^\d/) } })
    await vi.waitFor(async () => expect((await root('GET', '/api/health')).status).toBe(200))
  })

  it('shows within three seconds that Postgres is silent', async () => {
    const url = new URL(test.database.url)
    const proxy = await startTcpProxy(Number(url.port))
    url.host = `127.0.0.1:${proxy.port}`
    const deps = { ...test.deps, db: connectDb({ url: url.href, max: 4 }) }
    const app = createApp(deps, { isDraining: false, findObstacle: async () => undefined })
    const token = String((await root('GET', '/api/user/token')).body.data)
    const read = () => app.request('/api/health', { headers: { Authorization: `Bearer ${token}`, 'New-Api-User': '1' } })
    expect((await read()).status).toBe(200)
    proxy.fallSilent()

    const startedAt = performance.now()
    const [answer, shown] = await Promise.all([read(), getSystemHealth(deps)])

    expect(performance.now() - startedAt).toBeLessThan(3000)
    expect(answer.status).toBe(503)
    expect(shown).toMatchObject({ postgres: null, redis: { version: expect.stringMatching(/^\d/) } })
    await deps.db.destroy()
    await proxy.close()
  })

  it('is for administrators; its jobs are for root', async () => {
    for (const [path, role] of [
      ['ann', 10],
      ['bob', 1],
    ] as const) {
      await root('POST', '/api/user/', { username: path, password: 'a-long-password', display_name: path, role })
      await test.database.db.updateTable('users').set({ role }).where('username', '=', path).execute()
    }
    const admin = await test.signIn('ann', 'a-long-password')
    const user = await test.signIn('bob', 'a-long-password')

    expect((await admin('GET', '/api/health')).body.success).toBe(true)
    expect((await admin('GET', '/api/health/jobs?queue=mail')).body.success).toBe(false)
    expect((await admin('POST', '/api/health/jobs/retry', { queue: 'mail', id: '1' })).body.success).toBe(false)
    expect((await user('GET', '/api/health')).body.success).toBe(false)
  })
})
