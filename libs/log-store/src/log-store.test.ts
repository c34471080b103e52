import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LogType } from '@tollgate/contracts/enums'
import type { Db, Tx } from '@tollgate/db/connect'
import type { LogFilter, NewLogRow } from '@tollgate/db/log-store'
import { addUsageHours, insertLogs, insertRequestLogs } from '@tollgate/db/queries/ledger/posting'
import {
  compareKeys,
  compareKinds,
  compareLogged,
  compareRefundRows,
  compareStates,
  countRequests,
} from '@tollgate/db/queries/ledger/verify'
import { sumLogQuota } from '@tollgate/db/queries/logs/log-counts'
import { countSteps } from '@tollgate/db/queries/logs/log-histogram'
import { getLogPage } from '@tollgate/db/queries/logs/log-pages'
import {
  findExplainedLog,
  findLogTime,
  getLogRate,
  listChargedLogs,
  listLogs,
  removeLogsBefore,
  searchLogs,
} from '@tollgate/db/queries/logs/logs'
import { listFedRows } from '@tollgate/db/queries/logs/request-feed'
import { listChannelTraffic } from '@tollgate/db/queries/channels/channel-traffic'
import { listObservedCalls } from '@tollgate/db/queries/channels/what-ifs'
import { findFirstRequest } from '@tollgate/db/queries/installation/first-run'
import { findFirstLogTime, listBilledRows } from '@tollgate/db/queries/invoices/billed-rows'
import { readForExport } from '@tollgate/db/queries/moving-in/export-rows'
import { countCharges, listQuotes, listReplayCorrections, listReplayRows } from '@tollgate/db/queries/prices/price-replays'
import { findLastRequestTime } from '@tollgate/db/queries/usage/user-usage'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startClickHouse, whyNoClickHouse, type TestClickHouse } from '@tollgate/testing/clickhouse'
import type { ClickHouseStore } from './clickhouse.ts'
import { openLogStore } from './open.ts'
import { shipLogs } from './ship-logs.ts'

const MONTH = Date.UTC(2026, 9, 1) / 1000
const NEXT_MONTH = Date.UTC(2026, 10, 1) / 1000
const HOUR = 3600
const DAY = NEXT_MONTH + 24 * HOUR

const aRow = (over: Partial<NewLogRow> = {}): NewLogRow => ({
  created_at: MONTH,
  type: LogType.consume,
  user_id: 1,
  username: 'lin',
  token_id: 2,
  token_name: 'it’s "quoted"\n',
  channel_id: 3,
  model_name: 'gpt-x',
  group: 'default',
  quota: 30,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 2,
  is_stream: true,
  content: '模型',
  other: '{}',
  request_id: 'r1',
  state: 'settled',
  usage: null,
  quote: null,
  explanation: null,
  ...over,
})

/** Rows that any store must hold: numbers up to 2^53, texts of every kind, one row more than a page, two months, each kind of row. */
const ROWS: readonly NewLogRow[] = [
  aRow({
    created_at: MONTH,
    request_id: 'first',
    quota: Number.MAX_SAFE_INTEGER,
    model_name: 'a\\b',
    token_name: "o'brien",
    session: 's1',
  }),
  aRow({ created_at: MONTH + 1, request_id: 'second', type: LogType.error, state: 'released', quota: 0, error_code: 'upstream.network' }),
  aRow({ created_at: MONTH + HOUR, request_id: 'third', user_id: 4, username: 'mei', group: 'vip', channel_id: 0, use_time: 61 }),
  aRow({ created_at: MONTH + HOUR, request_id: 'third', user_id: 4, username: 'mei', group: 'vip', state: 'late', quota: -7 }),
  aRow({
    created_at: NEXT_MONTH,
    type: LogType.topUp,
    request_id: '',
    state: '',
    quota: 0,
    token_id: 0,
    content: 'top-up of $5',
    token_name: '',
  }),
  aRow({ created_at: NEXT_MONTH + 5, request_id: 'sixth', model_name: 'gpt-y', explanation: { wallet_held: 100 } as never }),
]

const why = await whyNoClickHouse()
const KINDS = ['postgres', 'clickhouse'] as const

