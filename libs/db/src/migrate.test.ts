import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { migrate } from './migrate.ts'

describe('migrate', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  it('runs nothing on a database that is up to date', async () => {
    expect(await migrate(test.db)).toEqual([])
  })

  it('reads int8 as a safe integer and refuses what it cannot hold', async () => {
    const { rows } = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(test.db)
    expect(rows[0]?.n).toBe(9007199254740991)

    await expect(sql`select 9007199254740993::bigint as n`.execute(test.db)).rejects.toThrow('beyond')
  })
})
