import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashTokenKey } from '@tollgate/config/sealing'
import type { Log } from '@tollgate/contracts/resources/logs'
import { createWalletEntry } from '@tollgate/db/queries/wallet/wallet'
import { holdTimers } from '@tollgate/testing/held-timers'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, ROOT, type Caller, type TestApp } from '../../../test/test-app.ts'
import { READER_TIMEOUT_S } from '../../long-answer.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const KEY = 'k'.repeat(48)

describe('files and calls of an API key', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let linId: number
  const now = Math.floor(Date.now() / 1000)
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const password_hash = await hashPassword('a-long-password')
    const user = { username: 'lin', password_hash, shard: 0, created_at: 1, credited: 1_000_000, spent: 250_000 }
    linId = (await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()).id
    lin = await test.signIn('lin', 'a-long-password')
    const token = { user_id: linId, name: 'mine', key_hash: hashTokenKey(KEY), key_sealed: '', key_head: '', key_tail: '', created_time: 1 }
    const { id: token_id } = await db
      .insertInto('tokens')
      .values({ ...token, granted: 500_000, charged: 100_000, unlimited_quota: false, expired_time: -1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = { type: 2, user_id: linId, username: 'lin', token_id, token_name: 'mine', model_name: 'gpt-4o', quota: 5, channel_id: 7 }
    await addLogRows(
      db,
      Array.from({ length: 2500 }, (_, at) => ({ ...row, created_at: now - Math.floor(at / 3), request_id: `r${at}` })),
    )
    await addLogRows(db, [{ created_at: now, type: 1, user_id: 1, username: 'root', content: '=cmd|"x",\n2' }])
    await db.transaction().execute(async (tx) => {
      const entry = { actor_id: 1, now: now - 10 }
      await createWalletEntry(tx, { ...entry, user_id: linId, kind: 'redemption', amount: 1_000_000, reference: 'code-1', note: '' })
      await createWalletEntry(tx, { ...entry, user_id: 1, kind: 'admin', amount: -3, reference: 'a-1', note: '' })
      await createWalletEntry(tx, { ...entry, user_id: 1, kind: 'admin', amount: 999_999_999_999_999, reference: 'a-2', note: '' })
    })
  })
  afterAll(() => test.stop())

  const linesOf = (text: string): string[] => text.trimEnd().split('\r\n')
  const file = async (caller: Caller, path: string) => linesOf((await caller('GET', path)).body.message)

  it('say what happened to an account in the language of the caller', async () => {
    const content = '新用户注册赠送 ＄0.200000 额度'
    await addLogRows(test.database.db, [{ created_at: now - 60, type: 4, user_id: 1, username: 'root', content }])
    const lastCell = async (language: string): Promise<string | undefined> => {
      const path = '/api/log/export?username=root&type=4'
      const { body } = await root('GET', path, undefined, { 'Accept-Language': language })
      return linesOf(body.message).at(-1)?.split(',').at(-1)
    }

    expect([await lastCell('en'), await lastCell('zh')]).toEqual(['$0.20 for signing up', content])
  })

  it.each([
    ['模型倍率 1.25，补全倍率 4.00，分组倍率 0.075', 'Model 1.25, completion 4.00, group 0.075'],
    ['模型价格 0.02，分组倍率 1.00，大小 1024x1024, 品质 hd', 'Model price 0.02, group 1.00, size 1024x1024, quality hd'],
    [
      '模型倍率 1.00，补全倍率 1.00，分组倍率 1.00，Web Search 调用 2 次，上下文大小 low，调用花费 10',
      'Model 1.00, completion 1.00, group 1.00, Web Search calls: 2, context size low, cost 10',
    ],
    [
      '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00（可能是上游超时）',
      'Model 1.25, completion 4.00, group 1.00 (perhaps upstream timed out)',
    ],
    ['模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE', 'Fixed price 0.10, group 1.00, action IMAGINE'],
    ['一句别的话', '一句别的话'],
  ])('say the price %s in the language of the caller', async (content, english) => {
    const token_name = 'priced'
    await addLogRows(test.database.db, [{ created_at: now - 70, type: 2, user_id: 1, username: 'root', token_name, content }])
    const read = async (language: string): Promise<string> =>
      (await root('GET', '/api/log/export?token_name=priced', undefined, { 'Accept-Language': language })).body.message

    expect(await read('en')).toContain(english)
    expect(await read('zh')).toContain(content)
    await test.database.db.deleteFrom('logs').where('token_name', '=', token_name).execute()
  })

  it('say why a request failed in the language of the caller, and what a vendor wrote as it is', async () => {
    const token_name = 'failed'
    const row = { created_at: now - 70, type: 5, user_id: 1, username: 'root', token_name }
    await addLogRows(test.database.db, [
      { ...row, content: '上游失败' },
      { ...row, content: '余额不足 (vendor)' },
    ])
    const { message } = (await root('GET', '/api/log/export?token_name=failed', undefined, { 'Accept-Language': 'en' })).body
    expect(message).toContain('upstream failed')
    expect(message).toContain('余额不足 (vendor)')
    await test.database.db.deleteFrom('logs').where('token_name', '=', token_name).execute()
  })

  it('have every matching entry once, newest first, over several pages', async () => {
    const [head = '', ...lines] = await file(root, '/api/log/export?username=lin')

    expect(head.split(',')).toEqual(expect.arrayContaining(['time', 'username', 'channel', 'usd', 'request_id']))
    const at = head.split(',').indexOf('request_id')
    expect(new Set(lines.map((line) => line.split(',')[at]))).toHaveProperty('size', 2500)
    expect(lines.map((line) => line.slice(0, 24))).toEqual(
      lines
        .map((line) => line.slice(0, 24))
        .toSorted()
        .toReversed(),
    )
  })

  it('keep a text from becoming a formula or another cell', async () => {
    const text = (await root('GET', '/api/log/export?type=1')).body.message.trimEnd()

    expect(text.endsWith(`"'=cmd|""x"",\n2"`)).toBe(true)
  })

  it('show a user own entries only, without channels', async () => {
    const [head = '', ...lines] = await file(lin, '/api/log/self/export?username=root')

    expect(head).not.toMatch(/channel|username/)
    expect(lines).toHaveLength(2500)
    expect((await lin('GET', '/api/log/export')).body.success).toBe(false)
  })

  it('have the wallet entries of a user, and of all users for root', async () => {
    const own = await file(lin, '/api/user/wallet/export')
    const all = await file(root, '/api/user/wallets/export')

    expect(own).toHaveLength(2)
    expect(own[1]).toContain(`,${linId},lin,redemption,1000000,2,code-1,`)
    expect(all.filter((line) => /,(redemption|admin),/.test(line))).toHaveLength(3)
    expect((await lin('GET', '/api/user/wallets/export')).body.success).toBe(false)
  })

  it('write amounts as plain decimals, exactly', async () => {
    const all = await file(root, '/api/user/wallets/export')

    expect(all.some((line) => line.includes(',admin,-3,-0.000006,a-1,'))).toBe(true)
    expect(all.some((line) => line.includes(',admin,999999999999999,1999999999.999998,a-2,'))).toBe(true)
  })

  it('give a user all own data as lines, without keys and channels, and to no other', async () => {
    const text = (await lin('GET', '/api/user/self/export')).body.message
    const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { record: string }])) // a line has its kind
    const kinds = Map.groupBy(lines, ({ record }) => record)

    expect(kinds.get('profile')).toMatchObject([{ id: linId, username: 'lin' }])
    expect(kinds.get('token')).toMatchObject([{ name: 'mine' }])
    expect(kinds.get('wallet-entry')).toMatchObject([{ user_id: linId, amount: 1_000_000 }])
    expect(kinds.get('log')).toHaveLength(2500)
    expect(text).not.toMatch(/"key":|argon2|"username":"root"|"channel":7/)
    expect((await test.guest('GET', '/api/user/self/export')).body.success).toBe(false)
  })

  const openAs = async (username: string, password: string) => {
    const { headers, body } = await test.guest('POST', '/api/user/login', { username, password })
    const cookie = headers.getSetCookie().map((line) => line.split(';')[0])
    const { id } = body.data as { id: number } // the answer of a sign-in
    return () => test.app.request('/api/log/self/export', { headers: { cookie: cookie.join('; '), 'New-Api-User': String(id) } })
  }

  it('are bounded per user, and a client that leaves frees its place', async () => {
    const open = await openAs('lin', 'a-long-password')
    const files = await Promise.all([1, 2].map(async () => await open()))
    const refused = await open()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    const other = await (await openAs(ROOT.username, ROOT.password))()
    expect(other.status).toBe(200)

    await Promise.all([...files, other].map(async (response) => await response.body?.cancel()))
    const again = await open()
    expect(again.status).toBe(200)
    await again.body?.cancel()
  })

  it('end when their reader takes nothing for a minute, and free their place', async () => {
    const open = await openAs('lin', 'a-long-password')
    const timers = holdTimers(READER_TIMEOUT_S * 1000)
    try {
      const files = await Promise.all([1, 2].map(async () => await open()))
      const readers = files.map(({ body }) => body?.getReader())
      await readers[0]?.read()
      timers.advance(59_000)
      await readers[0]?.read()
      timers.advance(1000)

      await expect(readers[1]?.read()).rejects.toThrow('reader')
      expect(await readers[0]?.read()).toMatchObject({ done: false })
      const next = await open()
      expect(next.status).toBe(200)
      await next.body?.cancel()
      await readers[0]?.cancel()
    } finally {
      timers.restore()
    }
  })

  describe('with an API key', () => {
    const withKey = (path: string, key = `sk-${KEY}`) => test.app.request(path, { headers: { authorization: `Bearer ${key}` } })

    it('lists the entries of that key, without channels', async () => {
      const body = (await (await withKey('/api/log/token?page_size=3&p=2')).json()) as { success: boolean; data: Log[] } // the declared shape

      expect(body.success).toBe(true)
      expect(body.data).toHaveLength(3)
      expect(body.data[0]).toMatchObject({ token_name: 'mine', channel: 0, channel_name: '' })
      expect(await (await withKey('/api/log/token', 'sk-unknown')).json()).toMatchObject({ success: false })
    })

    it('shows nothing to addresses that the key does not allow', async () => {
      const set = (allow_ips: string) => test.database.db.updateTable('tokens').set({ allow_ips }).where('name', '=', 'mine').execute()
      await set('10.0.0.0/8')
      const refused = (await (await withKey('/api/log/token')).json()) as { success: boolean } // the envelope
      await set('127.0.0.0/8\n10.0.0.0/8')
      const allowed = (await (await withKey('/api/log/token')).json()) as { success: boolean } // the envelope
      await set('')

      expect([refused.success, allowed.success]).toEqual([false, true])
    })

    it('shows its quota as new-api does', async () => {
      const answer = await withKey('/api/usage/token/')

      expect([answer.status, await answer.json()]).toEqual([
        200,
        {
          code: true,
          message: 'ok',
          data: {
            object: 'token_usage',
            name: 'mine',
            total_granted: expect.any(Number),
            total_used: expect.any(Number),
            total_available: expect.any(Number),
            unlimited_quota: expect.any(Boolean),
            model_limits: {},
            model_limits_enabled: false,
            expires_at: 0,
          },
        },
      ])
      expect(await (await withKey('/api/usage/token', 'sk-unknown')).json()).toMatchObject({ success: false })
    })

    it.each(['/v1/dashboard/billing', '/dashboard/billing'])(
      'shows its balance in the shape that earlier clients read: %s',
      async (prefix) => {
        expect(await (await withKey(`${prefix}/subscription`, KEY)).json()).toEqual({
          object: 'billing_subscription',
          has_payment_method: true,
          soft_limit_usd: 1,
          hard_limit_usd: 1,
          system_hard_limit_usd: 1,
          access_until: 0,
        })
        expect(await (await withKey(`${prefix}/usage?start_date=2026-01-01&end_date=2026-02-01`)).json()).toEqual({
          object: 'list',
          total_usage: 20,
        })
      },
    )
  })

  it('counts what a deletion would take before it is ordered, and lists its progress', async () => {
    const before = now - 500
    const { data: count } = (await root('GET', `/api/log/clearings/count?target_timestamp=${before}`)).body
    const rows = await test.database.db.selectFrom('logs').select('id').where('created_at', '<', before).execute()
    expect(count).toBe(rows.length)

    const { body } = await root('POST', '/api/log/clearings', { target_timestamp: before })
    expect(body.data).toMatchObject({ before, total: rows.length, removed: 0, finished_at: 0, requested_by: 'root' })
    expect((await root('GET', '/api/log/clearings')).body.data).toEqual([body.data])
    expect((await root('POST', '/api/log/clearings', { target_timestamp: 0 })).body.message).toBe('target timestamp is required')
    const audited = await test.database.db.selectFrom('audit_entries').select('changes').where('resource', '=', 'log').execute()
    expect(JSON.stringify(audited)).toContain(String(before))
  })
})
