import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let account: Account
beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay({ RELAY_REGION: 'eu' })
  account = await testbed.anAccount()
})
afterAll(() => testbed.close())

type Sent = { readonly headers?: Record<string, string>; readonly fields?: object; readonly text?: string }

async function request({ headers = {}, fields = {}, text = 'hi' }: Sent = {}): Promise<number> {
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text }], ...fields }),
  })
  await answer.text()
  return answer.status
}

async function channelsOf(sent: readonly Sent[]): Promise<number[]> {
  const before = (await testbed.eventsOf(account)).length
  for (const one of sent) await request(one)
  return (await testbed.eventsOf(account)).slice(before).map(({ body }) => body.channel_id)
}

describe('a conversation', () => {
  const rules = (rule: object) => ({
    ChannelAffinityRules: JSON.stringify([{ path: '/v1/embeddings', keys: ['body:x'] }, rule]),
    RetryTimes: '1',
  })
  const several = () => Array.from({ length: 6 }, () => testbed.aChannel('ok'))

  it('is recognised by a header or a member of the body', async () => {
    await testbed.publish({
      channels: several(),
      options: rules({ model: 'gpt-*', keys: ['header:x-session-id', 'body:metadata.thread'] }),
    })
    const byHeader = { headers: { 'X-Session-Id': 's1' }, fields: { prompt_cache_key: 'other' } }
    // A body over 256 KB is read by a body worker.
    const large = { ...byHeader, text: 'x'.repeat(300_000) }
    const inBody = (thread: string) => ({ fields: { metadata: { thread } } })

    expect(new Set(await channelsOf([byHeader, byHeader, large, byHeader, large])).size).toBe(1)
    expect(new Set(await channelsOf([1, 2, 3, 4].map(() => inBody('t1')))).size).toBe(1)
    const others = await channelsOf(Array.from({ length: 12 }, (_, at) => inBody(`thread ${at}`)))
    expect(new Set(others).size).toBeGreaterThan(1)
  })

  it('stays on its failing channel if the rule says so', async () => {
    const channels = Array.from({ length: 2 }, () => testbed.aChannel('status~500'))
    const attempts = async () => (await testbed.eventsOf(account)).at(-1)?.body.explanation.attempts.length
    const sent = { headers: { 'x-session-id': 's1' } }
    await testbed.publish({ channels, options: rules({ keys: ['header:x-session-id'], retry: false }) })
    expect(await request(sent)).toBe(500)
    expect(await attempts()).toBe(1)

    await testbed.publish({ channels, options: rules({ keys: ['header:x-session-id'] }) })
    expect(await request(sent)).toBe(500)
    expect(await attempts()).toBe(2)
  })
})

describe('a relay of a region', () => {
  it('prefers channels of its region, then those of none, within a priority', async () => {
    const [eu, anywhere, us] = ['eu', undefined, 'us'].map((region) =>
      testbed.aChannel('ok', { setting: region === undefined ? {} : { region } }),
    )
    const chosen = async (channels: (typeof eu)[]) => {
      await testbed.publish({ channels: channels.flatMap((channel) => channel ?? []) })
      return new Set(await channelsOf([1, 2, 3, 4].map(() => ({}))))
    }

    expect(await chosen([eu, anywhere, us])).toEqual(new Set([eu?.id]))
    const { candidates = [] } = (await testbed.eventsOf(account)).at(-1)?.body.explanation ?? {}
    const resultOf = (channel: typeof eu) => candidates.find(({ channel_id }) => channel_id === channel?.id)?.result
    expect([eu, anywhere, us].map(resultOf)).toEqual(['chosen', 'other-region', 'other-region'])
    expect(await chosen([anywhere, us])).toEqual(new Set([anywhere?.id]))
    expect(await chosen([us])).toEqual(new Set([us?.id]))
    const preferred = us === undefined ? us : { ...us, priority: 5 }
    expect(await chosen([eu, preferred])).toEqual(new Set([us?.id]))
  })
})
