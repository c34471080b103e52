import type { EffectiveCosts } from '@tollgate/contracts/channels/effective-cost'
import { LogType } from '@tollgate/contracts/enums'
import { toJsonb } from '@tollgate/db/jsonb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())

const read = async (hours = 6): Promise<EffectiveCosts> =>
  (await root('GET', `/api/channel/effective_cost?hours=${hours}`)).body.data as EffectiveCosts // the contract's shape

const make = async (setting: object): Promise<number> => {
  await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', setting: JSON.stringify(setting) })
  const { body } = await root('GET', '/api/channel/?page_size=1&id_sort=true')
  return (body.data as { id: number }[])[0]?.id ?? 0 // the contract's shape
}

type Request = {
  readonly cached?: number
  readonly isWhole?: boolean
  readonly failed_on?: number
  readonly group_ratio?: number
  readonly ago?: number
}

/** A request of 800 prompt and 200 output tokens at 2 and 8 US dollars a million; cached ones cost a tenth. */
function aRow(channel_id: number, { cached = 0, isWhole = true, failed_on, group_ratio = 1, ago = 60 }: Request = {}) {
  const quota = Math.round((800 - cached + cached / 10 + 200 * 4) * group_ratio)
  const attempts = [
    ...(failed_on === undefined ? [] : [{ channel_id: failed_on, outcome: 'refused' }]),
    { channel_id, outcome: 'answered' },
  ]
  return {
    created_at: Math.floor(test.deps.now() / 1000) - ago,
    type: LogType.consume,
    channel_id,
    model_name: 'm',
    quota,
    prompt_tokens: 800,
    completion_tokens: 200,
    usage: toJsonb({ prompt_tokens: 800, completion_tokens: 200, text_in: 800 - cached, cache_read: cached, text_out: 200 }),
    quote: toJsonb({ mode: 'ratio', group_ratio, quota_per_unit: 500_000, model_ratio: 1, completion_ratio: 4 }),
    explanation: toJsonb({ ended_by: isWhole ? 'complete' : 'client-disconnected', attempts }),
  }
}

const add = (rows: readonly ReturnType<typeof aRow>[]) => test.deps.db.insertInto('logs').values(rows).execute()

describe('the effective cost of channels', () => {
  it('is what the vendor took for the tokens that reached their reader, with its parts', async () => {
    const [cheap, plain] = [await make({ cost_ratio: 0.5 }), await make({})]
    await add([
      ...Array.from({ length: 30 }, () => aRow(cheap, { cached: 400, group_ratio: 3 })),
      ...Array.from({ length: 20 }, () => aRow(plain, { failed_on: cheap })),
      ...Array.from({ length: 5 }, () => aRow(plain, { isWhole: false })),
      aRow(plain, { ago: 7 * 3600 }),
    ])

    const { rows, is_cut } = await read()

    expect(is_cut).toBe(false)
    const [first, second] = rows
    // 1 240 quota are 0.00248 dollars for 1 000 tokens, half of it by the vendor.
    expect(first).toMatchObject({ channel_id: cheap, model: 'm', requests: 30, is_measured: true, cost_ratio: 0.5, cached_share: 0.5 })
    expect(first?.usd_per_million).toBeCloseTo(1.24)
    expect(first?.list_usd_per_million).toBeCloseTo(1.6)
    expect(first?.failures_per_request).toBeCloseTo(20 / 30)
    // The five that were cancelled cost as much as others.
    expect(second).toMatchObject({
      channel_id: plain,
      requests: 20,
      is_measured: true,
      cached_share: 0,
      wasted_share: expect.closeTo(0.2),
      output_share: 0.2,
    })
    expect(second?.usd_per_million).toBeCloseTo(3.2 * 1.25)
    expect((await read(24)).rows[1]?.requests).toBe(21)
  })

  it('is the list price, and says so, with too few requests', async () => {
    const id = await make({ cost_ratio: 2 })
    await add([aRow(id, { cached: 800 })])

    const row = (await read()).rows.find(({ channel_id }) => channel_id === id)

    expect(row).toMatchObject({ requests: 1, is_measured: false })
    expect(row?.usd_per_million).toBeCloseTo(6.4)
  })
})
