import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/test-app.ts'
import { publishAll } from '../../internal/snapshot-publisher.ts'

const good = {
  username: 'root',
  password: 'a-long-password',
  confirmPassword: 'a-long-password',
  SelfUseModeEnabled: true,
  DemoSiteEnabled: false,
}

describe('setup', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.stop())

  it('is required before other endpoints are served', async () => {
    expect((await test.guest('GET', '/api/setup')).body.data).toEqual({
      status: false,
      root_init: false,
      database_type: 'postgres',
      needs_code: false,
    })
    expect(await test.guest('GET', '/api/pricing')).toMatchObject({
      status: 403,
      body: { success: false, message: '系统尚未初始化，请先完成初始化' },
    })
    expect(await test.guest('POST', '/api/user/login', {})).toMatchObject({ status: 403 })
    expect((await test.guest('GET', '/api/notice')).status).toBe(200)
    expect((await test.guest('GET', '/api/status')).body.data).toMatchObject({ setup: false, system_name: 'Tollgate' })
  })

  it.each([
    ['no name', { username: ' ' }, '请输入管理员用户名'],
    ['a name of 13 characters', { username: '一二三四五六七八九十甲乙丙' }, '用户名长度不能超过 12 个字符'],
    ['an invisible character', { username: 'ro\u200bot' }, '用户名不能包含控制字符、不可见字符或连续空格'],
    ['two passwords', { confirmPassword: 'other' }, '两次输入的密码不一致'],
    ['a short password', { password: '1234567', confirmPassword: '1234567' }, '密码长度至少为8个字符'],
  ])('refuses %s with status 200', async (_why, change, message) => {
    expect(await test.guest('POST', '/api/setup', { ...good, ...change })).toMatchObject({ status: 200, body: { success: false, message } })
  })

  it('creates root with an opening balance once, with concurrent calls too', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => test.guest('POST', '/api/setup', good)))

    expect(answers.map(({ body }) => body.message).toSorted()).toEqual(
      ['系统初始化成功', '系统已经初始化完成', '系统已经初始化完成'].toSorted(),
    )
    const users = await test.database.db.selectFrom('users').selectAll().execute()
    expect(users).toMatchObject([{ username: 'root', display_name: 'Root User', role: 100, status: 1, credited: 100_000_000, spent: 0 }])
    const entries = await test.database.db.selectFrom('wallet_entries').selectAll().execute()
    expect(entries).toMatchObject([{ user_id: users[0]?.id, kind: 'opening', amount: 100_000_000 }])
    expect(await test.database.db.selectFrom('ledger_outbox').selectAll().execute()).toMatchObject([
      { subject: 'user', subject_id: users[0]?.id },
    ])
    expect((await test.guest('GET', '/api/setup')).body.data).toEqual({
      status: true,
      root_init: false,
      database_type: '',
      needs_code: false,
    })
    expect((await test.guest('GET', '/api/status')).body.data).toMatchObject({
      setup: true,
      self_use_mode_enabled: true,
      demo_site_enabled: false,
    })
  })
})

describe('the options of the set-up', () => {
  it('reach relays that run already', async () => {
    const test = await createTestApp()
    await publishAll(test.deps)

    await test.guest('POST', '/api/setup', good)

    for (const key of ['SelfUseModeEnabled', 'OutputPriceRequired'])
      expect([key, await test.deps.redis.hget('snap:{cfg}:options', key)]).toEqual([key, expect.stringContaining('true')])
    await test.stop()
  })
})

describe('setup with a code', () => {
  it('needs no code on this machine', async () => {
    const test = await createTestApp({ SETUP_CODE: 'open-sesame' })

    expect((await test.guest('GET', '/api/setup')).body.data).toMatchObject({ needs_code: false })
    expect((await test.guest('POST', '/api/setup', good)).body.success).toBe(true)
    await test.stop()
  })
})

describe('setup in English', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp()
  })
  afterAll(() => test.stop())

  it('starts without the links of chats that are in Chinese', async () => {
    const chats = async () => ((await test.guest('GET', '/api/status')).body.data as { chats: unknown[] }).chats // the declared shape

    expect(await chats()).not.toEqual([])
    expect((await test.guest('POST', '/api/setup', good, { 'Accept-Language': 'en' })).body.success).toBe(true)
    expect(await chats()).toEqual([])
  })

  it('describes the groups of users in English', async () => {
    const { body } = await test.guest('GET', '/api/pricing')

    expect(body).toMatchObject({ usable_group: { default: 'Default group', vip: 'VIP group' } })
  })
})
