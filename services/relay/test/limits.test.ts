import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { keys } from '@tollgate/redis/keys'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let other: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok')] })
  relay = await testbed.startRelay()
  other = await testbed.startRelay()
})
afterAll(() => testbed.close())
beforeEach(() => publish({}))

const publish = ({ limits = {}, channels = [testbed.aChannel('ok')] }: { limits?: object; channels?: ChannelSnapshot[] }) =>
  testbed.publish({ channels, options: { RateLimits: JSON.stringify(limits) } })

type Call = { readonly to?: TestRelay; readonly body?: object; readonly signal?: AbortSignal }

const start = ({ key }: Account, { to = relay, body = {}, signal }: Call = {}) =>
  fetch(`${to.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Say hello' }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  })

const chat = async (account: Account, call: Call = {}) => {
  const answer = await start(account, call)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const parallel = (count: number, one: (at: number) => ReturnType<typeof chat>) =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)))

const statusesOf = (answers: readonly { readonly status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, group]) => [status, group.length]))

describe('requests per minute', () => {
  it.each([
    ['a token', { record: { limits: { rpm: 10 } }, limits: {} }],
    ['a user', { record: { user_limits: { rpm: 10 } }, limits: {} }],
    ['a group', { record: { group: 'vip' }, limits: { group: { vip: { rpm: 10 } } } }],
  ])('are exact for %s over two relays: 10 of 100 pass, and nothing stays held', async (_name, { record, limits }) => {
    await publish({ limits })
    const account = await testbed.anAccount(record)

    const answers = await parallel(100, (at) => chat(account, { to: at % 2 === 0 ? relay : other }))

    expect(statusesOf(answers)).toEqual({ 200: 10, 429: 90 })
    for (const { status, headers } of answers) {
      if (status !== 429) continue
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
    }
    await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
    expect(await testbed.eventsOf(account)).toHaveLength(10)
  })

  it('are shared by all users of a model', async () => {
    await publish({ limits: { model: { 'per-call': { rpm: 10 } } } })
    const accounts = [await testbed.anAccount(), await testbed.anAccount()] as const

    const answers = await parallel(40, (at) => chat(accounts[at % 2 === 0 ? 0 : 1], { body: { model: 'per-call' } }))

    expect(statusesOf(answers)).toEqual({ 200: 10, 429: 30 })
    expect((await chat(accounts[0])).status).toBe(200)
  })

  it('name the limit that was exceeded, in the format of each client', async () => {
    const account = await testbed.anAccount({ limits: { rpm: 1, tpm: 100_000 } })

    const first = await chat(account)
    const second = await chat(account)

    expect(Object.fromEntries([...first.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual({
      'x-ratelimit-limit-requests': '1',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': expect.stringMatching(/^(1m0|1m1|1m0\.\d+|60|61|60\.\d+)s$/),
      'x-ratelimit-limit-tokens': '100000',
      'x-ratelimit-remaining-tokens': expect.stringMatching(/^999\d\d$/),
      'x-ratelimit-reset-tokens': expect.stringMatching(/s$/),
    })
    expect(JSON.parse(second.text)).toMatchObject({
      error: {
        code: 'rate_limit_exceeded',
        message: expect.stringMatching(/^Rate limit reached \(token\): at most 1 requests per minute/),
      },
    })
    const anthropic = await fetch(`${relay.url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': `sk-${account.key}`, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Say hello' }] }),
    })
    expect(anthropic.status).toBe(429)
    expect(await anthropic.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(anthropic.headers.get('anthropic-ratelimit-requests-limit')).toBe('1')
    expect(anthropic.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(anthropic.headers.get('x-ratelimit-limit-requests')).toBeNull()
    const google = await fetch(`${relay.url}/v1beta/models/gpt-4o:generateContent`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': `sk-${account.key}` },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] }),
    })
    expect(google.status).toBe(429)
    expect(await google.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })
  })

  it('follow a change of the token within a second', async () => {
    const account = await testbed.anAccount({ limits: { rpm: 1 } })
    expect((await chat(account)).status).toBe(200)
    expect((await chat(account)).status).toBe(429)

    const changed = await testbed.change(account, { limits: { rpm: 5 } })

    expect((await chat(changed)).status).toBe(200)
  })
})

