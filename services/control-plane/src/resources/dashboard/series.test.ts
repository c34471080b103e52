import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { addLogRows } from '@tollgate/testing/log-rows'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { toSelection } from './series.ts'

const DAY = 86_400
/** Monday, 2023-11-20, 00:00 UTC. */
const MONDAY = 1_700_438_400

describe('usage over time', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let linId: number
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const password_hash = await hashPassword('a-long-password')
    const made = await db.insertInto('users').values({ username: 'lin', password_hash, shard: 0, created_at: 1 }).returning('id').execute()
    linId = made[0]?.id ?? 0
    lin = await test.signIn('lin', 'a-long-password')
    const row = { type: 2, user_id: linId, token_name: 'ci', group: 'vip', quota: 10, prompt_tokens: 2, completion_tokens: 1 }
    await db
      .insertInto('channels')
      .values({ id: 7, name: 'east', key_sealed: '', key_hash: '', created_time: 1, setting: '{"cost_ratio":0.5}' })
      .execute()
    await addLogRows(db, [
      { ...row, created_at: MONDAY + 10, model_name: 'large', channel_id: 7, quota: 90, use_time: 8 },
      { ...row, created_at: MONDAY + 3700, model_name: 'small', use_time: 1 },
      { ...row, created_at: MONDAY + 23 * 3600, model_name: 'small', user_id: 1, token_name: 'own' },
      { ...row, created_at: MONDAY + DAY + 5, model_name: 'small', type: 5, quota: 0 },
      { ...row, created_at: MONDAY + 7 * DAY, model_name: 'large', channel_id: 7 },
    ])
  })
  afterAll(() => test.stop())

  const read = async (
    caller: Caller,
    query: Readonly<Record<string, string | number>>,
    path = '/api/data/series',
  ): Promise<UsageSeries> => {
    const range = { start_timestamp: MONDAY, end_timestamp: MONDAY + 14 * DAY, timezone: 0 }
    const search = new URLSearchParams(
      Object.entries({ ...range, ...query }).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const { body } = await caller('GET', `${path}?${search.toString()}`)
    expect(body.success).toBe(true)
    return body.data as UsageSeries
  }
  const courseOf = ({ points }: UsageSeries): unknown =>
    points.map(({ at, key, quota, requests, errors }) => [(at - MONDAY) / DAY, key, quota, requests, errors])

  it('is the same before and after hours, days and weeks are rolled up', async () => {
    const expected = [
      [0, 'large', 90, 1, 0],
      [0, 'small', 20, 2, 0],
      [1, 'small', 0, 0, 1],
      [7, 'large', 10, 1, 0],
    ]
    const before = await read(root, { by: 'model', unit: 'day' })
    expect(courseOf(before)).toEqual(expected)
    expect(before.totals).toEqual({
      requests: 4,
      errors: 1,
      quota: 120,
      tokens: 15,
      use_time_ms: 9000,
      input_tokens: 10,
      cached_tokens: 0,
      p50_ms: 50,
      p95_ms: 7731,
    })
    expect(before.overall.map(({ p95_ms, at }) => [(at - MONDAY) / DAY, p95_ms])).toEqual([
      [0, 7814],
      [1, undefined],
      [7, 48],
    ])
    const byToken = await read(root, { by: 'token', unit: 'day' })
    const byChannel = await read(root, { by: 'channel', unit: 'week' })

    // Thursday after the last row: a week of sums lies inside the range.
    const now = MONDAY + 10 * DAY + 700
    const rolledUp = await rollupUsage(test.database.db, { now, limit: 1000, signal: new AbortController().signal })
    expect(rolledUp.isDone).toBe(true)

    expect(await read(root, { by: 'model', unit: 'day' })).toEqual(before)
    expect(await read(root, { by: 'token', unit: 'day' })).toEqual(byToken)
    expect(await read(root, { by: 'channel', unit: 'week' })).toEqual(byChannel)
    expect(byToken.keys.map(({ key, name, quota }) => [key, name, quota])).toEqual([
      [`${linId}/ci`, 'ci · lin', 110],
      ['1/own', 'own · root', 10],
    ])
  })

  it('begins days and weeks at the reader’s midnight and on Monday', async () => {
    const east = await read(root, { by: 'group', unit: 'day', timezone: 8 * 3600 })
    expect(east.points.map(({ at }) => at - MONDAY)).toEqual([-8 * 3600, 16 * 3600, 6 * DAY + 16 * 3600])
    const weeks = await read(root, { by: 'model', unit: 'week', rank: 'requests' })
    expect(courseOf(weeks)).toEqual([
      [0, 'large', 90, 1, 0],
      [0, 'small', 20, 2, 1],
      [7, 'large', 10, 1, 0],
    ])
  })

  it('tells how often it is read again by option DataExportInterval', async () => {
    expect((await read(root, { by: 'model', unit: 'day' })).refresh_minutes).toBe(5)
    await root('PUT', '/api/option/', { key: 'DataExportInterval', value: '15' })
    expect((await read(root, { by: 'model', unit: 'day' })).refresh_minutes).toBe(15)
  })

  it('shows what channels cost to root, with the names of channels', async () => {
    const { keys } = await read(root, { by: 'channel', unit: 'day' })
    expect(keys.map(({ key, name, quota, cost }) => [key, name, quota, cost])).toEqual([
      ['7', 'east', 100, 50],
      ['0', '', 20, undefined],
    ])
    const costIn = async (unit: string) => (await read(root, { by: 'channel', unit })).keys.map(({ cost }) => cost)
    const setting = '{"cost_ratio":0.5,"cost_ratios":{"large":0.2}}'
    await test.database.db.updateTable('channels').set({ setting }).where('id', '=', 7).execute()
    expect([await costIn('hour'), await costIn('day'), await costIn('week')], 'by the ratio of the model').toEqual(
      Array.from({ length: 3 }, () => [20, undefined]),
    )
  })

  it('is of one user by name, and only of the caller for a user', async () => {
    const named = await read(root, { by: 'model', unit: 'day', username: 'lin' })
    expect(named.totals.quota).toBe(110)
    expect(await read(lin, { by: 'model', unit: 'day', username: 'root' }, '/api/data/self/series')).toEqual(named)
    expect((await read(root, { by: 'model', unit: 'day', username: 'unknown' })).keys).toEqual([])
    expect((await lin('GET', '/api/data/series')).body.success).toBe(false)
    const channels = await read(lin, { by: 'channel', unit: 'day' }, '/api/data/self/series')
    expect(
      channels.keys.map(({ key }) => key),
      'channels are the operator’s',
    ).toEqual([''])
  })
})

describe('the question', () => {
  const query = {
    start_timestamp: MONDAY,
    end_timestamp: MONDAY + 40 * DAY,
    by: 'model',
    unit: 'hour',
    rank: 'quota',
    timezone: 99_999_999,
  } as const

  it('is answered by days where hours would be too many, and by days of UTC where sums are kept by day', () => {
    expect(toSelection(query, undefined)).toMatchObject({ unit: 'day', isUtc: false, selection: { seconds: DAY, shift: 14 * 3600 } })
    expect(toSelection({ ...query, by: 'user', unit: 'week' }, undefined)).toMatchObject({
      unit: 'week',
      isUtc: true,
      selection: { shift: 3 * DAY },
    })
    expect(toSelection({ ...query, end_timestamp: MONDAY + 2 * DAY }, 5)).toMatchObject({
      unit: 'hour',
      isUtc: false,
      selection: { seconds: 3600 },
    })
    expect(toSelection({ ...query, start_timestamp: 0 }, undefined).selection.from).toBeGreaterThan(MONDAY - 400 * DAY)
  })
})
