import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { Log, LogExplanation, LogHistogram } from '@tollgate/contracts/resources/logs'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import { toJsonb } from '@tollgate/db/jsonb'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

type Page = { items: Log[]; total: number; total_is_capped: boolean; page: number; page_size: number }

const quote: Quote = {
  mode: 'ratio',
  model: 'gpt-4o',
  group: 'default',
  group_ratio: 1,
  quota_per_unit: 500_000,
  price_version: 3,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  is_unpriced: false,
}
const usage: Usage = {
  ...ZERO_USAGE,
  text_in: 100,
  text_out: 20,
  prompt_tokens: 100,
  completion_tokens: 20,
  source: 'upstream',
}
const explanation: Explanation = {
  steps: [{ step: 'dispatch', started_ms: 3, ended_ms: 90 }],
  attempts: [
    {
      channel_id: 4,
      channel_name: 'secret-east',
      channel_type: 1,
      upstream_model: 'gpt-4o-x',
      started_ms: 3,
      ended_ms: 9,
      outcome: 'refused',
      status: 401,
      message: 'bad key at vendor',
    },
    {
      channel_id: 5,
      channel_name: 'secret-west',
      channel_type: 8,
      upstream_model: 'gpt-4o-y',
      started_ms: 9,
      ended_ms: 90,
      first_byte_ms: 50,
      outcome: 'answered',
    },
  ],
  candidates: [{ channel_id: 4, channel_name: 'secret-east', priority: 0, weight: 0, result: 'chosen' }],
  candidates_cut: 0,
  choice: { seed: 7, draws: [{ left: 0, states: 'u' }] },
  wallet_held: 900,
  token_held: 0,
  spendable_after_reserve: 5,
  warnings: [],
  raw_usage: '{"vendor":"secret-west"}',
  client: { ip: '192.0.2.1', user_agent: 'curl', method: 'POST', path: '/v1/chat/completions' },
  is_cut: false,
}

