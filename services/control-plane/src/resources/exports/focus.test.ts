import { writeFile } from 'node:fs/promises'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { toJsonb } from '@tollgate/db/jsonb'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { addLogRows } from '@tollgate/testing/log-rows'
import type { RawBuilder } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

type Entry = {
  readonly quota: number
  readonly created_at: number
  readonly model_name: string
  readonly state?: string
  readonly usage?: RawBuilder<string>
  readonly quote?: RawBuilder<string>
}

const DAY = 86_400
/** 15 October 2026, 23:59:59 UTC. */
const LATE = Date.UTC(2026, 9, 15, 23, 59, 59) / 1000
const BASE = { group: 'default', group_ratio: 0.8, quota_per_unit: 500_000, price_version: 1 } as const
const ratios = (model: string, model_ratio: number): Quote => ({
  ...BASE,
  mode: 'ratio',
  model,
  model_ratio,
  completion_ratio: 8,
  cache_ratio: 0.1,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  is_unpriced: false,
})
const usageOf = (text_in: number, text_out: number): Usage => ({
  ...ZERO_USAGE,
  text_in,
  text_out,
  cache_read: 100,
  prompt_tokens: text_in + 100,
  completion_tokens: text_out,
  source: 'upstream',
})

/** Cells of a file without quoted line breaks. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain)
}

function recordsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n')
  const names = cellsOf(head)
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at] ?? '', cell])))
}

describe('cost and usage in the FOCUS format', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let sums: Record<'lin' | 'other', number>
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const ids = new Map<string, number>()
    for (const username of ['lin', 'other']) {
      await root('POST', '/api/user/', { username, password: 'a-long-password' })
      ids.set(username, (await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id)
    }
    lin = await test.signIn('lin', 'a-long-password')
    sums = { lin: 0, other: 0 }
    const add = async (username: 'lin' | 'other', over: Entry) => {
      const user_id = ids.get(username) ?? 0
      const shared = { type: 2, user_id, username, token_id: 4, token_name: '=ci, "night"', group: 'default', state: 'settled' }
      await addLogRows(db, [{ ...shared, request_id: `r${Math.random()}`, ...over }])
      sums[username] += over.quota
    }
    const priced = (quote: Quote, usage: Usage, created_at = LATE) => ({
      model_name: quote.model,
      quota: quotaOf(quote, usage),
      usage: toJsonb(usage),
      quote: toJsonb(quote),
      created_at,
    })
    for (const [at, usage] of [usageOf(1000, 77), usageOf(333, 1), usageOf(4000, 0)].entries())
      await add('lin', priced(ratios('gpt-5', 0.625), usage, LATE + at))
    await add('lin', priced(ratios('claude-opus-4-5', 2.5), usageOf(10, 20)))
    await add('other', priced(ratios('gpt-5', 0.625), usageOf(50, 50)))
    const call: Quote = { ...BASE, mode: 'price', model: 'kling-v2', model_price: 0.4, count: 2 }
    await add('other', priced(call, { ...usageOf(0, 0), cache_read: 0, images: 2 }))
    await add('other', { model_name: 'kling-v2', quota: -320_000, state: 'refunded', created_at: LATE - DAY })
    await add('other', { model_name: 'gpt-5', quota: 40, state: 'late', created_at: LATE - DAY })
    const before = { ...sums }
    // In other months.
    await add('lin', priced(ratios('gpt-5', 0.625), usageOf(9, 9), Date.UTC(2026, 8, 30, 23, 59, 59) / 1000))
    await add('lin', priced(ratios('gpt-5', 0.625), usageOf(9, 9), Date.UTC(2026, 10, 1) / 1000))
    sums = before
  })
  afterAll(() => test.stop())

  const records = async (caller: Caller, path: string) => recordsOf((await caller('GET', path)).body.message)
  const billed = (rows: Record<string, string>[]) => rows.reduce((sum, row) => sum + Number(row['BilledCost']), 0)

  it('have a row per day, token, model and meter, with the prices of the group', async () => {
    const rows = await records(lin, '/api/log/self/focus/export?month=2026-10')

    const input = rows.filter(({ SkuId }) => SkuId === 'gpt-5/Input tokens')
    expect(input.map(({ ChargePeriodStart, ConsumedQuantity }) => [ChargePeriodStart, ConsumedQuantity])).toEqual([
      ['2026-10-16T00:00:00Z', '4333.0'],
      ['2026-10-15T00:00:00Z', '1000.0'],
    ])
    expect(input[1]).toMatchObject({
      BillingPeriodStart: '2026-10-01T00:00:00Z',
      BillingPeriodEnd: '2026-11-01T00:00:00Z',
      ListUnitPrice: '1.25',
      ContractedUnitPrice: '1.0',
      ContractedCost: '0.001',
      ListCost: '0.00125',
      PricingQuantity: '0.001',
      PricingUnit: '1000000 Tokens',
      PublisherName: 'OpenAI',
      SubAccountName: `'=ci, "night"`,
      Tags: '{"token":"=ci, \\"night\\"","group":"default"}',
      x_RequestCount: '1',
    })
    expect(billed(rows)).toBeCloseTo(sums.lin / 500_000, 10)
  })

  it('have all users for root, refunds and corrections apart, and sum to what was charged', async () => {
    const rows = await records(root, '/api/log/focus/export?month=2026-10')

    expect(new Set(rows.map(({ SubAccountName }) => SubAccountName))).toEqual(new Set(['lin', 'other']))
    const changes = rows.filter(({ ChargeCategory }) => ChargeCategory !== 'Usage')
    expect(changes.map(({ ChargeCategory, BilledCost, SkuId }) => [ChargeCategory, BilledCost, SkuId])).toEqual([
      ['Adjustment', '0.00008', ''],
      ['Credit', '-0.64', ''],
    ])
    expect(billed(rows)).toBeCloseTo((sums.lin + sums.other) / 500_000, 10)
    const file = process.env['FOCUS_FILE']
    if (file !== undefined) await writeFile(file, (await root('GET', '/api/log/focus/export?month=2026-10')).body.message)
  })

  it('are empty for a month without requests, refuse what is no month, and show users nothing of others', async () => {
    expect(await records(lin, '/api/log/self/focus/export?month=2025-01')).toEqual([])
    expect((await lin('GET', '/api/log/self/focus/export?month=2026-13')).body.success).toBe(false)
    expect((await lin('GET', '/api/log/focus/export?month=2026-10')).body.success).toBe(false)
  })
})
