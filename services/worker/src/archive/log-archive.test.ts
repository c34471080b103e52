import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ArchiveManifest } from '@tollgate/contracts/values/log-archive'
import { compareLogged } from '@tollgate/db/queries/ledger/verify'
import { findLogArchive, listLogArchives, orderArchive, orderRestore } from '@tollgate/db/queries/logs/log-archives'
import { listPartitions } from '@tollgate/db/queries/logs/partitions'
import { removeLogsBefore } from '@tollgate/db/queries/logs/logs'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { cancelArchiveSearch, readArchiveSearch, startArchiveSearch, type SearchRecord } from '@tollgate/redis/stores/archive-search'
import { addLogRows } from '@tollgate/testing/log-rows'
import { ScriptedMediaStore } from '@tollgate/testing/media-store'
import type { MediaStoreEnv } from '@tollgate/upstream/media-store'
import { createMediaStore, type MediaStore } from '../media/media-store.ts'
import { packEvent } from '@tollgate/db/packed-event'
import { aBody } from '../../test/test-worker.ts'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { searchArchive } from '../handlers/search-archive.ts'
import { findArchivedRequest, partsOfRequest } from './find-request.ts'
import { createLogArchiver, type LogArchiver } from './log-archive.ts'

const NOW = Date.UTC(2026, 10, 29, 12) / 1000
const AUGUST = Date.UTC(2026, 7, 10, 9) / 1000
const SEPTEMBER = Date.UTC(2026, 8, 2, 9) / 1000
/** Rolled up as far as there are rows. */
const ROLLED_UP = SEPTEMBER + 86_400
const silent = { info: () => undefined, warn: () => undefined }
const signal = new AbortController().signal
const s3 = new ScriptedMediaStore()
let test: TestDatabase
let store: MediaStore
const archivers: LogArchiver[] = []

beforeAll(async () => {
  test = await createTestDatabase()
  await s3.start()
  const opened = createMediaStore(s3.env() as unknown as MediaStoreEnv)
  if (opened === undefined) throw new Error('no store')
  store = opened
})
afterAll(async () => {
  store.close()
  s3.stop()
  await test.drop()
})
beforeEach(async () => {
  s3.objects.clear()
  for (const table of ['log_archives', 'logs', 'usage_hours', 'usage_totals', 'usage_rollup_periods', 'options'] as const)
    await test.db.deleteFrom(table).execute()
  await addRows('august', AUGUST, 25)
  await addRows('september', SEPTEMBER, 3)
  await rollupUsage(test.db, { now: ROLLED_UP, limit: 5000, signal })
})
afterEach(async () => {
  await Promise.all(archivers.splice(0).map((archiver) => archiver.stop()))
})

const addRows = (name: string, from: number, count: number) =>
  addLogRows(
    test.db,
    Array.from({ length: count }, (_, at) => ({
      created_at: from + at * 60,
      type: 2,
      user_id: 1 + (at % 3),
      username: `anna “${at}” \\ "q"`,
      model_name: 'gpt-4o',
      quota: 10 + at,
      request_id: `${stampOf(from + at * 60)}${name}${at}`,
      content: 'line one\nline two\ttab \u2028 end',
      other: JSON.stringify({ ratio: 0.1 + at }),
      usage: JSON.stringify({ prompt: 9_007_199_254_740_000 + at }),
    })),
  )
const stampOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)

const open = (over: Partial<MediaStore> = {}, now = NOW): LogArchiver => {
  const archiver = createLogArchiver({
    db: test.db,
    now: () => now * 1000,
    log: silent,
    store: { ...store, ...over },
    rowsPerPart: 10,
  })
  archivers.push(archiver)
  return archiver
}
const order = (month = '2026-08') => orderArchive(test.db, { month, requested_by: 'root', now: NOW })
const giveBack = (month = '2026-08') => orderRestore(test.db, { month, requested_by: 'root', now: NOW })
const state = async (month = '2026-08') => (await findLogArchive(test.db, month))?.state
const allRows = async (): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`select row_to_json(l)::text as line from logs l order by created_at, id`.execute(test.db)
  return rows.map(({ line }) => line)
}
const expectSound = async () => {
  await rollupUsage(test.db, { now: ROLLED_UP, limit: 5000, signal })
  expect(await compareLogged(test.db)).toMatchObject({ differences: 0 })
}
const find = async (requestId: string) => {
  const read: string[] = []
  const lines: string[] = []
  const parts = partsOfRequest(await listLogArchives(test.db), requestId)
  for await (const line of findArchivedRequest({ store, parts, requestId, signal, onPart: ({ key }) => read.push(key) })) lines.push(line)
  return { read, lines }
}

