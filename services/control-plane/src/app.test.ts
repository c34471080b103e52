import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Access, Endpoint } from '@tollgate/contracts/endpoint'
import { endpoints } from '@tollgate/contracts/endpoints'
import { createTestApp, raw, type Answer, type Caller, type TestApp } from '../test/test-app.ts'
import { allRoutes } from './app.ts'
import { hashPassword } from './authentication/passwords.ts'

const PASSWORD = 'a-long-password'
const guardedBy = (...accesses: Access[]): Endpoint[] => endpoints.filter(({ access }) => accesses.includes(access))
const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
/** A path with its placeholders filled by ids that do not exist, so that a call that gets through changes nothing. */
const pathOf = ({ path }: Endpoint): string => path.replaceAll(/\{\w+\}/g, '987654321')

describe('every endpoint of the table', () => {
  let test: TestApp
  let root: Caller
  let admin: Caller
  let user: Caller
  let disabled: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const password_hash = await hashPassword(PASSWORD)
    const add = (username: string, role: number): Promise<unknown> =>
      test.database.db
        .insertInto('users')
        .values({ username, role, shard: 0, created_at: 1, password_hash, display_name: username })
        .execute()
    await add('lin', 1)
    await add('mei', 10)
    await add('gone', 1)
    user = await test.signIn('lin', PASSWORD)
    admin = await test.signIn('mei', PASSWORD)
    disabled = await test.signIn('gone', PASSWORD)
    await test.database.db.updateTable('users').set({ status: 2 }).where('username', '=', 'gone').execute()
  })
  afterAll(() => test.stop())

  const answersOf = async (
    list: readonly Endpoint[],
    caller: Caller,
    headers: Record<string, string> = {},
  ): Promise<[string, number, string][]> => {
    const answers: [string, number, string][] = []
    for (const endpoint of list) {
      const { status, body } = await caller(endpoint.method, pathOf(endpoint), endpoint.body === undefined ? undefined : {}, headers)
      answers.push([nameOf(endpoint), status, body.message])
    }
    return answers
  }
  const all = (list: readonly Endpoint[], status: number, message: string): [string, number, string][] =>
    list.map((endpoint) => [nameOf(endpoint), status, message])
  // Rate limits per address would stop the walk; they have their own tests.
  const walk = async (
    list: readonly Endpoint[],
    caller: Caller,
    headers: Record<string, string> = {},
  ): Promise<[string, number, string][]> => {
    const limits = await test.deps.redis.keys('limit:*')
    if (limits.length > 0) await test.deps.redis.del(...limits)
    return await answersOf(list, caller, headers)
  }

  it('refuses calls without a session', async () => {
    const list = guardedBy('user', 'admin', 'root', 'session', 'key')
    expect(await walk(list, test.guest)).toEqual(all(list, 401, '无权进行此操作，未登录且未提供 access token'))
  })

  it('refuses an unknown access token', async () => {
    const list = guardedBy('user', 'admin', 'root', 'key')
    expect(await walk(list, test.guest, { Authorization: 'Bearer unknown', 'New-Api-User': '1' })).toEqual(
      all(list, 200, '无权进行此操作，access token 无效'),
    )
  })

  it.each([
    ['a missing id header', '', '无权进行此操作，未提供 New-Api-User'],
    ['an id header that is no number', 'x1', '无权进行此操作，New-Api-User 格式错误'],
    ['the id of another user', '999', '无权进行此操作，New-Api-User 与登录用户不匹配'],
  ])('refuses a session with %s', async (_why, id, message) => {
    const list = guardedBy('user', 'admin', 'root')
    expect(await walk(list, root, { 'New-Api-User': id })).toEqual(all(list, 401, message))
  })

  it('refuses a disabled user at once, although the session exists', async () => {
    const list = guardedBy('user', 'admin', 'root', 'session')
    expect(await walk(list, disabled)).toEqual(all(list, 200, '用户已被封禁'))
  })

  it('refuses a user endpoints of administrators and root, and an administrator those of root', async () => {
    const forAdmins = guardedBy('admin', 'root')
    const forRoot = guardedBy('root')
    expect(await walk(forAdmins, user)).toEqual(all(forAdmins, 200, '无权进行此操作，权限不足'))
    expect(await walk(forRoot, admin)).toEqual(all(forRoot, 200, '无权进行此操作，权限不足'))
  })

  it('implements every declared endpoint', () => {
    const bound = new Set(allRoutes(test.deps).map((binding) => binding.endpoint))
    expect(endpoints.filter((endpoint) => !bound.has(endpoint)).map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it('never sends a CORS header, for any path and method', async () => {
    const asked: [string, string][] = endpoints.map((endpoint) => [endpoint.method, pathOf(endpoint)])
    const paths: [string, string][] = [
      ...asked,
      ...asked.map(([, path]): [string, string] => ['OPTIONS', path]),
      ['GET', '/'],
      ['GET', '/api/nowhere'],
    ]
    const leaks: string[] = []
    for (const [method, path] of paths) {
      const answer = await test.app.request(path, {
        method,
        headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'GET' },
      })
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'))
      leaks.push(...names.map((name) => `${method} ${path} ${name}`))
    }
    expect(leaks).toEqual([])
  })

  it('refuses malformed input without a server error', async () => {
    const garbage = [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '{"id":"x","key":5,"ids":{},"username":[],"tag":{},"status":1e400}',
      '{"id":1e15,"type":99999999999999,"priority":1e15}',
    ]
    const broken: string[] = []
    const limits = async (): Promise<void> => {
      for (const key of await test.deps.redis.keys('limit:*')) await test.deps.redis.del(key)
    }
    for (const endpoint of endpoints.filter((one) => one.body !== undefined && one.access !== 'key' && !one.path.includes('/logout'))) {
      await limits()
      for (const body of garbage) {
        const answer = await root(endpoint.method, pathOf(endpoint), raw(body))
        if (answer.status >= 500) broken.push(`${nameOf(endpoint)} ${body} ${answer.status}`)
      }
    }
    for (const endpoint of endpoints.filter((one) => one.method === 'GET' && one.access !== 'key' && !one.path.includes('/logout'))) {
      await limits()
      for (const query of [
        '?p=-1&page_size=-5&size=-1',
        '?p=9e99&page_size=1e9&type=1e12&channel=1e15&keyword=%25_\\',
        '?p=x&keyword=%00&model_name=%5C',
        '?keyword=%FF&start_timestamp=99999999999999999999',
      ]) {
        const { status } = await root(endpoint.method, pathOf(endpoint) + query)
        if (status >= 500) broken.push(`${nameOf(endpoint)}${query} ${status}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('serves every path with and without a trailing slash', async () => {
    const list = guardedBy('user', 'admin', 'root')
    for (const endpoint of list) {
      const plain = pathOf(endpoint).replace(/\/$/, '')
      for (const path of [plain, `${plain}/`]) expect([path, (await test.guest(endpoint.method, path)).status]).toEqual([path, 401])
    }
  })
})

describe('rate limits per address', () => {
  it('stops a series of sign-in attempts with 429 and Retry-After, and does not affect other calls', async () => {
    const test = await createTestApp()
    await test.setUp()
    let count = 0
    const attempt = (): Promise<Answer> => {
      count += 1
      return test.guest('POST', '/api/user/login', { username: `stranger${count}`, password: 'wrong-password' })
    }

    const statuses: number[] = []
    for (let i = 0; i < 200; i += 1) statuses.push((await attempt()).status)
    const refused = await attempt()

    // setUp signed in once, so the 200th attempt here is the 201st.
    expect(statuses).toEqual([...Array<number>(199).fill(200), 429])
    expect(refused).toMatchObject({ status: 429, body: { success: false, message: '请求次数过多，请稍后再试！' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1000)
    expect((await test.guest('GET', '/api/status')).status).toBe(200)
    await test.stop()
  })

  it('counts the calls of a session apart from those of its address, and allows it five times as many', async () => {
    const limits = { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', GLOBAL_API_RATE_LIMIT: '5', GLOBAL_API_RATE_LIMIT_DURATION: '60' }
    const test = await createTestApp(limits)
    const root = await test.setUp()
    const office: number[] = []
    for (let i = 0; i < 6; i += 1) office.push((await test.guest('GET', '/api/notice')).status)
    expect(office.at(-1)).toBe(429)

    const own: number[] = []
    for (let i = 0; i < 26; i += 1) own.push((await root('GET', '/api/notice')).status)
    const refused = await root('GET', '/api/user/self')
    expect(own).toEqual([...Array<number>(25).fill(200), 429])
    expect([refused.status, Number(refused.headers.get('retry-after')) > 50]).toEqual([429, true])
    // A cookie of no session counts for its address.
    expect((await test.guest('GET', '/api/notice', undefined, { cookie: 'session=made-up' })).status).toBe(429)
    await test.stop()
  })

  it('counts all calls of an address when the global limit is on', async () => {
    const test = await createTestApp({
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '3',
      GLOBAL_API_RATE_LIMIT_DURATION: '60',
    })
    const statuses: number[] = []
    for (let i = 0; i < 4; i += 1) statuses.push((await test.guest('GET', '/api/notice')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    await test.stop()
  })
})
