import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import type { Tx } from '../../connect.ts'
import { createAuditEntries } from './audit.ts'
import { findOption, listOptions, saveOption } from './options.ts'
import { createSetup, hasRootUser, isSetUp } from './setup.ts'
import { listUsernames } from '../users/usernames.ts'

describe('options, setup and audit', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  const inTransaction = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(run)

  it('stores an option once and overwrites it', async () => {
    await inTransaction((tx) => saveOption(tx, { key: 'RetryTimes', value: '1', is_sealed: false, updated_at: 5, updated_by: 1 }))
    await inTransaction((tx) => saveOption(tx, { key: 'RetryTimes', value: '2', is_sealed: false, updated_at: 6, updated_by: 2 }))

    expect(await listOptions(test.db)).toEqual([{ key: 'RetryTimes', value: '2', is_sealed: false, updated_at: 6, updated_by: 2 }])
    expect(await findOption(test.db, 'RetryTimes')).toMatchObject({ value: '2' })
    expect(await findOption(test.db, 'Notice')).toBeUndefined()
  })

  it('sets up once', async () => {
    expect(await isSetUp(test.db)).toBe(false)
    expect(await inTransaction((tx) => createSetup(tx, { version: '1', initialized_at: 1 }))).toBe(true)
    expect(await inTransaction((tx) => createSetup(tx, { version: '1', initialized_at: 1 }))).toBe(false)
    expect(await isSetUp(test.db)).toBe(true)
  })

  it('finds a root user that is not deleted, and names of deleted users', async () => {
    expect(await hasRootUser(test.db)).toBe(false)
    const { id } = await test.db
      .insertInto('users')
      .values({ username: 'r', role: 100, shard: 0, created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await hasRootUser(test.db)).toBe(true)
    await test.db.updateTable('users').set({ deleted_at: new Date() }).execute()
    expect(await hasRootUser(test.db)).toBe(false)
    expect([...(await listUsernames(test.db, [id, id, 0]))]).toEqual([[id, 'r']])
    expect((await listUsernames(test.db, [])).size).toBe(0)
  })

  it('stores the changes of an audit entry as JSON, not as text in JSON', async () => {
    const by = { now: 9, actor_id: 1, actor_name: 'root', actor_role: 100, ip: '::1' }
    const changes = [{ field: 'value', before: '"', after: 'b' }]
    await inTransaction((tx) => createAuditEntries(tx, [{ ...by, action: 'update', resource: 'option', resource_id: 'K', changes }]))
    expect(await test.db.selectFrom('audit_entries').select(['created_at', 'changes']).execute()).toEqual([{ created_at: 9, changes }])
  })
})
