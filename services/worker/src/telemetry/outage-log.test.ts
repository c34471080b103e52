import { describe, expect, it } from 'vitest'
import { startTestRedis } from '@tollgate/testing/redis'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { runRecovery } from '../recovery/recovery-loop.ts'
import { createOutageLog } from './outage-log.ts'
import { createTestbed, SHARDS } from '../../test/test-worker.ts'

describe('an outage of Redis', () => {
  it('is logged once when it begins and once when it ends, however often recovery runs', async () => {
    const testbed = await createTestbed()
    const server = await startTestRedis()
    const redis = connectRedis(server.url, 'ledger')
    await waitUntilReady(redis)
    const { db, observer, posting } = testbed
    const { log, now } = posting
    const outage = createOutageLog({ log, now })
    const look = () =>
      runRecovery({
        db,
        redis,
        streams: redis,
        shards: SHARDS,
        observer,
        log,
        outage,
        now,
      })
    const linesAbout = (text: string) => testbed.lines.filter((line) => line.text.includes(text))
    expect(await look()).toBe('opened')

    await server.pause()
    try {
      expect([await look(), await look(), await look()]).toEqual(['unavailable', 'unavailable', 'unavailable'])
    } finally {
      await server.resume()
    }
    expect(linesAbout('Ledger recovery failed')).toMatchObject([{ level: 'error', fields: { err: expect.any(Error) } }])
    expect(linesAbout('Ledger recovery works again')).toEqual([])
    await expect.poll(look, { timeout: 5000 }).toBe('open')
    expect(await look()).toBe('open')

    expect(linesAbout('Ledger recovery works again')).toMatchObject([{ level: 'warn', fields: { duration_ms: expect.any(Number) } }])
    redis.disconnect()
    await server.stop()
    await testbed.close()
  })
})
