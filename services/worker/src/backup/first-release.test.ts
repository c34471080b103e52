import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDb, type Db } from '@tollgate/db/connect'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { limitsOf, verifyLedger } from '../verify/verify.ts'
import { checkBackup, loadBackup } from './read-backup.ts'

/** A backup that the code of 1.0.0-rc.1 wrote of its demo data, with four requests a day and an empty outbox, as a running one has. */
const BACKUP = join(import.meta.dirname, '__fixtures__/rc1')

const columnsOf = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable as column from information_schema.columns
    where table_schema = 'public' and table_name not similar to '%_[0-9]{4}_?[0-9]{2}' order by 1`.execute(db)
  return rows.map(({ column }) => column)
}

describe('a database of the first release', () => {
  let fresh: TestDatabase
  let db: Db
  let server: TestRedis
  let redis: Redis
  const name = `rc1_${process.pid}`
  beforeAll(async () => {
    fresh = await createTestDatabase()
    await sql.raw(`create database ${name}`).execute(fresh.db)
    const url = fresh.url.replace(/\/[^/]+$/, `/${name}`)
    server = await startTestRedis()
    redis = connectRedis(server.url, 'plain')
    await loadBackup(url, BACKUP, await checkBackup(BACKUP))
    db = connectDb({ url, max: 4 })
  })
  afterAll(async () => {
    await db.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(fresh.db)
    redis.disconnect()
    await server.stop()
    await fresh.drop()
  })

  it('has the tables and columns of a new one once it is migrated', async () => {
    expect(await columnsOf(db)).toEqual(await columnsOf(fresh.db))
  })

  it('keeps its rows, and every sum of its ledger agrees', async () => {
    const manifest = await checkBackup(BACKUP)
    const limits = limitsOf({ SHARDS: 8, MAX_HOLD_AGE: 3600, MAX_POSTING_LAG: 60 })
    const { verdict } = await verifyLedger({ db, redis, limits, sample: undefined, signal: new AbortController().signal })
    const rowsOf = (table: string) => manifest.tables.find((one) => one.name === table)?.rows
    const count = async (table: 'users' | 'tokens' | 'channels' | 'logs' | 'tasks') =>
      Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)

    expect(manifest).toMatchObject({ version: '1.0.0-rc.1', migration: '0001-initial' })
    for (const table of ['users', 'tokens', 'channels', 'logs', 'tasks'] as const) expect(await count(table)).toBe(rowsOf(table))
    expect(verdict).toMatchObject({ differences: 0, facts: { lost_events: 0 } })
  })
})
