import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, type Redis } from '../connect.ts'
import { keys } from '../keys.ts'
import {
  addChannelActivity,
  readAllActivity,
  readChannelActivity,
  readChannelErrors,
  readOpenBreakers,
  type ActivityReport,
} from './channel-activity.ts'

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
beforeEach(() => redis.flushall())

const NOW = 1_700_000_000_000
const START = 1_699_999_800
const report = (over: Partial<ActivityReport> = {}): ActivityReport => ({
  start: START,
  counts: new Map([[7, { ok: 2, failed: 1, latency: [0, 2] }]]),
  errors: new Map(),
  breakers: [],
  relay_id: 'a',
  now: NOW,
  ...over,
})

it('adds up what several relays count, and expires', async () => {
  await addChannelActivity(redis, report())
  await addChannelActivity(redis, report({ relay_id: 'b', counts: new Map([[7, { ok: 1, failed: 0, latency: [1, 0, 3] }]]) }))

  const [period, other] = await readChannelActivity(redis, { starts: [START, START + 300], ids: [7, 8] })

  expect([...(period ?? [])]).toEqual([[7, { ok: 3, failed: 1, latency: [1, 2, 3] }]])
  expect([...(other ?? [])]).toEqual([])
  expect(await readAllActivity(redis, [START])).toEqual([period])
  expect(await redis.pttl(keys.channelActivity(START))).toBeGreaterThan(70 * 60_000)
})

it('keeps the last error of a channel', async () => {
  const error = { at: NOW, status: 429, message: 'slow down', model: 'm', request_id: 'r1' }
  await addChannelActivity(redis, report({ errors: new Map([[7, { ...error, status: 500 }]]) }))
  await addChannelActivity(redis, report({ errors: new Map([[7, error]]) }))
  await redis.hset(keys.channelErrors(), '9', 'of another version')

  expect([...(await readChannelErrors(redis, [7, 8, 9]))]).toEqual([[7, error]])
})

it('lists the breakers of relays that still report, until they close', async () => {
  const open = { channel_id: 7, model: 'm', key_id: '', state: 'open', cause: 'failures', remaining_ms: 5000 } as const
  await addChannelActivity(redis, report({ breakers: [open] }))
  await addChannelActivity(redis, report({ relay_id: 'gone', now: NOW - 60_000, breakers: [{ ...open, channel_id: 8 }] }))
  expect(await readOpenBreakers(redis, NOW)).toEqual([open])

  await addChannelActivity(redis, report({ counts: new Map() }))
  expect(await readOpenBreakers(redis, NOW)).toEqual([])
})