describe('tokens per minute', () => {
  it('are taken by the estimate and corrected by the reported usage', async () => {
    await publish({ channels: [testbed.aChannel('usage~40~50')] })
    const account = await testbed.anAccount({ limits: { tpm: 1000 } })

    const first = await chat(account, { body: { max_tokens: 900 } })
    const second = await chat(account, { body: { max_tokens: 800 } })
    const third = await chat(account, { body: { max_tokens: 950 } })

    expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
    // 1000 − 90 of the first − the second's estimate.
    expect(Number(second.headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThan(90)
    expect(Number(second.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThanOrEqual(110)
    expect(third.headers.get('x-ratelimit-remaining-tokens')).toBe('820')
  })

  it('are corrected for a model that several users share', async () => {
    await publish({ channels: [testbed.aChannel('usage~40~50')], limits: { model: { 'gpt-4o': { tpm: 1000 } } } })
    const account = await testbed.anAccount()

    expect((await chat(account, { body: { max_tokens: 900 } })).status).toBe(200)
    expect((await chat(account, { body: { max_tokens: 800 } })).status).toBe(200)
    const third = await chat(account, { body: { max_tokens: 950 } })

    expect([third.status, third.headers.get('x-ratelimit-remaining-tokens')]).toEqual([429, '820'])
  })

  it('refuse a prompt that exceeds the limit, and admit an answer that may exceed it', async () => {
    const account = await testbed.anAccount({ limits: { tpm: 50 } })

    expect((await chat(account, { body: { messages: [{ role: 'user', content: 'word '.repeat(200) }] } })).status).toBe(429)
    expect((await chat(account, { body: { max_tokens: 5000 } })).status).toBe(200)
    expect(await testbed.openHolds()).toBe(0)
  })
})

const LEASES = [
  ['a token', { record: { limits: { concurrency: 1 } }, limits: {} }],
  ['a group', { record: { group: 'vip' }, limits: { group: { vip: { concurrency: 1 } } } }],
] as const

describe.each(LEASES)('a concurrency lease of %s', (_name, { record, limits }) => {
  const isFree = async (account: Account) => {
    await publish({ limits })
    await vi.waitFor(async () => expect((await chat(account)).status).toBe(200), { timeout: 3000 })
  }

  it('is held while the stream runs and released at its end', async () => {
    await publish({ limits, channels: [testbed.aChannel('paced~60')] })
    const account = await testbed.anAccount(record)
    const running = await start(account, { body: { stream: true } })

    const refused = await chat(account, { to: other })

    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(running.status).toBe(200)
    await running.text()
    await isFree(account)
  })

  it('is released when the client disconnects', async () => {
    await publish({ limits, channels: [testbed.aChannel('stall')] })
    const account = await testbed.anAccount(record)
    const leaving = new AbortController()
    const running = await start(account, { body: { stream: true }, signal: leaving.signal })
    expect(running.status).toBe(200)

    leaving.abort()

    await isFree(account)
  })

  it.each(['status~500', 'cut-mid-stream', 'garbage'])('is released when upstream fails: %s', async (scenario) => {
    await publish({ limits, channels: [testbed.aChannel(scenario)] })
    const account = await testbed.anAccount(record)

    await start(account, { body: { stream: true } }).then((answer) => answer.text().catch(() => ''))

    await isFree(account)
  })

  it('is released when the wallet refuses', async () => {
    await publish({ limits })
    const account = await testbed.anAccount({ ...record, credited: 1000 })

    expect((await chat(account, { body: { max_tokens: 100_000 } })).status).toBe(403)

    await isFree(account)
  })
})

describe('limits of a channel', () => {
  const limited = (limits: object, over: Partial<ChannelSnapshot> = {}) =>
    testbed.aChannel('ok', { setting: { limits }, priority: 5, ...over })
  const channelsOf = async (account: Account) => (await testbed.eventsOf(account)).map(({ body }) => body.channel_id)

  it('skip a full channel, which the log shows', async () => {
    const [full, spare] = [limited({ rpm: 2 }), testbed.aChannel('ok')]
    await publish({ channels: [full, spare] })
    const account = await testbed.anAccount()

    for (let at = 0; at < 4; at += 1) expect((await chat(account, { to: at % 2 === 0 ? relay : other })).status).toBe(200)

    await vi.waitFor(async () => expect(await channelsOf(account)).toEqual([full.id, full.id, spare.id, spare.id]))
    const last = (await testbed.eventsOf(account)).at(-1)
    expect(last?.body.explanation.candidates).toMatchObject([
      { channel_id: full.id, result: 'limit-reached' },
      { channel_id: spare.id, result: 'chosen' },
    ])
  })

  it('refuse with Retry-After when every channel is full, and leave no hold', async () => {
    await publish({ channels: [limited({ rpm: 1 }), limited({ tpm: 1000, rpm: 1 })] })
    const account = await testbed.anAccount()

    const answers = [await chat(account), await chat(account), await chat(account)]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(await testbed.openHolds()).toBe(0)
  })

  it('release lease and tokens when the call failed and another channel answered', async () => {
    const failing = testbed.aChannel('status~500', { setting: { limits: { concurrency: 1, tpm: 1000 } }, priority: 5 })
    await testbed.publish({ channels: [failing, testbed.aChannel('ok')], options: { RetryTimes: '2' } })
    const account = await testbed.anAccount()

    const before = testbed.vendor.callsOf('status').length

    expect((await chat(account, { body: { max_tokens: 900 } })).status).toBe(200)
    expect((await chat(account, { body: { max_tokens: 900 } })).status).toBe(200)

    expect(testbed.vendor.callsOf('status').length).toBe(before + 2)
    const [minute, slots] = [keys.sharedMinute('channel', String(failing.id)), keys.sharedSlots('channel', String(failing.id))]
    await vi.waitFor(async () => expect(await testbed.redis.hget(minute, 'T0')).toBe('0'))
    expect(await testbed.redis.zcard(slots)).toBe(0)
  })
})
