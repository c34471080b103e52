import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { connectDb, type Db } from './connect.ts'
import { migrate, migrateTo } from './migrate.ts'
import { compareChannels, compareSpent, compareTokenUse } from './queries/ledger/verify.ts'

/** The names of the files in `migrations`: one that is not in the list of migrate.ts fails the test. */
async function migrationFiles(): Promise<string[]> {
  const files = await readdir(join(import.meta.dirname, 'migrations'))
  return files.map((file) => file.replace(/[.]ts$/, '')).toSorted()
}

/** SHA-256 of the text of 0001-initial.ts as 1.0.0-rc.1 has it: databases were made by it, so a change of the schema is a new migration. */
const INITIAL = '0d12904b7245f3a7167864d3e77fcf17013a160558922721ab7c702c6e67c138'

describe('migrate', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())

  /** A database that was migrated to this migration. */
  async function createPast(migration: string) {
    const name = `past_${randomBytes(6).toString('hex')}`
    await sql.raw(`create database ${name}`).execute(test.db)
    const url = test.url.replace(/\/[^/]+$/, `/${name}`)
    const db = connectDb({ url, max: 1 })
    await migrateTo(db, migration)
    const drop = async () => {
      await db.destroy()
      await sql.raw(`drop database ${name} with (force)`).execute(test.db)
    }
    return { db, url, drop }
  }

  async function countWaiting(db: Db): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and not l.granted`.execute(db)
    return rows[0]?.n ?? 0
  }

  it('begins with the migration of the first release, unchanged', async () => {
    const text = await readFile(join(import.meta.dirname, 'migrations/0001-initial.ts'))

    expect(createHash('sha256').update(text).digest('hex')).toBe(INITIAL)
  })

  it('brings an empty database to the newest schema', async () => {
    const name = `empty_${test.url.split('_').at(-1)}`
    await sql.raw(`create database ${name}`).execute(test.db)
    const empty = connectDb({ url: test.url.replace(/\/[^/]+$/, `/${name}`), max: 1 })

    expect(await migrate(empty)).toEqual(await migrationFiles())
    expect(await empty.selectFrom('snapshot_versions').select('version').execute()).toEqual([{ version: 1 }])
    await empty.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
  })

  it('takes the refunds of the past out of every sum of use', async () => {
    const name = `past_${test.url.split('_').at(-1)}`
    await sql.raw(`create database ${name}`).execute(test.db)
    const past = connectDb({ url: test.url.replace(/\/[^/]+$/, `/${name}`), max: 1 })
    await migrateTo(past, '0002-bonus-claims')
    await sql
      .raw(`
      insert into users (id, shard, username, credited, spent, created_at) values (1, 0, 'ann', 1020, 50, 1);
      insert into tokens (id, user_id, name, key_hash, key_sealed, key_head, key_tail, used_quota, charged, created_time)
        values (2, 1, 'ci', 'h', '', '', '', 50, 50, 1);
      insert into channel_usage (channel_id, shard, used_quota, requests) values (3, 1, 50, 2);
      insert into tasks (task_id, family, user_id, token_id, channel_id, model, request_id, state, quota, refunded, is_posted, submit_time, deadline)
        values ('t', 'suno', 1, 2, 3, 'm', 'r', 'failure', 20, 20, true, 1, 1);
      insert into logs (created_at, type, user_id, "group", token_name, request_id, state, quota) values (7000, 2, 1, 'vip', 'ci', 'r', 'settled', 20);
      insert into wallet_entries (user_id, kind, amount, reference, created_at)
        values (1, 'opening', 1000, 'o', 1), (1, 'refund', 20, 'task:t:failure', 7300);
      insert into usage_hours (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, requests, quota, token_quota)
        values (3600, 1, 2, 3, 'm', 'vip', 'ci', 2, 2, 50, 50);
      insert into usage_rollup_periods (unit, start, state) values ('hour', 7200, 'rolled-up'), ('day', 0, 'rolled-up'), ('hour', 3600, 'rolled-up');
    `)
      .execute(past)

    await migrate(past)

    expect(await past.selectFrom('users').select(['credited', 'spent', 'refunded']).execute()).toEqual([
      { credited: 1020, spent: 50, refunded: 20 },
    ])
    expect(await past.selectFrom('tokens').select(['used_quota', 'charged']).execute()).toEqual([{ used_quota: 30, charged: 50 }])
    expect(await compareSpent(past)).toMatchObject({ compared: 1, differences: 0 })
    expect(await compareTokenUse(past)).toMatchObject({ differences: 0 })
    expect(await compareChannels(past)).toMatchObject({ compared: 1, differences: 0 })
    expect(
      await past.selectFrom('usage_hours').select(['hour', 'group', 'token_name', 'quota', 'requests']).orderBy('hour').execute(),
    ).toEqual([
      { hour: 3600, group: 'vip', token_name: 'ci', quota: 50, requests: 2 },
      { hour: 7200, group: 'vip', token_name: 'ci', quota: -20, requests: 0 },
    ])
    const open = await past
      .selectFrom('usage_rollup_periods')
      .select(['unit', 'start'])
      .where('state', '=', 'open')
      .orderBy('unit')
      .execute()
    expect(open).toEqual([
      { unit: 'day', start: 0 },
      { unit: 'hour', start: 7200 },
    ])
    await past.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
  })

  it('changes nothing in a database that is up to date', async () => {
    await test.db.insertInto('users').values({ shard: 1, username: 'kept', created_at: 1 }).execute()

    expect(await migrate(test.db)).toEqual([])
    expect(await test.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'kept' }])
  })

  it('lets services go on while a reader keeps the lock that it needs, and runs when the reader ends', async () => {
    const past = await createPast('0004-deferred-pieces')
    await sql`insert into users (id, shard, username, created_at) values (1, 0, 'root', 1)`.execute(past.db)
    const [reader, writer] = [connectDb({ url: past.url, max: 1 }), connectDb({ url: past.url, max: 1 })]
    const { promise: isRead, resolve: endReading } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>()
    const reading = reader.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').execute()
      begin()
      await isRead
    })
    await hasBegun

    const migrating = migrate(past.db)
    await expect.poll(() => countWaiting(writer), { interval: 10 }).toBeGreaterThan(0)
    await sql`update users set display_name = 'served' where id = 1`.execute(writer)
    endReading()
    await reading

    expect((await migrating).at(0)).toBe('0005-task-refunds')
    await reader.destroy()
    await writer.destroy()
    await past.drop()
  })

  it('leaves kysely_migration as 1.0.0-rc.1 reads it, and the records of later versions alone', async () => {
    const past = await createPast('0003-waiting-deliveries')
    await sql`insert into kysely_migration select name, timestamp from kysely_migration_later`.execute(past.db)
    await sql`drop table kysely_migration_later`.execute(past.db)
    const namesOf = async (table: string) =>
      (await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(past.db)).rows.map(({ name }) => name)

    const ran = await migrate(past.db)
    await sql`insert into kysely_migration_later (name, timestamp) values ('9999-later', '')`.execute(past.db)

    expect(ran.at(0)).toBe('0004-deferred-pieces')
    expect(await migrate(past.db)).toEqual([])
    expect(await namesOf('kysely_migration')).toEqual(['0001-initial'])
    expect(await namesOf('kysely_migration_later')).toEqual([...(await migrationFiles()).slice(1), '9999-later'])
    await past.drop()
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

  it('keeps the default prices of 1.0.0-rc.1 for an installation that was set up with it, and its own prices', async () => {
    const name = `prices_${test.url.split('_').at(-1)}`
    await sql.raw(`create database ${name}`).execute(test.db)
    const past = connectDb({ url: test.url.replace(/\/[^/]+$/, `/${name}`), max: 1 })
    await migrateTo(past, '0007-batch-usage')
    await sql
      .raw(`
      insert into users (id, shard, username, created_at) values (1, 0, 'root', 1);
      insert into options (key, value, updated_at) values ('CacheRatio', '{"m":0.3}', 5);
    `)
      .execute(past)

    await migrate(past)

    const options = await past.selectFrom('options').select(['key', 'value']).execute()
    const valueOf = (key: string): unknown => JSON.parse(options.find((option) => option.key === key)?.value ?? 'null')
    expect(valueOf('CacheRatio')).toEqual({ m: 0.3 })
    expect(valueOf('ModelRatio')).toMatchObject({ 'gpt-4o': 1.25, 'qwen-plus': 10 })
    expect(valueOf('CompletionRatio')).toEqual({ 'gpt-4-gizmo-*': 2, 'gpt-4o-gizmo-*': 3, 'gpt-4-all': 2, 'gpt-image-1': 8 })
    expect(valueOf('TierRatio')).toEqual({})
    await past.destroy()
    await sql.raw(`drop database ${name} with (force)`).execute(test.db)
  })
})
