import { hashTokenKey } from '@tollgate/config/sealing'
import type { Budget } from '@tollgate/contracts/resources/budgets'
import type { LimitCheck } from '@tollgate/contracts/resources/limits'
import { addLogRows } from '@tollgate/testing/log-rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

describe('budgets by the API', () => {
  let test: TestApp
  let root: Caller
  let admin: Caller
  let lin: Caller
  let ids: Readonly<Record<'admin' | 'lin' | 'other' | 'token', number>>
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const password = 'a-long-password'
    for (const username of ['admin', 'lin', 'other']) await root('POST', '/api/user/', { username, password })
    const { db } = test.database
    const users = new Map((await db.selectFrom('users').select(['id', 'username']).execute()).map(({ id, username }) => [username, id]))
    const idOf = (name: string): number => users.get(name) ?? 0
    await root('POST', '/api/user/manage', { id: idOf('admin'), action: 'promote' })
    const token = { user_id: idOf('lin'), name: 'mine', key_hash: hashTokenKey('k'.repeat(48)), key_sealed: '', key_head: '', key_tail: '' }
    const made = await db
      .insertInto('tokens')
      .values({ ...token, created_time: 1, unlimited_quota: true, expired_time: -1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids = { admin: idOf('admin'), lin: idOf('lin'), other: idOf('other'), token: made.id }
    admin = await test.signIn('admin', password)
    lin = await test.signIn('lin', password)
  })
  afterAll(() => test.stop())

  const set = async (by: Caller, body: object) => await by('POST', '/api/budgets/', { window: 'day', amount: 1000, ...body })
  const list = async (by: Caller, query: string): Promise<Budget[]> => (await by('GET', `/api/budgets/?${query}`)).body.data as Budget[] // the declared shape
  const clear = async () => await test.database.db.deleteFrom('budgets').execute()

  it('are set by the owner of a token, by administrators for users, and by root for groups', async () => {
    const asked = [
      [lin, { token_id: ids.token }, true],
      [lin, { user_id: ids.lin }, false],
      [lin, { user_id: ids.other }, false],
      [lin, { group: 'default' }, false],
      [admin, { token_id: ids.token, window: 'week' }, true],
      [admin, { user_id: ids.lin }, true],
      [admin, { user_id: ids.admin }, false],
      [admin, { group: 'default' }, false],
      [root, { group: 'default' }, true],
      [root, { user_id: ids.admin }, true],
    ] as const
    const results = []
    for (const [by, body, allowed] of asked) results.push([allowed, (await set(by, body)).body.success])
    expect(results.filter(([allowed, done]) => allowed !== done)).toEqual([])

    expect((await list(lin, '')).map(({ scope, window, is_own }) => [scope, window, is_own])).toEqual([
      ['token', 'day', true],
      ['token', 'week', true],
      // The user's own one of that window replaces the group's.
      ['user', 'day', false],
    ])
    expect((await lin('GET', `/api/budgets/?user_id=${ids.other}`)).body.success).toBe(false)
    expect((await list(admin, 'group=default')).map(({ is_own }) => is_own)).toEqual([false])
    await clear()
  })

  it('are changed and removed by those who may set them, and what was seen before is not overwritten', async () => {
    const { body } = await set(admin, { user_id: ids.lin })
    const { id } = body.data as { id: number } // the declared shape
    const [seen] = await list(admin, `user_id=${ids.lin}`)

    expect((await lin('PUT', `/api/budgets/${id}`, { amount: 5 })).body.success).toBe(false)
    expect((await lin('DELETE', `/api/budgets/${id}`)).body.success).toBe(false)
    expect((await admin('PUT', `/api/budgets/${id}`, { amount: 5, action: 'warn', seen_at: seen?.updated_at })).body.success).toBe(true)
    const late = await root('PUT', `/api/budgets/${id}`, { amount: 6, seen_at: seen?.updated_at })
    expect(late.body).toMatchObject({ success: false, message: expect.stringMatching(/已被他人修改/) })
    expect(await list(lin, '')).toMatchObject([{ id, amount: 5, action: 'warn', alert_percents: [80, 100] }])
    expect((await admin('DELETE', `/api/budgets/${id}`)).body.success).toBe(true)
    expect((await admin('DELETE', `/api/budgets/${id}`)).body.success).toBe(false)
    expect(await list(lin, '')).toEqual([])

    const { rows } = { rows: await test.database.db.selectFrom('audit_entries').selectAll().where('resource', '=', 'budget').execute() }
    expect(rows.filter(({ resource_id }) => resource_id === String(id)).map(({ action, actor_name }) => [action, actor_name])).toEqual([
      ['create', 'admin'],
      ['update', 'admin'],
      ['delete', 'admin'],
    ])
  })

  it('of a token that is deleted are no longer shown', async () => {
    const made = await lin('POST', '/api/token/', { name: 'short', unlimited_quota: true, remain_quota: 0, expired_time: -1 })
    expect(made.body.success).toBe(true)
    const { id } = await test.database.db.selectFrom('tokens').select('id').where('name', '=', 'short').executeTakeFirstOrThrow()
    await set(lin, { token_id: id, window: 'total' })
    expect(await list(lin, '')).toMatchObject([{ token_name: 'short' }])

    await lin('DELETE', `/api/token/${id}`)
    expect(await list(lin, '')).toEqual([])
    await clear()
  })

  it('refuse what cannot be counted', async () => {
    const bad = [
      { token_id: ids.token, user_id: ids.lin },
      {},
      { token_id: ids.token, amount: 0 },
      { token_id: ids.token, amount: 1.5 },
      { token_id: ids.token, amount: 1e16 },
      { token_id: ids.token, window: 'year' },
      { token_id: ids.token, time_zone: 'Mars/Olympus' },
      { token_id: ids.token, window: 'week', start_day: 8 },
      { token_id: ids.token, window: 'month', start_day: 29 },
      { token_id: ids.token, alert_percents: [0] },
      { token_id: 999_999 },
      { group: 'nothing' },
      { token_id: ids.token, colour: 'red' },
    ]
    const results = []
    for (const body of bad) results.push((await set(root, body)).body.success)
    expect(results).toEqual(bad.map(() => false))
    expect((await set(root, { token_id: ids.token })).body.success).toBe(true)
    expect((await set(root, { token_id: ids.token })).body).toMatchObject({
      success: false,
      message: expect.stringMatching(/该周期已有预算/),
    })
    await clear()
  })

  it('count what was spent in the running window before they were set, and show a pace', async () => {
    const now = Math.floor(Date.now() / 1000)
    const row = { type: 2, user_id: ids.lin, username: 'lin', token_id: ids.token, model_name: 'gpt-4o', created_at: now }
    await addLogRows(test.database.db, [
      { ...row, quota: 300 },
      { ...row, token_id: 0, quota: 50 },
    ])
    await set(admin, { token_id: ids.token, window: 'month', amount: 1000 })
    await set(admin, { user_id: ids.lin, window: 'month', amount: 400 })

    const shown = await list(lin, '')
    expect(shown).toMatchObject([
      { scope: 'token', token_name: 'mine', spent: 300, held: 0, past: [] },
      { scope: 'user', spent: 350, held: 0 },
    ])
    expect(shown[0]?.end).toBeGreaterThan(now)
    const [ofToken] = shown
    const days = async (by: Caller, id: number | undefined) => await by('GET', `/api/budgets/${id}/days`)
    const midnight = now - (now % 86_400)
    expect((await days(lin, ofToken?.id)).body.data).toEqual([{ day: midnight, spent: 300 }])
    expect((await days(lin, shown[1]?.id)).body.data).toEqual([{ day: midnight, spent: 350 }])
    const other = await test.signIn('other', 'a-long-password')
    expect((await days(other, ofToken?.id)).body.success).toBe(false)
    const check = async () => (await root('GET', '/api/limits/check?user=lin&token=mine&model=m')).body.data as LimitCheck // the declared shape
    expect((await check()).budgets).toMatchObject([
      { scope: 'token', amount: 1000, spent: 300, passes: true },
      { scope: 'user', amount: 400, spent: 350, passes: true },
    ])
    const [, own] = await list(admin, `user_id=${ids.lin}`).then((rows) => [undefined, rows[0]])
    await admin('PUT', `/api/budgets/${own?.id}`, { amount: 350 })
    expect((await check()).budgets[1]).toMatchObject({ passes: false })
    await clear()
  })

  it('show days in the time zone in which they count, also one that is an offset', async () => {
    const { db } = test.database
    const row = { type: 2, user_id: ids.lin, username: 'lin', token_id: ids.token, model_name: 'gpt-4o' }
    const now = Math.floor(Date.now() / 1000)
    const midnight = now - (now % 86_400) - 10 * 86_400
    await db.deleteFrom('usage_hours').execute()
    await addLogRows(db, [
      { ...row, created_at: midnight - 2 * 3600, quota: 10 },
      { ...row, created_at: midnight - 7 * 3600, quota: 200 },
    ])
    for (const [window, time_zone, first, second] of [
      ['day', '+03:00', -27, -3],
      ['week', '-03:00', -21, -21],
      ['month', 'Etc/GMT-3', -27, -3],
    ] as const) {
      await set(lin, { token_id: ids.token, window, time_zone })
      const shown = await list(lin, '')
      const { data } = (await lin('GET', `/api/budgets/${shown.at(-1)?.id}/days`)).body
      const days = new Map([[midnight + first * 3600, 200]])
      days.set(midnight + second * 3600, (days.get(midnight + second * 3600) ?? 0) + 10)
      expect(data).toEqual([...days].map(([day, spent]) => ({ day, spent })))
    }
    await clear()
  })

  it('of a group have one for each window, however many are set at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => set(root, { group: 'default', window: 'week' })))
    expect(made.filter(({ body }) => body.success)).toHaveLength(1)
    expect(await list(root, 'group=default')).toMatchObject([{ window: 'week' }])
    await clear()
  })
})
