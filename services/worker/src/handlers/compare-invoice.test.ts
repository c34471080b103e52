import { createSealer } from '@tollgate/config/sealing'
import { ZERO_USAGE, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { StoredExplanation } from '@tollgate/contracts/relay/usage-event'
import type { BilledAmounts, InvoiceLine } from '@tollgate/contracts/resources/vendor-invoices'
import { toJsonb } from '@tollgate/db/jsonb'
import {
  createVendorInvoice,
  deleteVendorInvoice,
  findVendorInvoice,
  listInvoiceLines,
} from '@tollgate/db/queries/invoices/vendor-invoices'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareInvoice } from './compare-invoice.ts'

const secrets = createSealer(`one:${Buffer.alloc(32, 1).toString('base64url')}`)
const HOUR = 3600
const startOf = (day: number): number => Date.UTC(2026, 10, day) / 1000
const dayOf = (day: number): string => new Date(startOf(day) * 1000).toISOString().slice(0, 10)

type Planted = {
  readonly day: number
  readonly channel: number
  readonly model?: string
  readonly hour?: number
  readonly input?: number
  readonly cached?: number
  readonly output?: number
  readonly source?: Usage['source']
  readonly ended_by?: StoredExplanation['ended_by']
  /** Channels whose call timed out before. */
  readonly timedOut?: readonly number[]
}

const attempt = (channel_id: number, upstream_model: string, outcome: 'timeout' | 'answered') => ({
  channel_id,
  channel_name: `c${channel_id}`,
  channel_type: 1,
  upstream_model,
  started_ms: 0,
  ended_ms: 1,
  outcome,
})

/** A request that costs 2.50 US dollars per million input and 10 per million output tokens, and twice that for its user. */
function row({ day, channel, model = 'gpt-4o', hour = 20, input = 800_000, cached = 0, output = 200_000, ...more }: Planted, nth: number) {
  const { source = 'upstream', ended_by = 'complete', timedOut = [] } = more
  const quote: RatioQuote = {
    mode: 'ratio',
    model,
    group: 'default',
    group_ratio: 2,
    quota_per_unit: 500_000,
    price_version: 1,
    model_ratio: 1.25,
    completion_ratio: 4,
    cache_ratio: 0.5,
    cache_creation_ratio: 1.25,
    image_ratio: 1,
    audio_ratio: 1,
    audio_completion_ratio: 1,
    is_unpriced: false,
  }
  const text_in = input - cached
  const usage: Usage = {
    ...ZERO_USAGE,
    source,
    text_in,
    cache_read: cached,
    text_out: output,
    prompt_tokens: input,
    completion_tokens: output,
  }
  return {
    created_at: startOf(day) + hour * HOUR + nth,
    type: 2,
    user_id: 1,
    channel_id: channel,
    model_name: model,
    quota: 2.5 * (text_in + cached / 2 + output * 4),
    request_id: `r${nth}`,
    state: source === 'estimated' ? 'estimated' : 'settled',
    usage: toJsonb(usage),
    quote: toJsonb(quote),
    explanation: toJsonb({
      ended_by,
      attempts: [...timedOut.map((id) => attempt(id, model, 'timeout')), attempt(channel, `${model}-2024-08-06`, 'answered')],
    }),
  }
}

/** Channel 3 has the same models and is not in the invoice; channel 2 serves at the end of days. */
const REQUESTS: readonly Planted[] = [
  { day: 1, channel: 1 },
  { day: 2, channel: 1 },
  { day: 2, channel: 3, input: 500_000, output: 1, timedOut: [1] },
  { day: 3, channel: 1, output: 50_000, source: 'estimated', ended_by: 'client-disconnected' },
  { day: 4, channel: 1 },
  { day: 5, channel: 1 },
  { day: 6, channel: 1, model: 'gpt-4.1', source: 'estimated' },
  { day: 7, channel: 1, model: 'gpt-4.1', cached: 400_000 },
  { day: 7, channel: 1 },
  { day: 8, channel: 1 },
  { day: 8, channel: 3, input: 700_000, output: 100_000 },
  { day: 9, channel: 1, model: 'my-mini' },
  { day: 10, channel: 1 },
  ...[1, 2, 3, 4].map((day) => ({ day, channel: 2, model: 'claude', input: day * 100_000 })),
]