describe('a month of the log', () => {
  it('goes to the object store as it is, leaves Postgres, and comes back without a difference', async () => {
    const before = await allRows()
    await order()
    await open().tick()

    const keys = [...s3.objects.keys()]
    expect(keys).toEqual([
      'logs/2026/08/00001.jsonl.zst',
      'logs/2026/08/00002.jsonl.zst',
      'logs/2026/08/00003.jsonl.zst',
      'logs/2026/08/manifest.json',
    ])
    const stored = keys.slice(0, 3).flatMap((key) =>
      zstdDecompressSync(s3.objects.get(key)?.body ?? '')
        .toString()
        .trimEnd()
        .split('\n'),
    )
    expect(stored).toEqual(before.slice(0, 25))
    const manifest = ArchiveManifest.parse(JSON.parse(s3.objects.get(keys[3] ?? '')?.body.toString() ?? ''))
    expect(manifest).toMatchObject({ month: '2026-08', rows: 25, quota: 25 * 10 + 300 })
    expect(await allRows()).toEqual(before.slice(25))
    expect(await listPartitions(test.db, 'logs')).not.toContain('logs_202608')
    expect(await state()).toBe('archived')
    await expectSound()

    await giveBack()
    await open().tick()

    expect(await allRows()).toEqual(before)
    expect(await state()).toBe('restored')
    expect(await listPartitions(test.db, 'logs')).toContain('logs_202608')
    await expectSound()
  })

  it('is archived again after it was restored', async () => {
    await order()
    await open().tick()
    await giveBack()
    await open().tick()

    expect(await order()).toBe(true)
    await open().tick()

    expect([await state(), (await allRows()).length]).toEqual(['archived', 3])
    await expectSound()
  })

  it('keeps its rows while an object cannot be stored, and continues with the next one', async () => {
    await order()
    let puts = 0
    const put: MediaStore['put'] = async (...call) => {
      puts += 1
      if (puts === 2) throw new Error('the bucket is full')
      await store.put(...call)
    }
    await open({ put }).tick()

    expect(await findLogArchive(test.db, '2026-08')).toMatchObject({ state: 'writing', error: 'the bucket is full', parts: [{ rows: 10 }] })
    expect((await allRows()).length).toBe(28)

    await open({}, NOW + 3600).tick()

    expect([await state(), [...s3.objects.keys()].length, (await allRows()).length]).toEqual(['archived', 4, 3])
    await expectSound()
  })

  it('keeps its rows when what was stored is not what is read back', async () => {
    await order()
    const get: MediaStore['get'] = async (key, until) => {
      const found = s3.objects.get(key)
      if (found !== undefined)
        s3.objects.set(key, { ...found, body: Buffer.from(found.body.map((byte, at) => (at === 40 ? byte ^ 1 : byte))) })
      return await store.get(key, until)
    }
    await open({ get }).tick()

    expect(await findLogArchive(test.db, '2026-08')).toMatchObject({ state: 'writing', parts: [] })
    expect((await allRows()).length).toBe(28)
    await expectSound()
  })

  it('is written again when its rows changed meanwhile', async () => {
    await order()
    const put: MediaStore['put'] = async (key, ...rest) => {
      await store.put(key, ...rest)
      if (key.endsWith('manifest.json')) await removeLogsBefore(test.db, { before: AUGUST + 120, limit: 100 })
    }
    await open({ put }).tick()
    expect(await findLogArchive(test.db, '2026-08')).toMatchObject({
      state: 'writing',
      error: 'the rows of 2026-08 changed while they were archived',
      parts: [],
    })

    await open({}, NOW + 3600).tick()

    expect([await state(), (await allRows()).length]).toEqual(['archived', 3])
    await expectSound()
  })

  it('comes back whole after a restore that broke off, with rows that came meanwhile', async () => {
    const before = await allRows()
    await order()
    await open().tick()
    await giveBack()
    let gets = 0
    const get: MediaStore['get'] = async (...call) => {
      gets += 1
      if (gets === 2) throw new Error('the store is away')
      return await store.get(...call)
    }
    await open({ get }).tick()
    expect(await findLogArchive(test.db, '2026-08')).toMatchObject({ state: 'restoring', restored_parts: 1, error: 'the store is away' })
    expect((await allRows()).length).toBe(3)
    await addRows('import', AUGUST + 30, 1)

    await open({}, NOW + 3600).tick()

    expect((await allRows()).length).toBe(29)
    expect(await allRows()).toEqual(expect.arrayContaining(before))
    await expectSound()
  })

  it('comes back whole when the rows of a first try are gone, as after a backup', async () => {
    const before = await allRows()
    await order()
    await open().tick()
    await giveBack()
    await test.db.updateTable('log_archives').set({ restored_parts: 2 }).execute()

    await open().tick()

    expect([await state(), await allRows()]).toEqual(['restored', before])
    await expectSound()
  })

  it('is worked on by one process at a time', async () => {
    await order()
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const first = open({
      put: async (...call) => {
        reached.resolve()
        await held.promise
        await store.put(...call)
      },
    }).tick()
    await reached.promise
    await open().tick()
    expect([await state(), s3.objects.size]).toEqual(['writing', 0])

    held.resolve()
    await first
    expect([await state(), s3.objects.size]).toEqual(['archived', 4])
  })

  it('that has not ended stays', async () => {
    await order('2026-11')
    await open().tick()

    expect(await findLogArchive(test.db, '2026-11')).toMatchObject({
      state: 'writing',
      error: '2026-11 has not ended, or ended less than 24 hours ago',
    })
  })

  it('archives the months that are older than the option keeps', async () => {
    await test.db.insertInto('options').values({ key: 'LogArchiveMonths', value: '2', updated_at: NOW, updated_by: 1 }).execute()

    await open().tick()
    expect((await listLogArchives(test.db)).map(({ month }) => [month])).toEqual([['2026-08']])

    await test.db.updateTable('options').set({ value: '1' }).where('key', '=', 'LogArchiveMonths').execute()
    await giveBack()
    await open().tick()
    expect((await listLogArchives(test.db)).map((archive) => [archive.month, archive.state])).toEqual([
      ['2026-09', 'archived'],
      ['2026-08', 'restored'],
    ])
  })
})