describe.each(KINDS.map((kind) => ({ kind })))('log rows in $kind', ({ kind }) => {
  const isSkipped = kind === 'clickhouse' && why !== undefined
  let test: TestDatabase
  let server: TestClickHouse | undefined
  let store: ClickHouseStore | undefined
  let db: Db
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work)
  const ship = async (): Promise<number> => (store === undefined ? 0 : await shipLogs({ db, store, now: Date.now }))
  const write = async (rows: readonly NewLogRow[]): Promise<void> => {
    await inTx(async (tx) => {
      await insertRequestLogs(
        tx,
        rows.filter(({ state }) => state !== ''),
      )
      await insertLogs(
        tx,
        rows.filter(({ state }) => state === ''),
      )
    })
    await ship()
  }

  beforeAll(async () => {
    if (isSkipped) return
    test = await createTestDatabase()
    db = test.db
    await db.insertInto('object_sink').values({ id: 1 }).execute()
    await db.insertInto('channels').values({ id: 3, name: 'east', key_sealed: '', key_hash: '', created_time: 1 }).execute()
    if (kind === 'clickhouse') {
      server = await startClickHouse()
      store = await openLogStore({ url: server.url, db, log: { warn: () => undefined }, now: Date.now })
    }
    await write(ROWS)
    for (const row of ROWS) await count(row)
  }, 240_000)
  afterAll(async () => {
    await store?.close()
    await test?.drop()
    await server?.stop()
  })
  /** As posting counts it. */
  const count = async ({
    created_at,
    user_id,
    token_id,
    channel_id,
    model_name,
    group,
    token_name,
    type,
    quota,
  }: NewLogRow): Promise<void> => {
    const key = { hour: created_at - (created_at % HOUR), user_id, token_id, channel_id, model_name, group, token_name, type }
    const none = { requests: 0, quota: 0, token_quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time_ms: 0 }
    await addUsageHours(db, [{ ...key, ...none, logged_requests: 1, logged_quota: quota }])
  }
  const page = (filter: LogFilter, over: { limit?: number; offset?: number } = {}) =>
    inTx((tx) => getLogPage(tx, { filter, limit: 10, offset: 0, ...over }))
  const requests = async (filter: LogFilter): Promise<string[]> => (await page(filter)).rows.map((row) => row.request_id)

  it.skipIf(isSkipped)('come back as they were written, newest first', async () => {
    const { rows, total } = await page({})

    expect(total).toBe(ROWS.length)
    expect(rows.map(({ created_at }) => created_at)).toEqual(ROWS.map(({ created_at }) => created_at).toReversed())
    const { usage: _u, quote: _q, explanation: _e, session: _s, ...first } = ROWS[0] ?? aRow()
    expect(rows.at(-1)).toEqual({ ...first, id: expect.any(Number), channel_name: 'east' })
  })

  it.skipIf(isSkipped).each<[string, LogFilter, readonly string[]]>([
    ['a user', { user_id: 4 }, ['third', 'third']],
    ['several users', { user_ids: [4, 9] }, ['third', 'third']],
    ['a type', { type: LogType.error }, ['second']],
    ['a time, both ends included', { from: MONTH + 1, to: MONTH + HOUR }, ['third', 'third', 'second']],
    ['the name of a token', { token_name: "o'brien" }, ['first']],
    ['names of tokens', { token_names: ["o'brien", 'x'] }, ['first']],
    ['models', { models: ['a\\b', 'gpt-y'] }, ['sixth', 'first']],
    ['no model', { models: [] }, []],
    ['a channel', { channel_id: 3, from: MONTH, to: MONTH + 1 }, ['second', 'first']],
    ['a group', { group: 'vip' }, ['third', 'third']],
    ['a token', { token_id: 2, to: MONTH + 1 }, ['second', 'first']],
    ['a request', { request_id: 'second' }, ['second']],
    ['a state', { state: 'late' }, ['third']],
    ['an error', { error_code: 'upstream.network' }, ['second']],
    ['a session', { session: 's1' }, ['first']],
    ['a duration', { min_seconds: 61 }, ['third']],
  ])('are found by %s', async (_name, filter, expected) => {
    expect(await requests(filter)).toEqual(expected)
    expect((await page(filter)).total).toBe(expected.length)
  })

  it.skipIf(isSkipped)('are paged by number and by cursor', async () => {
    const all = (await page({})).rows
    const second = await page({}, { limit: 2, offset: 2 })
    expect(second.rows).toEqual(all.slice(2, 4))

    const before = { created_at: second.rows[1]?.created_at ?? 0, id: second.rows[1]?.id ?? 0 }
    expect(await inTx((tx) => listLogs(tx, { filter: {}, limit: 10, before }))).toEqual(all.slice(4))
  })

  // In Postgres a row and its sums come in one transaction.
  if (kind === 'clickhouse')
    it.skipIf(isSkipped)('fill a page while rows that are counted already are on their way', async () => {
      const all = (await page({})).rows
      let total = 0
      const undone = new Error('undone')
      const pages = db.transaction().execute(async (tx) => {
        const key = { hour: NEXT_MONTH + 48 * HOUR, user_id: 4, token_id: 2, channel_id: 3 }
        const names = { model_name: 'gpt-x', group: 'default', token_name: 't', type: LogType.consume }
        const none = { requests: 0, quota: 0, token_quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time_ms: 0 }
        await addUsageHours(tx, [{ ...key, ...names, ...none, logged_requests: 3, logged_quota: 90 }])
        const first = await getLogPage(tx, { filter: {}, limit: 2, offset: 0 })
        total = first.total
        expect(first.rows).toEqual(all.slice(0, 2))
        const before = { created_at: all[1]?.created_at ?? 0, id: all[1]?.id ?? 0 }
        expect((await getLogPage(tx, { filter: {}, limit: 2, offset: 2, before })).rows).toEqual(all.slice(2, 4))
        throw undone
      })
      await expect(pages).rejects.toBe(undone)
      expect(total).toBe(all.length + 3)
    })

  it.skipIf(isSkipped)('are summed: cost of consumption, rate, steps', async () => {
    expect(await inTx((tx) => sumLogQuota(tx, { from: MONTH + 1 }))).toBe(30 - 7 + 30)
    expect(await inTx((tx) => getLogRate(tx, { user_id: 4 }, MONTH))).toEqual({ requests: 2, tokens: 30 })
    expect(await inTx((tx) => countSteps(tx, { from: MONTH, to: MONTH + 2 * HOUR - 1 }, { seconds: HOUR, shift: 0 }))).toEqual([
      { at: MONTH, type: LogType.consume, rows: 1 },
      { at: MONTH, type: LogType.error, rows: 1 },
      { at: MONTH + HOUR, type: LogType.consume, rows: 2 },
    ])
  })

  it.skipIf(isSkipped)('show the greatest safe number instead of a sum beyond it', async () => {
    expect(await inTx((tx) => sumLogQuota(tx, { state: '' }))).toBe(Number.MAX_SAFE_INTEGER)
  })

  it.skipIf(isSkipped)('are searched by type and by the start of their text', async () => {
    const find = async (keyword: string, user_id?: number) =>
      (await searchLogs(db, { keyword, limit: 5, from: 0, ...(user_id === undefined ? {} : { user_id }) })).map(({ content }) => content)

    expect(await find('top-up')).toEqual(['top-up of $5'])
    expect(await find('top-up', 1)).toEqual([])
    expect(await find(String(LogType.topUp), 1)).toEqual(['top-up of $5'])
  })

  it.skipIf(isSkipped)('explain a charge, also by the id alone', async () => {
    const [row] = (await page({ request_id: 'sixth' })).rows
    const id = row?.id ?? 0

    expect(await inTx((tx) => findLogTime(tx, id, MONTH))).toBe(NEXT_MONTH + 5)
    expect(await findExplainedLog(db, { id, created_at: NEXT_MONTH + 5 })).toEqual({
      ...row,
      usage: null,
      quote: null,
      explanation: { wallet_held: 100 },
      session: '',
    })
    expect(await findExplainedLog(db, { id, created_at: NEXT_MONTH })).toBeUndefined()
    const charged = await inTx((tx) => listChargedLogs(tx, { user_id: 1, from: MONTH, until: NEXT_MONTH + 5, limit: 2 }))
    expect(charged.map(({ request_id }) => request_id)).toEqual(['sixth', 'second'])
  })

  it.skipIf(isSkipped)('feed the sinks with requests only', async () => {
    const fed = await db.selectFrom('request_feed').select(['id', 'hour', 'first_at', 'last_at', 'log_ids']).orderBy('hour').execute()
    const rows = await Promise.all(fed.map((batch) => listFedRows(db, batch)))

    expect(rows.map((hour) => hour.map(({ request_id }) => request_id))).toEqual([['first', 'second'], ['third', 'third'], ['sixth']])
    expect(rows[0]?.[0]).toMatchObject({ quota: Number.MAX_SAFE_INTEGER, usage: null, attempts: null, is_stream: true })
  })

  it.skipIf(isSkipped)('equal the logged sums of their hours, or the verifier says which differ', async () => {
    const now = NEXT_MONTH + 2 * HOUR
    expect(await compareLogged(db, now)).toEqual({ compared: 3, differences: 0, mismatches: [] })

    const more = sql<number>`logged_quota + 1`
    await db.updateTable('usage_hours').set({ logged_quota: more }).where('user_id', '=', 4).execute()
    const [left, right] = [expect.any(String), expect.any(String)]
    expect(await compareLogged(db, now)).toMatchObject({ mismatches: [{ id: `${MONTH + HOUR} of user 4, quota`, left, right }] })
    await db
      .updateTable('usage_hours')
      .set({ logged_quota: sql<number>`logged_quota - 1` })
      .where('user_id', '=', 4)
      .execute()
  })

  it.skipIf(isSkipped)('are cleared before a time, with their logged sums', async () => {
    expect(await removeLogsBefore(db, { before: NEXT_MONTH, limit: 1000 })).toBe(4)

    expect(await requests({})).toEqual(['sixth', ''])
    const { logged } = await db
      .selectFrom('usage_hours')
      .select((eb) => eb.fn.sum<number>('logged_requests').as('logged'))
      .executeTakeFirstOrThrow()
    expect(Number(logged)).toBe(2)
    expect(await removeLogsBefore(db, { before: NEXT_MONTH, limit: 1000 })).toBe(0)
  })

  it.skipIf(isSkipped)('give replays, invoices, routing and exports the same rows', async () => {
    const quote = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 2, quota_per_unit: 500_000 }
    const attempt = { channel_id: 3, outcome: 'answered', started_ms: 0, ended_ms: 40 }
    const charged = { usage: { prompt_tokens: 10, completion_tokens: 5 }, quote, created_at: DAY, user_id: 7, quota: 100 }
    const told = (over: object) => ({ attempts: [attempt], ended_by: 'complete', ...over })
    await write(
      [
        { ...charged, request_id: 'c1', explanation: told({ attempts: [{ ...attempt, outcome: 'refused', ended_ms: 20 }, attempt] }) },
        { ...charged, request_id: 'c2', state: 'estimated', explanation: told({ ended_by: 'client' }), created_at: DAY + 1 },
        { ...charged, request_id: 'c2', state: 'late', quota: -3, created_at: DAY + 2 },
        { ...charged, request_id: 'c3', state: 'released', type: LogType.error, quota: 0, created_at: DAY + 3, usage: null, quote: null },
      ].map((over) => aRow(over as never)),
    )
    const page = { after: { created_at: DAY, id: 0 }, until: DAY + HOUR, limit: 10 }
    const parsed = (rows: readonly Readonly<Record<string, unknown>>[], names: readonly string[]) =>
      rows.map((row) =>
        names.map((name) => (typeof row[name] === 'string' && row[name].startsWith('{') ? JSON.parse(row[name]) : row[name])),
      )

    const replayed = await listReplayRows(db, page)
    expect(parsed(replayed, ['user_id', 'quota', 'usage'])).toEqual([
      [7, 100, charged.usage],
      [7, 100, charged.usage],
    ])
    const quotes = await listQuotes(db, replayed)
    expect(replayed.map((row) => JSON.parse(quotes.get(row.quote) ?? '{}'))).toEqual([quote, quote])
    expect(parsed(await listReplayCorrections(db, page), ['quota', 'first_usage', 'first_state'])).toEqual([
      [-3, charged.usage, 'estimated'],
    ])
    expect(await countCharges(db, { since: DAY, until: DAY + HOUR })).toBe(3)

    const billed = await listBilledRows(db, page)
    expect(parsed(billed, ['state', 'quota', 'ended_by'])).toEqual([
      ['settled', 100, 'complete'],
      ['estimated', 100, 'client'],
      ['late', -3, null],
      ['released', 0, null],
    ])
    expect(JSON.parse(billed[0]?.attempts ?? '[]')).toHaveLength(2)
    expect(await findFirstLogTime(db)).toBe(NEXT_MONTH)

    expect(await inTx((tx) => listChannelTraffic(tx, { since: DAY, most: 10 }))).toMatchObject({
      rows: [{ channel_id: 3, model: 'gpt-x', requests: 2, prompt_tokens: 30, output_tokens: 10, failed_attempts: 1 }],
      is_cut: false,
    })
    expect(await listObservedCalls(db, { since: DAY, until: DAY + HOUR, most: 10 })).toEqual([
      { channel_id: 3, model: 'gpt-x', calls: 3, failed: 1, answered_ms: 40, failed_ms: 20 },
    ])

    expect(await inTx((tx) => findLastRequestTime(tx, 7))).toBe(DAY + 3)
    expect(await findFirstRequest(db, 7)).toMatchObject({ created_at: DAY + 2, model_name: 'gpt-x' })
    const exported: unknown[] = []
    await readForExport(db, async (read) => {
      for await (const rows of read('logs', { secrets: false })) exported.push(...rows.map(({ request_id, quota }) => [request_id, quota]))
    })
    expect(exported.slice(-4)).toEqual([
      ['c1', 100],
      ['c2', 100],
      ['c2', -3],
      ['c3', 0],
    ])
  })

  it.skipIf(isSkipped)('are compared with their states, their claimed charges and what tasks kept', async () => {
    await db.deleteFrom('usage_keys').execute()
    const start = DAY + 40 * 24 * HOUR
    const explained = { usage: { prompt_tokens: 10, completion_tokens: 5 }, quote: { model_ratio: 1.25 } }
    const at = (seconds: number, over: object) => aRow({ ...explained, created_at: start + seconds, ...over } as never)
    const before = await countRequests(db)
    await write([
      at(0, { request_id: '20261211aaa' }),
      at(1, { request_id: '20261211aaa', state: 'late', quota: 1 }),
      at(2, { request_id: '20261211bbb' }),
      at(3, { request_id: '20261211bbb', state: 'estimated' }),
      at(4, { request_id: '20261211ccc', state: 'late' }),
      at(5, { request_id: '20261211ccc', state: 'late' }),
      at(6, { request_id: '20261211ddd', state: 'released' }),
      at(7, { request_id: '20261211eee', state: 'unknown' }),
      at(8, { request_id: '20261211fff', usage: null }),
      at(9, { request_id: '20261211ggg', state: 'refunded', quota: 3 }),
      at(10, { request_id: '20261211hhh', quota: 100 }),
      at(11, { request_id: '20261211hhh', state: 'refunded', quota: -60 }),
      at(12, { request_id: '20261211iii', quota: 100 }),
      at(13, { request_id: '20261211iii', state: 'refunded', quota: -60 }),
      at(14, { request_id: '20261211jjj', state: '', type: LogType.refused, quota: 0, usage: null, quote: null }),
    ])
    const all = await countRequests(db)
    expect(all - before).toBe(14)

    const states = await compareStates(db, all)
    expect(states).toMatchObject({ compared: all, differences: 2 })
    expect(states.mismatches.map(({ id, left, right }) => [id, left, right])).toEqual([
      ['20261211bbb', '2', '0'],
      ['20261211ccc', '0', '2'],
    ])
    const kinds = await compareKinds(db, all)
    const own = kinds.mismatches.filter(({ id }) => id.startsWith('2026'))
    expect(own.map(({ id, left, right }) => [id, left, right])).toEqual([
      ['20261211ddd (released)', '2', '30'],
      ['20261211eee (unknown)', '2', '30'],
      ['20261211fff (settled)', '2', '30'],
      ['20261211ggg (refunded)', '2', '3'],
    ])
    expect(kinds.differences).toBe(kinds.mismatches.length)

    const task = { family: 'video', user_id: 1, state: 'failure', is_posted: true, submit_time: start * 1000, deadline: 1 } as const
    await db
      .insertInto('tasks')
      .values([
        { ...task, task_id: 'kept-40', request_id: '20261211hhh', quota: 100, refunded: 60 },
        { ...task, task_id: 'kept-0', request_id: '20261211iii', quota: 100, refunded: 100 },
      ])
      .execute()
    expect(await compareRefundRows(db, start + HOUR)).toMatchObject({
      compared: 3,
      differences: 1,
      mismatches: [{ id: 'kept-0', left: '0', right: '40' }],
    })

    const keyless = (await compareKeys(db, start + HOUR)).mismatches.map(({ id }) => id)
    expect(keyless.slice(0, 2)).toEqual(['20261211aaa (late)', '20261211aaa (settled)'])
  })

  it.skipIf(isSkipped)('that are newer than the snapshot of the verifier are no difference', async () => {
    const created_at = DAY + 80 * 24 * HOUR
    await write([aRow({ created_at, request_id: '20270120new' })])
    const keyless = [{ id: '20270120new (settled)', left: '30', right: '-1' }]

    expect((await compareKeys(db, created_at + 5)).mismatches).toMatchObject(kind === 'postgres' ? keyless : [])
    expect((await compareKeys(db, created_at + HOUR)).mismatches).toMatchObject(keyless)
  })
})
