import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { dumpDatabase } from './backup/dump.ts'
import { loadDatabase } from './backup/load.ts'
import { connectDb, type Db } from './connect.ts'
import { endUnfinishedStatements } from './queries/installation/unfinished-statements.ts'
import { withStatements } from './statement-limits.ts'

const LIMITS = { answerWithinMs: 500, idleInTransactionMs: 1000 } as const

let database: TestDatabase
let proxy: TcpProxy
let db: Db
beforeEach(async () => {
  database = await createTestDatabase()
  const url = new URL(database.url)
  proxy = await startTcpProxy(Number(url.port))
  url.host = `127.0.0.1:${proxy.port}`
  db = connectDb({ url: url.href, max: 2, name: 'under-test', limits: LIMITS })
})
afterEach(async () => {
  await db.destroy()
  await proxy.close()
  await database.drop()
})

const select = (on: Db = db) => sql<{ one: number }>`select ${1}::int as one`.execute(on)
const listSessions = async (state: string): Promise<number> => {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity where application_name = 'under-test' and state = ${state}`.execute(database.db)
  return rows.length
}

/** The network loses all packets of the open connections, and none of new ones. */
function loseConnections(): void {
  proxy.fallSilent()
  proxy.speak()
}

describe('a Postgres that falls silent', () => {
  it('fails the statement in time, and the next one is answered on a new connection', async () => {
    await select()
    loseConnections()

    const startedAt = performance.now()
    await expect(select()).rejects.toMatchObject({ code: 'store.unavailable' })
    expect(performance.now() - startedAt).toBeLessThan(1000)

    expect((await select()).rows).toEqual([{ one: 1 }])
  })

  it('costs one statement its time, and not one for each idle connection', async () => {
    await Promise.all([select(), select()])
    loseConnections()
    await expect(select()).rejects.toMatchObject({ code: 'store.unavailable' })

    expect(await Promise.all([select(), select()])).toMatchObject([{ rows: [{ one: 1 }] }, { rows: [{ one: 1 }] }])
  })

  it('blocks no more statements than there are sessions, also while it goes on', async () => {
    await Promise.all([select(), select()])
    proxy.fallSilent()

    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => select()))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'))
    proxy.speak()

    await vi.waitFor(() => select())
  })

  it('keeps no lock of a transaction whose connection it lost', async () => {
    await sql`create table locked (id int)`.execute(database.db)
    const lock = sql`lock table locked`
    const lost = db.transaction().execute(async (tx) => {
      await lock.execute(tx)
      loseConnections()
      await select(tx)
    })
    await expect(lost).rejects.toMatchObject({ code: 'store.unavailable' })

    await vi.waitFor(() => db.transaction().execute((tx) => lock.execute(tx)), 4000)
    expect(await listSessions('idle in transaction')).toBe(0)
  })

  it('keeps no lock of a transaction whose statement it has read in part', async () => {
    await sql`create table locked (id int)`.execute(database.db)
    const lock = sql`lock table locked`
    const lost = db.transaction().execute(async (tx) => {
      await lock.execute(tx)
      // The driver waits for the types of the parameters before it sends their values.
      proxy.loseAnswers()
      await select(tx)
    })
    await expect(lost).rejects.toMatchObject({ code: 'store.unavailable' })

    await vi.waitFor(() => db.transaction().execute((tx) => lock.execute(tx)), 6000)
  })

  it('loses the locks of a process that ended after its statement was read in part', async () => {
    await sql`create table locked (id int)`.execute(database.db)
    const url = new URL(database.url)
    url.host = `127.0.0.1:${proxy.port}`
    // Never gives up by itself, like a process that was killed.
    const gone = connectDb({ url: url.href, max: 1, name: 'under-test', limits: { ...LIMITS, answerWithinMs: 60_000 } })
    const lost = gone.transaction().execute(async (tx) => {
      await sql`lock table locked`.execute(tx)
      proxy.loseAnswers()
      await select(tx)
    })
    lost.catch(() => undefined)
    await vi.waitFor(async () => expect(await listSessions('active')).toBe(1))
    const owned = { name: 'under-test', silentMs: 1000 }
    expect(await endUnfinishedStatements(database.db, { ...owned, silentMs: 60_000 })).toBe(0)

    await vi.waitFor(async () => expect(await endUnfinishedStatements(database.db, owned)).toBe(1), 4000)

    await vi.waitFor(() => database.db.transaction().execute((tx) => sql`lock table locked nowait`.execute(tx)), 4000)
    proxy.cut()
    await expect(lost).rejects.toMatchObject({ code: 'store.unavailable' })
    await gone.destroy()
  })

  it('is left by its sockets too', async () => {
    await select()
    const before = proxy.accepted()
    loseConnections()
    await expect(select()).rejects.toMatchObject({ code: 'store.unavailable' })

    await vi.waitFor(() => expect(proxy.open()).toBe(0), 5000)
    expect(proxy.accepted()).toBeGreaterThan(before)
  })
})

describe('a copy of rows', () => {
  const url = () => {
    const through = new URL(database.url)
    through.host = `127.0.0.1:${proxy.port}`
    return through.href
  }
  const table = { name: 'wide', columns: ['id'] }
  beforeEach(() => sql`create table wide as select generate_series(1, 2000000) as id`.execute(database.db))

  it('out of a Postgres that falls silent fails', async () => {
    const copying = dumpDatabase(
      url(),
      async ({ readRows }) => {
        const rows = await readRows(table)
        rows.once('data', () => proxy.fallSilent())
        let bytes = 0
        for await (const chunk of rows) bytes += (chunk as Buffer).length
        return bytes
      },
      500,
    )

    await expect(copying).rejects.toThrow(/silent|closed|CONNECTION/i)
  })

  it('into a Postgres that falls silent fails', async () => {
    const { outline } = await dumpDatabase(database.url, async (dump) => ({ outline: { ...dump, tables: [table] } }))
    const rows = Readable.from(manyLines(() => proxy.fallSilent()))

    await expect(loadDatabase({ url: url(), outline, readRows: () => rows, silentMs: 500 })).rejects.toThrow(/silent|closed|CONNECTION/i)
  })
})

/** Rows in several parts; calls back after the first. */
function* manyLines(onFirst: () => void): Generator<Buffer> {
  for (let at = 1; at < 5; at += 1) {
    yield Buffer.from('1\n'.repeat(30_000))
    if (at === 1) onFirst()
  }
}

describe('a statement that takes too long', () => {
  it('is cancelled', async () => {
    await expect(sql`select pg_sleep(30)`.execute(db)).rejects.toMatchObject({ code: 'store.unavailable' })

    await vi.waitFor(async () => expect(await listSessions('active')).toBe(0), 5000)
  })

  it('may take its time where that is usual', async () => {
    expect((await withStatements('batch', () => sql`select pg_sleep(1), 1 as one`.execute(db))).rows).toMatchObject([{ one: 1 }])
  })
})

describe('a Postgres that is back', () => {
  it('is used by every connection at once, however many attempts failed', async () => {
    proxy.pointTo(1)
    proxy.cut()
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => select()))
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    proxy.pointTo(Number(new URL(database.url).port))

    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 8 }, () => select()))

    expect(performance.now() - startedAt).toBeLessThan(1000)
  })
})
