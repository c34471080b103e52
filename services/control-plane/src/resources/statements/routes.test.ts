import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Statement, WalletEntry } from '@tollgate/contracts/resources/statements'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const PASSWORD = 'a-long-password'
const at = (text: string): number => Date.parse(`${text}Z`) / 1000

describe('wallet entries and statements', () => {
  let test: TestApp
  let root: Caller
  let lin: Caller
  let id = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const { db } = test.database
    const person = { username: 'lin', shard: 0, created_at: 1, password_hash: await hashPassword(PASSWORD) }
    id = (await db.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow()).id
    lin = await test.signIn('lin', PASSWORD)
    const credit = (amount: number, reference: string, now: number) =>
      db.transaction().execute((tx) => creditWallet(tx, { user_id: id, kind: 'admin', amount, reference, actor: 1, note: reference, now }))
    await credit(1000, 'before', at('2026-09-30T23:59:59'))
    await credit(500, 'october', at('2026-10-10T12:00:00'))
    await credit(-100, 'november', at('2026-11-01T00:00:00'))
    const used = { type: 2, user_id: id, model_name: 'm', prompt_tokens: 1, completion_tokens: 1 }
    await addLogRows(db, [
      { ...used, quota: 7, created_at: at('2026-09-30T23:00:00') },
      { ...used, quota: 20, created_at: at('2026-10-10T13:00:00') },
      { ...used, quota: 30, created_at: at('2026-10-10T23:30:00') },
      // A failed request is free, and the account's counter does not have it either.
      { ...used, type: 5, quota: 0, created_at: at('2026-10-10T23:40:00') },
      { ...used, quota: 3, created_at: at('2026-11-02T00:00:00') },
    ])
    await db.updateTable('users').set({ spent: 60 }).where('id', '=', id).execute()
  })
  afterAll(() => test.stop())

  it('states a month: what was there, every entry, the usage of each day, and what is left', async () => {
    const { body } = await lin('GET', '/api/user/wallet/statement?month=2026-10')
    expect(body.data).toEqual({
      month: '2026-10',
      opening: 993,
      closing: 1443,
      is_cut: false,
      lines: [
        { at: at('2026-10-10T12:00:00'), kind: 'admin', amount: 500, reference: 'october', note: 'october', requests: 0, balance: 1493 },
        { at: at('2026-10-10T23:59:59'), kind: 'usage', amount: -50, reference: '2026-10-10', note: '', requests: 2, balance: 1443 },
      ],
    })
    const next = (await lin('GET', '/api/user/wallet/statement?month=2026-11')).body.data as Statement // the contract's shape
    expect([next.opening, next.closing]).toEqual([1443, 1340])
    expect((await lin('GET', '/api/user/wallet/statement?month=2026-1')).body.message).toBe('无效的参数')
  })

  it('lists the entries, newest first, without the administrator behind them', async () => {
    const { items, total } = (await lin('GET', '/api/user/wallet/entries?p=1&page_size=2')).body.data as {
      items: WalletEntry[]
      total: number
    } // shape: contract
    expect([total, items.map(({ reference }) => reference)]).toEqual([3, ['november', 'october']])
    expect(JSON.stringify(items)).not.toContain('actor')
  })

  it('shows an administrator those of users below', async () => {
    const page = (await root('GET', `/api/user/${id}/wallet/entries`)).body.data as { total: number } // shape: contract
    expect(page.total).toBe(3)
    expect((await root('GET', `/api/user/${id}/wallet/statement?month=2026-10`)).body.data).toMatchObject({ closing: 1443 })
    await test.database.db.updateTable('users').set({ role: 10 }).where('username', '=', 'lin').execute()
    const admin = await test.signIn('lin', PASSWORD)
    expect((await admin('GET', '/api/user/1/wallet/entries')).body.message).toBe('无权获取同级或更高等级用户的信息')
    expect((await admin('GET', '/api/user/1/wallet/statement')).body.message).toBe('无权获取同级或更高等级用户的信息')
  })
})
