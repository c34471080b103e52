import { Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultText } from '@tollgate/contracts/options/registry'
import type { Channel } from '@tollgate/contracts/resources/channels'
import { recordBalance } from '@tollgate/db/queries/channels/channel-balances'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

/** The worker's answers, by name of the job: each job takes the next one. */
const answers: Record<string, unknown[]> = {}
const asked: unknown[] = []

describe('calls that the worker answers', () => {
  let test: TestApp
  let root: Caller
  let worker: Worker
  let ids: number[] = []
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    for (const name of ['a', 'b']) await root('POST', '/api/channel/', { type: 1, name, key: 'sk-k', models: 'gpt-4o,free-model' })
    const listed = (await root('GET', '/api/channel/?page_size=10&id_sort=true')).body.data as Channel[] // the contract's shape
    ids = listed.map(({ id }) => id).toSorted((a, b) => a - b)
    worker = new Worker(
      'probe',
      async ({ name, data }) => {
        asked.push(data)
        return answers[name]?.shift() ?? {}
      },
      { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX },
    )
  })
  afterAll(async () => {
    await worker.close()
    await test.stop()
  })

  it('forecast where a request would go, or refuse it as the relay would', async () => {
    const forecast = { group: 'default', groups: ['default'], allowed_attempts: 1, attempts: 1, is_cut: false, rows: [] }
    answers['forecast-route'] = [{ forecast }, { refusal: { code: 'model.unknown', model: 'x' } }]
    const ask = async (model: string) => (await root('POST', '/api/channel/forecast', { model, group: 'default' })).body

    expect((await ask('gpt-4o')).data).toEqual(forecast)
    expect(await ask('x')).toMatchObject({ success: false, message: expect.stringContaining('x') })
    expect(asked.at(-1)).toMatchObject({ model: 'x', group: 'default', call: 'openai-chat' })
  })

  it('forecast the prices that change within 31 days: scheduled ones, and those that the catalogue knows of', async () => {
    const forecast = { group: 'default', groups: ['default'], allowed_attempts: 1, attempts: 1, is_cut: false, rows: [] }
    const ask = async (model: string) => {
      answers['forecast-route'] = [{ forecast }]
      return (await root('POST', '/api/channel/forecast', { model, group: 'default' })).body.data
    }
    const now = Math.floor(Date.now() / 1000)
    const days = (count: number): number => now + count * 86_400
    const planned: number[] = []
    for (const [count, ratio] of [
      [3, 2],
      [30, 3],
      [40, 4],
    ] as const) {
      const ModelRatio = JSON.stringify({ ...(JSON.parse(defaultText('ModelRatio')) as object), 'gpt-4o': ratio })
      const { body } = await root('POST', '/api/option/price_change', { prices: { ModelRatio }, at: days(count) })
      planned.push((body.data as { id: number }).id) // the contract's shape
    }

    expect(await ask('gpt-4o')).toMatchObject({
      coming_prices: [
        {
          at: days(3),
          origin: 'schedule',
          lines: [
            { line: 'input', before: 2.5, after: 4 },
            { line: 'output', before: 10, after: 16 },
            { line: 'cache-read', before: 1.25, after: 2 },
          ],
        },
        {
          at: days(30),
          origin: 'schedule',
          lines: [
            { line: 'input', before: 4, after: 6 },
            { line: 'output', before: 16, after: 24 },
            { line: 'cache-read', before: 2, after: 3 },
          ],
        },
      ],
    })
    expect(await ask('gpt-4o-mini')).not.toHaveProperty('coming_prices')
    for (const id of planned) await root('DELETE', `/api/option/price_change/${id}`)
    expect(await ask('gpt-4o')).not.toHaveProperty('coming_prices')
  })

  it('preview a call to a vendor, or say why the channel cannot make it', async () => {
    const before = { url: 'https://a.example', headers: [], body: '{}' }
    const preview = { format: 'openai-chat', upstream_model: 'm', before, warnings: [] }
    answers['preview-call'] = [{ preview }, { refusal: 'not supported' }]
    const ask = async (more: object = {}) => (await root('POST', '/api/channel/preview', { type: 1, model: 'm', body: '{}', ...more })).body

    expect((await ask()).data).toEqual(preview)
    expect(await ask()).toMatchObject({ success: false, message: '该渠道无法发送此请求：not supported' })
    expect((await ask({ param_override: '{"operations":1}' })).success).toBe(false)
  })

  it('run over the chosen channels, one run of a kind at a time, until it is cancelled', async () => {
    const start = async () => (await root('POST', '/api/channel/runs', { kind: 'balance', ids: [ids[1]] })).body
    const run = { kind: 'balance', total: 1, done: 0, finished_at: 0, is_cancelled: false }

    expect((await start()).data).toMatchObject(run)
    expect(await start()).toMatchObject({ success: false, message: '测试已在运行中' })
    expect((await root('GET', '/api/channel/runs?kind=balance')).body.data).toMatchObject(run)
    expect((await root('DELETE', '/api/channel/runs?kind=balance')).body.success).toBe(true)
    expect((await root('GET', '/api/channel/runs?kind=balance')).body.data).toMatchObject({ ...run, is_cancelled: true })
    expect((await root('GET', '/api/channel/runs?kind=models')).body.data).toBeNull()
    await expect.poll(() => asked).toContainEqual(expect.objectContaining({ kind: 'balance', ids: [ids[1]] }))
  })

  it('show the balances that were read, newest first', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const [age, balance] of [
      [60, 5],
      [30, 4.5],
    ] as const) {
      await test.deps.db.transaction().execute((tx) => recordBalance(tx, { id: ids[0] ?? 0, balance, now: now - age }))
    }

    expect((await root('GET', `/api/channel/${ids[0]}/balances`)).body.data).toEqual([
      { at: now - 30, balance: 4.5 },
      { at: now - 60, balance: 5 },
    ])
  })

  it('name the models without a price, unless the mode of the site needs none', async () => {
    const ask = async () => (await root('POST', '/api/channel/unpriced', { models: ['gpt-4o', 'free-model', 'free-model'] })).body.data

    expect(await ask()).toEqual(['free-model'])
    await root('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: 'true' })
    expect(await ask()).toEqual([])
  })
})
