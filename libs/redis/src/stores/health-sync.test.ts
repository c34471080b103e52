import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, type Redis } from '../connect.ts'
import { createHealthSync, type HealthRow } from './health-sync.ts'
import { acknowledgeIncidents, appendIncident, takeIncidents } from './incident-stream.ts'
import { keys } from '../keys.ts'

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

const row = (over: Partial<HealthRow> = {}): HealthRow => ({ channel_id: 7, model: 'm', key_id: '', ok: 1, failed: 2, ...over })

describe('health sync', () => {
  it('delivers a report once to every other relay, and not to its sender', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((relay_id) => createHealthSync(redis, relay_id))
    await a?.swap([row()])
    await b?.swap([row({ channel_id: 8, pause: { ms: 900, cause: 'limited' } })])

    const heard = [await a?.swap([]), await b?.swap([]), await c?.swap([])].map((all) => all?.flatMap(({ rows }) => rows))

    expect(heard).toEqual([
      [row({ channel_id: 8, pause: { ms: 900, cause: 'limited' } })],
      [],
      [row(), row({ channel_id: 8, pause: { ms: 900, cause: 'limited' } })],
    ])
    expect(await c?.swap([])).toEqual([])
  })

  it('reports its age, expires after two minutes, and writes nothing without news', async () => {
    const [a, b] = [createHealthSync(redis, 'a'), createHealthSync(redis, 'b')]
    await a.swap([])
    expect(await redis.exists(keys.health())).toBe(0)
    const [seconds] = await redis.time()
    await redis.xadd(keys.health(), `${(Number(seconds) - 60) * 1000}-0`, 'by', 'old', 'rows', JSON.stringify([row()]))

    const [heard] = await b.swap([row()])

    expect(heard?.age_ms).toBeGreaterThan(59_000)
    expect(await redis.pttl(keys.health())).toBeGreaterThan(100_000)
  })

  it('ignores rows that it cannot parse', async () => {
    await redis.xadd(keys.health(), '*', 'by', 'new', 'rows', '[{"channel":"x"}]')
    await redis.xadd(keys.health(), '*', 'by', 'new', 'rows', '{')

    expect((await createHealthSync(redis, 'a').swap([])).flatMap(({ rows }) => rows)).toEqual([])
  })

  it('fails at once when Redis does not answer', async () => {
    const unavailable = connectRedis('redis://127.0.0.1:1', 'ledger')
    await expect(createHealthSync(unavailable, 'a').swap([row()])).rejects.toThrow()
    unavailable.disconnect()
  })
})

describe('the stream of incidents', () => {
  const incident = { channel_id: 1, channel_name: 'c', at: 5, reason: 'no', status: 401, code: '', key_id: '' }

  it('delivers each incident to one consumer until it is acknowledged', async () => {
    await appendIncident(redis, incident)
    await appendIncident(redis, { ...incident, channel_id: 2 })

    const [first] = await takeIncidents(redis, 'a', 1)
    const [second] = await takeIncidents(redis, 'b', 1)

    expect([first?.incident, second?.incident]).toEqual([incident, { ...incident, channel_id: 2 }])
    await acknowledgeIncidents(redis, [first?.id ?? '', second?.id ?? ''])
    expect(await takeIncidents(redis, 'a', 10)).toEqual([])
  })

  it('reads incidents without code and key, from older relays', async () => {
    await redis.xadd(keys.incidents(), '*', 'incident', '{"channel_id":3,"channel_name":"c","at":5,"reason":"no","status":401}')

    expect((await takeIncidents(redis, 'a', 10))[0]?.incident).toEqual({ ...incident, channel_id: 3 })
  })
})
