import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql, type RawBuilder } from 'kysely'
import { countLostEvents, listRepairs } from '@tollgate/db/queries/ledger/repairs'
import { allShards } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { listOpenHolds } from '@tollgate/ledger/client/hold-store'
import { postShards } from '../posting/post-shards.ts'
import { anId, createTestbed, CREDITED, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from '../verify/verify.ts'

let testbed: Testbed
beforeEach(async () => {
  testbed = await createTestbed()
  await testbed.addUser(1)
  await testbed.addUser(2)
})
afterEach(() => testbed.close())

const ALL = allShards(SHARDS)
const post = () => postShards(testbed.posting, ALL)
/** Every sum agrees. Charges do not match their usage, because these tests choose them freely. */
const isSound = async (): Promise<void> => {
  await post()
  const { text } = await verifyLedger({
    db: testbed.db,
    redis: testbed.redis,
    limits: { shards: SHARDS, maxHoldAgeMs: 60_000, maxLagMs: 60_000 },
  })
  expect(text.split('\n').filter((line) => line.endsWith(' DIFFERENT') && !line.startsWith('charges: equal when priced again'))).toEqual([])
}

/** Saves the content of Redis; the returned function restores it, like a restart from an older file. */
async function rememberRedis(): Promise<() => Promise<void>> {
  const { redis } = testbed
  const names = await redis.keys('*')
  const dumps = await Promise.all(names.map((name) => redis.dumpBuffer(name)))
  return async () => {
    await redis.flushall()
    await redis.script('FLUSH')
    for (const [at, name] of names.entries()) await redis.restore(name, 0, dumps[at] ?? Buffer.alloc(0))
  }
}

const TABLES = ['posting_cursors', 'usage_keys', 'usage_hours', 'channel_usage', 'logs', 'users', 'tokens', 'wallet_entries'] as const

/** Saves the tables of posting; the returned function restores them, like a restored backup. */
async function rememberPostgres(): Promise<() => Promise<void>> {
  for (const table of TABLES) await sql`create table ${sql.table(`old_${table}`)} as select * from ${sql.table(table)}`.execute(testbed.db)
  return async () => {
    for (const table of TABLES) {
      const columns = await columnsOf(table)
      await sql`delete from ${sql.table(table)}`.execute(testbed.db)
      await sql`
        insert into ${sql.table(table)} (${columns}) overriding system value
        select ${columns} from ${sql.table(`old_${table}`)}`.execute(testbed.db)
    }
  }
}

/** All columns of a table but the generated ones. */
async function columnsOf(table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(testbed.db)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}

describe('a Redis that came back older', () => {
  it('charges nothing twice and loses no event that was posted or is sent again', async () => {
    await testbed.request(1, anId(), 10)
    const id = anId()
    const open = await testbed.reserve(1, id)
    await post()
    const putBack = await rememberRedis()
    await testbed.settle(1, id, 20, open)
    const swallowed = anId()
    const held = await testbed.reserve(1, swallowed)
    await post()
    await testbed.settle(1, swallowed, 30, held)
    await putBack()

    expect(await testbed.recover()).toBe('opened')

    // The relay sends the settlements of the last 10 s again.
    await testbed.warm(1)
    expect(await testbed.settle(1, id, 20, open)).toEqual({ kind: 'already' })
    expect(await testbed.settle(1, swallowed, 30, held)).toMatchObject({ kind: 'orphan' })
    await isSound()
    expect(await testbed.user(1)).toEqual({ spent: 60, request_count: 3 })
    expect(await testbed.token(1)).toMatchObject({ charged: 60 })
    expect(await testbed.recover()).toBe('open')
  })

  it('lets a late settlement correct the reaper’s charge, once', async () => {
    const id = anId()
    const held = await testbed.reserve(1, id)
    const putBack = await rememberRedis()
    const body = JSON.stringify({
      ...JSON.parse((await testbed.redis.hget(keys.pendingEvents(1), id)) ?? ''),
      by: 'reaper',
      state: 'estimated',
    })
    await testbed.admin.reap({
      shard: 1,
      request_id: id,
      user_id: 1,
      token_id: 1,
      relay_id: '22222222-2222-4222-8222-222222222222',
      charge: 25,
      body,
    })
    await post()
    await putBack()
    await testbed.recover()
    await testbed.warm(1)

    expect(await listOpenHolds(testbed.redis, 1)).toEqual([])
    expect(await testbed.settle(1, id, 40, held)).toMatchObject({ kind: 'late' })
    expect(await testbed.settle(1, id, 40, held)).toEqual({ kind: 'already' })

    await post()
    expect(await testbed.user(1)).toMatchObject({ spent: 40 })
  })

  it('gets the lost credit and versions again', async () => {
    const putBack = await rememberRedis()
    await testbed.db.updateTable('users').set({ credited: 5_000_000, wallet_version: 2, auth_version: 2 }).where('id', '=', 1).execute()
    await putBack()

    await testbed.recover()

    expect(await testbed.redis.hmget(keys.wallet(1, 1), 'credited', 'version', 'auth')).toEqual(['5000000', '2', '2'])
  })
})

describe('a Redis that came back empty', () => {
  it('continues past what was posted, and the repair reports what was lost', async () => {
    for (let at = 0; at < 5; at += 1) await testbed.request(1, anId(), 10)
    await post()
    const lost = anId()
    await testbed.request(1, lost, 10)
    await testbed.redis.flushall()
    await testbed.redis.script('FLUSH')

    expect(await testbed.recover()).toBe('opened')

    await testbed.warm(1)
    await testbed.warm(2)
    await testbed.request(1, anId(), 10)
    await isSound()
    expect(await testbed.user(1)).toEqual({ spent: 60, request_count: 6 })
    expect(await listRepairs(testbed.db, 9)).toEqual([
      expect.objectContaining({ shard: 1, redis_n: 0, posted_n: 5, restored_n: 5, missing: 0 }),
    ])
    expect(testbed.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('lets others hold the money of a charge that was not posted, until its relay sends it again', async () => {
    const id = anId()
    const forgotten = await testbed.reserve(1, id)
    await testbed.settle(1, id, 30, forgotten)
    await testbed.redis.flushall()
    await testbed.redis.script('FLUSH')
    await testbed.recover()
    await testbed.warm(1)
    const other = anId()
    const all = await testbed.reserve(1, other, { want: CREDITED })

    expect(await testbed.settle(1, id, 30, forgotten)).toMatchObject({ kind: 'orphan' })
    await testbed.settle(1, other, CREDITED, all)

    await isSound()
    expect(await testbed.user(1)).toEqual({ spent: CREDITED + 30, request_count: 2 })
  })

  it('continues stream ids that were ahead of the clock', async () => {
    await testbed.request(1, anId(), 10)
    const ahead = `${Date.now() + 3_600_000}-0`
    await testbed.redis.call('XSETID', keys.usage(1), ahead)
    await testbed.request(1, anId(), 10)
    await post()
    await testbed.redis.flushall()
    await testbed.redis.script('FLUSH')
    await testbed.recover()
    await testbed.warm(1)
    await testbed.warm(2)

    await testbed.request(1, anId(), 10)

    await isSound()
    expect(await testbed.user(1)).toMatchObject({ spent: 30 })
  })
})

describe('an event that relays remember and no store has', () => {
  it('is counted, logged and stored, once', async () => {
    await testbed.redis.hset(keys.fence(2), 'epoch', 1000, 'restored', 5)
    await testbed.redis.hset(keys.lostEvents(), { '2/1000/relay-a': '5/9/1', '2/1000/relay-b': '5/7/2' })

    await testbed.recover()
    await testbed.recover()

    expect(await listRepairs(testbed.db, 9)).toEqual([
      expect.objectContaining({ shard: 2, epoch: 1000, restored_n: 5, relay_n: 9, resent: 3, lost: 1 }),
    ])
    expect(testbed.lines.filter(({ text }) => text.includes('events lost'))).toEqual([
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ shard: 2, count: 1 }) }),
    ])
    expect(await countLostEvents(testbed.db)).toEqual({ repairs: 1, missing: 0, lost: 1 })
  })
})

