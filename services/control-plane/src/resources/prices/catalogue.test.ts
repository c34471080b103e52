import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { CatalogueView } from '@tollgate/contracts/resources/prices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueView } from './catalogue-view.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const files: Record<string, { readonly status?: number; readonly body: string }> = {}

describe('the catalogue of models and prices', () => {
  let test: TestApp
  let root: Caller
  let server: Server
  let base: string
  beforeAll(async () => {
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.1' })
    root = await test.setUp()
    const channel = { name: 'c', type: 1, key: 'sk-x', models: 'gpt-6.1-sol,mine,claude-opus-5-5', groups: ['default'], group: 'default' }
    expect((await root('POST', '/api/channel/', channel)).body.success).toBe(true)
    server = createServer(({ url = '' }, outgoing) => {
      const { status = 200, body } = files[url] ?? { status: 404, body: '' }
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // It listens on a port of a host.
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await test.stop()
    server.close()
  })

  const readAt = async (name: string, file: unknown, status = 200) => {
    files[`/${name}`] = { status, body: typeof file === 'string' ? file : JSON.stringify(file) }
    return (await root('POST', '/api/option/price_catalogue', { address: `${base}/${name}` })).body
  }
  const rowsAt = async (name: string, file: unknown): Promise<CatalogueView> => (await readAt(name, file)).data as CatalogueView // the declared shape

  it('is for root only', async () => {
    expect((await test.guest('GET', '/api/option/price_catalogue')).status).toBe(401)
    expect((await test.guest('POST', '/api/option/price_catalogue', { address: base })).status).toBe(401)
  })

  it('says what is built in, what is served, and what it does not have', async () => {
    const { source, date, rows, unknown } = (await root('GET', '/api/option/price_catalogue')).body.data as CatalogueView // as above

    expect(source).toBe('built-in')
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(rows.find(({ name }) => name === 'gpt-6.1-sol')).toMatchObject({
      maker: 'OpenAI',
      is_served: true,
      lines: { input: '2', output: '10' },
      entries: { ModelRatio: 1, CompletionRatio: 5, CacheRatio: 0.05, PriceCards: [{ above: 272_000, model_ratio: 2 }] },
    })
    expect(rows.find(({ name }) => name === 'gpt-4o')).toMatchObject({ is_served: false })
    expect(unknown).toEqual(['mine'])
  })

  it('prices today’s models of a new installation without a typed number, and keeps them from set-up on', async () => {
    const pricing = (await root('GET', '/api/pricing')).body.data
    expect(pricing).toContainEqual(
      expect.objectContaining({ model_name: 'claude-opus-5-5', model_ratio: 2, completion_ratio: 5, cache_ratio: 0.05 }),
    )
    const stored = await test.deps.db
      .selectFrom('options')
      .select('key')
      .where('key', 'in', ['ModelRatio', 'CompletionRatio', 'TierRatio'])
      .execute()
    expect(stored).toHaveLength(3)
  })

  it('names served models without a price of their output, and those that end soon, on the health page', async () => {
    const before = (await root('GET', '/api/health')).body.data as { sold: unknown }
    expect(before.sold).toEqual({ without_output: [], retiring: [] })

    await root('PUT', '/api/option/', { key: 'ModelRatio', value: '{"mine":1,"gpt-6.1-sol":1,"claude-opus-5-5":2}' })
    const channel = { name: 'd', type: 1, key: 'sk-x', models: 'gpt-4-turbo,text-embedding-3-small', groups: ['default'], group: 'default' }
    await root('POST', '/api/channel/', channel)
    const { sold, problems } = (await root('GET', '/api/health')).body.data as {
      sold: { retiring: unknown[] }
      problems: { code: string }[]
    } // the declared shape

    expect(sold).toMatchObject({ without_output: ['mine'], retiring: [{ model: 'gpt-4-turbo', retires: '2026-10-23' }] })
    expect(problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['output-unpriced', 'models-retire']))
  })

  it.each([
    [
      'litellm',
      { 'gpt-x': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 } },
      'gpt-x',
      { ModelRatio: 0.5, CompletionRatio: 4 },
    ],
    [
      'models.dev',
      {
        openai: {
          id: 'openai',
          models: {
            'gpt-y': {
              id: 'gpt-y',
              cost: {
                input: 5,
                output: 30,
                cache_read: 0.5,
                tiers: [{ tier: { type: 'context', size: 272_000 }, input: 10, output: 45, cache_read: 1 }],
                context_over_200k: { input: 10, output: 45 },
              },
            },
            free: { id: 'free', cost: { input: 0, output: 0 } },
          },
        },
      },
      'gpt-y',
      {
        ModelRatio: 2.5,
        CompletionRatio: 6,
        CacheRatio: 0.1,
        PriceCards: [{ above: 272_000, model_ratio: 5, completion_ratio: 4.5, cache_ratio: 0.1 }],
      },
    ],
    [
      'ratio_config',
      { success: true, data: { model_ratio: { a: 1.5 }, completion_ratio: { a: 5 }, cache_ratio: { a: 0.1 }, model_price: { b: 0.04 } } },
      'a',
      { ModelRatio: 1.5, CompletionRatio: 5, CacheRatio: 0.1 },
    ],
    [
      'pricing',
      { success: true, data: [{ model_name: 'p', quota_type: 1, model_price: 0.02, model_ratio: 0, completion_ratio: 0 }] },
      'p',
      { ModelPrice: 0.02 },
    ],
    [
      'own',
      {
        format: 'tollgate-catalogue-1',
        date: '2026-12-01',
        models: [
          {
            name: 'own',
            maker: 'M',
            mode: 'chat',
            abilities: [],
            prices: [{ unit: 'token', lines: { input: '1', output: '2' }, sources: ['x'] }],
          },
        ],
      },
      'own',
      { ModelRatio: 0.5, CompletionRatio: 2 },
    ],
  ])('reads a file of %s', async (name, file, model, entries) => {
    const { rows, source } = await rowsAt(name, file)
    expect(source).toBe(`${base}/${name}`)
    expect(rows.map((row) => row.name)).toContain(model)
    expect(rows.map((row) => row.name)).not.toContain('free')
    expect(rows.find((row) => row.name === model)?.entries).toEqual(entries)
  })

  it.each([
    ['html', '<!doctype html><html></html>'],
    ['empty', ''],
    ['list', '[1,2]'],
    ['no-models', { success: true, data: [] }],
    ['negative', { m: { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: -1, output_cost_per_token: 1 } }],
    ['wrong-own', { format: 'tollgate-catalogue-1', date: 'soon', models: [] }],
  ])('takes nothing from a file of %s', async (name, file) => {
    const { success, data } = await readAt(name, file)
    const view = data as CatalogueView | null | undefined // absent in a refusal
    expect(success ? view?.rows : []).toEqual([])
  })

  it('offers a served model at its own price, not at that of an earlier model with an alias of its name', async () => {
    const model = (name: string, input: string, aliases: string[]) => ({
      name,
      maker: 'M',
      mode: 'chat',
      abilities: [],
      aliases,
      prices: [{ unit: 'token', lines: { input, output: '9' }, sources: ['x'] }],
    })
    const models = [model('older', '8', ['mine', 'gpt-6.1-sol']), model('mine', '1', [])]
    const { rows } = await rowsAt('aliases', { format: 'tollgate-catalogue-1', date: '2026-12-01', models })

    expect(rows.map(({ name, lines }) => [name, lines.input])).toEqual([
      ['gpt-6.1-sol', '8'],
      ['mine', '1'],
      ['older', '8'],
    ])
  })

  it('leaves the event loop to other calls while it reads a large file', async () => {
    const models = Array.from({ length: 20_000 }, (_, at) => ({
      name: `model-${at}`,
      maker: 'M',
      mode: 'chat',
      abilities: [],
      page: `https://vendor.example/${'x'.repeat(200)}`,
      prices: [{ unit: 'token', lines: { input: '2', output: '8' }, sources: ['x'] }],
    }))
    const text = JSON.stringify({ format: 'tollgate-catalogue-1', date: '2026-12-01', models })
    const started = performance.now()
    const task = { source: '', file: Buffer.from(text), served: [], today: '2026-12-01' }
    expect(catalogueView(task)).toMatchObject({ date: '2026-12-01' })
    const atOnceMs = performance.now() - started
    const gaps = monitorEventLoopDelay({ resolution: 5 })
    gaps.enable()

    const { rows } = await rowsAt('large', text)

    gaps.disable()
    expect(rows).toHaveLength(20_000)
    expect(gaps.max / 1e6).toBeLessThan(atOnceMs / 2)
  })

  it('names prices that look wrong, and does not offer them', async () => {
    const chat = { litellm_provider: 'openai', mode: 'chat' }
    const { rows, suspect_prices } = await rowsAt('odd', {
      ok: { ...chat, input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
      odd: { ...chat, input_cost_per_token: 5e-6, output_cost_per_token: 1e-6 },
      open: { ...chat, input_cost_per_token: 5e-6 },
    })
    expect(rows.map(({ name }) => name)).toEqual(['ok'])
    expect(suspect_prices.map(({ model }) => model)).toEqual(['odd', 'open'])
  })

  it('says why an address cannot be read, without its details', async () => {
    expect(await readAt('gone', '', 500)).toMatchObject({ success: false, message: expect.stringContaining('HTTP 500') })
    const long = 'x'.repeat(17 * 1024 * 1024)
    expect(await readAt('long', long)).toMatchObject({ success: false, message: expect.stringContaining('返回的内容过大') })
    const inner = await root('POST', '/api/option/price_catalogue', { address: 'http://169.254.169.254/latest' })
    expect(inner.body).toMatchObject({ success: false, message: expect.stringContaining('不允许访问此地址') })
    expect((await root('POST', '/api/option/price_catalogue', { address: 'ftp://x' })).body.success).toBe(false)
  })
})