const billed = (day: number, more: Partial<BilledAmounts> = {}): BilledAmounts => {
  const line = { account: 'a', model: 'gpt-4o', day: dayOf(day), requests: null, input: 800_000, cached: 0, output: 200_000, ...more }
  const dollars = (2.5 * ((line.input ?? 0) - (line.cached ?? 0) / 2) + 10 * (line.output ?? 0)) / 1e6
  return { dollars: dollars.toString(), ...line, ...more }
}
const raised = (day: number): BilledAmounts => billed(day, { dollars: '4.8' })

/** As the vendor has counted all that came through the two channels; it bills in another time zone for channel 2. */
const WITH_DIFFERENCES: readonly BilledAmounts[] = [
  billed(1),
  billed(2, { input: 1_300_000 }),
  billed(3),
  raised(4),
  raised(5),
  billed(6, { model: 'gpt-4.1', input: 810_000 }),
  billed(6, { model: 'o3', input: 1000, output: 500, requests: 7 }),
  billed(7, { model: 'gpt-4.1', cached: 300_000 }),
  billed(8, { input: 1_500_000, output: 300_000 }),
  billed(9, { model: 'gpt-4o-mini' }),
  billed(9, { model: 'Web search', input: null, cached: null, output: null, dollars: '1' }),
  ...[2, 3, 4, 5].map((day) => billed(day, { account: 'b', model: 'claude', input: (day - 1) * 100_000 })),
]
const WITHOUT: readonly BilledAmounts[] = [billed(1), billed(1, { account: 'b', model: 'claude', input: 100_000 })]

