import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const HOUR = 1_700_002_800
const DAY = 86_400

describe('usage by model and hour', () => {
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
    const used = { type: 2, user_id: linId, model_name: 'gpt-4o', quota: 7, prompt_tokens: 2, completion_tokens: 1 }
    await addLogRows(db, [
      { ...used, created_at: HOUR + 5 },
      { ...used, created_at: HOUR + 3599, token_name: 'another' },
      { ...used, created_at: HOUR + 60, user_id: 1 },
      { ...used, created_at: HOUR + 3600, model_name: 'gpt-5' },
      { ...used, created_at: HOUR + 70, type: 5 },
    ])
  })
  afterAll(() => test.stop())

  const range = `start_timestamp=${HOUR}&end_timestamp=${HOUR + DAY}`
  const asked = async (caller: Caller, path: string): Promise<unknown> => (await caller('GET', path)).body.data
  const datum = { id: 0, user_id: 0, username: '', model_name: 'gpt-4o', created_at: HOUR, token_used: 9, count: 3, quota: 21 }

  it('covers all users for an administrator', async () => {
    expect(await asked(root, `/api/data/?${range}`)).toEqual([
      datum,
      { ...datum, model_name: 'gpt-5', created_at: HOUR + 3600, token_used: 3, count: 1, quota: 7 },
    ])
    expect(await asked(root, `/api/data/?start_timestamp=${HOUR + 1}&end_timestamp=${HOUR + 3600}`)).toHaveLength(1)
    expect(await asked(root, '/api/data/')).toEqual([])
  })

  it('covers one user when a name is given', async () => {
    const of = { ...datum, user_id: linId, username: 'lin', token_used: 6, count: 2, quota: 14 }
    expect(await asked(root, `/api/data/?${range}&username=lin`)).toMatchObject([of, { username: 'lin', model_name: 'gpt-5' }])
    expect(await asked(root, `/api/data/?${range}&username=unknown`)).toEqual([])
  })

  it('covers the caller for a user, and at most thirty days', async () => {
    expect(await asked(lin, `/api/data/self?${range}&username=root`)).toMatchObject([{ user_id: linId, count: 2 }, { user_id: linId }])
    expect((await lin('GET', `/api/data/self?start_timestamp=${HOUR}&end_timestamp=${HOUR + 30 * DAY}`)).body.success).toBe(true)
    expect((await lin('GET', `/api/data/self?start_timestamp=${HOUR}&end_timestamp=${HOUR + 30 * DAY + 1}`)).body.message).toBe(
      '时间跨度不能超过 1 个月',
    )
    expect((await lin('GET', `/api/data/?${range}`)).body.message).toBe('无权进行此操作，权限不足')
  })
})
