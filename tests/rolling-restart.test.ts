import { Agent, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createChannel, setUp } from './support/api.ts'
import { startNginx, type Nginx } from './support/nginx.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

describe('a rolling restart of two relays behind nginx', () => {
  let vendor: VendorServer
  let stack: Stack
  let nginx: Nginx
  let user: Seeded

  beforeAll(async () => {
    vendor = await startVendorServer()
    stack = await startStack({ relays: 2, relayEnv: { DRAIN_GRACE: '2' } })
    const api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/paced~10~30`, models: 'gpt-4o-mini', name: 'paced' })
    user = await seedUser(stack, { credited: 500_000_000, granted: 500_000_000 })
    nginx = await startNginx(stack.relays.map(({ url }) => url))
    for (const { url } of stack.relays)
      await vi.waitUntil(async () => (await sendRequest(url, user.key, false)) === 'answered', { timeout: 10_000 })
  })
  afterAll(async () => {
    await nginx.stop()
    await stack.stop()
    await vendor.stop()
  })

  it('drops no request and no stream, and charges every response once', async () => {
    const outcomes = new Map<string, number>()
    let isOver = false
    const runClient = async (at: number): Promise<void> => {
      while (!isOver) {
        const outcome = await sendRequest(nginx.url, user.key, at % 2 === 0)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    const clients = Array.from({ length: 12 }, (_, at) => runClient(at))
    const waitForMore = async (count: number): Promise<void> => {
      const goal = (outcomes.get('answered') ?? 0) + count
      await vi.waitFor(() => expect(outcomes.get('answered') ?? 0).toBeGreaterThan(goal), { timeout: 20_000 })
    }

    await waitForMore(30)
    for (const relay of stack.relays) {
      expect(await relay.end('SIGTERM')).toBe(0)
      await waitForMore(15)
      await stack.startRelay({ RELAY_PORT: new URL(relay.url).port })
      await waitForMore(15)
    }
    isOver = true
    await Promise.all(clients)

    const answered = outcomes.get('answered') ?? 0
    expect(Object.fromEntries(outcomes)).toEqual({ answered })
    // Plus the two calls sent directly to the relays at the start.
    const { db } = stack.database
    const rows = () =>
      db
        .selectFrom('logs')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .where('user_id', '=', user.userId)
        .groupBy('state')
        .execute()
    await expect
      .poll(async () => (await rows()).map(({ state, count }) => [state, Number(count)]), { timeout: 20_000 })
      .toEqual([['settled', answered + 2]])
  })
})

const agent = new Agent({ keepAlive: false })

/** One request on its own connection; `answered` only if the response is complete. */
async function sendRequest(url: string, key: string, stream: boolean): Promise<string> {
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  const call = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers })
  try {
    call.end(JSON.stringify({ model: 'gpt-4o-mini', stream, messages: [{ role: 'user', content: 'hi' }] }))
    const [answer]: IncomingMessage[] = await once(call, 'response')
    let text = ''
    for await (const chunk of answer ?? []) text += String(chunk)
    if (answer?.statusCode !== 200) return `status ${answer?.statusCode} ${text.slice(0, 200)}`
    return !stream || text.endsWith('data: [DONE]\n\n') ? 'answered' : `cut ${text.slice(-100)}`
  } catch (error) {
    return String(error)
  }
}
