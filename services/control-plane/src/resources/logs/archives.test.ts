import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findLogArchive, finishArchive } from '@tollgate/db/queries/logs/log-archives'
import { monthOf, monthsBefore, partitionOf } from '@tollgate/db/queries/logs/log-months'
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
