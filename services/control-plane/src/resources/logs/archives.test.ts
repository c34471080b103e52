import { Queue } from 'bullmq'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ArchiveSearch } from '@tollgate/contracts/resources/archive-searches'
import { ArchivedRow } from '@tollgate/contracts/values/log-archive'
import { findLogArchive, finishArchive } from '@tollgate/db/queries/logs/log-archives'
import { monthOf, monthsBefore, partitionOf } from '@tollgate/db/queries/logs/log-months'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { readArchiveSearch, saveArchiveSearch, type SearchRecord } from '@tollgate/redis/stores/archive-search'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const NOW = Math.floor(Date.now() / 1000)
const [MONTH, NEXT, CURRENT] = [monthsBefore(NOW, 3), monthsBefore(NOW, 2), monthOf(NOW)]
const IN_MONTH = partitionOf(MONTH).from + 9 * 86_400
const ARCHIVES = '/api/log/archives'

let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())
beforeEach(async () => {
  for (const table of ['log_archives', 'logs', 'usage_hours'] as const) await test.deps.db.deleteFrom(table).execute()
  await addLogRows(test.deps.db, [{ created_at: IN_MONTH, type: 2, user_id: 1, username: 'root', model_name: 'm', quota: 5 }])
})

const finish = (state: 'archived' | 'restored') => finishArchive(test.deps.db, { month: MONTH, state, now: NOW })
const list = async () => (await root('GET', ARCHIVES)).body.data as { archives: unknown[]; months: string[] }

describe('archives of the log', () => {
  it('are ordered by month, listed with their progress, restored, and audited', async () => {
    const before = await list()
    expect(before).toMatchObject({ archives: [], months: expect.arrayContaining([MONTH, NEXT]) })
    expect(before.months).not.toContain(CURRENT)

    expect((await root('POST', ARCHIVES, { month: MONTH })).body).toMatchObject({ success: true })
    const { archives, months } = await list()
    expect(archives).toMatchObject([{ month: MONTH, state: 'writing', rows: 0, requested_by: 'root', finished_at: 0 }])
    expect(months).toEqual(before.months.filter((month) => month !== MONTH))

    await finish('archived')
    expect((await root('POST', `${ARCHIVES}/restore`, { month: MONTH })).body).toMatchObject({ success: true })
    expect(await findLogArchive(test.deps.db, MONTH)).toMatchObject({ state: 'restoring' })
    const audited = await test.deps.db.selectFrom('audit_entries').select('changes').where('resource', '=', 'log').orderBy('id').execute()
    expect(audited.map(({ changes }) => changes)).toEqual([[{ field: 'archive', after: MONTH }], [{ field: 'restore', after: MONTH }]])
  })

  it.each([
    ['a month that has not ended', 'archive', CURRENT],
    ['a month that is on its way', 'archive', MONTH],
    ['a month that is not archived', 'restore', NEXT],
  ])('refuse %s', async (_name, what, month) => {
    await root('POST', ARCHIVES, { month: MONTH })

    const { status, body } = await root('POST', what === 'archive' ? ARCHIVES : `${ARCHIVES}/restore`, { month })
    expect([status, body.message]).toEqual([200, '该月份尚未结束、已经归档或没有归档'])
  })

  it('are named above a list whose time they belong to, and refuse a file of it', async () => {
    await root('POST', ARCHIVES, { month: MONTH })
    const range = (from: number, to: number) => `start_timestamp=${from}&end_timestamp=${to}`
    const listed = async (query: string) => ((await root('GET', `/api/log/?${query}`)).body as { warnings?: string[] }).warnings
    expect(await listed(range(IN_MONTH, IN_MONTH + 86_400))).toEqual(undefined)
    await finish('archived')

    expect(await listed(range(IN_MONTH, IN_MONTH + 86_400))).toEqual([`以下月份已归档，不在列表中：${MONTH}`])
    expect(await listed(range(IN_MONTH + 40 * 86_400, 0))).toEqual(undefined)
    const file = await root('GET', `/api/log/export?${range(IN_MONTH, IN_MONTH + 86_400)}`)
    expect([file.status, file.body.message]).toEqual([200, '所选时间的部分日志已归档，请选择其他时间，或请管理员恢复'])
  })
})

