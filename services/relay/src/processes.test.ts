import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { findFreePort } from '@tollgate/servers/free-port'
import { KEY_CHANNELS, openWorld, SECRET, SHARDS, type Account, type World } from './testing/relay-world.ts'

let world: World
const children: ChildProcess[] = []

beforeAll(async () => {
  world = await openWorld()
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => stop(child, 'SIGKILL')))
})
afterAll(() => world.close())

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }

/** A relay as it is run: its own process, or several on one port. */
async function spawnRelay(over: Record<string, string> = {}): Promise<{ url: string; child: ChildProcess }> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      REDIS_URL: world.redisUrl,
      SHARDS: String(SHARDS),
      KEY_CHANNELS,
      INTERNAL_SECRETS: SECRET,
      LOG_LEVEL: 'error',
      RELAY_PORT: String(port),
      RELAY_HOST: '127.0.0.1',
      CONTROL_PLANE_INTERNAL_URL: world.inside.url,
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
      RELAY_STATE_DIR: world.dir,
      ...over,
    },
  })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 15_000, interval: 100 })
  return { url, child }
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
  return child.exitCode
}

const chat = (url: string, account: Account, body: object) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(body),
  })

/** Also a new connection that the kernel had queued when the listener closed: no process has seen it. */
function isRefused(error: unknown, isReused: boolean): boolean {
  if (!(error instanceof Error && 'code' in error)) return false
  return error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && !isReused)
}

