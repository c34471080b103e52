import OpenAI from 'openai'
import type { SystemHealth } from '@tollgate/contracts/resources/health'
import type { Task } from '@tollgate/contracts/resources/tasks'
import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'
import { OrderVendor } from './support/order-vendor.ts'

type Json = Record<string, unknown>

const PRICE = 50_000
const CREDITED = 5_000_000
const MODELS = { 'sora-2': 55, 'kling-v1': 50, viduq1: 52, 'doubao-seedance': 54, 'sora-nowhere': 55 } as const

describe('an order whose vendor does not say whether it took it', () => {
  const vendor = new OrderVendor()
  let stack: Stack
  let api: Api
  let user: Seeded
  let sdk: OpenAI

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack()
    api = await setUp(stack.controlPlane.url)
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const prices = JSON.parse(options.find(({ key }) => key === 'ModelPrice')?.value ?? '{}') as Json
    const priced = { ...prices, ...Object.fromEntries(Object.keys(MODELS).map((model) => [model, 0.1])) }
    must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify(priced) }))
    must(await api.put('/api/option/', { key: 'video_price_setting.units', value: '{}' }))
    for (const [models, type] of Object.entries(MODELS).filter(([model]) => model !== 'sora-nowhere'))
      await createChannel(api, { type, base_url: vendor.url, models, name: models, key: `${models}-key` })
    const gone = new OrderVendor()
    await gone.start()
    gone.stop()
    await createChannel(api, { type: 55, base_url: gone.url, models: 'sora-nowhere', name: 'nowhere', key: 'k' })
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const { models } = sdkOf(user)
    await vi.waitUntil(async () => (await models.list()).data.some(({ id }) => id === 'sora-nowhere'), { timeout: 10_000 })
  })
  beforeEach(async () => {
    Object.assign(vendor, { fault: undefined, isIdle: false, listing: 200 })
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    // The client repeats failures by itself.
    sdk = sdkOf(user)
  })
  afterAll(async () => {
    await stack.stop()
    vendor.stop()
  })

  const sdkOf = ({ key }: Seeded): OpenAI => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${stack.relays[0]?.url ?? ''}/v1`, maxRetries: 2 })
  const rowOf = (task_id: string) =>
    stack.database.db.selectFrom('tasks').selectAll().where('task_id', '=', task_id).executeTakeFirstOrThrow()
  const until = async (task_id: string, isSo: (row: Awaited<ReturnType<typeof rowOf>>) => boolean) =>
    await vi.waitUntil(
      async () => {
        await wakeTasks(stack.database.db, [task_id], 0)
        const row = await rowOf(task_id)
        return row.is_posted && isSo(row) ? row : undefined
      },
      { timeout: 15_000, interval: 100 },
    )
  const spent = async (): Promise<number> => {
    const { credited, spent: used } = await stack.database.db
      .selectFrom('users')
      .select(['credited', 'spent'])
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    return used - (credited - CREDITED)
  }
  const listed = async (): Promise<Task[]> => must(await api.get<Task[]>('/api/task/?p=0')).filter(({ user_id }) => user_id === user.userId)
  const problems = async (code: string) => must(await api.get<SystemHealth>('/api/health')).problems.filter((one) => one.code === code)

  it.each([
    ['sora-2', 500],
    ['sora-2', 'cut'],
    ['kling-v1', 504],
  ] as const)('is found again in the list of %s after %s, delivered and charged once', async (model, fault) => {
    vendor.fault = fault
    const before = vendor.orders.length
    const prompt = `a boat after ${fault}`
    const made = await sdk.videos.create({ model, prompt })
    vendor.fault = undefined
    expect(made).toMatchObject({ object: 'video', status: 'queued' })
    expect(vendor.orders).toHaveLength(before + 1)

    const found = await until(made.id, ({ vendor_task_id }) => vendor_task_id !== '')
    const [job] = vendor.jobs
    expect(found.vendor_task_id).toBe(model === 'kling-v1' ? `text2video/${String(job?.['id'])}` : job?.['id'])
    const url = `${vendor.url}/file.mp4`
    Object.assign(job ?? {}, { status: 'completed', task_status: 'succeed', task_result: { videos: [{ url }] } })
    await until(made.id, ({ state }) => state === 'success')

    expect((await sdk.videos.retrieve(made.id)).status).toBe('completed')
    await vi.waitUntil(async () => (await spent()) === PRICE, { timeout: 5000 })
    expect((await listed()).map(({ task_id, status, quota }) => [task_id, status, quota])).toEqual([[made.id, 'SUCCESS', PRICE]])
    await vi.waitUntil(async () => (await problems('unclear-orders')).some(({ values }) => values['channel'] === model), {
      timeout: 10_000,
    })
  })

  it('is kept also for a client that has left', async () => {
    vendor.fault = 'held'
    const before = vendor.orders.length
    const leaving = new AbortController()
    const asked = sdk.videos.create({ model: 'sora-2', prompt: 'a boat that leaves' }, { signal: leaving.signal })
    await vi.waitUntil(() => vendor.orders.length > before, { timeout: 10_000 })
    leaving.abort()
    await expect(asked).rejects.toThrow()
    vendor.release(500)

    const row = await vi.waitUntil(async () => (await listed())[0], { timeout: 10_000 })
    const found = await until(row.task_id, ({ vendor_task_id }) => vendor_task_id !== '')
    expect(found.quota).toBe(PRICE)
  })

  it('is given back when its vendor does not list it, and not while the list cannot be read', async () => {
    Object.assign(vendor, { fault: 500, isIdle: true, listing: 503 })
    const { id } = await sdk.videos.create({ model: 'sora-2', prompt: 'nothing was made' })
    await until(id, ({ is_posted }) => is_posted)
    await stack.database.db
      .updateTable('tasks')
      .set({ submit_time: Date.now() - 600_000 })
      .where('task_id', '=', id)
      .execute()
    const { db } = stack.database
    const failures = () =>
      db
        .selectFrom('task_polls')
        .innerJoin('tasks', 'tasks.id', 'task')
        .select('poll_failures')
        .where('task_id', '=', id)
        .executeTakeFirstOrThrow()
    await until(id, () => true)
    await vi.waitUntil(async () => (await failures()).poll_failures > 0, { timeout: 10_000 })
    expect((await rowOf(id)).state).toBe('unknown')

    vendor.listing = 200
    const ended = await until(id, ({ state }) => state === 'failure')
    expect(ended).toMatchObject({ refunded: PRICE, fail_reason: TASK_FAILURES.unclear })
    expect(await sdk.videos.retrieve(id)).toMatchObject({
      status: 'failed',
      error: { message: 'The upstream did not say whether it took the task; nothing is charged for it' },
    })
    expect(await spent()).toBe(0)
  })

  it('asks a vendor that cannot list its jobs once for all of them', async () => {
    Object.assign(vendor, { fault: 500, isIdle: true, listing: 503 })
    const { db } = stack.database
    const made = await Promise.all(Array.from({ length: 6 }, () => sdk.videos.create({ model: 'sora-2', prompt: 'six boats' })))
    const ids = made.map(({ id }) => id)
    const failures = async (): Promise<number[]> => {
      const query = db.selectFrom('task_polls').innerJoin('tasks', 'tasks.id', 'task').select('poll_failures').where('task_id', 'in', ids)
      return (await query.orderBy('task_id').execute()).map(({ poll_failures }) => poll_failures)
    }
    const haveFailed = (counts: readonly number[]) =>
      vi.waitUntil(async () => (await failures()).every((count, at) => count > (counts[at] ?? 0)), { timeout: 15_000, interval: 50 })
    for (const id of ids) await until(id, () => true)
    await haveFailed([])
    const before = vendor.lists

    const failed = haveFailed(await failures())
    await wakeTasks(db, ids, 0)
    await failed

    expect(vendor.lists - before).toBeGreaterThan(0)
    expect(vendor.lists - before).toBeLessThan(ids.length)
  })

  it('gives one listed job to one task of those that look alike', async () => {
    vendor.fault = 500
    const same = { model: 'sora-2', prompt: 'two boats' } as const
    const [one, other] = await Promise.all([sdk.videos.create(same), sdk.videos.create(same)])
    vendor.fault = undefined

    const rows = await Promise.all([one, other].map(({ id }) => until(id, ({ vendor_task_id }) => vendor_task_id !== '')))
    expect(new Set(rows.map(({ vendor_task_id }) => vendor_task_id)).size).toBe(2)
  })

  it('fails free of charge at a vendor that lists nothing, is ordered once, and is seen by user and operator', async () => {
    vendor.fault = 502
    const before = vendor.orders.length
    await expect(sdk.videos.create({ model: 'viduq1', prompt: 'a boat' })).rejects.toMatchObject({ status: 502 })
    expect(vendor.orders).toHaveLength(before + 1)

    const row = await vi.waitUntil(async () => (await listed())[0], { timeout: 10_000 })
    expect(row).toMatchObject({ status: 'FAILURE', quota: 0, fail_reason: TASK_FAILURES.unclear, properties: { input: 'a boat' } })
    expect((await sdk.videos.list()).data).toMatchObject([{ id: row.task_id, status: 'failed' }])
    await vi.waitUntil(async () => (await problems('unclear-orders')).some(({ values }) => values['channel'] === 'viduq1'), {
      timeout: 10_000,
    })
    expect(await spent()).toBe(0)
  })

  it('that was never sent is an error as before', async () => {
    await expect(sdk.videos.create({ model: 'sora-nowhere', prompt: 'a boat' })).rejects.toMatchObject({ status: 502 })
    expect(await listed()).toEqual([])
  })

  it('ends a task that its vendor leaves in an unknown state, and names the word to the operator', async () => {
    const { id } = await sdk.videos.create({ model: 'sora-2', prompt: 'paused' })
    Object.assign(vendor.jobs[0] ?? {}, { status: 'archived' })
    const { db } = stack.database
    const mine = db.selectFrom('tasks').select('id').where('task_id', '=', id)
    const since = () => db.selectFrom('task_polls').select('unread_since').where('task', '=', mine).executeTakeFirst()
    await until(id, () => true)
    await vi.waitUntil(async () => ((await since())?.unread_since ?? 0) > 0, { timeout: 10_000 })
    expect((await sdk.videos.retrieve(id)).status).toBe('queued')

    await db
      .updateTable('task_polls')
      .set({ unread_since: Date.now() - 3_600_000 })
      .where('task', '=', mine)
      .execute()
    const ended = await until(id, ({ state }) => state === 'failure')

    expect(ended).toMatchObject({ refunded: PRICE, fail_reason: TASK_FAILURES.unreadState('archived') })
    expect(await problems('unknown-state')).toMatchObject([{ values: { word: 'archived', channel: 'sora-2' } }])
    expect(await spent()).toBe(0)
  })

  it('lets a job of the cheaper tier take the two days that its vendor gives it', async () => {
    const body = { model: 'doubao-seedance', prompt: 'a boat', metadata: { service_tier: 'flex' } }
    const { id } = await sdk.post<{ id: string }>('/videos', { body })
    const usual = await sdk.videos.create({ model: 'doubao-seedance', prompt: 'a boat' })

    const hours = async (task_id: string) => {
      const { deadline, submit_time } = await rowOf(task_id)
      return Math.round((deadline - submit_time) / 3_600_000)
    }
    expect([await hours(id), await hours(usual.id)]).toEqual([49, 1])
    await stack.database.db
      .updateTable('tasks')
      .set({ submit_time: Date.now() - 50 * 3_600_000, deadline: Date.now() - 1 })
      .where('task_id', '=', id)
      .execute()
    const ended = await until(id, ({ state }) => state === 'expired')
    expect(ended.fail_reason).toBe(TASK_FAILURES.expiredAfter(50))
  })
})
