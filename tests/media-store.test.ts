import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { ScriptedMediaStore } from '@tollgate/testing/media-store'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

const CREDITED = 50_000_000
/** Over the five megabytes that a store takes in one part. */
const VIDEO = randomBytes(12 * 1024 * 1024)

describe('a media store', () => {
  const store = new ScriptedMediaStore()
  let vendor: Server
  let isGone = false
  let stack: Stack
  let api: Api
  let user: Seeded
  let relay: string

  beforeAll(async () => {
    await store.start()
    vendor = createServer((incoming, reply) => {
      if (incoming.url?.endsWith('/content'))
        return void (isGone ? reply.writeHead(404).end() : reply.writeHead(200, { 'content-type': 'video/mp4' }).end(VIDEO))
      const id = incoming.method === 'POST' ? `v-${randomBytes(4).toString('hex')}` : incoming.url?.split('/').at(-1)
      incoming.resume()
      const state = incoming.method === 'POST' ? { status: 'queued', progress: 0 } : { status: 'completed', progress: 100 }
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, object: 'video', ...state }))
    })
    await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
    stack = await startStack({ relayEnv: store.env(), workerEnv: store.env() })
    api = await setUp(stack.controlPlane.url)
    relay = stack.relays[0]?.url ?? ''
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const prices = JSON.parse(options.find(({ key }) => key === 'ModelPrice')?.value ?? '{}') as Record<string, number>
    must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ ...prices, 'sora-2': 0.1 }) }))
    const { port } = vendor.address() as AddressInfo
    await createChannel(api, { type: 55, base_url: `http://127.0.0.1:${port}`, models: 'sora-2', name: 'sora', key: 'key' })
    await vi.waitUntil(async () => (await (await send('/v1/models')).text()).includes('sora-2'), { timeout: 10_000 })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.closeAllConnections()
    vendor.close()
    store.stop()
  })

  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(relay + path, {
      ...init,
      headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json', ...init.headers },
    })
  const content = (id: string, init?: RequestInit): Promise<Response> => send(`/v1/videos/${id}/content`, init)
  const rowOf = (id: string) => stack.database.db.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
  async function film(): Promise<string> {
    const answer = await send('/v1/videos', { method: 'POST', body: JSON.stringify({ model: 'sora-2', prompt: 'a boat', seconds: '4' }) })
    const { id } = (await answer.json()) as { id: string }
    await wakeTasks(stack.database.db, [id], 0)
    await vi.waitUntil(async () => (await rowOf(id)).state === 'success', { timeout: 10_000, interval: 50 })
    return id
  }
  const stored = (id: string) =>
    vi.waitUntil(async () => ((await rowOf(id)).stored.length > 0 ? (await rowOf(id)).stored : undefined), {
      timeout: 20_000,
      interval: 50,
    })

  it('keeps a finished video, and serves it when its vendor has lost it', async () => {
    const id = await film()
    const [key = ''] = await stored(id)
    isGone = true

    const whole = await content(id)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(VIDEO.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true)
    const part = await content(id, { headers: { range: 'bytes=5-9' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, VIDEO.subarray(5, 10)])
    expect(store.objects.get(key)?.parts).toBeGreaterThan(1)
    const [medium] = must(await api.get<{ url: string }[]>(`/api/task/media?task_id=${id}`))
    expect((await fetch(relay + (medium?.url ?? ''), { headers: { range: 'bytes=5-9', 'sec-fetch-dest': 'video' } })).status).toBe(206)
    isGone = false
  })

  it('serves the vendor’s video while the store fails, and stores it afterwards', async () => {
    store.failing = 10
    const id = await film()
    await vi.waitUntil(async () => (await copyOf(id))?.attempts === 1 && store.failing < 10, { timeout: 20_000, interval: 50 })
    expect(VIDEO.equals(Buffer.from(await (await content(id)).arrayBuffer()))).toBe(true)
    await vi.waitUntil(async () => Number((await copyOf(id))?.next_at) < Date.now() + 60_000, { timeout: 20_000, interval: 50 })
    store.failing = 0
    await stack.database.db.updateTable('media_copies').set({ next_at: 0 }).execute()

    await stored(id)
    isGone = true
    expect(VIDEO.equals(Buffer.from(await (await content(id)).arrayBuffer()))).toBe(true)
    isGone = false
  })

  it('deletes the copy of a video that its owner deletes', async () => {
    const id = await film()
    const [key = ''] = await stored(id)
    expect((await send(`/v1/videos/${id}`, { method: 'DELETE' })).status).toBe(200)

    await vi.waitUntil(() => !store.objects.has(key), { timeout: 10_000, interval: 50 })
    await vi.waitUntil(async () => (await rowOf(id)).stored.length === 0, { timeout: 10_000, interval: 50 })
    expect(await copyOf(id)).toBeUndefined()
  })

  const copyOf = (id: string) =>
    stack.database.db
      .selectFrom('media_copies')
      .innerJoin('tasks', 'tasks.id', 'media_copies.task')
      .select(['media_copies.attempts', 'media_copies.next_at'])
      .where('tasks.task_id', '=', id)
      .executeTakeFirst()
})