describe('an archived request', () => {
  it('is found by its id, in the objects of its time, with what its event says', async () => {
    const packed = { event: packEvent(JSON.stringify(aBody())), other: '', usage: null, quote: null, explanation: null }
    const kept = `${stampOf(AUGUST + 20 * 60)}august20`
    await test.db.updateTable('logs').set(packed).where('request_id', '=', kept).execute()
    const before = await allRows()
    await order()
    await open().tick()

    expect(await find(`${stampOf(AUGUST + 21 * 60)}august21`)).toEqual({ read: expect.any(Array), lines: [before[21]] })
    const [line = '{}'] = (await find(kept)).lines
    expect(JSON.parse(line)).toMatchObject({
      request_id: kept,
      usage: { text_in: 10 },
      quote: { model: 'gpt-x' },
      explanation: { client_status: 200 },
    })
    expect(line).not.toContain('"event"')
    expect(await find('20250101000000x')).toEqual({ read: [], lines: [] })
    expect(await find('of-another-gateway')).toMatchObject({ read: { length: 3 }, lines: [] })
  })
})

describe('a search of the archive', () => {
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    server = await startTestRedis()
    redis = connectRedis(server.url, 'plain')
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })
  beforeEach(async () => {
    await order()
    await open().tick()
  })
  const requestId = `${stampOf(AUGUST + 60)}august1`
  const begin = (id: string, over: Partial<SearchRecord> = {}) =>
    startArchiveSearch(redis, id, {
      user_id: 1,
      rows: 'all',
      request_id: requestId,
      state: 'waiting',
      fault: null,
      objects: 0,
      objects_read: 0,
      found: [],
      at: 0,
      ...over,
    })
  const run = async (id: string, from: Pick<MediaStore, 'get'> | null = store) => {
    const mediaStore = from ?? undefined
    await searchArchive({ db: test.db, redis, now: Date.now, log: silent, mediaStore })({ id }, { signal, attempt: 1 })
    return await readArchiveSearch(redis, id)
  }

  it('finds all rows for an administrator, and own rows for a user', async () => {
    await begin('all')
    expect(await run('all')).toMatchObject({ state: 'done', objects: 3, objects_read: 3, found: [{ request_id: requestId, user_id: 2 }] })
    await begin('own', { rows: 'own', user_id: 2 })
    expect((await run('own'))?.found).toMatchObject([{ request_id: requestId, quota: 11 }])
    await begin('other', { rows: 'own', user_id: 3 })
    expect(await run('other')).toMatchObject({ state: 'done', found: [] })
  })

  it('reads the objects of a month that comes back, too', async () => {
    await giveBack()
    await begin('restoring')

    expect((await run('restoring'))?.found).toHaveLength(1)
  })

  it('says why it failed: no store, or an object that is missing', async () => {
    await begin('none')
    expect(await run('none', null)).toMatchObject({ state: 'failed', fault: 'no-store' })
    s3.objects.delete('logs/2026/08/00003.jsonl.zst')
    await begin('lost')
    expect(await run('lost')).toMatchObject({ state: 'failed', fault: 'unreadable', objects_read: 2 })
  })

  it('reads no further object once it was cancelled, and none if that was before it began', async () => {
    await begin('cancelled')
    let gets = 0
    const counting: Pick<MediaStore, 'get'> = {
      get: async (...call) => {
        gets += 1
        await cancelArchiveSearch(redis, 'its end', { user_id: 1, rows: 'all' }, Date.now())
        return await store.get(...call)
      },
    }
    await run('cancelled', counting)
    expect([gets, (await readArchiveSearch(redis, 'its end'))?.state]).toEqual([1, 'cancelled'])

    await begin('waiting')
    await cancelArchiveSearch(redis, 'before it began', { user_id: 1, rows: 'all' }, Date.now())
    await run('waiting', counting)
    expect(gets).toBe(1)
  })

  it('reads nothing more once another search took its place', async () => {
    await begin('first')
    let gets = 0
    await run('first', {
      get: async (...call) => {
        gets += 1
        await begin('second')
        return await store.get(...call)
      },
    })

    expect([gets, (await readArchiveSearch(redis, 'first'))?.state]).toEqual([1, 'reading'])
  })
})
