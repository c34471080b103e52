import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LedgerVerdict } from '@tollgate/contracts/resources/ledger'
import { createLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { createRepair, recordLostEvents } from '@tollgate/db/queries/ledger/repairs'
import { QUEUE_PREFIX, queueConnection } from '@tollgate/jobs/connection'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const aVerdict = (fields: Partial<LedgerVerdict> = {}): LedgerVerdict => ({
  started_at: 1_790_000_000,
  duration_ms: 1200,
  differences: 0,
  sample_one_in: 1,
  checks: [{ check: 'users: spent = Σ rollup', compared: 3, differences: 0, first: [] }],
  facts: { unposted: 0 },
  skipped: '',
  ...fields,
})

describe('ledger report', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  it('is null before the first check', async () => {
    expect((await root('GET', '/api/ledger/report')).body).toEqual({ success: true, message: '', data: null })
  })

  it('is the newest report, with the first differences', async () => {
    const broken = aVerdict({ differences: 1, checks: [{ check: 'a', compared: 2, differences: 1, first: ['user 7: 1 against 2'] }] })
    await createLedgerReport(test.database.db, { source: 'command', is_sound: true, verdict: aVerdict() })
    const id = await createLedgerReport(test.database.db, { source: 'job', is_sound: false, verdict: broken })

    const { body } = await root('GET', '/api/ledger/report')

    const checks = broken.checks.map((check) => ({ ...check, looked: check.compared }))
    expect(body.data).toEqual({ id, source: 'job', is_sound: false, repairs: [], ...broken, checks })
  })

  it('is the newest report also when 1.0.0-rc.1 stored it, and is stored as that version reads it', async () => {
    const { db } = test.database
    const stored = await db.selectFrom('ledger_reports').select('verdict').orderBy('id', 'desc').executeTakeFirstOrThrow()
    expect(stored.verdict).toMatchObject({ checks: [{ check: 'a', looked: 2, differences: 1, first: ['user 7: 1 against 2'] }] })
    const checks = [{ check: 'b', looked: 5, differences: 0, first: [] }]
    await sql`insert into ledger_reports (source, is_sound, verdict)
      values ('job', true, ${JSON.stringify({ ...aVerdict(), checks })}::text::jsonb)`.execute(db)

    expect((await root('GET', '/api/ledger/report')).body.data).toMatchObject({ checks: [{ check: 'b', compared: 5, looked: 5 }] })
  })

  it('includes shards that were repaired after a store came back older', async () => {
    const counts = { shard: 3, reason: 'Redis came back older', redis_n: 7, posted_n: 9, restored_n: 9, missing: 1, created_at: 5 }
    await createRepair(test.database.db, { ...counts, epoch: 12 })
    const reported = { shard: 3, epoch: 12, restored_n: 9, relay_n: 12, resent: 2, lost: 1, created_at: 6 }
    await recordLostEvents(test.database.db, reported)

    const { body } = await root('GET', '/api/ledger/report')

    expect(body.data).toMatchObject({ repairs: [{ ...counts, resent: 2, lost: 1 }] })
  })

  it('keeps the last hundred', async () => {
    for (let i = 0; i < 110; i += 1)
      await createLedgerReport(test.database.db, { source: 'job', is_sound: true, verdict: aVerdict({ duration_ms: i }) })

    const { count } = await test.database.db
      .selectFrom('ledger_reports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(100)
    expect((await root('GET', '/api/ledger/report')).body.data).toMatchObject({ duration_ms: 109 })
  })

  it('is requested from the worker once, however often root requests it', async () => {
    const queue = new Queue('ledger', { connection: queueConnection(test.deps.env.REDIS_URL), prefix: QUEUE_PREFIX })

    const answers = [await root('POST', '/api/ledger/verify'), await root('POST', '/api/ledger/verify')]

    expect(answers.map(({ body }) => body.success)).toEqual([true, true])
    expect((await queue.getWaiting()).map(({ name }) => name)).toEqual(['verify-ledger'])
    await queue.close()
  })
})
