import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { createTestApp, type Caller, type TestApp } from '../test/test-app.ts'

describe('heavy reads', () => {
  let test: TestApp
  let root: Caller
  let [lin, mei]: Caller[] = []
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    for (const username of ['lin', 'mei'])
      await root('POST', '/api/user/', { username, password: 'a-long-password', display_name: username })
    lin = await test.signIn('lin', 'a-long-password')
    mei = await test.signIn('mei', 'a-long-password')
  })
  afterAll(() => test.stop())

  const call = (caller: Caller | undefined, path: string) => {
    if (caller === undefined) throw new Error('the user is not signed in')
    return caller('GET', path)
  }

  it('of one user run two at a time, and stop neither other users nor sign-ins, tokens and balances', async () => {
    const { heavyReads } = test.deps.budgets
    const lock = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const locking = test.database.db.transaction().execute(async (tx) => {
      await sql`lock table logs in access exclusive mode`.execute(tx)
      isLocked.resolve()
      await lock.promise
    })
    await isLocked.promise

    const reads = Array.from({ length: 13 }, () => call(lin, '/api/log/self?session=s'))
    const refused = await Promise.race(reads.map(async (read) => await read))
    expect([refused.status, refused.headers.get('retry-after'), refused.body.success]).toEqual([429, '2', false])
    await vi.waitFor(() => expect(heavyReads.used).toBe(2))

    await test.signIn('mei', 'a-long-password')
    expect((await call(mei, '/api/user/self')).body.success).toBe(true)
    expect((await call(lin, '/api/token/')).body.success).toBe(true)
    const other = call(mei, '/api/log/self?session=s')
    await vi.waitFor(() => expect(heavyReads.used).toBe(3))

    lock.resolve()
    await locking
    const answers = await Promise.all(reads)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.success)).toHaveLength(12)
    expect((await other).body.success).toBe(true)
    expect(heavyReads.used).toBe(0)
  })
})
