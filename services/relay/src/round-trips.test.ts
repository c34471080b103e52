import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openWorld, type Account, type TestRelay, type World } from './testing/relay-world.ts'

let world: World
let relay: TestRelay

beforeAll(async () => {
  world = await openWorld()
  await world.publish({ channels: [world.aChannel('ok')] })
  relay = await world.startRelay()
})
afterAll(() => world.close())

const chat = async ({ key }: Account, is_stream: boolean) => {
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: 'gpt-4o', stream: is_stream, messages: [{ role: 'user', content: 'Say hello' }] }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Every command that reaches Redis meanwhile, but for those that a relay sends by itself. */
async function commandsDuring(account: Account, work: () => Promise<unknown>): Promise<string[]> {
  const monitor = await world.redis.monitor()
  const seen: string[] = []
  const mark = `mark-${account.record.user_id}`
  monitor.on('monitor', (_time: string, command: string[], source: string) => {
    if (source !== 'lua') seen.push(command.join(' '))
  })
  await work()
  await world.redis.echo(mark)
  await vi.waitFor(() => expect(seen.some((command) => command.endsWith(mark))).toBe(true))
  monitor.disconnect()
  const isOwn = (command: string) => command.includes(`:${account.record.user_id} `)
  return seen.filter((command) => !command.endsWith(mark) && (isOwn(command) || !BACKGROUND.test(command)))
}

/** The beat (with its empty progress) and the look for a newer snapshot go on by themselves. */
const BACKGROUND = /^time$| beat:| prog:\{s0\}| snap:\{cfg\}/i

describe('a warm request', () => {
  it.each([false, true])('asks Redis twice: reserve and settle (stream: %s)', async (isStream) => {
    const account = await world.anAccount()
    expect(await chat(account, isStream)).toBe(200)

    const commands = await commandsDuring(account, () => chat(account, isStream))

    expect(commands.map((command) => command.slice(0, 120))).toHaveLength(2)
    expect(commands.every((command) => /^evalsha /i.test(command) && command.includes(`:${account.record.user_id} `))).toBe(true)
  })
})
