import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-good-password'

describe('the first token of a new account, with GENERATE_DEFAULT_TOKEN', () => {
  let test: TestApp
  beforeAll(async () => {
    test = await createTestApp({ GENERATE_DEFAULT_TOKEN: 'true' })
    await test.setUp()
  })
  afterAll(() => test.stop())

  const register = (username: string) => test.guest('POST', '/api/user/register', { username, password: PASSWORD })

  it('is named after the account, never expires and has no limit', async () => {
    expect((await register('lin')).body).toEqual({ success: true, message: '' })

    const call = await test.signIn('lin', PASSWORD)
    expect((await call('GET', '/api/token/?p=0&size=10')).body.data).toMatchObject([
      { name: 'lin的初始令牌', status: 1, expired_time: -1, unlimited_quota: true, remain_quota: 500_000 },
    ])
  })

  it('is made with the account or not at all, and the refusal says so', async () => {
    const { db } = test.deps
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(db)
    await sql`create trigger refuse before insert on tokens for each row execute function refuse()`.execute(db)

    const { status, body } = await register('wang')
    await sql`drop trigger refuse on tokens`.execute(db)

    expect([status, body]).toEqual([200, { success: false, message: '创建默认令牌失败' }])
    expect((await register('wang')).body.success).toBe(true)
  })
})
