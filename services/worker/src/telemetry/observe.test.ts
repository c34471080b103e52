import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { findFreePort } from '@tollgate/servers/free-port'
import { isReady, startWorkerProcess, type WorkerProcess } from '../../test/worker-process.ts'
import { aBody, anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'

describe('metrics of the worker', () => {
  let testbed: Testbed
  let worker: WorkerProcess
  let port: number
  beforeAll(async () => {
    testbed = await createTestbed()
    await testbed.addUser(1)
    port = await findFreePort()
    worker = await startWorkerProcess(
      { databaseUrl: testbed.database.url, redisUrl: testbed.server.url, shards: SHARDS },
      { METRICS_PORT: String(port), REAP_AFTER: '2' },
    )
    await vi.waitFor(async () => expect(await isReady(worker.port), worker.output()).toBe(true), { timeout: 15_000, interval: 50 })
  })
  afterAll(async () => {
    worker.child.kill('SIGKILL')
    await testbed.close()
  })

  const page = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const shows = (...lines: RegExp[]): Promise<void> =>
    vi.waitFor(
      async () => {
        const text = await page()
        for (const line of lines) expect(text).toMatch(line)
      },
      { timeout: 25_000, interval: 200 },
    )

  it('start at zero, with the fence open', () =>
    shows(
      /^tollgate_posting_events_total\{outcome="posted"\} 0$/m,
      /^tollgate_posting_events_total\{outcome="rejected"\} 0$/m,
      /^tollgate_reaped_holds_total 0$/m,
      /^tollgate_evicted_accounts_total 0$/m,
      /^tollgate_ledger_fence_open 1$/m,
      /^tollgate_ledger_open_holds 0$/m,
    ))

  it('show the result and time of the last ledger check', async () => {
    expect(await page()).not.toMatch(/^tollgate_ledger_differences \d/m)
    const verdict = { started_at: 1_790_000_000, duration_ms: 1, differences: 3, sample_one_in: 1, checks: [], facts: {}, skipped: '' }
    await createLedgerReport(testbed.db, { source: 'job', is_sound: false, verdict })

    await shows(/^tollgate_ledger_differences 3$/m, /^tollgate_ledger_checked_at(_seconds)? 1790000000$/m)
  })

  it('count posted and rejected events, and measure jobs', async () => {
    await testbed.request(1, anId(), 10)
    await testbed.request(1, anId(), 10, 'no json')

    await shows(
      /^tollgate_posting_events_total\{outcome="posted"\} 1$/m,
      /^tollgate_posting_events_total\{outcome="rejected"\} 1$/m,
      /^tollgate_job_duration_seconds_count\{job_name="post-usage",outcome="done"\} [1-9]/m,
      /^tollgate_posting_lag_events 0$/m,
    )
  })

  it('show open holds and the lag of a stuck shard, then the reaped holds', async () => {
    await testbed.addUser(3)
    // Events that Postgres refuses can neither be posted nor repaired.
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(testbed.db)
    await sql`create trigger refuse before insert on usage_keys for each row when (new.user_id = 3) execute function refuse()`.execute(
      testbed.db,
    )
    await testbed.request(3, anId(), 10)
    await testbed.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 3).execute()
    await testbed.reserve(1, anId(), { pendingEvent: JSON.stringify({ ...aBody({ user_id: 1 }), state: undefined }) })

    await shows(
      /^tollgate_posting_suspect_shards 1$/m,
      /^tollgate_posting_lag_events 1$/m,
      /^tollgate_posting_lag_seconds [0-9.]*[1-9]/m,
      /^tollgate_reaped_holds_total 1$/m,
      /^tollgate_ledger_lost_events_total 0$/m,
    )
    await sql`drop trigger refuse on usage_keys`.execute(testbed.db)
    await shows(/^tollgate_posting_suspect_shards 0$/m, /^tollgate_posting_lag_events 0$/m, /^tollgate_ledger_repairs_total 1$/m)
  }, 60_000)

  it('show a closed fence when Redis does not answer, and hide unknown values', async () => {
    await testbed.server.stop()

    await shows(/^tollgate_ledger_fence_open 0$/m)
    expect(await page()).not.toMatch(/^tollgate_ledger_open_holds \d/m)
  })
})
