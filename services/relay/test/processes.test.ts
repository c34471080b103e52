import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { findFreePort } from '@tollgate/servers/free-port'
import { KEY_CHANNELS, openTestbed, SECRET, SHARDS, type Account, type Testbed } from './test-relay.ts'

let testbed: Testbed
const children: ChildProcess[] = []

beforeAll(async () => {
  testbed = await openTestbed()
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    const all = child.exitCode === null && child.signalCode === null ? await childrenOf(child) : []
    await stop(child, 'SIGKILL')
    // They would drain first.
    for (const pid of all) killIfAlive(pid)
  }
})

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited.
  }
}
afterAll(() => testbed.close())

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }

const relayEnv = (over: Record<string, string>) => ({
  ...PROCESS_ENV,
  REDIS_URL: testbed.redisUrl,
  SHARDS: String(SHARDS),
  KEY_CHANNELS,
  INTERNAL_SECRETS: SECRET,
  LOG_LEVEL: 'error',
  RELAY_HOST: '127.0.0.1',
  CONTROL_PLANE_INTERNAL_URL: testbed.controlPlane.url,
  UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
  RELAY_STATE_DIR: testbed.dir,
  ...over,
})

/** Starts a relay as in production: one process, or several on one port. */
async function spawnRelay(over: Record<string, string> = {}): Promise<{ url: string; child: ChildProcess }> {
  const port = over['RELAY_PORT'] ?? (await findFreePort())
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: relayEnv({ RELAY_PORT: String(port), ...over }),
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return { url, child }
}

/** Waits until one process of the relay listens and is ready. */
const untilReady = (url: string) =>
  vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 30_000, interval: 100 })

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

const chat = (url: string, account: Account, body: object, signal: AbortSignal | null = null) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(body),
  })

/**
 * Acts as a load balancer: polls /readyz and sends requests to ready relays over kept-alive connections. It retries nothing: every
 * response other than 200 is a lost request.
 */
function createBalancer(urls: readonly string[], { key }: Account) {
  const agent = new Agent({ keepAlive: true })
  const body = JSON.stringify(hello)
  const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
  const ready = new Set(urls)
  const lost: string[] = []
  const state = { turn: 0, answered: 0, isStopped: false }
  const look = async (url: string): Promise<void> => {
    while (!state.isStopped) {
      const isReady = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
        (answer) => answer.status === 200,
        () => false,
      )
      if (isReady) ready.add(url)
      else ready.delete(url)
      await wait(PROBE_MS)
    }
  }
  const call = async (): Promise<void> => {
    const up = urls.filter((url) => ready.has(url))
    state.turn += 1
    const url = up[state.turn % up.length]
    if (url === undefined) {
      lost.push('no relay is ready')
      return await wait(PROBE_MS)
    }
    try {
      const call = request(`${url}/v1/chat/completions`, { agent, method: 'POST', headers })
      call.end(body)
      const [reply]: IncomingMessage[] = await once(call, 'response')
      for await (const chunk of reply ?? []) void chunk
      if (reply?.statusCode === 200) state.answered += 1
      else lost.push(`status ${reply?.statusCode}`)
    } catch (error) {
      lost.push(String(error))
    }
  }
  const work = async (): Promise<void> => {
    while (!state.isStopped) await call()
  }
  const running = [...urls.map(look), ...Array.from({ length: 6 }, work)]
  return {
    lost,
    answered: () => state.answered,
    /** Waits until this many more requests were answered. */
    answerMore: async (count: number): Promise<void> => {
      const before = state.answered
      await vi.waitFor(() => expect(state.answered).toBeGreaterThan(before + count), { timeout: 30_000 })
    },
    stop: async () => {
      state.isStopped = true
      await Promise.all(running)
      agent.destroy()
    },
  }
}
const PROBE_MS = 50

