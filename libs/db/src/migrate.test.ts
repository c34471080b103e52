import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { connectDb } from './connect.ts'
import { migrate } from './migrate.ts'

/** The names of the files in `migrations`: one that is not in the list of migrate.ts fails the test. */
async function migrationFiles(): Promise<string[]> {
  const files = await readdir(join(import.meta.dirname, 'migrations'))
  return files.map((file) => file.replace(/[.]ts$/, '')).toSorted()
}

describe('migrate', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  it('brings an empty database to the newest schema', async () => {
    const name = `empty_${test.url.split('_').at(-1)}`
    await sql.raw(`create database ${name}`).execute(test.db)
    const empty = connectDb({ url: test.url.replace(/\/[^/]+$/, `/${name}`), max: 1 })

    expect(await migrate(empty)).toEqual(await migrationFiles())
    expect(await empty.selectFrom('snapshot_versions').select('version').execute()).toEqual([{ version: 1 }])
    await empty.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
  })

  it('changes nothing in a database that is up to date', async () => {
    await test.db.insertInto('users').values({ shard: 1, username: 'kept', created_at: 1 }).execute()

    expect(await migrate(test.db)).toEqual([])
    expect(await test.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'kept' }])
  })

  it('can run in two processes at once', async () => {
    const results = await Promise.all([migrate(test.db), migrate(test.db)])

    expect(results).toEqual([[], []])
  })

  it('reads int8 as a safe integer and rejects values beyond 2^53', async () => {
    const { rows } = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(test.db)
    expect(rows[0]?.n).toBe(9007199254740991)

    await expect(sql`select 9007199254740993::bigint as n`.execute(test.db)).rejects.toThrow('beyond')
  })
})
