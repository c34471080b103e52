import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { finalizeEvent } from '@tollgate/ledger/client/finalize-event'
import { findPendingEvent, listOpenHolds, type ListedHold } from '@tollgate/ledger/client/hold-store'
import { keys } from '@tollgate/redis/keys'
import { findFreePort } from '@tollgate/servers/free-port'
import { KEY_CHANNELS, openTestbed, SECRET, SHARDS, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** State that a relay process leaves when it is killed during a stream, settled by the reaper. */
let testbed: Testbed
let other: TestRelay
let anthropic: Server
const children: ChildProcess[] = []

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('stall')] })
  other = await testbed.startRelay()
  anthropic = createServer((incoming, reply) => {
    incoming.resume()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of EARLY) reply.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }).listen(0, '127.0.0.1')
  await once(anthropic, 'listening')
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  anthropic.close()
  anthropic.closeAllConnections()
  await testbed.close()
})

// https://docs.anthropic.com/en/docs/build-with-claude/streaming: usage of the prompt comes first; here nothing comes after two words.
const EARLY = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 700, cache_read_input_tokens: 200, cache_creation_input_tokens: 0, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello there' } },
] as const

async function spawnRelay(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...PROCESS_ENV,
      REDIS_URL: testbed.redisUrl,
      SHARDS: String(SHARDS),
      KEY_CHANNELS,
      INTERNAL_SECRETS: SECRET,
      LOG_LEVEL: 'error',
      RELAY_PORT: String(port),
      RELAY_HOST: '127.0.0.1',
      CONTROL_PLANE_INTERNAL_URL: testbed.controlPlane.url,
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
      RELAY_STATE_DIR: testbed.dir,
    },
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 30_000, interval: 100 })
  return { url, child }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const request = (url: string, { key }: Account, path: string, body: object) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }], ...body }),
  })

/** Ends the holds of a dead relay, as the reaper does. */
async function reap({ shard }: Account['record'], { request_id, hold }: ListedHold) {
  const { pendingEvent, progress } = await findPendingEvent(testbed.redis, shard, request_id)
  const { wallet_held, token_held, user_id, token_id, relay_id } = hold
  const completed = finalizeEvent({ pendingEvent: pendingEvent ?? '', progress, by: 'reaper', wallet_held, token_held, now: Date.now() })
  if (completed === undefined) throw new Error('the pending event cannot be read')
  await testbed.admin.reap({ shard, request_id, user_id, token_id, relay_id, ...completed })
}

async function holdOf({ record }: Account): Promise<ListedHold> {
  const found = (await listOpenHolds(testbed.redis, record.shard)).find(({ hold }) => hold.user_id === record.user_id)
  if (found === undefined) throw new Error('nothing is held')
  return found
}

/** Kills a relay once Redis knows that an answer is being delivered, and has its request settled; gives the event of that. */
async function killMidStream(account: Account, path: string, body: object) {
  const { url, child } = await spawnRelay()
  const answer = await request(url, account, path, body)
  expect(answer.status).toBe(200)
  const held = await holdOf(account)
  const progress = () => findPendingEvent(testbed.redis, account.record.shard, held.request_id).then((found) => found.progress)
  await vi.waitFor(async () => expect(await progress()).toMatchObject({ is_delivered: true }), { timeout: 10_000 })
  await kill(child)
  await reap(account.record, held)
  const [event] = await testbed.eventsOf(account)
  return event
}

describe('a relay that is killed', () => {
  it('leaves the usage of the first event, which the reaper charges', async () => {
    const address = anthropic.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const channel = testbed.aChannel('ok', { type: 14, base_url: `http://127.0.0.1:${port}`, models: ['claude-sonnet-4'] })
    await testbed.publish({ channels: [channel], prices: [{ model: 'claude-sonnet-4', ratio: 1.5, completion_ratio: 5 }] })
    const account = await testbed.anAccount()

    const event = await killMidStream(account, '/v1/messages', { model: 'claude-sonnet-4', stream: true })

    expect(event).toMatchObject({
      kind: 'final',
      body: { state: 'estimated', by: 'reaper', usage: { text_in: 700, cache_read: 200 }, ended_by: 'reaper' },
    })
    expect(event?.body.usage.text_out).toBeGreaterThan(1)
    expect(event?.charge).toBeGreaterThan(700 * 1.5)
  }, 60_000)

  it('after a move to a dearer group leaves the price of that group, which the reaper charges', async () => {
    const failing = testbed.aChannel('status~500', { groups: ['default'] })
    const stalling = testbed.aChannel('stall', { groups: ['vip'] })
    await testbed.publish({ channels: [failing, stalling], options: { AutoGroups: '["default","vip"]', RetryTimes: '1' } })
    const account = await testbed.anAccount({ group: 'auto', cross_group_retry: true })

    const event = await killMidStream(account, '/v1/chat/completions', { model: 'gpt-4o', stream: true })

    expect(event?.body).toMatchObject({ state: 'estimated', group: 'vip', quote: { group_ratio: 2 }, channel_id: stalling.id })
    const { text_in, text_out } = event?.body.usage ?? ZERO_USAGE
    expect(event?.charge).toBe(Math.ceil((text_in + text_out * 4) * 1.25 * 2))
  }, 60_000)

  it('keeps its limit leases exactly as long as its lease or hold lives', async () => {
    const group = { RateLimits: JSON.stringify({ group: { default: { concurrency: 1 } } }) }
    await testbed.publish({ channels: [testbed.aChannel('stall')], options: group })
    const account = await testbed.anAccount({ limits: { concurrency: 1 } })
    const { url, child } = await spawnRelay()
    const answer = await request(url, account, '/v1/chat/completions', { model: 'gpt-4o', stream: true })
    expect(answer.status).toBe(200)
    const held = await holdOf(account)

    await kill(child)
    await testbed.publish({ channels: [testbed.aChannel('ok')], options: group })
    const again = () => request(other.url, account, '/v1/chat/completions', { model: 'gpt-4o' }).then(({ status }) => status)

    expect(await again()).toBe(429)
    const lease = keys.sharedSlots('group', 'default')
    expect(Number(await testbed.redis.zscore(lease, held.request_id)) - (await testbed.admin.redisTime())).toBeLessThanOrEqual(120_000)
    // As if its two minutes were over: the token's own lease still belongs to an open hold.
    await testbed.redis.zadd(lease, '1', held.request_id)
    expect(await again()).toBe(429)
    await reap(account.record, held)
    await vi.waitFor(async () => expect(await again()).toBe(200), { timeout: 10_000, interval: 200 })
    expect(await testbed.openHolds()).toBe(0)
  }, 60_000)

  it('leaves the model that answered in place of the requested one, which the reaper charges', async () => {
    const channels = [testbed.aChannel('status~500', { models: ['asked'] }), testbed.aChannel('paced~60~500', { models: ['second'] })]
    const prices = [
      { model: 'asked', ratio: 1, completion_ratio: 1 },
      { model: 'second', ratio: 4, completion_ratio: 2 },
    ]
    await testbed.publish({ channels, prices, options: { ModelFallbacks: '{"*":{"asked":["second"]}}' } })
    const account = await testbed.anAccount()

    const event = await killMidStream(account, '/v1/chat/completions', { model: 'asked', stream: true })

    expect(event?.body).toMatchObject({
      model_name: 'second',
      quote: { model: 'second', model_ratio: 4 },
      state: 'estimated',
      by: 'reaper',
    })
    const { text_in = 0, text_out = 0 } = event?.body.usage ?? {}
    expect(event?.charge).toBe(Math.ceil((text_in + text_out * 2) * 4))
  })
})