describe('a search of the archive', () => {
  const requestId = `${new Date(IN_MONTH * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)}000abcdefgh`
  const ALL = '/api/log/archives/search'
  const OWN = '/api/log/self/archives/search'
  let queue: Queue
  let anna: Caller
  let annaId: number
  beforeAll(async () => {
    queue = new Queue('archive', { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX })
    await root('POST', '/api/user/', { username: 'anna', password: 'long-enough-1' })
    anna = await test.signIn('anna', 'long-enough-1')
    annaId = ((await anna('GET', '/api/user/self')).body.data as { id: number }).id
  })
  afterAll(() => queue.close())
  beforeEach(async () => {
    await queue.obliterate({ force: true })
    await root('POST', ARCHIVES, { month: MONTH })
    await finish('archived')
  })

  const row = (user_id: number) =>
    ArchivedRow.parse({ id: 7, created_at: IN_MONTH, type: 2, user_id, request_id: requestId, state: 'settled', channel_id: 3, quota: 5 })
  /** As the worker does. */
  const report = async (change: Partial<SearchRecord>) => {
    const [job] = await queue.getWaiting()
    const id = String(job?.data.id)
    const record = await readArchiveSearch(test.deps.redis, id)
    return record !== undefined && (await saveArchiveSearch(test.deps.redis, id, { ...record, at: Date.now(), ...change }))
  }
  const latest = async (caller: Caller, path: string) => (await caller('GET', path)).body.data as ArchiveSearch | null

  it('is offered by a list of a request that began in an archived month', async () => {
    const page = async (caller: Caller, path: string, id: string) =>
      ((await caller('GET', `${path}?request_id=${id}`)).body.data as { archived_month?: string }).archived_month

    expect(await page(root, '/api/log/', requestId)).toBe(MONTH)
    expect(await page(anna, '/api/log/self', requestId)).toBe(MONTH)
    expect(await page(root, '/api/log/', 'of-another-gateway')).toBe(undefined)
    const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
    expect(await page(root, '/api/log/', `${now}000abcdefgh`)).toBe(undefined)
  })

  it('goes to the worker, shows its progress, and explains what was found', async () => {
    expect(await latest(root, ALL)).toBe(null)
    const begun = await root('POST', ALL, { request_id: ` ${requestId} ` })
    expect(begun.body.data).toMatchObject({ request_id: requestId, state: 'waiting', found: [] })

    await report({ state: 'reading', objects: 4, objects_read: 1 })
    expect(await latest(root, ALL)).toMatchObject({ state: 'reading', objects: 4, objects_read: 1 })

    await report({ state: 'done', objects: 4, objects_read: 4, found: [row(annaId)] })
    expect(await latest(root, ALL)).toMatchObject({
      state: 'done',
      fault: null,
      found: [{ log: { id: 7, request_id: requestId, quota: 5, channel: 3 }, charge: null, explanation: null }],
    })
  })

  it('has no entry of another user and no channel for a user, and is seen by the one who began it alone', async () => {
    await anna('POST', OWN, { request_id: requestId })
    expect((await readArchiveSearch(test.deps.redis, (await queue.getWaiting())[0]?.data.id))?.rows).toBe('own')
    await report({ state: 'done', objects: 1, objects_read: 1, found: [row(annaId), row(annaId + 1)] })

    expect((await latest(anna, OWN))?.found.map(({ log }) => [log.user_id, log.channel])).toEqual([[annaId, 0]])
    expect(await latest(root, OWN)).toBe(null)
    expect((await anna('GET', ALL)).body.success).toBe(false)
    expect((await anna('POST', ALL, { request_id: requestId })).body.success).toBe(false)
  })

  it('ends when its searcher begins another one, and counts as failed when its worker falls silent', async () => {
    await root('POST', ALL, { request_id: requestId })
    const [first] = await queue.getWaiting()
    await root('POST', ALL, { request_id: requestId })
    const record = await readArchiveSearch(test.deps.redis, first?.data.id)
    expect(record !== undefined && (await saveArchiveSearch(test.deps.redis, first?.data.id, record))).toBe(false)

    await first?.remove()
    await report({ state: 'reading', at: Date.now() - 61_000 })
    expect(await latest(root, ALL)).toMatchObject({ state: 'failed', fault: 'stopped' })
  })

  it('is cancelled by its searcher, whatever its worker still reports, and only while it is under way', async () => {
    expect((await root('DELETE', ALL)).body.data).toMatchObject({ state: 'failed' })
    await queue.obliterate({ force: true })
    await root('POST', ALL, { request_id: requestId })
    await report({ state: 'reading', objects: 4, objects_read: 1, found: [row(annaId)] })
    await anna('DELETE', OWN)
    expect(await latest(root, ALL)).toMatchObject({ state: 'reading' })

    const cancelled = { request_id: requestId, state: 'cancelled', objects_read: 1, found: [{ log: { id: 7 } }] }
    expect((await root('DELETE', ALL)).body.data).toMatchObject(cancelled)
    expect(await report({ state: 'done' })).toBe(false)
    expect(await latest(root, ALL)).toMatchObject(cancelled)

    await queue.obliterate({ force: true })
    await root('POST', ALL, { request_id: requestId })
    await report({ state: 'done' })
    expect((await root('DELETE', ALL)).body.data).toMatchObject({ state: 'done' })
    expect((await anna('DELETE', ALL)).body.success).toBe(false)
  })

  it.each(['of-another-gateway', '29990101000000000abcdefgh'])('is refused for %s, whose month is not archived', async (id) => {
    expect((await root('POST', ALL, { request_id: id })).body).toMatchObject({
      success: false,
      message: '该请求编号的时间不在已归档的月份内',
    })
  })
})
