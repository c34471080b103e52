import { parseEnv, WorkerEnv } from '@tollgate/config/env'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger-reports'
import { LOOP_LOCKS, tryLoopLock } from '@tollgate/db/queries/loop-lock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postShards } from '../posting/post-shards.ts'
import { testKeys } from '../testing/worker-process.ts'
import { anId, createWorld, SHARDS, type World } from '../testing/worker-world.ts'
import { verifyLedger } from './verify-ledger.ts'

describe('the daily check of the ledger', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
    await world.addUser(1)
    await world.request(1, anId(), 50)
    await postShards(world.posting, [0, 1, 2, 3])
  })
  afterAll(() => world.close())

  const run = () => {
    const env = parseEnv(WorkerEnv, {
      NODE_ENV: 'test',
      DATABASE_URL: world.database.url,
      REDIS_URL: world.server.url,
      SHARDS: String(SHARDS),
      KEY_CHANNELS: testKeys,
      KEY_OPTIONS: testKeys,
      INTERNAL_SECRETS: 's'.repeat(40),
    })
    return verifyLedger({ db: world.db, redis: world.redis, env, log: world.log })({}, { signal: new AbortController().signal, attempt: 1 })
  }

  it('keeps its report and says that all is well', async () => {
    expect(await run()).toEqual({ outcome: 'sound', differences: 0 })

    expect(await findLastLedgerReport(world.db)).toMatchObject({ source: 'job', is_sound: true, skipped: '' })
    expect(world.lines.at(-1)).toMatchObject({ level: 'info', text: 'the ledger agrees with itself' })
  })

  it('raises an error line with the first differences', async () => {
    await world.db.updateTable('users').set({ spent: 51 }).where('id', '=', 1).execute()
    const result = await run()
    await world.db.updateTable('users').set({ spent: 50 }).where('id', '=', 1).execute()

    // Postgres against its own sums, and Redis against Postgres.
    expect(result).toEqual({ outcome: 'different', differences: 2 })
    expect(world.lines.at(-1)).toMatchObject({
      level: 'error',
      fields: { count: 2, detail: expect.stringContaining('users: spent = Σ roll-up: user 1: 51 against 50') },
    })
    expect(await findLastLedgerReport(world.db)).toMatchObject({ is_sound: false, differences: 2 })
  })

  it('is no alarm, and not sound either, while Redis cannot be compared', async () => {
    await world.redis.script('FLUSH')
    const result = await run()
    await world.openGate()

    expect(result).toEqual({ outcome: 'incomplete', differences: 0 })
    expect(world.lines.findLast(({ text }) => text.includes('in part'))).toMatchObject({ level: 'warn' })
    expect(await findLastLedgerReport(world.db)).toMatchObject({ is_sound: false, skipped: expect.stringContaining('closed') })
  })

  it('leaves it to the worker that is at it', async () => {
    const before = await findLastLedgerReport(world.db)
    const result = await world.db.transaction().execute(async (tx) => {
      await tryLoopLock(tx, LOOP_LOCKS.verifier)
      return run()
    })

    expect(result).toEqual({ outcome: 'busy', differences: 0 })
    expect(await findLastLedgerReport(world.db)).toEqual(before)
  })
})
