import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { User } from '@tollgate/contracts/resources/users'
import { keys } from '@tollgate/redis/keys'
import { createBrowser, signInWith, type Browser } from '../../../test/browser.ts'
import { createTestApp, ROOT, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const PASSWORD = 'a-long-password'

describe('looking at the console as a user', () => {
  let test: TestApp
  let count = 0
  let password_hash = ''
  beforeAll(async () => {
    test = await createTestApp()
    await test.setUp()
    password_hash = await hashPassword(PASSWORD)
  })
  afterAll(() => test.stop())

  const addUser = async (role = 1): Promise<{ id: number; username: string }> => {
    const username = `v${(count += 1)}`
    const row = { username, shard: 0, created_at: 1, password_hash, display_name: '', role }
    return { username, ...(await test.database.db.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()) }
  }
  const asRoot = async (): Promise<Browser> => {
    const browser = createBrowser(test.app)
    await signInWith(browser, ROOT.username, ROOT.password)
    return browser
  }
  const view = async (browser: Browser, id: number) => {
    const answer = await browser.call('POST', `/api/user/${id}/view`)
    if (answer.body.success) browser.userId = id
    return answer
  }
  const self = async (browser: Browser) => (await browser.call('GET', '/api/user/self')).body.data as User // the contract's shape
  const actions = async (id: number) =>
    await test.database.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_name'])
      .where('resource', '=', 'user')
      .where('resource_id', '=', String(id))
      .orderBy('id')
      .execute()

  it('shows what the user sees, without the keys, and ends at the own account again', async () => {
    const { id, username } = await addUser()
    const owner = createBrowser(test.app)
    await signInWith(owner, username, PASSWORD)
    await owner.call('POST', '/api/token/', { name: 'mine', unlimited_quota: true })
    const keysOf = async (browser: Browser) =>
      ((await browser.call('GET', '/api/token/?p=0&size=10')).body.data as Token[]).map(({ key }) => key) // likewise
    const browser = await asRoot()

    expect((await view(browser, id)).body).toMatchObject({ success: true, data: { id, username } })
    expect(await self(browser)).toMatchObject({ id, username })
    const [[key = ''], [shown = '']] = [await keysOf(owner), await keysOf(browser)]
    expect(shown).toBe(`${key.slice(0, 4)}…${key.slice(-4)}`)

    const ended = await browser.call('POST', '/api/user/view/end')
    expect(ended.body.data).toMatchObject({ username: ROOT.username })
    browser.userId = (ended.body.data as User).id
    expect((await self(browser)).username).toBe(ROOT.username)
    expect(await actions(id)).toEqual([
      { action: 'view', actor_name: ROOT.username },
      { action: 'view-end', actor_name: ROOT.username },
    ])
  })

  it.each([
    ['POST', '/api/token/', { name: 'x' }],
    ['PUT', '/api/user/self', { display_name: 'x' }],
    ['PUT', '/api/user/setting', { weekly_report: false }],
    ['GET', '/api/user/token', undefined],
    ['POST', '/api/user/topup', { key: 'x' }],
    ['POST', '/pg/chat/completions', { model: 'm', messages: [] }],
    ['DELETE', '/api/user/self', undefined],
  ])('changes nothing: %s %s', async (method, path, body) => {
    const { id } = await addUser()
    const browser = await asRoot()
    await view(browser, id)

    const { body: answer } = await browser.call(method, path, body)
    expect(answer).toMatchObject({ success: false, message: '正在以该用户的身份查看，不能做任何修改' })
  })

  it('is refused for accounts of the own rank, and ends with the session of the administrator and after half an hour', async () => {
    const admin = await addUser(10)
    const peer = await addUser(10)
    const { id } = await addUser()
    const browser = createBrowser(test.app)
    await signInWith(browser, admin.username, PASSWORD)
    expect((await view(browser, peer.id)).body.success).toBe(false)
    await view(browser, id)
    expect((await self(browser)).id).toBe(id)

    const root = await asRoot()
    await root.call('POST', '/api/user/manage', { id: admin.id, action: 'disable' })
    expect((await browser.call('GET', '/api/user/self')).body.success).toBe(false)

    await view(root, id)
    const hash = createHash('sha256')
      .update(root.cookies.get('session') ?? '')
      .digest('hex')
    await test.deps.redis.hset(keys.session(hash), 'created_at', String(Math.floor(Date.now() / 1000) - 1801))
    expect((await root.call('GET', '/api/user/self')).body.success).toBe(false)
  })

  it('is known until it ends, so that an end by time is entered too, and once', async () => {
    const { id } = await addUser()
    const open = () => test.database.db.selectFrom('account_views').selectAll().where('user_id', '=', id).execute()
    const browser = await asRoot()
    await view(browser, id)
    const [row] = await open()
    expect(row).toMatchObject({ viewer_name: ROOT.username, viewer_role: 100 })
    expect((row?.ends_at ?? 0) - (row?.started_at ?? 0)).toBe(1800)

    await test.database.db.deleteFrom('account_views').where('user_id', '=', id).execute()
    await browser.call('POST', '/api/user/view/end')
    expect(await actions(id)).toEqual([{ action: 'view', actor_name: ROOT.username }])

    await view(await asRoot(), id)
    expect(await open()).toHaveLength(1)
  })

  it('is closed by hand', async () => {
    const { id } = await addUser()
    const browser = await asRoot()
    await view(browser, id)
    await browser.call('POST', '/api/user/view/end')
    expect(await test.database.db.selectFrom('account_views').selectAll().where('user_id', '=', id).execute()).toEqual([])
  })
})
