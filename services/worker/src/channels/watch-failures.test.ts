import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listChannelFailures } from '@tollgate/db/queries/channels/channel-failures'
import { ACTIVITY_SECONDS, activityStarts } from '@tollgate/domain/channel-health/activity'
import { isOpenFailure } from '@tollgate/domain/channel-health/failure'
import { addChannelActivity, type ActivityReport } from '@tollgate/redis/stores/channel-activity'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { watchFailures } from './watch-failures.ts'

const START = Date.UTC(2026, 5, 1, 12, 0, 30)
const HOUR_MS = 3_600_000

describe('channels that fail', () => {
  let testbed: Testbed
  let clock = START
  let id = 0
  beforeAll(async () => {
    testbed = await createTestbed()
  })
  afterAll(() => testbed.close())
  beforeEach(async () => {
    await testbed.db.deleteFrom('channels').execute()
    const row = { name: 'c', type: 1, key_sealed: '', key_hash: '', models: 'm', status: 1, created_time: 1 }
    id = (await testbed.db.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()).id
    clock += 24 * HOUR_MS
    await report({})
  })

  const report = async (change: Partial<ActivityReport>) => {
    const [start = 0] = activityStarts(Math.floor(clock / 1000), 1)
    const none = { counts: new Map(), errors: new Map(), breakers: [] }
    await addChannelActivity(testbed.redis, { start, now: clock, relay_id: 'r', ...none, ...change })
  }
  const refused = () => ({ at: clock, status: 401, message: 'wrong key', model: 'm', request_id: 'r' })
  const fail = () => report({ counts: new Map([[id, { ok: 0, failed: 6, latency: [] }]]), errors: new Map([[id, refused()]]) })
  const succeed = () => report({ counts: new Map([[id, { ok: 1, failed: 0, latency: [] }]]) })
  const watch = () => watchFailures({ db: testbed.db, redis: testbed.redis, now: () => clock })
  const open = async () => (await listChannelFailures(testbed.db)).filter(isOpenFailure)

  it('stay so when relays have forgotten their breaker and their calls', async () => {
    const failed_at = clock
    await fail()
    await watch()
    clock += 3 * HOUR_MS
    await watch()

    expect(await open()).toMatchObject([{ channel_id: id, since: failed_at, failed_at, status: 401, message: 'wrong key', model: 'm' }])
  })

  it('are well again when a request succeeds', async () => {
    await fail()
    await watch()
    clock += 3 * HOUR_MS
    await succeed()
    await watch()
    expect(await open()).toEqual([])

    clock += ACTIVITY_SECONDS * 1000
    const again = clock
    await fail()
    await watch()
    expect(await open()).toMatchObject([{ since: again }])
  })

  it('stay so while a breaker is open, whatever other keys answer', async () => {
    const breaker = { channel_id: id, model: '*', key_id: 'k', state: 'open', cause: 'dead', remaining_ms: 900 } as const
    await report({ counts: new Map([[id, { ok: 9, failed: 1, latency: [] }]]), errors: new Map([[id, refused()]]), breakers: [breaker] })
    await watch()
    await watch()
    expect(await open()).toHaveLength(1)
  })

  it('are forgotten with their channel', async () => {
    await fail()
    await watch()
    await testbed.db.deleteFrom('channels').execute()
    await watch()

    expect(await listChannelFailures(testbed.db)).toEqual([])
  })
})