describe('the comparison of an invoice of a vendor', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    await test.db.insertInto('logs').values(REQUESTS.map(row)).execute()
  })
  afterAll(() => test.drop())

  const store = async (
    lines: readonly BilledAmounts[],
    more: { last?: number; channel_ids?: number[]; accounts?: Record<string, number> } = {},
  ) => {
    const { last = 10, channel_ids = [1, 2], accounts = { a: 1, b: 2 } } = more
    const head = { name: 'November', vendor: 'openai', source: 'file', time_zone: 'UTC', channel_ids, accounts } as const
    const facts = {
      first_day: dayOf(1),
      last_day: dayOf(last),
      rows: lines.length,
      created_by: 'root',
      total: 1,
      created_at: startOf(11) + HOUR,
    }
    return await test.db.transaction().execute((tx) => createVendorInvoice(tx, { ...head, ...facts, channel_ids, billed: lines }))
  }
  const run = (id: number) =>
    compareInvoice({ db: test.db, secrets, now: () => startOf(12) * 1000 })({ id }, { signal: new AbortController().signal, attempt: 1 })
  const compare = async (...args: Parameters<typeof store>) => {
    const { id } = await store(...args)
    await run(id)
    const invoice = await findVendorInvoice(test.db, id)
    const { items } = await listInvoiceLines(test.db, { id, differing: false, limit: 1000, offset: 0 })
    return { result: invoice?.result, lines: items }
  }
  const causesOf = (lines: readonly InvoiceLine[], model: string, day: number): InvoiceLine['causes'] =>
    lines.find((line) => line.model === model && line.day === dayOf(day))?.causes ?? []

  it('explains planted differences by what was recorded', async () => {
    const { lines, result } = await compare(WITH_DIFFERENCES)

    expect(causesOf(lines, 'gpt-4o', 1)).toEqual([])
    expect(causesOf(lines, 'gpt-4o', 2)).toEqual([{ kind: 'charged-retries', calls: 1, input: 500_000 }])
    expect(causesOf(lines, 'gpt-4o', 3)).toEqual([{ kind: 'aborted-streams', calls: 1, output: 150_000 }])
    for (const day of [4, 5]) expect(causesOf(lines, 'gpt-4o', day)).toEqual([{ kind: 'price-change', ratio: 1.2, day: dayOf(4) }])
    expect(causesOf(lines, 'gpt-4.1', 6)).toEqual([{ kind: 'counted-here', calls: 1, input: 10_000 }])
    expect(causesOf(lines, 'o3', 6)).toEqual([{ kind: 'bypassed', calls: 7, input: 1000, output: 500 }])
    expect(causesOf(lines, 'gpt-4.1', 7)).toEqual([{ kind: 'cache-share', cached: -100_000 }])
    expect(causesOf(lines, 'gpt-4o', 7)).toEqual([{ kind: 'missing-at-vendor', calls: 1, input: -800_000, output: -200_000 }])
    expect(causesOf(lines, 'gpt-4o', 8)).toEqual([
      { kind: 'other-channel', channel_id: 3, calls: 1, input: 700_000, output: 100_000, cached: 0 },
    ])
    expect(causesOf(lines, 'gpt-4o-mini', 9)).toEqual([{ kind: 'other-name', model: 'my-mini' }])
    expect(causesOf(lines, 'my-mini', 9)).toEqual([{ kind: 'other-name', model: 'gpt-4o-mini' }])
    expect(causesOf(lines, 'Web search', 9)).toEqual([{ kind: 'other-item', model: 'Web search' }])
    expect(causesOf(lines, 'gpt-4o', 10)).toEqual([{ kind: 'not-billed-yet', calls: 1, input: -800_000, output: -200_000 }])
    // Requests at 20:00 are of the next day where clocks are 4 to 14 hours ahead.
    for (const day of [1, 2, 3, 4, 5]) expect(causesOf(lines, 'claude', day)).toEqual([{ kind: 'time-zone', hours: -4 }])
    expect(result?.differing).toBe(lines.filter(({ differs }) => differs).length)
    expect(lines.slice(0, result?.differing).every(({ causes }) => causes.length > 0)).toBe(true)
  })

  it('finds nothing where the invoice and the log agree', async () => {
    const { lines, result } = await compare(WITHOUT, { last: 1 })

    expect(lines.map(({ model, differs, causes }) => ({ model, differs, causes }))).toEqual([
      { model: 'gpt-4o', differs: false, causes: [] },
      { model: 'claude', differs: false, causes: [] },
    ])
    expect(result).toMatchObject({ differing: 0, causes: [], margin: '6.25' })
  })

  it('names another price by its ratio where it is the same every day', async () => {
    const lines = [1, 2, 3, 4].map((day) => ({
      ...billed(day, { account: 'b', model: 'claude', input: day * 100_000 }),
      dollars: ((day * 0.25 + 2) * 0.8).toFixed(2),
    }))

    const { lines: compared, result } = await compare(lines, { last: 4, channel_ids: [2], accounts: {} })

    for (const day of [1, 2, 3, 4]) expect(causesOf(compared, 'claude', day)).toEqual([{ kind: 'price-differs', ratio: 0.8 }])
    // Ten million input and eight hundred thousand output tokens: 2.5 + 8 US dollars; users pay twice that, the vendor takes 0.8 of it.
    expect(result).toMatchObject({ own: { dollars: '10.5', charged: '21' }, vendor: { dollars: '8.4' }, margin: '12.6' })
  })

  it('runs once more with the same result, and stores nothing for an invoice that is deleted meanwhile', async () => {
    const { id } = await store(WITH_DIFFERENCES)
    await test.db.transaction().execute((tx) => deleteVendorInvoice(tx, id))

    expect(await run(id)).toMatchObject({ state: 'cancelled' })
    expect(await compare(WITH_DIFFERENCES)).toEqual(await compare(WITH_DIFFERENCES))
  })
})