describe('logs', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let linId: number
  let logId: number
  const now = Math.floor(Date.now() / 1000)
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const password_hash = await hashPassword('a-long-password')
    linId = (
      await db
        .insertInto('users')
        .values({ username: 'lin', password_hash, shard: 0, created_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
    lin = await test.signIn('lin', 'a-long-password')
    const channel = await db
      .insertInto('channels')
      .values({ name: 'secret-west', key_sealed: '', key_hash: '', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const other = JSON.stringify({
      model_ratio: 1.25,
      frt: 50,
      is_model_mapped: true,
      upstream_model_name: 'gpt-4o-y',
      admin_info: { use_channel: ['4', '5'] },
    })
    ;[logId = 0] = await addLogRows(db, [
      {
        created_at: now - 5,
        type: 2,
        user_id: linId,
        username: 'lin',
        token_name: 'mine',
        model_name: 'gpt-4o',
        group: 'default',
        quota: 225,
        prompt_tokens: 100,
        completion_tokens: 20,
        channel_id: channel.id,
        other,
        request_id: 'r1',
        state: 'settled',
      },
    ])
    await db
      .updateTable('logs')
      .set({
        quote: toJsonb(quote),
        usage: toJsonb(usage),
        explanation: toJsonb({ ...explanation, ended_by: 'complete', client_status: 200, token_charge: 7 }),
      })
      .execute()
    await addLogRows(db, [
      { created_at: now - 100, type: 2, user_id: 1, username: 'root', model_name: 'gpt-4o-mini', quota: 7, prompt_tokens: 3, use_time: 4 },
      { created_at: now - 200, type: 4, user_id: linId, username: 'lin', content: '新用户注册赠送' },
      { created_at: now - 300, type: 5, user_id: linId, username: 'lin', other: 'not JSON' },
    ])
    const refused = { user_id: 1, username: 'root', request_id: 'r2', error_code: 'model_price_error' }
    await addLogRows(db, [{ ...refused, created_at: now - 400, type: 20 }])
  })
  afterAll(() => test.stop())

  const page = async (caller: Caller, path: string): Promise<Page> => (await caller('GET', path)).body.data as Page // the declared shape

  it('shows administrators all entries, newest first, with the channel', async () => {
    const { items, ...rest } = await page(root, '/api/log/?p=1&page_size=3')

    expect(rest).toEqual({ total: 5, total_is_capped: false, page: 1, page_size: 3 })
    expect(items.map((log) => log.created_at)).toEqual([now - 5, now - 100, now - 200])
    expect(items[0]).toMatchObject({ id: logId, channel_name: 'secret-west', request_id: 'r1', state: 'settled' })
    expect(JSON.parse(items[0]?.other ?? '')).toMatchObject({ admin_info: { use_channel: ['4', '5'] } })
    expect((await page(root, '/api/log/?p=2&page_size=3')).items.map((log) => log.created_at)).toEqual([now - 300, now - 400])
  })

  it('finds users and tokens by a part of their name, the exact name first', async () => {
    const { db } = test.database
    for (const username of ['lin-a', 'berlin'])
      await db.insertInto('users').values({ username, password_hash: '', shard: 0, created_at: 1 }).execute()
    const key = (hash: string) => ({ key_sealed: '', key_head: '', key_tail: '', key_hash: hash, user_id: linId, created_time: 1 })
    await db
      .insertInto('tokens')
      .values([
        { ...key('a'), name: 'mine' },
        { ...key('b'), name: 'mine-too' },
      ])
      .execute()
    const found = async (query: string) => (await page(root, `/api/log/?${query}&page_size=100`)).items.map(({ username }) => username)
    const lins = ['lin', 'lin', 'lin']

    expect(await found('username=li')).toEqual([])
    expect(await found('username=LI&names=part')).toEqual(lins)
    expect(await found('username=berlin&names=part')).toEqual([])
    expect(await found('token_name=in&names=part')).toEqual(['lin'])
    expect(await found('token_name=%25&names=part')).toEqual([])
    expect((await page(lin, '/api/log/self?token_name=in&names=part')).total).toBe(1)
  })

  it('counts requests over time by how they ended, and a user’s own alone', async () => {
    const range = `start_timestamp=${now - 3600}&end_timestamp=${now}`
    const read = async (caller: Caller, path: string) => (await caller('GET', path)).body.data as LogHistogram // the declared shape
    const sum = ({ steps }: LogHistogram) =>
      steps.reduce((all, step) => [all[0] + step.charged, all[1] + step.failed, all[2] + step.refused] as const, [0, 0, 0] as readonly [
        number,
        number,
        number,
      ])

    const all = await read(root, `/api/log/histogram?${range}`)
    expect(all).toMatchObject({ seconds: 60, from: now - 3600, until: now + 1, is_cut: false })
    expect(all.steps.at(-1)?.at).toBe(now - 5 - ((now - 5) % 60))
    expect(sum(all)).toEqual([2, 1, 1])
    expect(sum(await read(lin, `/api/log/self/histogram?${range}`))).toEqual([1, 1, 0])
    expect(sum(await read(root, `/api/log/histogram?${range}&type=5`))).toEqual([0, 1, 0])
    expect(sum(await read(root, `/api/log/histogram?${range}&error_code=model_price_error`))).toEqual([0, 0, 1])
    const days = await read(root, `/api/log/histogram?start_timestamp=${now - 60 * 86_400}&end_timestamp=0&offset=28800`)
    expect(days.seconds).toBe(86_400)
    expect(days.steps.map(({ at }) => (at + 28_800) % 86_400)).toEqual(days.steps.map(() => 0))
    expect((await read(root, '/api/log/histogram')).from).toBe(now - 400 - ((now - 400) % 3600))
  })

  it('continues after a row, and uses page size 10 by default', async () => {
    const next = await page(root, `/api/log/?page_size=2&before_created_at=${now - 100}&before_id=999999999`)
    expect(next.items.map((log) => log.created_at)).toEqual([now - 100, now - 200])
    expect((await page(root, '/api/log/')).page_size).toBe(10)
    expect((await page(lin, '/api/log/self/?page_size=5000')).page_size).toBe(100)
  })

  it('shows users their own rows without anything that reveals a channel', async () => {
    const { items, total } = await page(lin, '/api/log/self/?p=1&page_size=10&username=root&channel=1')

    expect(total).toBe(3)
    expect(items.map((log) => log.user_id)).toEqual([linId, linId, linId])
    expect(items.map((log) => [log.channel, log.channel_name])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ])
    expect(items[0]?.id).toBe(logId)
    expect(JSON.parse(items[0]?.other ?? '')).toEqual({ model_ratio: 1.25, frt: 50 })
    expect(items[2]?.other).toBe('')
    expect(JSON.stringify(items)).not.toMatch(/secret|gpt-4o-y/)
  })

  it.each([
    ['username=lin', 3],
    ['username=unknown', 0],
    ['model_name=gpt-4o', 1],
    ['model_name=gpt%25', 2],
    ['model_name=%25mini', 1],
    ['model_name=%25gpt_4o', 0],
    ['channel=NaN&start_timestamp=&username=lin', 3],
    ['token_name=mine&username=lin', 1],
    ['type=2&username=lin', 1],
    ['group=default', 1],
  ])('filters by %s', async (query, total) => {
    expect(await page(root, `/api/log/?${query}`)).toMatchObject({ total, items: Array.from({ length: total }, () => ({})) })
  })

  it.each(['channel=gpt', 'start_timestamp=yesterday', 'min_seconds=1e', 'type=all'])(
    'refuses the filter %s, which is no number',
    async (query) => {
      const { status, body } = await root('GET', `/api/log/?${query}`)

      expect([status, body.success, body.message]).toEqual([400, false, expect.stringContaining(query.split('=')[0] ?? '')])
      expect((await root('GET', `/api/log/stat?${query}`)).status).toBe(400)
    },
  )

  it.each([
    ['request_id=r1', [5]],
    ['request_id=%20r1%20&type=2', [5]],
    ['outcome=charged', [5]],
    ['outcome=failed', [300]],
    ['outcome=failed&type=2', []],
    ['outcome=refused', [400]],
    ['outcome=estimated', []],
    ['error_code=model_price_error', [400]],
    ['min_seconds=4', [100]],
    ['min_seconds=11', []],
  ])('finds requests by %s', async (query, ages) => {
    const { items, total } = await page(root, `/api/log/?${query}`)

    expect(items.map((log) => now - log.created_at)).toEqual(ages)
    expect(total).toBe(ages.length)
  })

  it('sums what such a filter finds', async () => {
    expect((await root('GET', '/api/log/stat?min_seconds=4')).body.data).toEqual({ quota: 7, rpm: 0, tpm: 0 })
    expect((await root('GET', '/api/log/stat?request_id=r1')).body.data).toEqual({ quota: 225, rpm: 1, tpm: 120 })
  })

  it('takes the filters of the list for the sums too: user, token, model, group, channel and a range with both ends included', async () => {
    const channel = (await page(root, '/api/log/?token_name=mine')).items[0]?.channel ?? 0
    const quotaOf = async (query: string): Promise<number> =>
      ((await root('GET', `/api/log/stat?${query}`)).body.data as { quota: number }).quota // the declared shape
    const agesOf = async (caller: Caller, path: string): Promise<readonly number[]> =>
      (await page(caller, path)).items.map(({ created_at }) => now - created_at)
    const range = (from: number, to: number): string => `start_timestamp=${now - from}&end_timestamp=${now - to}`

    for (const query of ['username=lin', 'token_name=mine', 'model_name=gpt-4o', 'group=default', `channel=${channel}`, range(99, 5)])
      expect([query, await quotaOf(query)]).toEqual([query, 225])
    expect(await quotaOf(range(100, 100))).toBe(7)
    const own = async (query: string): Promise<number> =>
      ((await lin('GET', `/api/log/self/stat?${query}`)).body.data as { quota: number }).quota // the declared shape
    for (const query of ['token_name=mine', 'model_name=gpt-4o', 'group=default', range(99, 5)])
      expect([query, await own(query)]).toEqual([query, 225])
    for (const query of ['token_name=other', 'model_name=other', 'group=other', range(400, 350)])
      expect([query, await own(query)]).toEqual([query, 0])
    expect(await agesOf(root, `/api/log/?channel=${channel}`)).toEqual([5])
    expect(await agesOf(root, `/api/log/?${range(200, 100)}`)).toEqual([100, 200])
    expect(await agesOf(lin, `/api/log/self/?${range(300, 200)}`)).toEqual([200, 300])
    expect(await agesOf(lin, '/api/log/self/?type=2&token_name=mine&model_name=gpt-4o&group=default')).toEqual([5])
  })

  it('counts refused requests that have no entry, of everyone or of a user', async () => {
    const hour = now - (now % 3600)
    await test.database.db
      .insertInto('refusals')
      .values([
        { hour, user_id: linId, token_id: 1, reason: 'model.unpriced', seen: 90_000, listed: 30 },
        { hour, user_id: 1, token_id: 2, reason: 'request.invalid', seen: 2, listed: 2 },
        { hour: hour - 7200, user_id: linId, token_id: 1, reason: 'model.unpriced', seen: 5, listed: 5 },
      ])
      .execute()
    const since = `start_timestamp=${hour}`

    expect((await root('GET', `/api/log/refusals?${since}`)).body.data).toEqual({
      unit: 'minute',
      seen: 90_002,
      listed: 32,
      reasons: [
        { reason: 'model.unpriced', seen: 90_000, listed: 30 },
        { reason: 'request.invalid', seen: 2, listed: 2 },
      ],
    })
    expect((await root('GET', '/api/log/refusals?username=lin')).body.data).toMatchObject({ seen: 90_005 })
    expect((await lin('GET', '/api/log/self/refusals?token_name=none')).body.data).toEqual({
      unit: 'minute',
      seen: 0,
      listed: 0,
      reasons: [],
    })
    expect((await lin('GET', `/api/log/self/refusals?${since}&username=root`)).body.data).toMatchObject({ seen: 90_000, listed: 30 })
  })

  it('counts refused requests of a part of an hour by its minutes, and whole hours where it has none', async () => {
    const hour = now - (now % 3600) - 240 * 3600
    const key = { user_id: linId, token_id: 7, reason: 'quota.user-empty' }
    await test.database.db
      .insertInto('refusals')
      .values([hour, hour + 3600, hour + 7200].map((each) => ({ ...key, hour: each, seen: 30, listed: 3 })))
      .execute()
    await test.database.db
      .insertInto('refusals_by_minute')
      .values([
        { ...key, minute: hour + 600, seen: 10, listed: 1 },
        { ...key, minute: hour + 1200, seen: 20, listed: 2 },
        { ...key, minute: hour + 3600 + 60, seen: 30, listed: 3 },
      ])
      .execute()
    const counted = async (from: number, to: number) =>
      (await root('GET', `/api/log/refusals?start_timestamp=${from}&end_timestamp=${to}`)).body.data

    const of = (unit: 'minute' | 'hour', seen: number, listed: number) => ({
      unit,
      seen,
      listed,
      reasons: seen === 0 ? [] : [{ reason: 'quota.user-empty', seen, listed }],
    })
    expect(await counted(hour + 1200, hour + 2100)).toEqual(of('minute', 20, 2))
    expect(await counted(hour + 1230, hour + 3600 + 3599)).toEqual(of('minute', 50, 5))
    expect(await counted(hour + 1260, hour + 3600 + 59)).toEqual(of('minute', 0, 0))
    expect(await counted(hour, hour + 7199)).toEqual(of('minute', 60, 6))
    expect(await counted(hour + 3600, hour + 7200 + 900)).toEqual(of('hour', 60, 6))
    await test.database.db.deleteFrom('refusals').where('token_id', '=', 7).execute()
  })

  it('sums the range, and measures the last minute for any type and range', async () => {
    expect((await root('GET', '/api/log/stat?type=4')).body.data).toEqual({ quota: 232, rpm: 1, tpm: 120 })
    expect((await root('GET', `/api/log/stat?end_timestamp=${now - 50}`)).body.data).toEqual({ quota: 7, rpm: 1, tpm: 120 })
    expect((await root('GET', '/api/log/stat?username=root')).body.data).toEqual({ quota: 7, rpm: 0, tpm: 0 })
    expect((await lin('GET', '/api/log/self/stat?username=root')).body.data).toEqual({ quota: 225, rpm: 1, tpm: 120 })
  })

  it('searches', async () => {
    expect((await root('GET', `/api/log/search?keyword=${encodeURIComponent('新用户')}`)).body.data).toHaveLength(1)
    expect((await lin('GET', '/api/log/self/search?keyword=2')).body.data).toMatchObject([{ id: logId, channel: 0 }])
  })

  it('explains a charge to administrators line by line, with its attempts', async () => {
    const { body } = await root('GET', `/api/log/${logId}/explanation?created_at=${now - 5}`)
    const data = body.data as LogExplanation // the declared shape

    expect(data.charge?.charge).toBe(225)
    expect(data.charge?.lines.map((line) => [line.kind, line.quota])).toEqual([
      ['input', '125'],
      ['output', '100'],
    ])
    expect(data.explanation).toEqual(explanation)
    expect(data).toMatchObject({ ended_by: 'complete', client_status: 200, token_charge: 7 })
    expect(data.quote).toEqual(quote)
  })

  it('explains it to its user without channels and vendor texts, and to no other user', async () => {
    const { body } = await lin('GET', `/api/log/self/${logId}/explanation?created_at=${now - 5}`)
    const data = body.data as LogExplanation // the declared shape

    expect(data.charge?.charge).toBe(225)
    expect(data.explanation?.attempts.map((attempt) => [attempt.channel_id, attempt.outcome])).toEqual([
      [0, 'refused'],
      [0, 'answered'],
    ])
    expect(JSON.stringify(body)).not.toMatch(/secret|gpt-4o-[xy]|bad key|seed/)
    expect((await lin('GET', `/api/log/self/${logId}/explanation`)).body.data).toEqual(data)
    expect((await root('GET', `/api/log/self/${logId}/explanation`)).body.message).toBe('record not found')
    expect((await root('GET', `/api/log/self/${logId}/explanation?created_at=${now - 5}`)).body.message).toBe('record not found')
    expect((await lin('GET', `/api/log/${logId}/explanation?created_at=${now - 5}`)).body.message).toBe('无权进行此操作，权限不足')
  })

  it('requires a time for a deletion and returns the number of deleted rows', async () => {
    expect((await root('DELETE', '/api/log/')).body).toEqual({ success: false, message: 'target timestamp is required' })
    expect((await root('DELETE', `/api/log/?target_timestamp=${now - 150}`)).body.data).toBe(3)
    expect((await page(root, '/api/log/')).total).toBe(2)
  })

  it('says why a request failed in the reader’s language where the text is ours, and as it is where a vendor wrote it', async () => {
    const row = { type: 5, user_id: linId, username: 'lin', token_name: 'failed', model_name: 'gpt-4o', group: 'default', quota: 0 }
    const texts = [
      'The upstream’s answer could not be parsed',
      '上游返回了无法解析的内容',
      'client closed the connection before the first byte',
      'Overloaded',
    ]
    const ids = await addLogRows(
      test.database.db,
      texts.map((content, nth) => ({ ...row, created_at: now - 60 - nth, content, request_id: `failed-${nth}` })),
    )
    const contents = async (caller: Caller, path: string, language: string) =>
      ((await caller('GET', path, undefined, { 'Accept-Language': language })).body.data as Page).items.map(({ content }) => content)
    const chinese = [texts[1], texts[1], '客户端在首个字节之前断开', 'Overloaded']
    const english = [texts[0], texts[0], texts[2], texts[3]]

    expect(await contents(root, '/api/log/?token_name=failed', 'zh-CN')).toEqual(chinese)
    expect(await contents(lin, '/api/log/self/?token_name=failed', 'en')).toEqual(english)
    const explained = await lin('GET', `/api/log/self/${ids[0]}/explanation?created_at=${now - 60}`, undefined, { 'Accept-Language': 'zh' })
    expect((explained.body.data as LogExplanation).log.content).toBe(texts[1])
  })
})
