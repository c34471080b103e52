import OpenAI from 'openai'
import { wakeTasks } from '@tollgate/db/queries/tasks/tasks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { OrderVendor } from './support/order-vendor.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

type Json = Record<string, unknown>

const PRICE = 50_000
const CREDITED = 50_000_000
/** Quota of a token at the ratios below. */
const PER_TOKEN = 2

describe('a video is charged by what its vendor bills', () => {
  const vendor = new OrderVendor()
  let stack: Stack
  let api: Api
  let user: Seeded
  let sdk: OpenAI

  const setOption = async (key: string, entries: Json): Promise<void> => {
    const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
    const stored = JSON.parse(options.find((option) => option.key === key)?.value ?? '{}') as Json
    must(await api.put('/api/option/', { key, value: JSON.stringify({ ...stored, ...entries }) }))
  }

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack()
    api = await setUp(stack.controlPlane.url)
    await setOption('ModelPrice', { 'sora-2': 0.1, 'kling-v1': 0.1 })
    await setOption('ModelRatio', { 'doubao-seedance': 1, 'viduq-token': 1 })
    await setOption('CompletionRatio', { 'doubao-seedance': PER_TOKEN, 'viduq-token': 1 })
    const channels = { 'sora-2': 55, 'kling-v1': 50, 'doubao-seedance': 54, 'viduq-token': 52 }
    for (const [models, type] of Object.entries(channels))
      await createChannel(api, { type, base_url: vendor.url, models, name: models, key: 'k' })
    user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    sdk = new OpenAI({ apiKey: `sk-${user.key}`, baseURL: `${stack.relays[0]?.url ?? ''}/v1`, maxRetries: 0 })
    await vi.waitUntil(async () => (await sdk.models.list()).data.some(({ id }) => id === 'viduq-token'), { timeout: 10_000 })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.stop()
  })

  const rowOf = (id: string) => stack.database.db.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
  const left = async (): Promise<number> => {
    const { credited, spent } = await stack.database.db
      .selectFrom('users')
      .select(['credited', 'spent'])
      .where('id', '=', user.userId)
      .executeTakeFirstOrThrow()
    return credited - spent
  }

  /** Charge of a video whose vendor says this at its end. */
  async function costOf(body: OpenAI.VideoCreateParams, says: Json): Promise<{ charged: number; cost: number }> {
    const before = await left()
    const { id } = await sdk.videos.create(body)
    await vi.waitUntil(async () => (await rowOf(id)).is_posted, { timeout: 10_000 })
    const charged = before - (await left())
    Object.assign(vendor.jobs[0] ?? {}, says)
    await vi.waitUntil(
      async () => {
        await wakeTasks(stack.database.db, [id], 0)
        return (await rowOf(id)).state === 'success'
      },
      { timeout: 10_000, interval: 100 },
    )
    return { charged, cost: before - (await left()) }
  }

  it.each([
    ['Sora, which made less', { model: 'sora-2', seconds: '8' }, { status: 'completed', seconds: '4' }, 8, 4],
    ['Sora, which made what was asked for', { model: 'sora-2', seconds: '8' }, { status: 'completed', seconds: '8' }, 8, 8],
    ['Sora, which made more than was charged', { model: 'sora-2', seconds: '4' }, { status: 'completed', seconds: '8' }, 4, 4],
    [
      'Kling, which sells blocks of five seconds',
      { model: 'kling-v1', seconds: '12' },
      { task_status: 'succeed', task_result: { videos: [{ url: 'https://a.example/v.mp4', duration: '10.1' }] } },
      3,
      2,
    ],
  ] as const)('%s', async (_what, body, says, charged, cost) => {
    const asked = { prompt: 'a boat', ...body } as OpenAI.VideoCreateParams // Kling has lengths of its own
    expect(await costOf(asked, says)).toEqual({ charged: charged * PRICE, cost: cost * PRICE })
  })

  it('Ark, by the tokens that it counts, where the price is one of a token', async () => {
    const says = {
      status: 'succeeded',
      content: { video_url: 'https://a.example/v.mp4' },
      usage: { completion_tokens: 108_900 },
      duration: 5,
    }
    const body = { model: 'doubao-seedance', prompt: 'a boat', seconds: '5', size: '1280x720' } as unknown as OpenAI.VideoCreateParams
    const { charged, cost } = await costOf(body, says)

    expect(cost).toBe(108_900 * PER_TOKEN)
    // Pixels × 24 frames × 5 seconds ÷ 1 024, and a margin.
    expect(charged).toBe(Math.ceil(((1280 * 720 * 24 * 5) / 1024) * 1.05) * PER_TOKEN)
  })

  it('and is refused where the price is one of a token and the vendor counts none', async () => {
    const before = vendor.orders.length
    await expect(sdk.videos.create({ model: 'viduq-token', prompt: 'a boat' })).rejects.toMatchObject({ status: 404 })
    expect(vendor.orders).toHaveLength(before)
  })
})