/** Clients that send one request per connection, one after the other. A request that does not end within `hangMs` has hung. */
function createLoad(url: string, { key }: Account, { clients, hangMs }: { readonly clients: number; readonly hangMs: number }) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}`, connection: 'close' }
  const state = { answered: 0, hung: 0, failed: 0, isStopped: false }
  const call = async (): Promise<void> => {
    const sent = request(`${url}/v1/chat/completions`, { agent: false, method: 'POST', headers })
    const timer = setTimeout(() => {
      state.hung += 1
      sent.destroy()
    }, hangMs)
    try {
      sent.end(JSON.stringify({ ...hello, stream: true }))
      const [reply]: IncomingMessage[] = await once(sent, 'response')
      for await (const chunk of reply ?? []) void chunk
      state[reply?.statusCode === 200 ? 'answered' : 'failed'] += 1
    } catch {
      // An error or a reset ends a client as well as an answer does.
      state.failed += 1
      await wait(5)
    } finally {
      clearTimeout(timer)
    }
  }
  const work = async (): Promise<void> => {
    while (!state.isStopped) await call()
  }
  const running = Array.from({ length: clients }, work)
  return {
    state,
    answerMore: async (count: number): Promise<void> => {
      const before = state.answered
      await vi.waitFor(() => expect(state.answered).toBeGreaterThan(before + count), { timeout: 30_000 })
    },
    stop: async () => {
      state.isStopped = true
      await Promise.all(running)
    },
  }
}
const LATER = '503, to be asked again'
const SHORT = '403 insufficient_user_quota'
const HELD = '429 quota_held'

describe('relay processes', () => {
  it('admit exactly what a cold wallet and token can pay for, with 500 requests at once on two processes', async () => {
    await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~300')] })
    const account = await testbed.anAccount({ credited: 100_000, granted: 100_000, is_unlimited: false })
    const relays = await Promise.all([spawnRelay(), spawnRelay()])

    const wave = (size: number): Promise<string[]> =>
      Promise.all(
        Array.from({ length: size }, async (_, at) => {
          const answer = await chat(relays[at % 2]?.url ?? '', account, { ...hello, model: 'per-call' })
          const body = (await answer.json()) as { error?: { code: string } } // our own shape
          return answer.status === 503 && answer.headers.has('retry-after') ? LATER : `${answer.status} ${body.error?.code ?? ''}`
        }),
      )
    let admitted = 0
    let refused: string[]
    do {
      const answers = await wave(500 - admitted)
      refused = answers.filter((answer) => answer !== '200 ')
      admitted += answers.length - refused.length
      expect(admitted).toBeLessThanOrEqual(10)
      expect(refused.filter((answer) => ![LATER, HELD, SHORT].includes(answer))).toEqual([])
      // A hold whose answer came too late is released; until then other requests are refused for lack of quota.
      await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { timeout: 20_000, interval: 100 })
      // While others hold the money, and when Redis times out on a busy machine, requests are sent again, as Retry-After asks.
    } while (refused.includes(LATER) || refused.includes(HELD))

    expect(admitted).toBe(10)
    expect(refused).toEqual(Array.from({ length: 490 }, () => SHORT))
    expect(await testbed.spendable(account)).toBe(0)
    expect((await testbed.eventsOf(account)).map(({ charge }) => charge).filter((charge) => charge > 0)).toEqual(
      Array.from({ length: 10 }, () => 10_000),
    )
  }, 120_000)

  it('finish their streams and settle everything on SIGTERM, and exit with 0', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~20~25')] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const answers = await Promise.all(Array.from({ length: 40 }, () => chat(url, account, { ...hello, stream: true })))

    const exit = stop(child, 'SIGTERM')
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(texts.filter((text) => !text.endsWith('data: [DONE]\n\n'))).toEqual([])
    expect(await exit).toBe(0)
    const events = await testbed.eventsOf(account)
    expect(events).toHaveLength(40)
    expect(events.every(({ body }) => body.state === 'settled')).toBe(true)
    expect(await testbed.openHolds()).toBe(0)
    expect(await testbed.spendable(account)).toBe(account.credited - events.reduce((sum, { charge }) => sum + charge, 0))
  }, 60_000)

  it('lose no request behind a load balancer while two relays are restarted in turn', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount({ credited: 1e12 })
    const relays = [await spawnRelay(), await spawnRelay()]
    const balancer = createBalancer(
      relays.map(({ url }) => url),
      account,
    )
    await balancer.answerMore(50)

    for (const { url, child } of relays) {
      expect(await stop(child, 'SIGTERM')).toBe(0)
      await balancer.answerMore(20)
      await spawnRelay({ RELAY_PORT: new URL(url).port })
      await balancer.answerMore(20)
    }
    await balancer.stop()

    expect(balancer.lost).toEqual([])
    expect(await testbed.eventsOf(account)).toHaveLength(balancer.answered())
  }, 120_000)

  it('are replaced one by one on SIGHUP without a failed request', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount({ credited: 1e12 })
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const before = await childrenOf(child)
    const balancer = createBalancer([url], account)
    // Beside kept-alive connections, so many new ones that some wait in the queue of a socket at any time.
    const load = createLoad(url, account, { clients: 30, hangMs: 20_000 })
    await balancer.answerMore(50)

    child.kill('SIGHUP')
    await vi.waitFor(async () => {
      const now = await childrenOf(child)
      expect(now).toHaveLength(2)
      expect(now.filter((pid) => before.includes(pid))).toEqual([])
    }, 30_000)
    await balancer.answerMore(20)
    await Promise.all([balancer.stop(), load.stop()])

    expect(balancer.lost).toEqual([])
    expect(load.state).toMatchObject({ failed: 0, hung: 0 })
    expect(await testbed.eventsOf(account)).toHaveLength(balancer.answered() + load.state.answered)
    expect(await stop(child, 'SIGTERM')).toBe(0)
  }, 120_000)

  it('settle on SIGTERM the streams that they read for disconnected clients', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~20~60', { setting: { client_disconnect: 'drain' } })] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay()
    const controller = new AbortController()
    const answer = await chat(url, account, { ...hello, stream: true }, controller.signal)
    await answer.body?.getReader().read()
    controller.abort()

    expect(await stop(child, 'SIGTERM')).toBe(0)

    expect((await testbed.eventsOf(account))[0]?.body).toMatchObject({ state: 'settled', ended_by: 'client-disconnected' })
    expect(await testbed.openHolds()).toBe(0)
  }, 60_000)

  it('end at the deadline the streams that they read for disconnected clients, and charge what was delivered', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('paced~20~5000', { setting: { client_disconnect: 'drain', drain_seconds: 600 } })],
    })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay({ DRAIN_DEADLINE: '1' })
    const controller = new AbortController()
    const answer = await chat(url, account, { ...hello, stream: true }, controller.signal)
    await answer.body?.getReader().read()
    controller.abort()

    expect(await stop(child, 'SIGTERM')).toBe(0)

    expect((await testbed.eventsOf(account))[0]?.body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected' })
    expect(await testbed.openHolds()).toBe(0)
  }, 60_000)

  it('end streams that outlast the deadline with an error event, settled', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~20~5000')] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay({ DRAIN_DEADLINE: '1' })
    const answer = await chat(url, account, { ...hello, stream: true })

    const exit = stop(child, 'SIGTERM')
    const text = await answer.text()

    expect(text).toContain('"code":"gateway_stopping"')
    expect(await exit).toBe(0)
    expect((await testbed.eventsOf(account))[0]?.body).toMatchObject({ state: 'estimated', ended_by: 'gateway-failed' })
    expect(await testbed.openHolds()).toBe(0)
  }, 60_000)

  it('charge an answer that ended while Redis was unavailable, even if they are killed before Redis returns', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~5~60')] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay()
    const answer = await chat(url, account, { ...hello, stream: true })
    await testbed.redis.client('PAUSE', 3500, 'WRITE')

    const text = await answer.text()
    await stop(child, 'SIGKILL')

    expect(text).toContain('data: [DONE]')
    expect(await testbed.eventsOf(account)).toEqual([])
    // Resolves when the pause is over, which one write may not wait for.
    await vi.waitFor(() => testbed.redis.set('a-write', ''), { timeout: 10_000 })
    await spawnRelay()
    await vi.waitFor(async () => expect(await testbed.eventsOf(account)).toHaveLength(1), { timeout: 10_000, interval: 50 })
    expect((await testbed.eventsOf(account))[0]).toMatchObject({ kind: 'final', body: { state: 'settled', by: 'relay' } })
    expect(await testbed.openHolds()).toBe(0)
    await vi.waitFor(async () => expect((await readdir(testbed.dir)).filter((name) => name.startsWith('settle-'))).toEqual([]))
  }, 60_000)

  it('start another process when one dies', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const [victim] = await childrenOf(child)

    process.kill(victim ?? 0, 'SIGKILL')

    await vi.waitFor(async () => {
      const now = await childrenOf(child)
      expect(now).toHaveLength(2)
      expect(now).not.toContain(victim)
    }, 30_000)
    // The victim can have been the only one that listened.
    await untilReady(url)
    expect((await chat(url, account, hello)).status).toBe(200)
  }, 60_000)

  it('finish their streams and exit when their supervisor is killed', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~20~60')] })
    const account = await testbed.anAccount()
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const all = await childrenOf(child)
    const answer = await chat(url, account, { ...hello, stream: true })

    await stop(child, 'SIGKILL')

    expect(await answer.text()).toMatch(/data: \[DONE\]\n\n$/)
    await vi.waitFor(() => expect(all.filter(isAlive)).toEqual([]), { timeout: 20_000, interval: 100 })
    expect(await testbed.openHolds()).toBe(0)
  }, 60_000)

  it('refuse a port on which another program listens', async () => {
    const { url } = await spawnRelay()
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: relayEnv({ RELAY_PORT: new URL(url).port, RELAY_PROCESSES: '2' }),
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))

    const [code] = (await once(child, 'exit')) as [number] // the event's first argument is the exit code

    expect(code).toBe(1)
    expect(text).toContain('EADDRINUSE')
  })

  it('report an invalid environment in one line', async () => {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...PROCESS_ENV, REDIS_URL: 'redis://127.0.0.1:1' },
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))

    const [code] = (await once(child, 'exit')) as [number] // the event's first argument is the exit code

    expect(code).toBe(1)
    expect(text).toMatch(/^environment: KEY_CHANNELS: .*\n$/)
  })

  // The last one: the holds of a killed relay stay open until a worker ends them.
  it('leave no client waiting when one of them is killed under load', async () => {
    await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~50')] })
    const account = await testbed.anAccount({ credited: 1e12 })
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const load = createLoad(url, account, { clients: 60, hangMs: 15_000 })
    await load.answerMore(100)

    const before = await childrenOf(child)
    for (const victim of before) {
      process.kill(victim, 'SIGKILL')
      await load.answerMore(100)
      await vi.waitFor(async () => expect(await childrenOf(child)).toHaveLength(2), 30_000)
    }
    await load.stop()

    expect(load.state.hung).toBe(0)
    expect(load.state.failed).toBeGreaterThan(0)
  }, 60_000)
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function childrenOf(parent: ChildProcess): Promise<number[]> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')
  return text
    .trim()
    .split(' ')
    .filter((part) => part !== '')
    .map(Number)
}
