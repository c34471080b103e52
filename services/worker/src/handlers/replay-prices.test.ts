import { sql, type Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSealer } from '@tollgate/config/sealing'
import { readOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import { PRICE_OPTIONS, type PriceOption, type PriceReplay, type PriceTexts } from '@tollgate/contracts/resources/prices'
import { connectDb } from '@tollgate/db/connect'
import { toJsonb } from '@tollgate/db/jsonb'
import { createPriceReplay, findLatestReplay, finishPriceReplay, listReplayRows } from '@tollgate/db/queries/prices/price-replays'
import type { Database } from '@tollgate/db/schema'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { checkPrices } from '../verify/check-prices.ts'
import { replayPrices } from './replay-prices.ts'

const NOW = 1_790_000_000
const DAY = 86_400
const MODELS = ['gpt-4o', 'claude-sonnet-4-20250514', 'dall-e-3', 'gpt-4o-audio-preview'] as const
const options = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, readOption(key, undefined)])) as Pick<OptionValues, PriceOption>
const prices = new Map(toPriceSnapshots(options).map((row) => [row.model, row]))

function quoteOf(model: string, group: string): Quote {
  const quote = quoteFor({
    model,
    group,
    group_ratio: 1,
    prices: (name) => prices.get(name),
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced') throw new Error(`${model} has a default price`)
  return quote
}

/** Sizes that make rounding matter: odd counts and tiny charges. */
const usageOf = (at: number): Usage => ({
  ...ZERO_USAGE,
  source: 'upstream',
  text_in: (at * 7919) % 250_013,
  text_out: (at * 104_729) % 1999,
  cache_read: (at * 31) % 57,
  ...(at % 5 === 0 ? { audio_in: at % 11, audio_out: at % 3 } : {}),
})

type Row = Omit<Insertable<Database['logs']>, 'usage' | 'quote'> & { readonly usage: Usage; readonly quote: Quote }
function chargeRow(at: number, more: Partial<Row> = {}): Row {
  const quote = quoteOf(MODELS[at % MODELS.length] ?? 'gpt-4o', at % 2 === 0 ? 'default' : 'vip')
  const usage = usageOf(at)
  return {
    created_at: NOW - 7 * DAY + (at % (7 * DAY)),
    type: 2,
    user_id: 1 + (at % 3),
    username: `user-${1 + (at % 3)}`,
    model_name: quote.model,
    quota: quotaOf(quote, usage),
    request_id: `request-${at}`,
    state: at % 10 === 0 ? 'estimated' : 'settled',
    usage,
    quote,
    ...more,
  }
}

const secrets = createSealer(`one:${Buffer.alloc(32, 1).toString('base64url')}`)

describe('replaying prices', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    const rows = Array.from({ length: 12_000 }, (_, at) => chargeRow(at))
    const { quote, usage } = chargeRow(4)
    const late: Row = { ...chargeRow(4), request_id: 'request-4', state: 'late', usage: { ...usageOf(4), text_out: 5000 } }
    const lateQuota =
      quotaOf(quoteOf('gpt-4o', 'default'), { ...usageOf(4), text_out: 5000 }) - quotaOf(quoteOf('gpt-4o', 'default'), usageOf(4))
    const others: Row[] = [
      { ...late, quota: lateQuota },
      { ...chargeRow(1), request_id: 'too-old', created_at: NOW - 8 * DAY },
      { ...chargeRow(1), request_id: 'released', state: 'released', quota: 0, quote, usage },
    ]
    const all = [...rows, ...others]
    for (let start = 0; start < all.length; start += 2000) await insert(all.slice(start, start + 2000))
  }, 60_000)
  afterAll(() => test.drop())

  const insert = (rows: readonly Row[]) =>
    test.db
      .insertInto('logs')
      .values(rows.map(({ usage, quote, ...row }) => ({ ...row, usage: toJsonb(usage), quote: toJsonb(quote) })))
      .execute()

  const order = (texts: PriceTexts): Promise<PriceReplay> =>
    test.db
      .transaction()
      .execute((tx) =>
        createPriceReplay(tx, { prices: texts, since: NOW - 7 * DAY, until: NOW, requested_by: 'root', created_at: NOW, total: 12_001 }),
      )
  const run = (id: number, signal = new AbortController().signal) =>
    replayPrices({ db: test.db, secrets, now: () => NOW * 1000 })({ id }, { signal, attempt: 1 })
  const replay = async (texts: PriceTexts) => {
    const { id } = await order(texts)
    expect(await run(id)).toMatchObject({ state: 'done' })
    const found = await findLatestReplay(test.db)
    if (found?.result === null || found === undefined) throw new Error('no result')
    return { ...found, result: found.result }
  }

  it('equals the stored charges to the last unit when no price changes, as the verifier does', async () => {
    const { result, state, done, finished_at } = await replay({})

    const { sum } = await test.db
      .selectFrom('logs')
      .select((eb) => eb.fn.sum<number>('quota').as('sum'))
      .where('created_at', '>=', NOW - 7 * DAY)
      .executeTakeFirstOrThrow()
    expect((await checkPrices(test.db, { one_in: 1, offset: 0 })).map(({ differences }) => differences)).toEqual([0, 0])
    expect(result).toMatchObject({ requests: 12_001, before: Number(sum), after: Number(sum), unpriced: { requests: 0, before: 0 } })
    for (const line of [...result.models, ...result.users]) expect(line.after).toBe(line.before)
    expect(result.models.map(({ name }) => name).toSorted()).toEqual([...MODELS].toSorted())
    expect({ state, done, finished_at }).toEqual({ state: 'done', done: 12_001, finished_at: NOW })
  })

  it('charges a changed group ratio, by group, and says how many charges there are', async () => {
    const bare = { ...chargeRow(1), request_id: 'no-explanation', usage: undefined, quote: undefined, state: '' }
    const { id } = await test.db
      .insertInto('logs')
      .values({ ...bare, usage: null, quote: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    onTestFinished(async () => void (await test.db.deleteFrom('logs').where('id', '=', id).execute()))

    const { result } = await replay({ GroupRatio: '{"default":1,"vip":2}' })

    expect(result).toMatchObject({ requests: 12_001, charges: 12_002, more_groups: 0 })
    const groups = new Map(result.groups?.map((line) => [line.name, line]))
    expect([...groups.keys()].toSorted()).toEqual(['default', 'vip'])
    expect(groups.get('default')).toMatchObject({ requests: 6001, after: groups.get('default')?.before })
    // Each charge is rounded for itself.
    const vip = groups.get('vip')
    expect(vip?.requests).toBe(6000)
    expect(Math.abs((vip?.after ?? 0) - 2 * (vip?.before ?? 0))).toBeLessThanOrEqual(6000)
    expect(result.after - result.before).toBe((vip?.after ?? 0) - (vip?.before ?? 0))
  })

  it('charges every request by the new prices, rounded each for itself', async () => {
    const { result } = await replay({ ModelRatio: '{"gpt-4o":2.51,"gpt-4o-audio-preview":1.25}', ModelPrice: '{"dall-e-3":0.05}' })

    const changed = { ...quoteOf('gpt-4o', 'default'), model_ratio: 2.51 } as Quote
    const ofModel = Array.from({ length: 12_000 }, (_, at) => at).filter((at) => at % 4 === 0)
    const expected = ofModel.reduce((sum, at) => sum + quotaOf(changed, usageOf(at)), 0)
    const lateBefore = quotaOf(changed, usageOf(4))
    const corrected = quotaOf(changed, { ...usageOf(4), text_out: 5000 }) - lateBefore
    expect(result.models.find(({ name }) => name === 'gpt-4o')).toMatchObject({ requests: 3001, after: expected + corrected })
    // Claude has no price in the new list: its requests would have been refused.
    const claude = result.models.find(({ name }) => name.startsWith('claude'))
    expect(claude).toMatchObject({ requests: 3000, after: 0 })
    expect(result.unpriced).toEqual({ requests: 3000, before: claude?.before })
    expect(result.after).toBe(result.models.reduce((sum, { after }) => sum + after, 0))
    expect(result.after).toBe(result.users.reduce((sum, { after }) => sum + after, 0))
  })

  it('is cancelled by a later order or by hand, and then has no result', async () => {
    const first = await order({})
    const second = await order({})
    expect(await run(first.id)).toEqual({ state: 'cancelled', requests: 0 })

    expect(await finishPriceReplay(test.db, second.id, { state: 'cancelled', finished_at: NOW })).toBe(true)
    expect(await run(second.id)).toEqual({ state: 'cancelled', requests: 0 })
    expect(await findLatestReplay(test.db)).toMatchObject({ id: second.id, state: 'cancelled', result: null })
    expect(await finishPriceReplay(test.db, second.id, { state: 'cancelled', finished_at: NOW })).toBe(false)
  })

  it('ends early when the worker stops, and starts again with the next one', async () => {
    const { id } = await order({})
    expect(await run(id, AbortSignal.abort())).toMatchObject({ state: 'stopped' })
    expect(await findLatestReplay(test.db)).toMatchObject({ id, state: 'running' })
    expect(await run(id)).toEqual({ state: 'done', requests: 12_001 })
  })

  it('reads only the rows of a page where Postgres has no statistics', async () => {
    const one = connectDb({ url: test.url, max: 1 })
    onTestFinished(() => one.destroy())
    await sql`delete from pg_statistic where starelid = 'logs_default'::regclass`.execute(one)
    await sql`update pg_class set reltuples = -1, relpages = 0 where oid = 'logs_default'::regclass`.execute(one)
    const fetched = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(one)
      const stats = sql<{
        rows: number
      }>`select idx_tup_fetch + seq_tup_read as rows from pg_stat_user_tables where relname = 'logs_default'`
      return (await stats.execute(one)).rows[0]?.rows ?? 0
    }
    const before = await fetched()

    const page = await listReplayRows(one, { after: { created_at: NOW - 7 * DAY, id: 0 }, until: NOW, limit: 100 })

    expect(page).toHaveLength(100)
    expect((await fetched()) - before).toBeLessThan(150)
  })
})
