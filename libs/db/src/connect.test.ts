import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { connectDb, type Db, type Tx } from './connect.ts'
import { STATEMENT_LIMITS, withStatements } from './statement-limits.ts'
import { parseSafeInteger } from './session.ts'

describe('connectDb', () => {
  let database: TestDatabase
  let db: Db
  beforeEach(async () => {
    database = await createTestDatabase()
    db = connectDb({ url: database.url, max: 1, name: 'under-test' })
  })
  afterEach(async () => {
    await db.destroy()
    await database.drop()
  })

  const killSessions = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'under-test'`.execute(database.db)
  const isServing = async () => {
    const { rows } = await sql<{
      sessions: number
    }>`select count(*) as sessions from pg_stat_activity where application_name = 'under-test'`.execute(database.db)
    return rows[0]?.sessions !== 0
  }
  const setOption = (on: Db | Tx, key: string) =>
    on.insertInto('options').values({ key, value: '', updated_at: 0, updated_by: null }).execute()
  const listOptions = async () =>
    (await database.db.selectFrom('options').select('key').where('key', 'like', 'lost-%').execute()).map(({ key }) => key)

  it('fails a statement that Postgres ended for its time by an error of its own, and keeps the connection', async () => {
    const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    const before = await pidOf()
    const slow = db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 20`.execute(tx)
      await sql`select pg_sleep(20)`.execute(tx)
    })

    await expect(slow).rejects.toMatchObject({ code: 'store.too-long' })
    expect(await pidOf()).toBe(before)
  })

  it('lets Postgres end a long read before its connection is given up', async () => {
    const { rows } = await withStatements('read', () =>
      db
        .transaction()
        .execute((tx) => sql<{ ms: number }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(tx)),
    )

    expect(rows[0]?.ms).toBeLessThan(STATEMENT_LIMITS.read.answerWithinMs)
  })

  it('fails a statement when the server closes the connection with the first one, and leaves no rejection behind', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const primary = ['in_hot_standby', 'default_transaction_read_only'].map((name) => {
      const body = Buffer.from(`${name}\0off\0`)
      const head = Buffer.from('S\0\0\0\0')
      head.writeInt32BE(body.length + 4, 1)
      return Buffer.concat([head, body])
    })
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      // https://www.postgresql.org/docs/current/protocol-flow.html: start-up is answered with AuthenticationOk, ParameterStatus and ReadyForQuery.
      socket.once('data', () => {
        socket.once('data', () => socket.destroy())
        socket.write(Buffer.concat([Buffer.from('520000000800000000', 'hex'), ...primary, Buffer.from('5a0000000549', 'hex')]))
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const closing = connectDb({ url: `postgres://u@127.0.0.1:${port}/d` })

    await expect(sql`select 1`.execute(closing)).rejects.toMatchObject({ code: 'store.unavailable' })
    server.close()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  it('fails and rolls back a transaction whose connection is lost between two statements, and stays usable', async () => {
    const lost = db.transaction().execute(async (tx) => {
      await setOption(tx, 'lost-1')
      await killSessions()
      await expect.poll(isServing).toBe(false)
      await setOption(tx, 'lost-2')
    })

    await expect(lost).rejects.toMatchObject({ code: 'store.unavailable', status: 503 })
    expect(await listOptions()).toEqual([])
    await db.transaction().execute((tx) => setOption(tx, 'lost-3'))
    expect(await listOptions()).toEqual(['lost-3'])
  })

  it('fails a transaction whose connection is reset during a statement, and stays usable', async () => {
    const url = new URL(database.url)
    const [serverPort, clients] = [Number(url.port), new Set<Socket>()]
    const proxy = createServer((client) => {
      const server = connect(serverPort, '127.0.0.1')
      clients.add(client)
      for (const socket of [client, server]) socket.on('error', () => undefined)
      client.pipe(server).pipe(client)
      client.once('close', () => server.destroy())
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const behind = connectDb({ url: url.href, max: 1, name: 'under-test' })

    // Kysely sends the rollback after the connection has failed and before it has closed.
    const lost = behind.transaction().execute((tx) => sql`select pg_sleep(60)`.execute(tx))
    const running = sql`select pid from pg_stat_activity where application_name = 'under-test' and query like '%pg_sleep%'`
    await expect.poll(async () => (await running.execute(database.db)).rows.length).toBe(1)
    for (const client of clients) client.resetAndDestroy()

    await expect(lost).rejects.toMatchObject({ code: 'store.unavailable' })
    for (const value of [1, 2, 3]) expect((await sql`select ${value}::int as value`.execute(behind)).rows).toEqual([{ value }])
    await behind.destroy()
    proxy.close()
  })

  it('stays usable after an idle connection is lost', async () => {
    await setOption(db, 'lost-4')
    await killSessions()
    await expect.poll(isServing).toBe(false)

    await expect
      .poll(() =>
        setOption(db, 'lost-5').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)

    expect((await listOptions()).toSorted()).toEqual(['lost-4', 'lost-5'])
  })

  it('reports that Postgres is unavailable when the port is closed', async () => {
    const unreachable = connectDb({ url: 'postgres://127.0.0.1:1/none' })

    await expect(sql`select 1`.execute(unreachable)).rejects.toMatchObject({ code: 'store.unavailable', cause: { code: 'ECONNREFUSED' } })
  })

  it('returns int8 as numbers and rejects values beyond 2^53', async () => {
    const { rows } = await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(db)
    expect(rows).toEqual([{ n: 9_007_199_254_740_991 }])
    expect(() => parseSafeInteger('9007199254740993')).toThrow(RangeError)
  })

  it.each([
    ['prepares repeated statements with `prepares`', true, ['select $1::int as one']],
    ['prepares nothing without `prepares`', false, []],
  ])('%s', async (_what, prepares, prepared) => {
    const own = connectDb({ url: database.url, max: 1, prepares })
    const select = () => sql`select ${1}::int as one`.execute(own)
    for (const run of [select, select, select]) await run()

    const { rows } = await sql<{
      statement: string
    }>`select statement from pg_prepared_statements where statement like '% as one'`.execute(own)

    expect(rows.map(({ statement }) => statement)).toEqual(prepared)
    await own.destroy()
  })
})
