import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keepLogsIn } from '@tollgate/db/log-store'
import { createClickHouseStore, type ClickHouseStore } from '@tollgate/log-store/clickhouse'
import { startClickHouse, whyNoClickHouse, type TestClickHouse } from '@tollgate/testing/clickhouse'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from '../verify/verify.ts'
import { isReady, startWorkerProcess, type WorkerProcess } from '../../test/worker-process.ts'

const why = await whyNoClickHouse()

describe.skipIf(why !== undefined)(`a worker with a log store${why === undefined ? '' : `: ${why}`}`, () => {
  let testbed: Testbed
  let server: TestClickHouse
  let store: ClickHouseStore
  let worker: WorkerProcess
  const start = async (env: Record<string, string>): Promise<WorkerProcess> =>
    await startWorkerProcess({ databaseUrl: testbed.database.url, redisUrl: testbed.server.url, shards: SHARDS }, env)

  beforeAll(async () => {
    ;[testbed, server] = await Promise.all([createTestbed(), startClickHouse()])
    store = createClickHouseStore({ url: server.url, exclusively: (work) => work() })
    await testbed.addUser(1)
    worker = await start({ LOG_STORE_URL: server.url })
    await vi.waitFor(async () => expect(await isReady(worker.port), worker.output()).toBe(true), { timeout: 60_000, interval: 50 })
  }, 240_000)
  afterAll(async () => {
    worker?.child.kill('SIGKILL')
    await worker?.exited
    await store?.close()
    await server?.stop()
    await testbed?.close()
  })
  const stored = () => store.sum({ filter: { user_id: 1 } })

  it('brings the rows of what it posts to the store, and charges while the store is away', async () => {
    await testbed.request(1, anId(), 50)
    await expect.poll(stored, { timeout: 15_000 }).toMatchObject({ rows: 1, quota: 50 })

    await server.kill()
    await testbed.request(1, anId(), 50)
    await expect.poll(() => testbed.user(1), { timeout: 15_000 }).toEqual({ spent: 100, request_count: 2 })

    await server.start()
    await expect.poll(() => stored().catch(() => undefined), { timeout: 15_000 }).toMatchObject({ rows: 2, quota: 100 })
    expect(await testbed.db.selectFrom('logs').select('id').execute()).toEqual([])
  })

  it('verifies the rows of the store', async () => {
    keepLogsIn(testbed.db, store)
    const limits = { shards: SHARDS, maxHoldAgeMs: 60_000, maxLagMs: 60_000 }
    const { is_sound, text } = await verifyLedger({ db: testbed.db, redis: testbed.redis, limits })

    expect(is_sound, text).toBe(true)
    expect(text).toMatch(/requests: one terminal state +2 {2}ok/)
    expect(text).toMatch(/requests: state, type and price parts fit +2 {2}ok/)
  })

  it('does not start without the address of the store that its installation uses', async () => {
    const other = await start({})

    expect(await other.exited).toBe(1)
    expect(other.output()).toContain('set LOG_STORE_URL')
  })
})
