import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpendAlert } from '@tollgate/contracts/resources/spend-alerts'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

describe('spend alerts', () => {
  let test: TestApp
  let lin: Caller
  let other: Caller
  let id = 0
  let token_id = 0
  beforeAll(async () => {
    test = await createTestApp()
    await test.setUp()
    const { db } = test.database
    const person = { shard: 0, created_at: 1, password_hash: await hashPassword('a-long-password') }
    const add = (username: string) =>
      db
        .insertInto('users')
        .values({ ...person, username })
        .returning('id')
        .executeTakeFirstOrThrow()
    id = (await add('lin')).id
    await add('other')
    lin = await test.signIn('lin', 'a-long-password')
    other = await test.signIn('other', 'a-long-password')
    const token = { user_id: id, name: 'ci', key_hash: 'x', key_sealed: '', key_head: '', key_tail: '', created_time: 1 }
    token_id = (await db.insertInto('tokens').values(token).returning('id').executeTakeFirstOrThrow()).id
    const created_at = Math.floor(Date.now() / 1000)
    const used = { type: 2, user_id: id, model_name: 'm', created_at }
    await addLogRows(db, [
      { ...used, quota: 30, token_id, token_name: 'ci' },
      { ...used, quota: 12 },
    ])
  })
  afterAll(() => test.stop())

  const PATH = '/api/user/wallet/alerts'
  const list = async (caller = lin) => (await caller('GET', PATH)).body.data as SpendAlert[] // the contract's shape

  it('are set for the account and for own tokens, with what was spent so far', async () => {
    await lin('PUT', PATH, { period: 'month', threshold: 100 })
    await lin('PUT', PATH, { token_id, period: 'day', threshold: 50 })
    await lin('PUT', PATH, { token_id, period: 'day', threshold: 60 })

    expect(await list()).toMatchObject([
      { token_id: 0, token_name: '', period: 'month', threshold: 100, spent: 42, notified_at: 0, told_at: 0 },
      { token_id, token_name: 'ci', period: 'day', threshold: 60, spent: 30, notified_at: 0, told_at: 0 },
    ])
  })

  it('are refused without a threshold, for tokens of others, and beyond fifty', async () => {
    expect((await lin('PUT', PATH, { period: 'day', threshold: 0 })).body.message).toBe('预警阈值必须大于0')
    expect((await other('PUT', PATH, { token_id, period: 'day', threshold: 5 })).body.message).toBe('record not found')
    expect((await lin('PUT', PATH, { period: 'year', threshold: 5 })).body.success).toBe(false)
    const rows = Array.from({ length: 50 }, (_, index) => ({ user_id: id, token_id: 1000 + index, period: 'week', threshold: 1 }))
    await test.database.db.insertInto('spend_alerts').values(rows).execute()
    expect((await lin('PUT', PATH, { period: 'day', threshold: 5 })).body.message).toBe('最多可以设置 50 个提醒')
    await test.database.db.deleteFrom('spend_alerts').where('token_id', '>=', 1000).execute()
  })

  it('are deleted by their owner only', async () => {
    const [alert] = await list()
    expect((await other('DELETE', `${PATH}/${alert?.id}`)).body.success).toBe(false)
    expect((await lin('DELETE', `${PATH}/${alert?.id}`)).body.success).toBe(true)
    expect(await list()).toHaveLength(1)
  })
})
