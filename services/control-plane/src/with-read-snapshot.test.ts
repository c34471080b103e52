import { connectDb, type Db } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { connectReplica, type Replica } from '@tollgate/db/replica'
import { hasWritten } from '@tollgate/redis/stores/recent-writes'
import { createTestDatabase } from '@tollgate/testing/database'
import { startPostgresPair, type PostgresPair } from '@tollgate/testing/postgres-pair'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../test/test-app.ts'

const MAX_LAG_S = 5

/** Steps depend on each other: the replica falls behind, catches up and goes away. */
describe('lists with a streaming replica', () => {
  let pair: PostgresPair
  let primary: Db
  let standby: Db
  let replica: Replica
  let test: TestApp
  /** Uses an access token, so that it has not just signed in. */
  let root: Caller

  beforeAll(async () => {
    pair = await startPostgresPair(
      async (url) => {
        const db = connectDb({ url, max: 1 })
        await migrate(db)
        await db.destroy()
      },
      { streams: true },
    )
    primary = connectDb({ url: pair.primaryUrl })
    standby = connectDb({ url: pair.standbyUrl, max: 1, isReplica: true })
    replica = connectReplica({ url: pair.standbyUrl, primary, max: 2, name: 'replica', maxLagMs: MAX_LAG_S * 1000 })
    const database = { db: primary, url: pair.primaryUrl, drop: () => primary.destroy() }
    test = await createTestApp({ DATABASE_REPLICA_MAX_LAG: String(MAX_LAG_S) }, { database, replica })
    const { body } = await (await test.setUp())('GET', '/api/user/token')
    root = (method, path, sent) => test.guest(method, path, sent, { Authorization: String(body.data), 'New-Api-User': '1' })
    await vi.waitUntil(() => replica.usable() !== undefined)
  })
  afterAll(async () => {
    await replica.stop()
    await standby.destroy()
    await test.stop()
    await pair.stop()
  })

  const pauseReplay = async (): Promise<void> => {
    await sql`select pg_wal_replay_pause()`.execute(standby)
    const state = () => sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(standby)
    await expect.poll(async () => (await state()).rows[0]?.state).toBe('paused')
  }
  const resumeReplay = () => sql`select pg_wal_replay_resume()`.execute(standby)
  const addEntry = (resource_id: string) =>
    primary.insertInto('audit_entries').values({ created_at: 1, actor_id: 0, action: 'update', resource: 'channel', resource_id }).execute()
  const listEntries = async (): Promise<string[]> => {
    const { body } = await root('GET', '/api/audit/?p=1&page_size=100')
    return (body.data as { items: { resource_id: string }[] }).items.map(({ resource_id }) => resource_id)
  }
  const codes = async (): Promise<string[]> => {
    const { body } = await root('GET', '/api/health')
    return (body.data as { problems: { code: string }[] }).problems.map(({ code }) => code)
  }

  it('come from the replica while it is behind by less than the bound, and then from the primary', async () => {
    // Making the access token was a write.
    await expect.poll(() => hasWritten(test.deps.redis, 1)).toBe(false)
    await addEntry('before')
    await expect.poll(listEntries).toContain('before')
    await pauseReplay()
    await addEntry('after')

    expect(await listEntries()).not.toContain('after')
    await expect.poll(listEntries).toContain('after')
    expect(replica.lagMs()).toBeGreaterThan(MAX_LAG_S * 1000)
    expect(await codes()).toContain('replica-behind')

    await resumeReplay()
    await expect.poll(() => replica.usable() !== undefined).toBe(true)
    expect(await codes()).not.toContain('replica-behind')
  })

  it('show an account what it has just written', async () => {
    await pauseReplay()
    const { body } = await root('PUT', '/api/option/', { key: 'SystemName', value: 'written' })

    expect(body).toMatchObject({ success: true })
    expect(await listEntries()).toContain('SystemName')
    expect(replica.usable()).toBeDefined()
    await resumeReplay()
  })

  it('never come from a standby of another primary', async () => {
    const other = await createTestDatabase()
    const ofOther = connectReplica({ url: pair.standbyUrl, primary: other.db, max: 1, name: 'replica-test', maxLagMs: 60_000 })
    const itself = connectReplica({ url: pair.primaryUrl, primary, max: 1, name: 'replica-test', maxLagMs: 60_000 })
    for (const url of [pair.primaryUrl, pair.standbyUrl]) await expect.poll(() => countSessions(url)).toBe(1)

    expect([ofOther.usable(), itself.usable()]).toEqual([undefined, undefined])
    await Promise.all([ofOther.stop(), itself.stop()])
    await other.drop()
  })

  it('come from the primary when the replica is gone, even in the moment when it goes', async () => {
    await expect.poll(() => replica.usable() !== undefined).toBe(true)
    await pair.stopStandby()

    expect(await listEntries()).toContain('SystemName')
    await expect.poll(codes, { timeout: 15_000 }).toContain('replica-behind')
    expect(await listEntries()).toContain('SystemName')
  })
})

/** Sessions of replicas under test on this server. */
async function countSessions(url: string): Promise<number> {
  const db = connectDb({ url, max: 1, isReplica: true })
  const { rows } = await sql<{ sessions: number }>`
    select count(*) as sessions from pg_stat_activity where application_name = 'replica-test' and query like '%pg_is_in_recovery%'`.execute(
    db,
  )
  await db.destroy()
  return rows[0]?.sessions ?? 0
}
