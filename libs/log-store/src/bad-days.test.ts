import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LogType } from '@tollgate/contracts/enums'
import type { Db } from '@tollgate/db/connect'
import type { LogFilter, NewLogRow } from '@tollgate/db/log-store'
import { claimLogBatch, readOutboxState, releaseLogBatch } from '@tollgate/db/queries/ledger/log-outbox'
import { addUsageHours, insertLogs, insertRequestLogs } from '@tollgate/db/queries/ledger/posting'
import { findFirstRequest } from '@tollgate/db/queries/installation/first-run'
import { sumLogQuota } from '@tollgate/db/queries/logs/log-counts'
import { listLogs } from '@tollgate/db/queries/logs/logs'
import { startClickHouse, whyNoClickHouse, type TestClickHouse } from '@tollgate/testing/clickhouse'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { connectDb } from '@tollgate/db/connect'
import { createClickHouseStore, type ClickHouseStore } from './clickhouse.ts'
import { connect } from './connection.ts'
import { parseLogStoreUrl } from './address.ts'
import { dropMoved, moveLogs } from './move-logs.ts'
import { openLogStore } from './open.ts'
import { shipLogs } from './ship-logs.ts'

const AT = Date.UTC(2026, 9, 1) / 1000
const why = await whyNoClickHouse()

const aRow = (request_id: string, over: Partial<NewLogRow> = {}): NewLogRow => ({
  created_at: AT,
  type: LogType.consume,
  user_id: 1,
  username: 'lin',
  token_id: 2,
  token_name: 't',
  channel_id: 3,
  model_name: 'gpt-x',
  group: 'default',
  quota: 30,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 2,
  is_stream: true,
  content: '',
  other: '{}',
  request_id,
  state: 'settled',
  usage: null,
  quote: null,
  explanation: null,
  ...over,
})

/** The sums that posting adds for a row. */
const USED = {
  hour: AT,
  user_id: 1,
  token_id: 2,
  channel_id: 3,
  model_name: 'gpt-x',
  group: 'default',
  token_name: 't',
  type: LogType.consume,
  requests: 1,
  quota: 30,
  token_quota: 0,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time_ms: 2000,
  logged_requests: 1,
  logged_quota: 30,
}

