import type { InvoicePreview, VendorInvoice } from '@tollgate/contracts/resources/vendor-invoices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startProviderServer, type ProviderServer } from '../../../test/provider-server.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const CSV = 'Tag,Modell,Ein,Aus,Kosten\n2026-11-01,gpt-4o,1000,500,0.25\n2026-11-02,gpt-4o,10,5,0.1\n'
const MAPPING = {
  columns: { day: ['Tag'], model: ['Modell'], input: ['Ein'], output: ['Aus'], dollars: ['Kosten'] },
  has_cached_in_input: true,
  amount_unit: 'dollar',
}

describe('invoices of vendors', () => {
  let test: TestApp
  let root: Caller
  let vendor: ProviderServer
  beforeAll(async () => {
    vendor = await startProviderServer()
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.1/32' })
    root = await test.setUp()
    await root('POST', '/api/channel/', { type: 1, name: 'first', key: 'sk-k', models: 'gpt-4o' })
  })
  afterAll(async () => {
    await Promise.all([vendor.stop(), test.stop()])
  })

  const head = { name: 'November', vendor: 'other', time_zone: 'UTC', channel_ids: [1] }
  const create = (text: string, more: object = {}) =>
    root('POST', '/api/vendor_invoice/', { ...head, files: [{ name: 'nov.csv', text, mapping: MAPPING }], ...more })
  const list = async (): Promise<VendorInvoice[]> =>
    ((await root('GET', '/api/vendor_invoice/')).body.data as { items: VendorInvoice[] }).items // the contract's shape
  const preview = async (text: string, more: object = {}): Promise<InvoicePreview> =>
    (await root('POST', '/api/vendor_invoice/preview', { ...head, files: [{ name: 'nov.csv', text, ...more }] })).body
      .data as InvoicePreview // the contract's shape

  it('are for administrators', async () => {
    expect((await test.guest('GET', '/api/vendor_invoice/')).status).toBe(401)
  })

  it('are shown before they are stored, with each row that cannot be read', async () => {
    const unmapped = await preview(CSV)
    const mapped = await preview(`${CSV}2026-11-03,gpt-4o,x,1,1\n`, { mapping: MAPPING })

    expect(unmapped.problems).toMatchObject([{ reason: 'columns' }, { reason: 'columns' }, { reason: 'columns' }])
    expect(unmapped.files).toMatchObject([{ columns: ['Tag', 'Modell', 'Ein', 'Aus', 'Kosten'], is_remembered: false }])
    expect(unmapped.files[0]?.sample[0]).toEqual(['2026-11-01', 'gpt-4o', '1000', '500', '0.25'])
    expect(mapped).toMatchObject({
      rows: 2,
      problem_count: 1,
      problems: [{ file: 'nov.csv', line: 4, reason: 'number', text: 'x' }],
      first_day: '2026-11-01',
      last_day: '2026-11-02',
      models: ['gpt-4o'],
      total: { input: 1010, output: 505, dollars: '0.35', requests: null },
    })
    expect(await list()).toEqual([])
  })

  it('are refused whole for one row, for an unknown channel, and for a year of days', async () => {
    expect((await create(`${CSV}2026-11-03,gpt-4o,x,1,1\n`)).body.message).toBe(
      '账单有 1 行无法读取（第一处：nov.csv 第 4 行），没有保存任何内容',
    )
    expect((await create(CSV, { channel_ids: [7] })).body.message).toBe('账单对应的渠道不存在')
    expect((await create(`${CSV}2027-11-03,gpt-4o,1,1,1\n`)).body.success).toBe(false)
    expect((await create('Tag,Modell,Ein,Aus,Kosten\n')).body.message).toBe('账单中没有任何用量或金额')
    expect((await create(CSV, { time_zone: 'Mars/Base' })).body.success).toBe(false)
    expect(await list()).toEqual([])
  })

  it('are stored with their mapping, which the next file of such columns needs no more', async () => {
    const { id } = (await create(CSV)).body.data as VendorInvoice // the contract's shape

    expect(await list()).toMatchObject([{ id, name: 'November', state: 'waiting', rows: 2, first_day: '2026-11-01', source: 'file' }])
    const again = await preview(CSV.replace('0.25', '0.75'))
    expect(again).toMatchObject({ problem_count: 0, files: [{ is_remembered: true }], total: { dollars: '0.85' } })
    // Another vendor may use the same columns otherwise.
    expect((await preview(CSV, {})).problem_count).toBe(0)
    expect(
      (await root('POST', '/api/vendor_invoice/preview', { ...head, vendor: 'google', files: [{ name: 'f', text: CSV }] })).body.data,
    ).toMatchObject({ problem_count: 3 })
    expect((await root('GET', `/api/vendor_invoice/${id}/lines`)).body.data).toMatchObject({ items: [], total: 0 })
    expect((await root('POST', `/api/vendor_invoice/${id}/compare`)).body.data).toMatchObject({ state: 'waiting' })
    expect((await root('DELETE', `/api/vendor_invoice/${id}`)).body.success).toBe(true)
    expect((await root('DELETE', `/api/vendor_invoice/${id}`)).body.success).toBe(false)
    expect((await root('GET', '/api/audit/?resource=vendor-invoice')).body.data).toMatchObject({
      items: [
        { action: 'delete', resource_id: String(id) },
        { action: 'create', resource_id: String(id) },
      ],
    })
  })

  it('are fetched page by page with a key that is kept nowhere', async () => {
    const bucket = (start_time: number, result: object) => ({ start_time, results: [result] })
    const usage = { model: 'gpt-4o-2024-08-06', input_tokens: 100, output_tokens: 7, input_cached_tokens: 50, num_model_requests: 2 }
    const cost = { amount: { value: 0.5, currency: 'usd' }, line_item: 'gpt-4o-2024-08-06, output' }
    vendor.on('/v1/organization/usage/completions', ({ url }) =>
      url.searchParams.get('page') === 'two'
        ? { json: { data: [bucket(1_793_577_600, usage)], has_more: false, next_page: null } }
        : { json: { data: [bucket(1_793_491_200, usage)], has_more: true, next_page: 'two' } },
    )
    vendor.on('/v1/organization/usage/embeddings', { json: { data: [], has_more: false } })
    vendor.on('/v1/organization/costs', { json: { data: [bucket(1_793_491_200, cost)], has_more: false } })
    const body = { ...head, vendor: 'openai', key: 'sk-admin-secret', address: vendor.url, first_day: '2026-11-01', last_day: '2026-11-02' }

    const fetched = await root('POST', '/api/vendor_invoice/fetch', body)

    expect(fetched.body.data).toMatchObject({ source: 'api', rows: 3, first_day: '2026-11-01', last_day: '2026-11-02' })
    expect(vendor.requests[0]?.headers.authorization).toBe('Bearer sk-admin-secret')
    expect(vendor.requests[0]?.url.search).toContain('start_time=1793491200&end_time=1793664000')
    const rows = await test.database.db.selectFrom('vendor_invoices').selectAll().execute()
    expect(JSON.stringify(rows)).toContain('"gpt-4o"')
    expect(JSON.stringify(rows)).not.toContain('sk-admin')
  })

  it('are not fetched from inside, nor stored when the vendor refuses', async () => {
    const before = await list()
    const body = { ...head, vendor: 'anthropic', key: 'k', first_day: '2026-11-01', last_day: '2026-11-02' }

    const inside = await root('POST', '/api/vendor_invoice/fetch', { ...body, address: 'http://169.254.169.254' })
    const refused = await root('POST', '/api/vendor_invoice/fetch', { ...body, address: vendor.url })
    const tooLong = await root('POST', '/api/vendor_invoice/fetch', { ...body, address: vendor.url, last_day: '2027-11-02' })

    expect(inside.body.success).toBe(false)
    expect(refused.body.message).toBe('无法从供应商读取账单：HTTP 404')
    expect(tooLong.body.success).toBe(false)
    expect(await list()).toEqual(before)
  })
})
