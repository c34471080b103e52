import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Redemption } from '@tollgate/contracts/resources/redemptions'
import { connectDb } from '@tollgate/db/connect'
import { keys } from '@tollgate/redis/keys'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import type { Deps } from '../../deps.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { redeemCode } from './redeem.ts'

const PASSWORD = 'a-long-password'
type Page = { items: Redemption[]; total: number; page: number }

describe('redemption codes', () => {
  let test: TestApp
  let root: Caller
  let password_hash = ''
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    password_hash = await hashPassword(PASSWORD)
  })
  afterAll(() => test.stop())

  const addUser = async (role = 1): Promise<{ id: number; username: string }> => {
    count += 1
    const username = `r${count}`
    const person = { username, role, shard: 0, created_at: 1, password_hash }
    return { username, ...(await test.database.db.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow()) }
  }
  const aPerson = async (role = 1): Promise<{ id: number; call: Caller }> => {
    const { id, username } = await addUser(role)
    await test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1'))
    return { id, call: await test.signIn(username, PASSWORD) }
  }
  const create = async (body: object): Promise<string[]> => (await root('POST', '/api/redemption/', body)).body.data as string[] // codes
  const newest = async (): Promise<Redemption> => {
    const { items } = (await root('GET', '/api/redemption/?p=1&page_size=1')).body.data as Page // the contract's shape
    return items[0] ?? ({} as Redemption)
  }

  it('creates up to a hundred codes at once, readable for administrators and sealed at rest', async () => {
    const { call: admin } = await aPerson(10)
    const { body } = await admin('POST', '/api/redemption/', { name: '活动', quota: 500_000, count: 100 })
    const codes = body.data as string[] // codes
    expect([new Set(codes).size, codes.every((code) => /^[0-9a-f]{32}$/.test(code))]).toEqual([100, true])
    const page = (await admin('GET', '/api/redemption/?p=0&page_size=20')).body.data as Page // the contract's shape
    expect([page.total, page.page, page.items.length]).toEqual([100, 1, 20])
    const created_time = Math.floor(test.deps.now() / 1000)
    expect(page.items[0]).toMatchObject({
      name: '活动',
      quota: 500_000,
      status: 1,
      used_user_id: 0,
      count: 0,
      key: codes.at(-1),
      id: expect.any(Number),
    })
    expect(Math.abs((page.items[0]?.created_time ?? 0) - created_time)).toBeLessThan(60)
    const stored = JSON.stringify(await test.database.db.selectFrom('redemptions').selectAll().execute())
    expect(codes.filter((code) => stored.includes(code))).toEqual([])
    const audit = await test.database.db.selectFrom('audit_entries').select('changes').where('resource', '=', 'redemption').execute()
    expect(audit).toHaveLength(100)
    expect(codes.filter((code) => JSON.stringify(audit).includes(code))).toEqual([])
  })

  it('names codes after their quota when no name is given', async () => {
    await create({ name: ' ', quota: 750_000, count: 1 })
    expect((await newest()).name).toBe('$1.50')
  })

  it.each([
    ['a name over 20 characters', { name: 'x'.repeat(21), quota: 1, count: 1 }, '兑换码名称长度必须在1-20之间'],
    ['no codes', { name: 'x', quota: 1, count: 0 }, '兑换码个数必须大于0'],
    ['more than a hundred', { name: 'x', quota: 1, count: 101 }, '一次兑换码批量生成的个数不能大于 100'],
    [
      'an end in the past',
      { name: 'x', quota: 1, count: 1, expired_time: 1_700_000_000 },
      '过期时间必须是晚于当前时间的 Unix 秒，0 表示永不过期',
    ],
    [
      'an end in milliseconds',
      { name: 'x', quota: 1, count: 1, expired_time: 4_100_000_000_000 },
      '过期时间必须是晚于当前时间的 Unix 秒，0 表示永不过期',
    ],
    ['a quota below 1', { name: 'x', quota: -5, count: 1 }, '兑换码额度必须大于 0'],
  ])('refuses %s', async (_why, body, message) => {
    expect((await root('POST', '/api/redemption/', body)).body.message).toBe(message)
  })

  it('finds codes by the start of the name or by id, with literal wildcards', async () => {
    await create({ name: '50%_off', quota: 1, count: 1 })
    const { id } = await newest()
    await create({ name: '50x off', quota: 1, count: 1 })
    const found = async (keyword: string): Promise<number[]> =>
      ((await root('GET', `/api/redemption/search?keyword=${encodeURIComponent(keyword)}`)).body.data as Page).items.map((one) => one.id) // the contract's shape
    expect(await found('50%_')).toEqual([id])
    const same = await root('GET', `/api/redemption/search?keyword=${encodeURIComponent('50')}&p=2&page_size=1`)
    expect(same.body.data).toMatchObject({ page: 2, page_size: 1, total: expect.any(Number), items: [{ id: expect.any(Number) }] })
    expect(await found('off')).toEqual([])
    expect(await found(String(id))).toContain(id)
  })

  it('edits, disables, enables and deletes a code that was not used', async () => {
    const [key = ''] = await create({ name: 'edit', quota: 10, count: 1 })
    const { id } = await newest()
    expect((await root('PUT', '/api/redemption/', { id, name: 'edited', quota: 20, status: 3 })).body.data).toMatchObject({
      id,
      name: 'edited',
      quota: 20,
      status: 1,
    })
    expect((await root('PUT', '/api/redemption/?status_only=true', { id, status: 2, quota: 999 })).body.data).toMatchObject({
      status: 2,
      quota: 20,
    })
    expect((await root('GET', `/api/redemption/${id}`)).body.data).toMatchObject({ id, name: 'edited', quota: 20, status: 2, key })
    const { call } = await aPerson()
    expect((await call('POST', '/api/user/topup', { key })).body.message).toBe('兑换失败，该兑换码已被使用')
    expect((await root('PUT', '/api/redemption/?status_only=true', { id, status: 3 })).body.message).toBe('无效的参数')
    expect((await root('PUT', '/api/redemption/?status_only=true', { id, status: 1 })).body.data).toMatchObject({ status: 1 })
    expect((await root('DELETE', `/api/redemption/${id}/`)).body).toEqual({ success: true, message: '' })
    expect((await root('GET', `/api/redemption/${id}`)).body.message).toBe('record not found')
    expect((await root('GET', '/api/redemption/0')).body.message).toBe('id 为空！')
    expect((await root('DELETE', '/api/redemption/0/')).body.message).toBe('id 为空！')
    expect((await call('POST', '/api/user/topup', { key })).body.message).toBe('兑换失败，无效的兑换码')
    expect((await root('PUT', '/api/redemption/', { name: 'x' })).body.message).toBe('无效的参数')
    const audit = await test.database.db
      .selectFrom('audit_entries')
      .select('action')
      .where('resource', '=', 'redemption')
      .where('resource_id', '=', String(id))
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['create', 'update', 'update', 'update', 'delete'])
  })

  it('ends at its time, which can be changed', async () => {
    const now = Math.floor(Date.now() / 1000)
    const [key = ''] = await create({ name: 'short', quota: 10, count: 1, expired_time: now + 3600 })
    const { id, expired_time } = await newest()
    expect(expired_time).toBe(now + 3600)
    await test.database.db
      .updateTable('redemptions')
      .set({ expired_time: now - 1 })
      .where('id', '=', id)
      .execute()
    const { call } = await aPerson()
    const redeem = async (typed = key) => (await call('POST', '/api/user/topup', { key: typed })).body

    expect((await redeem()).message).toBe('兑换失败，该兑换码已过期')
    expect((await root('PUT', '/api/redemption/', { id, name: 'kept', expired_time: now - 1 })).body.data).toMatchObject({ name: 'kept' })
    expect((await root('PUT', '/api/redemption/', { id, expired_time: now - 2 })).body.message).toContain('过期时间')
    expect((await root('PUT', '/api/redemption/', { id, expired_time: 0 })).body.data).toMatchObject({ expired_time: 0 })
    expect((await redeem(key.toUpperCase())).data).toBe(10)
  })

  it('credits the quota once, with entry and log row, and then refuses the code and its edit', async () => {
    const [key = ''] = await create({ name: 'gift', quota: 750_000, count: 1 })
    const { id: code } = await newest()
    const { id, call } = await aPerson()
    expect((await call('POST', '/api/user/topup', { key: ` ${key} ` })).body).toEqual({ success: true, message: '', data: 750_000 })
    expect((await call('GET', '/api/user/self')).body.data).toMatchObject({ quota: 750_000 })
    const entries = await test.database.db.selectFrom('wallet_entries').selectAll().where('user_id', '=', id).execute()
    expect(entries).toMatchObject([{ kind: 'redemption', amount: 750_000, reference: `redemption:${code}`, note: 'gift' }])
    const logs = await test.database.db.selectFrom('logs').select(['type', 'content']).where('user_id', '=', id).execute()
    expect(logs).toEqual([{ type: 1, content: `通过兑换码充值 ＄1.500000 额度，兑换码ID ${code}` }])
    expect((await call('POST', '/api/user/topup', { key })).body.message).toBe('兑换失败，该兑换码已被使用')
    expect(await newest()).toMatchObject({ status: 3, used_user_id: id, redeemed_time: expect.any(Number) })
    expect((await root('PUT', '/api/redemption/', { id: code, quota: 1 })).body.message).toBe('已使用的兑换码不能修改')
    expect((await root('PUT', '/api/redemption/?status_only=true', { id: code, status: 1 })).body.message).toBe('已使用的兑换码不能修改')
    expect((await call('POST', '/api/user/topup', { key: ' ' })).body.message).toBe('未提供兑换码')
  })

  it('is redeemed exactly once by 500 parallel tries of ten users over two control planes', async () => {
    const [key = ''] = await create({ name: 'race', quota: 5, count: 1 })
    const { id: code } = await newest()
    const people = await Promise.all(Array.from({ length: 10 }, () => addUser()))
    const second = connectDb({ url: test.database.url })
    const planes: readonly Deps[] = [test.deps, { ...test.deps, db: second }]
    const tries = await Promise.allSettled(
      Array.from({ length: 500 }, (_, at) => redeemCode(planes[at % 2] ?? test.deps, people[at % 10] ?? { id: 0, username: '' }, key)),
    )
    await second.destroy()
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = tries.flatMap((one) => (one.status === 'rejected' && one.reason instanceof Error ? [one.reason.message] : []))
    expect([refusals.length, new Set(refusals).size]).toEqual([499, 1])
    const entries = await test.database.db
      .selectFrom('wallet_entries')
      .select(['amount', 'user_id'])
      .where('reference', '=', `redemption:${code}`)
      .execute()
    expect(entries).toEqual([{ amount: 5, user_id: (await newest()).used_user_id }])
    const credited = await test.database.db
      .selectFrom('users')
      .select((eb) => eb.fn.sum<number>('credited').as('sum'))
      .where(
        'id',
        'in',
        people.map(({ id }) => id),
      )
      .executeTakeFirstOrThrow()
    expect(Number(credited.sum)).toBe(5)
  })

  it('refuses a field that another administrator changed meanwhile', async () => {
    await root('POST', '/api/redemption/', { name: 'first', count: 1, quota: 5 })
    const { id } = await test.deps.db.selectFrom('redemptions').select('id').where('name', '=', 'first').executeTakeFirstOrThrow()
    await root('PUT', '/api/redemption/', { id, name: 'by one' })

    const refused = await root('PUT', '/api/redemption/', { id, name: 'by two', quota: 5, was: { name: 'first', quota: 5 } })
    expect([refused.status, refused.body.data]).toEqual([
      409,
      { conflicts: [{ field: 'name', was: 'first', now: 'by one', yours: 'by two' }] },
    ])
  })

  it('slows guesses of one user down, then those of an address; a right code starts again', async () => {
    const [good = '', better = ''] = await create({ name: 'two', quota: 1, count: 2 })
    const { call } = await aPerson()
    const guess = (caller: Caller, key = 'f'.repeat(32)) => caller('POST', '/api/user/topup', { key })
    for (let at = 0; at < 9; at += 1) expect((await guess(call)).body.message).toBe('兑换失败，无效的兑换码')
    expect((await guess(call, good)).body.success).toBe(true)
    const statuses: number[] = []
    for (let at = 0; at < 11; at += 1) statuses.push((await guess(call)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await guess(call, better)).status).toBe(429)
    expect((await guess(call, better)).headers.get('retry-after')).toMatch(/^\d+$/)
    const others = [await aPerson(), await aPerson(), await aPerson(), await aPerson()]
    for (const one of others) for (let at = 0; at < 10; at += 1) await guess(one.call)
    expect((await guess((await aPerson()).call, better)).status).toBe(429)
  })
})
