import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok')] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

const chat = async ({ key }: Account, is_stream: boolean) => {
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: 'gpt-4o', stream: is_stream, messages: [{ role: 'user', content: 'Say hello' }] }),
  })
  await answer.arrayBuffer()
  return answer.status
}

type Commands = { readonly own: readonly string[]; readonly others: readonly string[] }

/** `+time [db source] "word" …`: https://redis.io/docs/latest/commands/monitor/ */
const MONITORED = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/

/** Reports the commands that Redis receives. ioredis' own monitor breaks if the first commands share a packet with its confirmation. */
async function monitor(report: (command: string) => void): Promise<{ end(): void }> {
  const { host, port } = testbed.redis.options
  const socket = connect(port ?? 0, host)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  createInterface({ input: socket }).on('line', (line) => {
    if (line === '+OK') resolve()
    const [, source, words = ''] = MONITORED.exec(line) ?? []
    // Commands inside a script are not round trips.
    if (source === undefined || source === 'lua') return
    report(
      words
        .slice(0, 400)
        .replaceAll(/"((?:[^"\\]|\\.)*)"?/g, '$1')
        .slice(0, 200),
    )
  })
  socket.write('MONITOR\r\n')
  await promise
  return { end: () => socket.destroy() }
}

/** Every command that reaches Redis during `work`, on any connection: those with this account's keys, and all others. */
async function commandsDuring(account: Account, work: () => Promise<unknown>): Promise<Commands> {
  const seen: string[] = []
  const monitored = await monitor((command) => seen.push(command))
  const marks = ['begin', 'end'].map((name) => `${name}-${account.record.user_id}`)
  const mark = async (text: string) => {
    await testbed.redis.echo(text)
    await vi.waitFor(() => expect(seen.some((command) => command.endsWith(text))).toBe(true))
  }
  await mark(marks[0] ?? '')
  await work()
  await mark(marks[1] ?? '')
  monitored.end()
  const between = seen.filter((command) => !marks.some((text) => command.endsWith(text)))
  const isOwn = (command: string) => command.includes(`:${account.record.user_id} `)
  return { own: between.filter(isOwn), others: between.filter((command) => !isOwn(command)) }
}

/** The heartbeat (with its empty progress and the comparison of the store), the snapshot poll, the health sync and the report of activity are periodic. */
const PERIODIC =
  /^time$|^info (?:server|replication)$| heartbeat:| opened:| prog:\{s\d\}| (snap|health|breakers):\{cfg\}|^eval -- Adds one relay's counts/i

describe('a warm request', () => {
  it.each([false, true])('makes two Redis calls, reserve and settle (stream: %s)', async (isStream) => {
    const account = await testbed.anAccount()
    expect(await chat(account, isStream)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, isStream))

    expect(own).toHaveLength(2)
    expect(own.every((command) => /^evalsha /i.test(command))).toBe(true)
    expect(others.filter((command) => !PERIODIC.test(command))).toEqual([])
  })

  it('makes no further call for limits of user and token', async () => {
    const account = await testbed.anAccount({ limits: { rpm: 100, tpm: 100_000, concurrency: 9 }, user_limits: { concurrency: 9 } })
    expect(await chat(account, true)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, true))

    expect(own).toHaveLength(2)
    expect(others.filter((command) => !PERIODIC.test(command))).toEqual([])
  })

  it('makes one more call before reserve for limits of group and model, and releases them with the settlement', async () => {
    const limits = { rpm: 1000, concurrency: 100 }
    const options = { RateLimits: JSON.stringify({ group: { default: limits }, model: { 'gpt-4o': limits } }) }
    await testbed.publish({ channels: [testbed.aChannel('ok')], options })
    const account = await testbed.anAccount()
    expect(await chat(account, false)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, false))
    await testbed.publish({ channels: [testbed.aChannel('ok')] })

    expect(own).toHaveLength(2)
    const asked = others.filter((command) => !PERIODIC.test(command))
    const keysOf = (command: string) => command.split(' ')[3]
    expect(asked.map(keysOf)).toEqual(['lim:{group:default}', 'lim:{model:gpt-4o}', 'lim:{group:default}', 'lim:{model:gpt-4o}'])
  })

  it.each([
    ['is kept with two calls, for its input and its answer', {}, 2],
    ['makes none with store: false', { store: false }, 0],
  ])('of the Responses API %s', async (_name, settings, calls) => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { type: 43 })] })
    const account = await testbed.anAccount()
    const respond = async () => {
      const answer = await fetch(`${relay.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
        body: JSON.stringify({ model: 'gpt-4o', input: 'Say hello', ...settings }),
      })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
    }
    await respond()

    const { own, others } = await commandsDuring(account, respond)
    await testbed.publish({ channels: [testbed.aChannel('ok')] })

    expect(own).toHaveLength(2)
    const further = others.filter((command) => !PERIODIC.test(command))
    expect(further.map((command) => command.slice(0, 22))).toEqual(Array.from({ length: calls }, () => 'eval -- Keeps records '))
  })

  it('hides no third call among the periodic commands', async () => {
    const account = await testbed.anAccount()
    expect(await chat(account, true)).toBe(200)
    const requests = 100

    const started = performance.now()
    const { own, others } = await commandsDuring(account, async () => {
      for (let i = 0; i < requests; i += 1) expect(await chat(account, i % 2 === 0)).toBe(200)
    })

    expect(own).toHaveLength(2 * requests)
    // Periodic commands depend on the time, at most three of a kind in a second: a hidden call would add one per request.
    const polls = (performance.now() - started) / 250
    const kinds = Map.groupBy(others, (command) => PERIODIC.exec(command)?.[0] ?? command)
    for (const [kind, commands] of kinds) expect(commands.length, `${kind}: ${commands[0]}`).toBeLessThan(polls + requests / 2)
  })
})
