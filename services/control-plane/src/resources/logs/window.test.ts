import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashTokenKey } from '@tollgate/config/sealing'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import type { Log, LogStat } from '@tollgate/contracts/resources/logs'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

type Page = { items: Log[]; total: number }

describe('a search of entries that no sum is kept for', () => {
  let test: TestApp
  let root: Caller
  const now = Math.floor(Date.now() / 1000)
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    const row = { user_id: 1, username: 'root', channel_id: 3, token_id: 1, token_name: 'mine', model_name: 'm', quota: 5, use_time: 9 }
    const rows = [10, 20, 40].map((days) => ({ ...row, type: 2, created_at: now - days * DAY_SECONDS, session: 's', state: 'settled' }))
    await addLogRows(test.database.db, rows)
  })
  afterAll(() => test.stop())

  const ask = async (path: string) => {
    const { status, body } = await root('GET', path, undefined, { 'Accept-Language': 'en' })
    return { status, ...(body as { success: boolean; message: string; data: unknown; warnings?: string[] }) }
  }
  const dates = (data: unknown) => (data as Page).items.map(({ created_at }) => (now - created_at) / DAY_SECONDS) // the contract's shape
  const WARNING = ['Only the last 31 days were searched: no time was given']

  const filters = ['session=s', 'min_seconds=5', 'outcome=charged', 'channel=3&username=root', 'channel=3&token_name=mine']

  it.each(filters)('looks at the last 31 days when no time is given, and says so: %s', async (filter) => {
    const page = await ask(`/api/log/?${filter}`)
    expect([dates(page.data), page.warnings]).toEqual([[10, 20], WARNING])

    const stat = await ask(`/api/log/stat?${filter}`)
    expect([(stat.data as LogStat).quota, stat.warnings]).toEqual([10, WARNING]) // the contract's shape
  })

  it.each(filters)('takes a range of at most 31 days: %s', async (filter) => {
    const range = (from: number, to: number) => `start_timestamp=${now - from * DAY_SECONDS}&end_timestamp=${now - to * DAY_SECONDS}`
    const page = await ask(`/api/log/?${filter}&${range(45, 15)}`)
    expect([dates(page.data), page.warnings]).toEqual([[20, 40], undefined])
    // As a console with a month and an hour chosen sends it.
    expect(dates((await ask(`/api/log/?${filter}&start_timestamp=${now - 31 * DAY_SECONDS}&end_timestamp=${now + 3600}`)).data)).toEqual([
      10, 20,
    ])

    for (const path of [`/api/log/?${filter}&${range(45, 5)}`, `/api/log/stat?${filter}&start_timestamp=1`])
      expect(await ask(path)).toMatchObject({ success: false, message: 'With these filters choose a range of at most 31 days' })
  })

  it.each(['', 'token_name=mine', 'channel=3', 'model_name=m', 'request_id=r'])(
    'has no such limit where sums or an index answer: %s',
    async (filter) => {
      const page = await ask(`/api/log/?${filter}&start_timestamp=1`)
      expect([page.success, page.warnings]).toEqual([true, undefined])
    },
  )

  it.each(filters)('is no file without a range of at most 31 days: %s', async (filter) => {
    for (const range of ['', `&start_timestamp=${now - 45 * DAY_SECONDS}`])
      expect(await ask(`/api/log/export?${filter}${range}`)).toMatchObject({
        success: false,
        message: 'With these filters choose a range of at most 31 days',
      })
    const { message } = (await root('GET', `/api/log/export?${filter}&start_timestamp=${now - 25 * DAY_SECONDS}`)).body
    expect(message.trimEnd().split('\r\n')).toHaveLength(3)
  })

  it('of a key looks at the last 31 days without a time, and takes a range', async () => {
    const key = 'k'.repeat(48)
    const token = {
      id: 1,
      user_id: 1,
      name: 'mine',
      key_hash: hashTokenKey(key),
      key_sealed: '',
      key_head: '',
      key_tail: '',
      created_time: 1,
    }
    await test.database.db.insertInto('tokens').values(token).execute()
    const of = async (query: string) => {
      const { body } = await test.guest('GET', `/api/log/token${query}`, undefined, {
        Authorization: `Bearer sk-${key}`,
        'Accept-Language': 'en',
      })
      return body as { data: Log[]; message: string; warnings?: string[] } // the contract's shape
    }
    const ages = (rows: readonly Log[]) => rows.map(({ created_at }) => (now - created_at) / DAY_SECONDS)

    const newest = await of('')
    expect([ages(newest.data), newest.warnings]).toEqual([[10, 20], WARNING])
    const older = await of(`?start_timestamp=${now - 45 * DAY_SECONDS}&end_timestamp=${now - 15 * DAY_SECONDS}`)
    expect([ages(older.data), older.warnings]).toEqual([[20, 40], undefined])
    expect((await of('?start_timestamp=1')).message).toBe('With these filters choose a range of at most 31 days')
  })

  it('by keyword looks at the last 31 days', async () => {
    const { data, warnings } = await ask('/api/log/search?keyword=2')
    expect((data as Log[]).map(({ created_at }) => (now - created_at) / DAY_SECONDS)).toEqual([10, 20]) // the contract's shape
    expect(warnings).toEqual(WARNING)
  })
})
