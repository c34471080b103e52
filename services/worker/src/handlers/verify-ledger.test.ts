import { parseEnv, WorkerEnv } from '@tollgate/config/env'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { ADVISORY_LOCKS, tryAdvisoryLock } from '@tollgate/db/queries/installation/advisory-locks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postShards } from '../posting/post-shards.ts'
import { testKeys } from '../../test/worker-process.ts'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from './verify-ledger.ts'

describe('the daily check of the ledger', () => {
  let testbed: Testbed
  beforeAll(async () => {
    testbed = await createTestbed()
    await testbed.addUser(1)
    await testbed.request(1, anId(), 50)
    await postShards(testbed.posting, [0, 1, 2, 3])
  })
  afterAll(() => testbed.close())

  const run = () => {
    const env = parseEnv(WorkerEnv, {
      NODE_ENV: 'test',
      DATABASE_URL: testbed.database.url,
      REDIS_URL: testbed.server.url,
      SHARDS: String(SHARDS),
      KEY_CHANNELS: testKeys,
      KEY_OPTIONS: testKeys,
      INTERNAL_SECRETS: 's'.repeat(40),
    })
    return verifyLedger({ db: testbed.db, ledgerRedis: testbed.redis, env, log: testbed.log })(
      {},
      { signal: new AbortController().signal, attempt: 1 },
    )
  }

  it('stores its report and logs that no difference was found', async () => {
    expect(await run()).toEqual({ outcome: 'sound', differences: 0 })

    expect(await findLastLedgerReport(testbed.db)).toMatchObject({ source: 'job', is_sound: true, skipped: '' })
    expect(testbed.lines.at(-1)).toMatchObject({ level: 'info', text: 'Ledger check found no differences' })
  })

  it('logs an error with the first differences', async () => {
    await testbed.db.updateTable('users').set({ spent: 51 }).where('id', '=', 1).execute()
    const result = await run()
    await testbed.db.updateTable('users').set({ spent: 50 }).where('id', '=', 1).execute()

    // Postgres compared with its own sums, and Redis with Postgres.
    expect(result).toEqual({ outcome: 'different', differences: 2 })
    expect(testbed.lines.at(-1)).toMatchObject({
      level: 'error',
      fields: { count: 2, detail: expect.stringContaining('users: spent − refunded = Σ rollup: user 1: 51 against 50') },
    })
    expect(await findLastLedgerReport(testbed.db)).toMatchObject({ is_sound: false, differences: 2 })
  })

  it('logs a warning and is not sound while Redis cannot be compared', async () => {
    await testbed.redis.script('FLUSH')
    const result = await run()
    await testbed.recover()

    expect(result).toEqual({ outcome: 'incomplete', differences: 0 })
    expect(testbed.lines.findLast(({ text }) => text.includes('in part'))).toMatchObject({ level: 'warn' })
    expect(await findLastLedgerReport(testbed.db)).toMatchObject({ is_sound: false, skipped: expect.stringContaining('closed') })
  })

  it('does nothing while another worker runs it', async () => {
    const before = await findLastLedgerReport(testbed.db)
    const result = await testbed.db.transaction().execute(async (tx) => {
      await tryAdvisoryLock(tx, ADVISORY_LOCKS.verifier)
      return run()
    })

    expect(result).toEqual({ outcome: 'busy', differences: 0 })
    expect(await findLastLedgerReport(testbed.db)).toEqual(before)
  })
})
