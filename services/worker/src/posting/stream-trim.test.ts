import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readStoreMark, writeOpening } from '@tollgate/ledger/recovery/store-mark'
import { ledgerScripts } from '@tollgate/ledger/scripts/scripts'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { createStreamTrim } from './stream-trim.ts'

const MINUTE = 60_000
const CAP = 100

describe('trimming a posted stream', () => {
  let server: TestRedis
  let redis: Redis
  let now: number
  const stream = keys.usage(0)
  beforeAll(async () => {
    server = await startTestRedis()
    redis = connectRedis(server.url, 'plain')
    await waitUntilReady(redis)
    for (const { text } of ledgerScripts) await redis.script('LOAD', text)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })
  beforeEach(async () => {
    await redis.flushall()
    await redis.hset(keys.fence(0), 'epoch', 1)
    await writeOpening(redis, 1, (await readStoreMark(redis)) ?? '')
    now = 1_000_000
  })

  const aTrim = () => createStreamTrim(redis, () => now, CAP)
  /** Appends events n = from … to with the id `n-0`, as settle would count them. */
  const append = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n += 1) await redis.xadd(stream, `${n}-0`, 'n', n)
    await redis.hset(keys.fence(0), 'n', to)
  }
  const upTo = (n: number): { last_id: string; last_n: number } => ({ last_id: `${n}-0`, last_n: n })
  const kept = async (): Promise<number[]> => (await redis.xrange(stream, '-', '+')).map(([id]) => Number(id.split('-')[0]))

  it('keeps posted events for 15 minutes, then trims up to the cursor of that time', async () => {
    const trim = aTrim()
    await append(1, 10)
    await trim.trim(0, upTo(5))
    now += 14 * MINUTE
    await trim.trim(0, upTo(10))
    expect(await kept()).toHaveLength(10)

    now += MINUTE
    await trim.trim(0, upTo(10))

    expect(await kept()).toEqual([5, 6, 7, 8, 9, 10])
  })

  it('starts again after a restart, without the cursors of the previous process', async () => {
    await append(1, 10)
    await aTrim().trim(0, upTo(10))
    now += 20 * MINUTE

    await aTrim().trim(0, upTo(10))

    expect(await kept()).toHaveLength(10)
  })

  it('keeps at most half of the backlog cap of a busy shard, however recent', async () => {
    await append(1, 80)

    await aTrim().trim(0, upTo(80))

    expect((await kept()).length).toBe(CAP / 2)
    expect((await kept()).at(0)).toBe(31)
  })

  it('does not trim a stream within half of the cap', async () => {
    await append(1, CAP / 2)

    await aTrim().trim(0, upTo(CAP / 2))

    expect(await kept()).toHaveLength(CAP / 2)
  })

  it('never trims unposted events, even if they are more than half of the cap', async () => {
    await append(1, 90)

    await aTrim().trim(0, upTo(20))

    expect((await kept()).at(0)).toBe(21)
    expect((await kept()).length).toBe(70)
  })

  it('counts and trims in one step, so events that arrive meanwhile stay', async () => {
    await append(1, 60)
    const xlen = async (key: string): Promise<number> => {
      const length = await redis.xlen(key)
      await append(61, 95)
      return length
    }
    const racing = new Proxy(redis, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        return name === 'xlen' ? xlen : typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })

    await createStreamTrim(racing, () => now, CAP).trim(0, upTo(10))

    expect((await kept()).at(0)).toBe(11)
    expect(await kept()).toHaveLength(85)
  })

  it('does not trim the stream of a closed shard', async () => {
    await append(1, 90)
    await redis.hset(keys.fence(0), 'closed', 1)

    await aTrim().trim(0, upTo(90))

    expect(await kept()).toHaveLength(90)
  })
})
