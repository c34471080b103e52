import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from '@tollgate/db/backup/dump'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { checkBackup, loadBackup } from './read-backup.ts'
import { waitUntilPosted } from './unposted.ts'
import { tableFile, writeBackup } from './write-backup.ts'

const FACTS = { created_at: '2026-11-23T16:00:00.000Z', shards: 8, unposted: 0 }
const NAME = 'tab\tline\nslash\\ 安娜 \\N'

describe('a backup', () => {
  let folder: string
  let source: TestDatabase
  let target: TestDatabase
  let server: TestRedis
  let redis: Redis
  const write = async (name: string): Promise<string> => {
    const dir = join(folder, name)
    await writeBackup({ url: source.url, dir, facts: FACTS, onTable: () => undefined })
    return dir
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
    source = await createTestDatabase()
    target = await createTestDatabase()
    server = await startTestRedis()
    redis = connectRedis(server.url, 'plain')
    await source.db.insertInto('users').values({ shard: 3, username: 'anna', display_name: NAME, created_at: 1, limits: null }).execute()
    await source.db.insertInto('logs').values({ created_at: 1_700_000_000, type: 2, content: NAME, state: 'settled' }).execute()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
    await source.drop()
    await target.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('gives back every character, and the next row gets the next id', async () => {
    // A month of the log that is on its way back from the archive.
    await sql`create table restoring_logs_202308 (like logs including all)`.execute(source.db)
    const dir = await write('whole')
    await loadBackup(target.url, dir, await checkBackup(dir))
    const user = await target.db.selectFrom('users').select(['id', 'display_name', 'limits']).executeTakeFirstOrThrow()
    const log = await target.db.selectFrom('logs').select('content').executeTakeFirstOrThrow()
    const next = await target.db
      .insertInto('users')
      .values({ shard: 1, username: 'ben', created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()

    expect(user).toMatchObject({ display_name: NAME, limits: null })
    expect(log.content).toBe(NAME)
    expect(next.id).toBe(user.id + 1)
  })

  it('continues with the next table when the end of one arrives while its reader lags behind', async () => {
    const [rows, bytes] = [10, 6600]
    // Backups leave views out.
    await sql`create view wide as select repeat('x', ${sql.lit(bytes)}) as text from generate_series(1, ${sql.lit(rows)})`.execute(
      source.db,
    )
    const read = await dumpDatabase(source.url, async ({ readRows }) => {
      const wide = await readRows({ name: 'wide', columns: ['text'] })
      // The last row fills the stream's buffer of 64 KiB, so the connection stops reading.
      await expect.poll(() => wide.readableLength).toBe(rows * (bytes + 1))
      return { wide: await text(wide), users: await text(await readRows({ name: 'users', columns: ['username'] })) }
    })

    expect(read.wide).toHaveLength(rows * (bytes + 1))
    expect(read.users).toBe('anna\n')
  })

  it('is not loaded into a database that has users', async () => {
    const dir = await write('again')

    await expect(loadBackup(target.url, dir, await checkBackup(dir))).rejects.toThrow('the database is in use')
  })

  it('is refused when a file is damaged, when it is incomplete, and when it comes from a newer version', async () => {
    const damaged = await write('damaged')
    await appendFile(tableFile(damaged, 'users'), 'x')
    const incomplete = await write('incomplete')
    await rm(join(incomplete, 'manifest.json'))
    const newer = await write('newer')
    const manifest = { ...(await checkBackup(newer)), migration: '9999-future' }
    await target.db.deleteFrom('users').execute()

    await expect(checkBackup(damaged)).rejects.toThrow('the rows of table users')
    await expect(checkBackup(incomplete)).rejects.toThrow('is not a complete backup')
    await expect(loadBackup(target.url, newer, manifest)).rejects.toThrow('comes from a newer version')
  })

  it('counts the events that Postgres does not have yet', async () => {
    const stores = { db: source.db, redis, shards: 8 }
    await redis.hset(keys.fence(2), 'n', 3)
    const before = await waitUntilPosted(stores, 0)
    const waiting = waitUntilPosted(stores, 10_000)
    await source.db.updateTable('posting_cursors').set({ last_n: 3 }).where('shard', '=', 2).execute()

    expect(before).toBe(3)
    expect(await waiting).toBe(0)
  })
})
