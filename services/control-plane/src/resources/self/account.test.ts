import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealedBy } from '@tollgate/config/sealing'
import type { User } from '@tollgate/contracts/resources/users'
import { keys } from '@tollgate/redis/keys'
import { mailCode, setOptions } from '../../../test/registration.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const PASSWORD = 'a-long-password'
const UNIT = 500_000

describe('the own account', () => {
  let test: TestApp
  let root: Caller
  let password_hash = ''
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await setOptions(test, { SMTPServer: 'mail.example.org', SMTPAccount: 'gate@example.org' })
    password_hash = await hashPassword(PASSWORD)
  })
  afterAll(() => test.stop())

  const aPerson = async (
    fields: { aff_quota?: number; setting?: string } = {},
  ): Promise<{ id: number; username: string; call: Caller }> => {
    count += 1
    const username = `s${count}`
    const person = { username, shard: 0, created_at: 1, password_hash, ...fields }
    const { id } = await test.database.db.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow()
    await test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1'))
    return { id, username, call: await test.signIn(username, PASSWORD) }
  }
  const ownSetting = async (call: Caller): Promise<unknown> => {
    const { setting } = (await call('GET', '/api/user/self')).body.data as User // the contract's shape
    return setting === '' ? '' : JSON.parse(setting)
  }

  const mails = async () =>
    await test.database.db
      .selectFrom('deliveries')
      .select(['channel', 'target', 'template'])
      .where('template', '<>', 'new-device')
      .orderBy('id')
      .execute()
  const forget = async () => void (await test.database.db.deleteFrom('deliveries').execute())

  it('uses another address for notices once its code was given', async () => {
    const { id, call } = await aPerson()
    await forget()
    const save = async (more: object) =>
      await call('PUT', '/api/user/setting', { notify_type: 'email', notification_email: 'New@b.co', ...more })

    const asked = await save({ quota_warning_threshold: 7 })
    expect(asked.body).toMatchObject({ success: true, message: expect.stringContaining('new@b.co') })
    expect(await ownSetting(call)).toEqual({
      notify_type: 'email',
      quota_warning_threshold: 7,
      notification_email_pending: 'new@b.co',
    })
    expect(await mails()).toEqual([{ channel: 'mail', target: 'new@b.co', template: 'notification-code' }])

    await mailCode(test, { purpose: 'notification', address: 'new@b.co', code: 'a1b2c3' })
    expect((await save({ notification_code: 'ffffff' })).body.message).toBe('验证码错误或已过期')
    expect((await save({ notification_code: 'A1B2C3' })).body).toEqual({ success: true, message: '设置已更新' })
    expect(await ownSetting(call)).toMatchObject({ notification_email: 'new@b.co' })
    expect(JSON.stringify(await ownSetting(call))).not.toContain('pending')
    await test.database.db.updateTable('users').set({ email: 'own@b.co' }).where('id', '=', id).execute()
    expect((await save({ notification_email: 'own@b.co' })).body.message).toBe('设置已更新')
    expect(await ownSetting(call)).toMatchObject({ notification_email: 'own@b.co' })
  })

  it('shows an address that was stored without a code as pending, and uses it once its code was given', async () => {
    const { id, call } = await aPerson()
    const setting = JSON.stringify({ notify_type: 'email', notification_email: 'old@b.co' })
    await test.database.db.updateTable('users').set({ email: 'proven@b.co', setting }).where('id', '=', id).execute()
    await forget()
    const save = async (more: object) =>
      await call('PUT', '/api/user/setting', { notify_type: 'email', notification_email: 'old@b.co', ...more })

    expect(await ownSetting(call)).toEqual({ notify_type: 'email', notification_email: '', notification_email_pending: 'old@b.co' })
    await call('POST', '/api/user/notifications/test')
    expect(await mails()).toEqual([{ channel: 'mail', target: 'proven@b.co', template: 'test' }])
    expect((await save({})).body.message).toContain('old@b.co')
    await forget()

    await mailCode(test, { purpose: 'notification', address: 'old@b.co', code: 'a1b2c3' })
    expect((await save({ notification_code: 'a1b2c3' })).body).toEqual({ success: true, message: '设置已更新' })
    expect(await ownSetting(call)).toEqual({ notify_type: 'email', notification_email: 'old@b.co' })
    await forget()
    await call('POST', '/api/user/notifications/test')
    expect(await mails()).toMatchObject([{ channel: 'mail', target: 'old@b.co' }])
  })

  it('tells the old target when alerts go elsewhere', async () => {
    const { id, call } = await aPerson()
    await test.database.db.updateTable('users').set({ email: 'first@b.co' }).where('id', '=', id).execute()
    await forget()
    const hook = (path: string) => ({ notify_type: 'webhook', webhook_url: `https://hooks.example/${path}` })

    await call('PUT', '/api/user/setting', hook('a'))
    await call('PUT', '/api/user/setting', { ...hook('a'), quota_warning_threshold: 3 })
    await call('PUT', '/api/user/setting', hook('b'))

    expect(await mails()).toEqual([
      { channel: 'mail', target: 'first@b.co', template: 'alerts-moved' },
      { channel: 'webhook', target: 'https://hooks.example/a', template: 'alerts-moved' },
    ])
  })

  it('tells the address of an account when its password or address changes', async () => {
    const { id, call } = await aPerson()
    await test.database.db.updateTable('users').set({ email: 'old@b.co' }).where('id', '=', id).execute()
    await forget()

    await call('PUT', '/api/user/self', { password: 'another-long-one', original_password: PASSWORD })
    await mailCode(test, { purpose: 'verification', address: 'next@b.co', code: 'a1b2c3' })
    const { body } = await (await test.signIn(`s${count}`, 'another-long-one'))('GET', '/api/oauth/email/bind?email=next@b.co&code=a1b2c3')
    expect(body).toMatchObject({ success: true })
    await root('PUT', '/api/user/', { id, username: `s${count}`, password: 'set-by-an-admin' })

    expect(await mails()).toEqual([
      { channel: 'mail', target: 'old@b.co', template: 'password-changed' },
      { channel: 'mail', target: 'old@b.co', template: 'email-changed' },
      { channel: 'mail', target: 'next@b.co', template: 'password-changed' },
    ])
  })

  it('saves the fields of the setting that are sent and keeps the others', async () => {
    const { call } = await aPerson({ setting: '{"custom":1}' })
    expect(
      (await call('PUT', '/api/user/setting', { notify_type: 'email', quota_warning_threshold: 5, webhook_url: 'https://a.b.co' })).body,
    ).toEqual({
      success: true,
      message: '设置已更新',
    })
    await call('PUT', '/api/user/setting', { accept_unset_model_ratio_model: true })
    expect(await ownSetting(call)).toEqual({
      custom: 1,
      notify_type: 'email',
      quota_warning_threshold: 5,
      webhook_url: 'https://a.b.co',
      accept_unset_model_ratio_model: true,
    })
  })

  it('sends alerts elsewhere only after a proof, and changes the rest without one', async () => {
    const { id, call } = await aPerson({ setting: '{"notify_type":"email"}' })
    for (const hash of await test.deps.redis.zrange(keys.userSessions(id), '0', '-1'))
      await test.deps.redis.hset(keys.session(hash), 'proved_at', '1')
    const hook = { notify_type: 'webhook', webhook_url: 'https://hooks.example/x' }

    for (const change of [hook, { notification_email: 'thief@example.org' }, { webhook_secret: 'new' }])
      expect((await call('PUT', '/api/user/setting', change)).body).toMatchObject({ success: false, field: 'proof' })
    expect((await call('PUT', '/api/user/setting', { notify_type: 'email', quota_warning_threshold: 9 })).body.success).toBe(true)
    expect(await ownSetting(call)).toEqual({ notify_type: 'email', quota_warning_threshold: 9 })

    await call('POST', '/api/user/self/proof', { password: PASSWORD })
    expect((await call('PUT', '/api/user/setting', hook)).body.success).toBe(true)
  })

  it('says that a setting or an access token could not be saved, and keeps what was there', async () => {
    const { call } = await aPerson({ setting: '{"custom":1}' })
    const { db } = test.database
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin raise unique_violation using constraint = 'users_access_token_hash_key', message = 'refused'; end $$`.execute(db)
    await sql`create trigger refuse before update on users for each row execute function refuse()`.execute(db)

    const saved = await call('PUT', '/api/user/setting', { accept_unset_model_ratio_model: true })
    const token = await call('GET', '/api/user/token')
    await sql`drop trigger refuse on users`.execute(db)

    expect([saved.status, saved.body]).toEqual([200, { success: false, message: '更新设置失败: 23505' }])
    expect([token.status, token.body]).toEqual([200, { success: false, message: '请重试，系统生成的 UUID 竟然重复了！' }])
    expect(await ownSetting(call)).toEqual({ custom: 1 })
  })

  it('seals the secret of a webhook and never answers it; a blank one keeps it', async () => {
    const { id, call } = await aPerson()
    const hook = { notify_type: 'webhook', webhook_url: 'https://hooks.example/x', webhook_secret: 'very-secret' }
    expect((await call('PUT', '/api/user/setting', hook)).body.success).toBe(true)
    expect((await call('PUT', '/api/user/setting', { ...hook, webhook_secret: '' })).body.success).toBe(true)
    expect(await ownSetting(call)).toEqual({
      notify_type: 'webhook',
      webhook_url: 'https://hooks.example/x',
      webhook_secret: '',
      webhook_secret_set: true,
    })
    const { setting } = await test.database.db.selectFrom('users').select('setting').where('id', '=', id).executeTakeFirstOrThrow()
    expect(setting).not.toContain('very-secret')
    const { webhook_secret } = JSON.parse(setting) as { webhook_secret: string } // written by the call above
    expect(test.deps.sealers.options.unseal(webhook_secret, sealedBy.webhookSecret(id))).toBe('very-secret')
    const audit = await test.database.db.selectFrom('audit_entries').select('changes').where('actor_id', '=', id).execute()
    expect(JSON.stringify(audit)).not.toContain('very-secret')
  })

  it.each([
    ['an unknown way', { notify_type: 'pigeon' }, '无效的预警类型', 'notify_type'],
    ['a threshold of 0', { quota_warning_threshold: 0 }, '预警阈值必须大于0', 'quota_warning_threshold'],
    ['a webhook without an address', { notify_type: 'webhook' }, 'Webhook地址不能为空', 'webhook_url'],
    ['a webhook over http', { notify_type: 'webhook', webhook_url: 'http://hooks.example' }, '无效的Webhook地址', 'webhook_url'],
    ['a webhook that is no address', { notify_type: 'webhook', webhook_url: 'hooks' }, '无效的Webhook地址', 'webhook_url'],
    ['a mail address without @', { notify_type: 'email', notification_email: 'nobody' }, '无效的邮箱地址', undefined],
  ])('refuses %s', async (_why, body, message, field) => {
    const { call } = await aPerson()
    expect((await call('PUT', '/api/user/setting', body)).body).toEqual({ success: false, message, field })
    expect(await ownSetting(call)).toBe('')
  })

  it('has one invite code from the first question on', async () => {
    const { call } = await aPerson()
    const codes = await Promise.all([1, 2, 3].map(async () => (await call('GET', '/api/user/aff')).body.data))
    expect(new Set(codes).size).toBe(1)
    expect(codes[0]).toMatch(/^\w{8}$/)
  })

  it('moves invite earnings to the balance exactly once, under parallel calls too', async () => {
    const { id, call } = await aPerson({ aff_quota: 3 * UNIT + 1 })
    const transfer = async (quota: number) => (await call('POST', '/api/user/aff_transfer', { quota })).body
    expect(await transfer(UNIT - 1)).toEqual({ success: false, message: '划转失败 转移额度最小为＄1.000000 额度！' })
    expect(await transfer(-UNIT)).toMatchObject({ success: false })
    const answers = await Promise.all(Array.from({ length: 8 }, () => transfer(UNIT)))
    expect(answers.filter(({ success }) => success)).toEqual([1, 2, 3].map(() => ({ success: true, message: '划转成功' })))
    expect(new Set(answers.filter(({ success }) => !success).map(({ message }) => message))).toEqual(new Set(['划转失败 邀请额度不足！']))
    expect((await call('GET', '/api/user/self')).body.data).toMatchObject({ quota: 3 * UNIT, aff_quota: 1 })
    const entries = await test.database.db.selectFrom('wallet_entries').select(['kind', 'amount']).where('user_id', '=', id).execute()
    expect(entries).toEqual([1, 2, 3].map(() => ({ kind: 'transfer', amount: UNIT })))
  })

  it('deletes the account: the browser is signed out, other sessions end, the password signs in no more', async () => {
    const { id, username, call } = await aPerson()
    const other = await test.signIn(username, PASSWORD)
    const { body, headers } = await call('DELETE', '/api/user/self')
    expect(body).toEqual({ success: true, message: '' })
    expect(headers.getSetCookie()[0]).toMatch(/^session=;.*Max-Age=0/)
    expect([(await call('GET', '/api/user/self')).status, (await other('GET', '/api/user/self')).status]).toEqual([401, 401])
    expect((await test.guest('POST', '/api/user/login', { username, password: PASSWORD })).body.success).toBe(false)
    const [entry] = await test.database.db.selectFrom('audit_entries').selectAll().where('actor_id', '=', id).execute()
    expect(entry).toMatchObject({ action: 'delete', resource_id: String(id) })
  })

  it('keeps root', async () => {
    expect((await root('DELETE', '/api/user/self')).body.message).toBe('不能删除超级管理员账户')
    expect((await root('GET', '/api/user/self')).body.success).toBe(true)
  })
})
