import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import type { SystemHealth } from '@tollgate/contracts/resources/health'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Service, type Stack } from './support/stack.ts'
import { listDifferences } from './support/verify.ts'

const QUOTA = 500_000_000
const LEDGER_KEY = /\{s\d+\}|^(?:opened|opened-script|postgres|lost):\{cfg\}$|^heartbeat:|^(?:lim|slot):/

describe('all services with a Redis for the ledger', () => {
  let vendor: VendorServer
  let ledgerServer: TestRedis
  let stack: Stack
  let api: Api
  let user: Seeded
  let relay: Service
  let ledgerEnv: Record<string, string>
  const connections: Redis[] = []
  let [rest, ledger]: readonly Redis[] = []
  let answered = 0

  const open = (url: string): Redis => {
    const redis = connectRedis(url, 'plain')
    connections.push(redis)
    return redis
  }
  const chat = async (): Promise<number> => {
    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.arrayBuffer()
    if (answer.status === 200) answered += 1
    return answer.status
  }
  const serve = async (calls: number): Promise<void> => {
    await expect.poll(chat, { timeout: 30_000 }).toBe(200)
    for (let sent = 1; sent < calls; sent += 1) expect(await chat()).toBe(200)
  }
  const charged = async () => {
    const { db } = stack.database
    const rows = await db.selectFrom('logs').select('quota').where('user_id', '=', user.userId).where('type', '=', 2).execute()
    const { spent } = await db.selectFrom('users').select('spent').where('id', '=', user.userId).executeTakeFirstOrThrow()
    return { rows: rows.length, difference: spent - rows.reduce((sum, { quota }) => sum + quota, 0) }
  }
  const untilCharged = async (): Promise<void> => {
    await expect.poll(charged, { timeout: 30_000 }).toEqual({ rows: answered, difference: 0 })
  }
  const verify = (): Promise<string[]> => listDifferences({ ...stack.env, ...ledgerEnv })

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack()
    ledgerServer = await startTestRedis({ isDurable: true })
    ledgerEnv = { LEDGER_REDIS_URL: ledgerServer.url }
    relay = stack.relays[0] ?? expect.fail('the stack has a relay')
    rest = open(stack.redis.url)
    ledger = open(ledgerServer.url)
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~2~5`, models: 'gpt-4o-mini' })
    user = await seedUser(stack, { credited: QUOTA, granted: QUOTA })
  })
  afterAll(async () => {
    for (const connection of connections) connection.disconnect()
    await stack.stop()
    await ledgerServer.stop()
    await vendor.stop()
  })

  it('move the ledger to an empty server while they are stopped, and close the server that it left', async () => {
    await serve(10)
    for (const service of [relay, stack.worker, stack.controlPlane]) await service.end('SIGTERM')
    await untilCharged()
    const { CONTROL_PLANE_PORT = '', INTERNAL_PORT = '' } = stack.env
    const relayPort = new URL(relay.url).port
    await stack.startControlPlane({ ...ledgerEnv, CONTROL_PLANE_PORT, INTERNAL_PORT })
    await stack.startWorker(ledgerEnv)
    relay = await stack.startRelay({ ...ledgerEnv, RELAY_PORT: relayPort })

    await serve(20)

    await untilCharged()
    expect(await rest?.exists(keys.opened())).toBe(0)
    expect(await ledger?.exists(keys.opened())).toBe(1)
    expect(await verify()).toEqual([])
  })

  it('keep money in the one and everything else in the other', async () => {
    const left = (await rest?.keys('*'))?.filter((key) => LEDGER_KEY.test(key)) ?? []
    await rest?.unlink(...left)

    await serve(5)

    await untilCharged()
    const [inRest, inLedger] = [(await rest?.keys('*')) ?? [], (await ledger?.keys('*')) ?? []]
    expect(inRest.filter((key) => LEDGER_KEY.test(key))).toEqual([])
    expect(inRest.length).toBeGreaterThan(5)
    expect(inLedger.filter((key) => !LEDGER_KEY.test(key))).toEqual([])
    expect(inLedger).toContain(keys.wallet(user.shard, user.userId))
    const health = must(await api.get<SystemHealth>('/api/health'))
    expect([health.redis?.version, health.ledger_redis?.version]).toEqual([expect.any(String), expect.any(String)])
  })

  it('charge while the other server is away, without the queue, and go on when it is back', async () => {
    await stack.redis.restart(async () => {
      const statuses = await Promise.all([chat(), chat(), chat()])
      expect(statuses).toEqual([200, 200, 200])
      await untilCharged()
    })

    await serve(5)
    await untilCharged()
    expect(await verify()).toEqual([])
  })

  it('repair a ledger whose server came back empty', async () => {
    await serve(5)
    await untilCharged()
    await ledger?.flushall()
    await ledgerServer.restart()

    await serve(5)

    await untilCharged()
    expect(await verify()).toEqual([])
  })
})