describe.skipIf(why !== undefined)(`a log store on a bad day${why === undefined ? '' : `: ${why}`}`, () => {
  let test: TestDatabase
  let db: Db
  let server: TestClickHouse
  let proxy: TcpProxy
  let store: ClickHouseStore
  const now = Date.now
  const write = (row: NewLogRow) => db.transaction().execute((tx) => insertRequestLogs(tx, [row]))
  const costOf = (filter: LogFilter) => db.transaction().execute((tx) => sumLogQuota(tx, filter))
  const stateOf = async () => await db.selectFrom('log_store').selectAll().executeTakeFirstOrThrow()
  const listed = async (): Promise<string[]> =>
    (await listLogs(db, { filter: {}, limit: 100 })).map(({ request_id }) => request_id).toSorted()

  beforeAll(async () => {
    test = await createTestDatabase()
    db = test.db
    // Written before the store was configured.
    await db.transaction().execute((tx) =>
      insertLogs(
        tx,
        Array.from({ length: 3 }, (_, at) => aRow(`old-${at}`, { created_at: AT - at })),
      ),
    )
    server = await startClickHouse()
    proxy = await startTcpProxy(server.port)
    const opened = await openLogStore({ url: server.url.replace(String(server.port), String(proxy.port)), db, now })
    if (opened === undefined) throw new Error('no store was opened')
    store = opened
  }, 240_000)
  afterAll(async () => {
    await store?.close()
    await proxy?.close()
    await server?.stop()
    await test?.drop()
  })

  it('has each row once although the answer to its batch was lost', async () => {
    await write(aRow('lost-answer'))
    // The answer to the rows themselves, not to what is asked before.
    const insert: ClickHouseStore['insert'] = (...batch) => {
      proxy.loseAnswers()
      return store.insert(...batch)
    }
    const shipping = shipLogs({ db, store: { ...store, insert }, now })
    const direct = connect(parseLogStoreUrl(server.url) ?? { url: '', username: '', password: '', database: '' })
    await expect.poll(async () => (await direct.query('SELECT count() AS rows FROM logs'))[0]?.['rows']).toBe('1')
    proxy.cut()
    await expect(shipping).rejects.toMatchObject({ code: 'logs.store-away' })
    // Rows that came meanwhile are not in the batch that is sent again.
    await write(aRow('later'))

    expect(await shipLogs({ db, store, now })).toBe(2)
    expect(await listed()).toEqual(['later', 'lost-answer'])
    expect(await direct.query('SELECT count() AS rows FROM logs')).toEqual([{ rows: '2' }])
    await direct.close()
  })

  it('has the rows that an older Postgres sends, and only those', async () => {
    const before = await stateOf()
    await write(aRow('forgotten'))
    await write(aRow('posted-again'))
    expect(await shipLogs({ db, store, now })).toBe(2)
    await write(aRow('forgotten-later'))
    expect(await shipLogs({ db, store, now })).toBe(1)

    // Postgres comes back as it was before, and other rows get the numbers of these.
    await db.updateTable('log_store').set(before).execute()
    await write(aRow('posted-again'))
    expect(await shipLogs({ db, store, now })).toBe(1)
    await write(aRow('new'))
    expect(await shipLogs({ db, store, now })).toBe(1)
    expect(await listed()).toEqual(['later', 'lost-answer', 'new', 'posted-again'])
    expect(await readOutboxState(db)).toEqual({ rows: 0, since: null })

    await store.removeBatches((await stateOf()).batch - 1, (await stateOf()).batch)
    expect(await listed()).toEqual(['later', 'lost-answer'])
  })

  /** A worker whose rows are on their way to the store until `arrive` is called. */
  const shipSlowly = async () => {
    const [sent, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const insert: ClickHouseStore['insert'] = async (...batch) => {
      sent.resolve()
      await arrival.promise
      return await store.insert(...batch)
    }
    const shipping = shipLogs({ db, store: { ...store, insert }, now })
    await sent.promise
    return { shipping, arrive: arrival.resolve }
  }

  it('drops the rows that arrive after Postgres came back older', async () => {
    const before = await stateOf()
    await write(aRow('on-its-way'))
    await write(aRow('on-its-way-last-month', { created_at: AT - 1 }))
    const { shipping, arrive } = await shipSlowly()

    await db.updateTable('log_store').set(before).execute()
    await db.deleteFrom('log_outbox').execute()
    await write(aRow('on-its-way'))
    expect(await shipLogs({ db, store, now })).toBe(1)
    arrive()
    await shipping

    expect(await listed()).toEqual(['later', 'lost-answer', 'on-its-way'])
    await write(aRow('next'))
    expect(await shipLogs({ db, store, now })).toBe(1)
    expect(await listed()).toEqual(['later', 'lost-answer', 'next', 'on-its-way'])

    await store.removeBatches((await stateOf()).batch - 1, (await stateOf()).batch)
  })

  it('has each row once although another worker took the batch over, whose claims stay its own', async () => {
    await write(aRow('taken-over'))
    const { shipping, arrive } = await shipSlowly()
    expect(await shipLogs({ db, store, now: () => now() + 121_000 })).toBe(1)
    await write(aRow('open'))
    const open = await claimLogBatch(db, { now: now(), lease_ms: 60_000, limit: 10 })
    const claimed = await stateOf()
    arrive()
    await shipping

    expect(await stateOf()).toEqual(claimed)
    expect(await listed()).toEqual(['later', 'lost-answer', 'taken-over'])
    await releaseLogBatch(db, open ?? claimed)
    expect(await shipLogs({ db, store, now })).toBe(1)
    expect(await listed()).toEqual(['later', 'lost-answer', 'open', 'taken-over'])

    await store.removeBatches(claimed.batch - 1, claimed.batch)
  })

  it('is waited for by rows, not by money, and lists say so', async () => {
    await server.kill()
    await write(aRow('while-away'))

    await expect(shipLogs({ db, store, now })).rejects.toMatchObject({ code: 'logs.store-away', status: 503 })
    await expect(listed()).rejects.toMatchObject({ code: 'logs.store-away' })
    expect(await readOutboxState(db)).toEqual({ rows: 1, since: expect.any(Number) })
    expect(await findFirstRequest(db, 1)).toBe(undefined)
    await addUsageHours(db, [USED])
    expect(await findFirstRequest(db, 1)).toEqual({ id: 0, created_at: USED.hour, model_name: 'gpt-x' })
    expect(await findFirstRequest(db, 2)).toBe(undefined)
    expect(await costOf({ from: AT, to: AT + 3599 })).toBe(30)
    await expect(costOf({ from: AT, to: AT + 3600 })).rejects.toMatchObject({ code: 'logs.store-away' })

    await server.start()
    expect(await shipLogs({ db, store, now })).toBe(1)
    expect(await listed()).toEqual(['later', 'lost-answer', 'while-away'])
    expect(await readOutboxState(db)).toEqual({ rows: 0, since: null })
  })

  it('is given up for lists within seconds when it accepts connections and says nothing, and lists after that do not wait', async () => {
    proxy.fallSilent()
    // Not by the limit of a read, which is for a store that works on it.
    await expect(listed()).rejects.toMatchObject({ code: 'logs.store-away', cause: { message: expect.stringContaining('abort') } })
    const connections = proxy.accepted()
    await Promise.all(Array.from({ length: 20 }, () => expect(listed()).rejects.toMatchObject({ code: 'logs.store-away' })))
    expect(proxy.accepted()).toBe(connections)

    proxy.speak()
    proxy.cut()
    await expect.poll(listed).toEqual(['later', 'lost-answer', 'while-away'])
  })

  it('refuses rows whose numbers it would wrap or cut, before anything is sent', async () => {
    await expect(write(aRow('cut', { quota: 0.5 }))).rejects.toThrow('quota')
    await expect(write(aRow('wrapped', { quota: 2 ** 63 }))).rejects.toThrow('quota')
    expect(await readOutboxState(db)).toMatchObject({ rows: 0 })
  })

  it('gets the rows that Postgres had before, once, and Postgres gives them up when the sums agree', async () => {
    expect(await moveLogs({ db, store })).toBe(3)
    expect(await moveLogs({ db, store })).toBe(3)
    expect(await listed()).toEqual(['later', 'lost-answer', 'old-0', 'old-1', 'old-2', 'while-away'])

    await db.updateTable('logs').set({ quota: 31 }).where('request_id', '=', 'old-1').execute()
    await expect(dropMoved({ db, store })).rejects.toThrow('3 rows with quota 90')
    await db.updateTable('logs').set({ quota: 30 }).where('request_id', '=', 'old-1').execute()
    expect(await dropMoved({ db, store })).toBe(3)
    expect(await db.selectFrom('logs').select('id').execute()).toEqual([])
  })

  it('is needed by every service of an installation that uses it, and refuses older releases', async () => {
    const other = connectDb({ url: test.url, max: 1 })
    await expect(openLogStore({ url: '', db: other, now })).rejects.toThrow('LOG_STORE_URL')
    await other.destroy()

    const direct = connect(parseLogStoreUrl(server.url) ?? { url: '', username: '', password: '', database: '' })
    await direct.command('INSERT INTO log_store_versions VALUES (99)')
    await direct.close()
    const older = createClickHouseStore({ url: server.url, exclusively: (work) => work() })
    await expect(older.prepare()).rejects.toThrow('version 99')
    await older.close()
  })
})
