import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { hashPassword } from '../services/control-plane/src/authentication/passwords.ts'
import { toggleToken, topUp } from './chaos/clients.ts'
import { createChannel, must, setUp, signIn, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

const run = promisify(execFile)
/** Longer than a load may be old (5 s), so that a load read before an eviction cannot restore an outdated balance. */
const LOAD_AGE_MS = 5100
/** 0.002 USD a call at 500 000 quota per USD. */
const PRICE = { model: 'per-call', usd: 0.002, quota: 1000 }

describe('the ledger under load and kills', () => {
  const agent = new Agent({ connections: 600, headersTimeout: 60_000 })
  let vendor: VendorServer
  let stack: Stack
  let api: Api
  let redis: Redis

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relays: 3, workerEnv: { REAP_AFTER: '8', POST_USAGE_INTERVAL: '300' } })
    redis = new Redis(stack.redis.url)
    api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ [PRICE.model]: PRICE.usd }) }))
    await createChannel(api, { base_url: `${vendor.url}/slow-first-byte~300`, models: PRICE.model, name: 'slow' })
    await createChannel(api, { base_url: `${vendor.url}/slow-first-byte~200`, models: 'gpt-4o-mini', name: 'quick' })
    for (const relay of stack.relays) await vi.waitUntil(async () => (await modelsOn(relay.url)).includes(PRICE.model), { timeout: 5000 })
  })
  afterAll(async () => {
    await agent.close()
    redis.disconnect()
    await stack.stop()
    await vendor.stop()
  })

  /** Models that a new user sees on the relay, to wait for the snapshot. */
  const modelsOn = async (url: string): Promise<string[]> => {
    const { key } = await seedUser(stack, { credited: 1, granted: 1 })
    const answer = await request(`${url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    const body = (await answer.body.json()) as { data?: { id: string }[] }
    return (body.data ?? []).map((model) => model.id)
  }

  /** A user who can sign in, with a wallet and a limited token for `calls` calls, neither loaded in Redis. */
  const createUserWithToken = async (calls: number): Promise<{ session: Api; user: Seeded }> => {
    const user = await seedUser(stack, { credited: calls * PRICE.quota, granted: calls * PRICE.quota })
    const [username, password] = [`poor-${user.userId}`, 'a-long-password']
    const { db } = stack.database
    await db
      .updateTable('users')
      .set({ username, password_hash: await hashPassword(password) })
      .where('id', '=', user.userId)
      .execute()
    return { session: await signIn(stack.controlPlane.url, username, password), user }
  }

  const sendRequest = async (url: string, user: Seeded, body: object): Promise<{ status: number; code: string }> => {
    const answer = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer sk-${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...body }),
    })
    const text = await answer.body.text()
    const parsed: { error?: { code?: string } } = text.startsWith('{') ? (JSON.parse(text) as object) : {}
    return { status: answer.statusCode, code: parsed.error?.code ?? '' }
  }

  /** Sends it again while a relay answers that Redis was too slow for it, as happens to a burst on a busy machine. */
  const sendUntilDecided = async (url: string, user: Seeded, body: object): Promise<{ status: number; code: string }> => {
    for (;;) {
      const answer = await sendRequest(url, user, body)
      if (answer.code !== 'ledger_unavailable') return answer
    }
  }

  const openHolds = async (): Promise<number> => {
    let open = 0
    for (let shard = 0; shard < Number(stack.env['SHARDS']); shard += 1) open += await openHoldsOf(redis, shard)
    return open
  }

  it('L1: admits exactly the ten calls that a cold wallet and token can pay for, of 500 concurrent ones over three relays', async () => {
    const poor = await seedUser(stack, { credited: 10 * PRICE.quota, granted: 10 * PRICE.quota })

    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, at) => sendUntilDecided(stack.relays[at % 3]?.url ?? '', poor, { model: PRICE.model })),
    )

    const counts = new Map<string, number>()
    for (const { status, code } of answers) counts.set(`${status} ${code}`, (counts.get(`${status} ${code}`) ?? 0) + 1)
    // Held by those that run, or spent when they have ended.
    const [admitted, held = 0, spent = 0] = ['200 ', '429 quota_held', '403 insufficient_user_quota'].map((kind) => counts.get(kind))
    expect([admitted, held + spent, answers.length]).toEqual([10, 490, 500])
    const wallet = await redis.hgetall(keys.wallet(poor.shard, poor.userId))
    expect(Number(wallet['credited']) - Number(wallet['spent']) - Number(wallet['held'])).toBe(0)
    expect(vendor.callsOf('slow-first-byte').filter((call) => call.text.includes(PRICE.model))).toHaveLength(10)
  })

  it('L1: admits exactly what is credited while the token is toggled, the wallet topped up and both are evict', async () => {
    const { session, user } = await createUserWithToken(10)
    const admin = createLedgerAdmin(redis)
    const before = vendor.callsOf('slow-first-byte').length
    let [admitted, credited] = [0, 10]
    const sendBatch = async (count: number): Promise<void> => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, at) => sendUntilDecided(stack.relays[at % 3]?.url ?? '', user, { model: PRICE.model })),
      )
      const isRefused = ({ status, code }: (typeof answers)[number]) => status === 403 || code === 'quota_held'
      expect(answers.filter((answer) => answer.status !== 200 && !isRefused(answer))).toEqual([])
      admitted += answers.filter(({ status }) => status === 200).length
    }
    const edits = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) {
        await toggleToken(session, user.tokenId)
        await topUp(stack.database.db, { userId: user.userId, amount: 2 * PRICE.quota })
        credited += 2
      }
    }
    const evict = async (): Promise<string[]> => {
      const cursors = await stack.database.db.selectFrom('posting_cursors').select('last_n').where('shard', '=', user.shard).execute()
      const account = { shard: user.shard, posted_n: cursors[0]?.last_n ?? 0, idle_ms: LOAD_AGE_MS }
      const wallet = await admin.evictWallet({ ...account, user_id: user.userId })
      return [wallet.kind, (await admin.evictToken({ ...account, token_id: user.tokenId })).kind]
    }

    await Promise.all([sendBatch(200), edits(3)])
    await expect.poll(evict, { timeout: 15_000, interval: 250 }).toEqual(['absent', 'absent'])
    await Promise.all([sendBatch(200), edits(3)])
    must(await session.put('/api/token/', { id: user.tokenId, unlimited_quota: true }))
    // The last credit reaches Redis through the outbox.
    await expect
      .poll(() => redis.hget(keys.wallet(user.shard, user.userId), 'credited'), { timeout: 5000 })
      .toBe(String(credited * PRICE.quota))
    await expect
      .poll(
        async () => {
          await sendBatch(50)
          return admitted
        },
        { timeout: 15_000, interval: 250 },
      )
      .toBe(credited)
    await sendBatch(100)

    expect(admitted).toBe(credited)
    expect(vendor.callsOf('slow-first-byte').length - before).toBe(credited)
    expect(await redis.hmget(keys.wallet(user.shard, user.userId), 'spent', 'held')).toEqual([String(credited * PRICE.quota), '0'])
    const [granted, charged, held] = await redis.hmget(keys.token(user.shard, user.tokenId), 'granted', 'charged', 'held')
    expect(Number(held)).toBe(0)
    expect(Number(charged)).toBeLessThanOrEqual(Number(granted))
  }, 60_000)

  it('has equal sums everywhere after 2 000 requests, a killed worker and a killed relay', async () => {
    const rich = await seedUser(stack, { credited: 500_000_000, granted: 500_000_000 })
    let delivered = 0
    let relays = 3
    const load = runLoad(2000, 100, async (at) => {
      const body = { model: 'gpt-4o-mini', stream: at % 3 === 0, max_tokens: 50 }
      // Requests to the killed relay fail and are not counted as delivered.
      const answer = await sendRequest(stack.relays[at % relays]?.url ?? '', rich, body).catch(() => undefined)
      if (answer?.status === 200) delivered += 1
    })
    await afterBatches(stack, rich.userId, 3)
    await stack.worker.end('SIGKILL')
    // Both are killed during the load, while the relay has open requests.
    expect(delivered).toBeLessThan(1800)
    await expect.poll(openHolds, { timeout: 10_000, interval: 5 }).toBeGreaterThan(40)
    await stack.relays[2]?.end('SIGKILL')
    relays = 2
    expect(await openHolds()).toBeGreaterThan(0)
    await stack.startWorker()
    await load

    await expect.poll(openHolds, { timeout: 90_000, interval: 500 }).toBe(0)
    await expect.poll(() => unposted(stack, redis), { timeout: 30_000, interval: 200 }).toBe(0)
    const verified = await run(process.execPath, [join(import.meta.dirname, '../services/worker/src/verify-ledger.ts')], {
      env: { ...stack.env },
    })
    expect(verified.stdout.split('\n').filter((line) => /\d+ {2}/.test(line) && !line.endsWith('ok'))).toEqual([])
    expect(verified.stdout).toMatch(/charges: equal when priced again +\d{4} {2}ok/)
    const rows = await stack.database.db
      .selectFrom('logs')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.sum<number>('quota').as('quota')])
      .where('user_id', '=', rich.userId)
      .groupBy('state')
      .execute()
    const count = (state: string): number => Number(rows.find((row) => row.state === state)?.count ?? 0)
    expect(count('settled')).toBeGreaterThanOrEqual(delivered)
    // The reaper ended the killed relay's requests, with a charge if anything was delivered.
    expect(count('released') + count('estimated')).toBeGreaterThan(0)
    const user = await stack.database.db.selectFrom('users').select('spent').where('id', '=', rich.userId).executeTakeFirstOrThrow()
    expect(rows.reduce((sum, row) => sum + Number(row.quota), 0)).toBe(user.spent)
  }, 180_000)
})

/** Open holds start with `o|`, tombstones do not. */
async function openHoldsOf(redis: Redis, shard: number): Promise<number> {
  const holds = await redis.hvals(keys.holds(shard))
  return holds.filter((line) => line.startsWith('o|')).length
}

/** Runs `total` tasks, `width` concurrently. */
async function runLoad(total: number, width: number, task: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const runTasks = async (): Promise<void> => {
    while (next < total) {
      const at = next
      next += 1
      await task(at)
    }
  }
  await Promise.all(Array.from({ length: width }, runTasks))
}

/** Waits until the user's request count has grown `batches` times. */
async function afterBatches({ database: { db } }: Stack, userId: number, batches: number): Promise<void> {
  let seen = 0
  let last = 0
  await expect
    .poll(
      async () => {
        const row = await db.selectFrom('users').select('request_count').where('id', '=', userId).executeTakeFirstOrThrow()
        if (row.request_count > last) seen += 1
        last = row.request_count
        return seen
      },
      { timeout: 60_000, interval: 20 },
    )
    .toBeGreaterThanOrEqual(batches)
}

async function unposted({ database: { db }, env }: Stack, redis: Redis): Promise<number> {
  let left = 0
  for (let shard = 0; shard < Number(env['SHARDS']); shard += 1) {
    const cursor = await db.selectFrom('posting_cursors').select('last_n').where('shard', '=', shard).executeTakeFirstOrThrow()
    left += Number((await redis.hget(keys.fence(shard), 'n')) ?? 0) - cursor.last_n
  }
  return left
}
