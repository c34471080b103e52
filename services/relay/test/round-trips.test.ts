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

/** What Redis is told from here on. ioredis' own monitor breaks where the first commands come in one packet with its confirmation. */
async function monitor(tell: (command: string) => void): Promise<{ end(): void }> {
  const { host, port } = testbed.redis.options
  const socket = connect(port ?? 0, host)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('error', reject)
  createInterface({ input: socket }).on('line', (line) => {
    if (line === '+OK') resolve()
    const [, source, words = ''] = MONITORED.exec(line) ?? []
    // What a script does inside is no round trip.
    if (source === undefined || source === 'lua') return
    tell(
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

/** Every command that reaches Redis meanwhile, by whichever connection: those with this account's keys, and all others. */
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

/** The beat (with its empty progress), the look for a newer snapshot and the exchange of health go by the clock. */
const BY_THE_CLOCK = /^time$| beat:| opened:| prog:\{s\d\}| (snap|health):\{cfg\}/i

describe('a warm request', () => {
  it.each([false, true])('asks Redis twice: reserve and settle (stream: %s)', async (isStream) => {
    const account = await testbed.anAccount()
    expect(await chat(account, isStream)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, isStream))

    expect(own).toHaveLength(2)
    expect(own.every((command) => /^evalsha /i.test(command))).toBe(true)
    expect(others.filter((command) => !BY_THE_CLOCK.test(command))).toEqual([])
  })

  it('asks Redis as often when its user and token have limits', async () => {
    const account = await testbed.anAccount({ limits: { rpm: 100, tpm: 100_000, concurrency: 9 }, user_limits: { concurrency: 9 } })
    expect(await chat(account, true)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, true))

    expect(own).toHaveLength(2)
    expect(others.filter((command) => !BY_THE_CLOCK.test(command))).toEqual([])
  })

  it('asks once more, before it reserves, when its group and model have limits, and gives back with the settlement', async () => {
    const limits = { rpm: 1000, concurrency: 100 }
    const options = { RateLimits: JSON.stringify({ group: { default: limits }, model: { 'gpt-4o': limits } }) }
    await testbed.publish({ channels: [testbed.aChannel('ok')], options })
    const account = await testbed.anAccount()
    expect(await chat(account, false)).toBe(200)

    const { own, others } = await commandsDuring(account, () => chat(account, false))
    await testbed.publish({ channels: [testbed.aChannel('ok')] })

    expect(own).toHaveLength(2)
    const asked = others.filter((command) => !BY_THE_CLOCK.test(command))
    const keysOf = (command: string) => command.split(' ')[3]
    expect(asked.map(keysOf)).toEqual(['lim:{group:default}', 'lim:{model:gpt-4o}', 'lim:{group:default}', 'lim:{model:gpt-4o}'])
  })

  it('hides no third call behind what goes by the clock', async () => {
    const account = await testbed.anAccount()
    expect(await chat(account, true)).toBe(200)
    const requests = 100

    const { own, others } = await commandsDuring(account, async () => {
      for (let i = 0; i < requests; i += 1) expect(await chat(account, i % 2 === 0)).toBe(200)
    })

    expect(own).toHaveLength(2 * requests)
    // A few a second, however many requests there are: one of them per request would be as many as requests.
    const kinds = Map.groupBy(others, (command) => BY_THE_CLOCK.exec(command)?.[0] ?? command)
    for (const [kind, commands] of kinds) expect(commands.length, `${kind}: ${commands[0]}`).toBeLessThan(requests / 2)
  })
})