/** Takes turns between addresses over kept connections; a refused connection is tried at the next address, anything else is lost. */
function createRoundRobin(urls: readonly string[], { key }: Account) {
  const agent = new Agent({ keepAlive: true })
  const body = JSON.stringify(hello)
  const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${key}` }
  const lost: string[] = []
  let [turn, answered, refused, isStopped] = [0, 0, 0, false]
  const callOnce = async (): Promise<void> => {
    turn += 1
    const call = request(`${urls[turn % urls.length]}/v1/chat/completions`, { agent, method: 'POST', headers })
    try {
      call.end(body)
      const [reply]: IncomingMessage[] = await once(call, 'response')
      if (reply === undefined) throw new Error('no answer')
      for await (const chunk of reply) void chunk
      if (reply.statusCode === 200) answered += 1
      else lost.push(`status ${reply.statusCode}`)
    } catch (error) {
      if (!isRefused(error, call.reusedSocket)) return void lost.push(String(error))
      refused += 1
      await callOnce()
    }
  }
  return {
    lost,
    answered: () => answered,
    refused: () => refused,
    callUntilStopped: async () => {
      while (!isStopped) await callOnce()
    },
    stop: () => {
      isStopped = true
    },
  }
}

describe('relay processes', () => {
  it('admit exactly what a cold wallet and token can pay for, of 500 at once on two processes', async () => {
    await world.publish({ channels: [world.aChannel('slow-first-byte~300')] })
    const account = await world.anAccount({ credited: 100_000, granted: 100_000, is_unlimited: false })
    const relays = await Promise.all([spawnRelay(), spawnRelay()])

    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, at) => {
        const answer = await chat(relays[at % 2]?.url ?? '', account, { ...hello, model: 'per-call' })
        const body = (await answer.json()) as { error?: { code: string } } // our own shape
        return `${answer.status} ${body.error?.code ?? ''}`
      }),
    )

    const counts = Object.groupBy(answers, (answer) => answer)
    expect(Object.fromEntries(Object.entries(counts).map(([name, list]) => [name, list?.length]))).toEqual({
      '200 ': 10,
      '403 insufficient_user_quota': 490,
    })
    expect(await world.spendable(account)).toBe(0)
    expect(await world.openHolds()).toBe(0)
    expect((await world.eventsOf(account)).map(({ charge }) => charge)).toEqual(Array.from({ length: 10 }, () => 10_000))
  }, 60_000)

  it('finish their streams and settle everything on SIGTERM, and exit with 0', async () => {
    await world.publish({ channels: [world.aChannel('paced~20~25')] })
    const account = await world.anAccount()
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const answers = await Promise.all(Array.from({ length: 40 }, () => chat(url, account, { ...hello, stream: true })))

    const exit = stop(child, 'SIGTERM')
    const texts = await Promise.all(answers.map((answer) => answer.text()))

    expect(texts.filter((text) => !text.endsWith('data: [DONE]\n\n'))).toEqual([])
    expect(await exit).toBe(0)
    const events = await world.eventsOf(account)
    expect(events).toHaveLength(40)
    expect(events.every(({ body }) => body.state === 'settled')).toBe(true)
    expect(await world.openHolds()).toBe(0)
    expect(await world.spendable(account)).toBe(account.credited - events.reduce((sum, { charge }) => sum + charge, 0))
  }, 60_000)

  it('lose no request of a client that goes on sending while one of two is restarted', async () => {
    await world.publish({ channels: [world.aChannel('ok')] })
    const account = await world.anAccount()
    const relays = [await spawnRelay(), await spawnRelay()] as const
    const caller = createRoundRobin(
      relays.map(({ url }) => url),
      account,
    )
    const callers = Array.from({ length: 4 }, () => caller.callUntilStopped())
    await vi.waitFor(() => expect(caller.answered()).toBeGreaterThan(50), { timeout: 10_000 })

    const exit = await stop(relays[0]?.child, 'SIGTERM')
    const before = caller.answered()
    await vi.waitFor(() => expect(caller.answered()).toBeGreaterThan(before + 20), { timeout: 10_000 })
    caller.stop()
    await Promise.all(callers)

    expect(exit).toBe(0)
    expect(caller.lost).toEqual([])
    expect(caller.refused()).toBeGreaterThan(0)
    expect(await world.eventsOf(account)).toHaveLength(caller.answered())
  }, 60_000)

  it('end streams that outlast the deadline with an error event, settled', async () => {
    await world.publish({ channels: [world.aChannel('paced~20~5000')] })
    const account = await world.anAccount()
    const { url, child } = await spawnRelay({ DRAIN_DEADLINE: '1' })
    const answer = await chat(url, account, { ...hello, stream: true })

    const exit = stop(child, 'SIGTERM')
    const text = await answer.text()

    expect(text).toContain('"code":"gateway_stopping"')
    expect(await exit).toBe(0)
    expect((await world.eventsOf(account))[0]?.body).toMatchObject({ state: 'estimated', ended_by: 'gateway-failed' })
    expect(await world.openHolds()).toBe(0)
  }, 60_000)

  it('charge an answer whose end went out while Redis was away, although they were killed before it came back', async () => {
    await world.publish({ channels: [world.aChannel('paced~5~60')] })
    const account = await world.anAccount()
    const { url, child } = await spawnRelay()
    const answer = await chat(url, account, { ...hello, stream: true })
    await world.redis.client('PAUSE', 3500, 'WRITE')

    const text = await answer.text()
    await stop(child, 'SIGKILL')

    expect(text).toContain('data: [DONE]')
    expect(await world.eventsOf(account)).toEqual([])
    // Answered when the pause is over.
    await world.redis.set('a-write', '')
    await spawnRelay()
    await vi.waitFor(async () => expect(await world.eventsOf(account)).toHaveLength(1), { timeout: 10_000, interval: 50 })
    expect((await world.eventsOf(account))[0]).toMatchObject({ kind: 'final', body: { state: 'settled', by: 'relay' } })
    expect(await world.openHolds()).toBe(0)
    await vi.waitFor(async () => expect((await readdir(world.dir)).filter((name) => name.startsWith('settle-'))).toEqual([]))
  }, 60_000)

  it('start another process when one dies', async () => {
    await world.publish({ channels: [world.aChannel('ok')] })
    const account = await world.anAccount()
    const { url, child } = await spawnRelay({ RELAY_PROCESSES: '2' })
    const [victim] = await childrenOf(child)

    process.kill(victim ?? 0, 'SIGKILL')

    await vi.waitFor(async () => {
      const now = await childrenOf(child)
      expect(now).toHaveLength(2)
      expect(now).not.toContain(victim)
    }, 10_000)
    expect((await chat(url, account, hello)).status).toBe(200)
  }, 60_000)

  it('say in one line what is wrong with their environment', async () => {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], REDIS_URL: 'redis://127.0.0.1:1' },
    })
    let text = ''
    child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))

    const [code] = (await once(child, 'exit')) as [number] // the event's first argument is the exit code

    expect(code).toBe(1)
    expect(text).toMatch(/^environment: KEY_CHANNELS: .*\n$/)
  })
})

async function childrenOf(parent: ChildProcess): Promise<number[]> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8')
  return text
    .trim()
    .split(' ')
    .filter((part) => part !== '')
    .map(Number)
}