describe('a Postgres that came back older', () => {
  it('is posted again from the stream, and hot wallets have only its credit', async () => {
    await testbed.request(1, anId(), 10)
    await post()
    const putBack = await rememberPostgres()
    await testbed.db.updateTable('users').set({ credited: 2_000_000, wallet_version: 2 }).where('id', '=', 1).execute()
    await testbed.admin.syncWallet({ shard: 1, user_id: 1, credited: 2_000_000, version: 2, auth: 1 })
    await testbed.request(1, anId(), 20)
    await post()
    await putBack()
    await testbed.request(1, anId(), 30)
    await post()

    expect(await testbed.recover()).toBe('opened')

    await testbed.warm(1)
    await isSound()
    expect(await testbed.user(1)).toMatchObject({ spent: 60 })
    expect(await testbed.redis.hget(keys.wallet(1, 1), 'credited')).toBe('1000000')
  })
})

describe('a gap in a stream', () => {
  it('is repaired: later events are posted, missing ones are counted, the fence opens again', async () => {
    const open = anId()
    await testbed.reserve(1, open)
    for (const charge of [10, 20, 30]) await testbed.request(1, anId(), charge)
    const entries = await testbed.redis.xrange(keys.usage(1), '-', '+')
    await testbed.redis.xdel(keys.usage(1), entries[1]?.[0] ?? '')
    expect(await post()).toMatchObject({ posted: 1, suspect: [1] })

    expect(await testbed.recover()).toBe('opened')

    await testbed.warm(1)
    expect(await testbed.user(1)).toEqual({ spent: 40, request_count: 2 })
    expect(await listRepairs(testbed.db, 9)).toEqual([expect.objectContaining({ shard: 1, restored_n: 3, missing: 1 })])
    expect((await listOpenHolds(testbed.redis, 1)).map(({ request_id }) => request_id)).toEqual([open])
    await testbed.request(1, anId(), 5)
    await isSound()
  })
})

describe('a primary that was replaced and lives on', () => {
  it('posts nothing, and recovery repairs nothing from it', async () => {
    const { redis } = testbed
    await testbed.request(1, anId(), 10)
    await post()
    const known = (await redis.get(keys.postgres())) ?? ''
    // Another process has seen the promoted standby, which continues in the next timeline.
    await redis.set(keys.postgres(), known.replace(/\/00000001 /, '/00000002 '))
    await testbed.request(1, anId(), 20)

    expect(await post()).toMatchObject({ posted: 0 })
    expect(await testbed.recover()).toBe('unavailable')
    expect(await testbed.user(1)).toEqual({ spent: 10, request_count: 1 })
    expect(await listRepairs(testbed.db, 10)).toEqual([])

    await redis.set(keys.postgres(), known)
    expect(await testbed.recover()).toBe('open')
    expect(await post()).toMatchObject({ posted: 1 })
    await isSound()
  })
})

describe('a store that lacks a correction of repeated events', () => {
  it.each([
    ['at once where all events are posted', true],
    ['once they are posted where some are not', false],
  ])('gets the posted sums %s', async (_name, isPosted) => {
    const { redis } = testbed
    await testbed.request(1, anId(), 10)
    await post()
    if (!isPosted) await testbed.request(1, anId(), 20)
    // Posting's correction, which a replica never heard of.
    for (const [key, field] of [
      [keys.wallet(1, 1), 'spent'],
      [keys.token(1, 1), 'charged'],
    ] as const)
      await redis.hincrby(key, field, 5)
    await redis.script('FLUSH')

    expect(await testbed.recover()).toBe('opened')

    await isSound()
  })
})
