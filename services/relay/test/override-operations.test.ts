import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(() => testbed.close())

/** More than a body that the relay parses on its own thread. */
const LARGE = 300 * 1024
const hello = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Say hello' }] }
const error = { message: 'Images are not served here.', status_code: 422, code: 'no_images' }

async function post(account: Account, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}`, ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

const aRefusing = (value: object, over = {}) =>
  testbed.aChannel('ok', { param_override: { operations: [{ mode: 'return_error', value }] }, ...over })

async function eventOf(account: Account) {
  return await vi.waitFor(async () => {
    const [event, ...others] = await testbed.eventsOf(account)
    expect(others).toEqual([])
    if (event === undefined) throw new Error('no event')
    return event
  })
}

describe('return_error', () => {
  const message = 'Images are not served here.'
  const withId = expect.stringMatching(/^Images are not served here\. \(request id: /) as unknown
  it.each<[string, string, object, unknown]>([
    ['OpenAI', '/v1/chat/completions', hello, { error: { message, type: 'invalid_request_error', code: 'no_images' } }],
    ['Anthropic', '/v1/messages', hello, { type: 'error', error: { type: 'invalid_request_error', message: withId } }],
    [
      'Gemini',
      '/v1beta/models/gpt-4o:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] },
      { error: { code: 422, message: withId, status: 'INVALID_ARGUMENT' } },
    ],
  ])('reaches a client of %s in its form without a call or a charge, and the log says why', async (_, path, body, expected) => {
    const channel = aRefusing(error)
    await testbed.publish({ channels: [channel, testbed.aChannel('ok', { priority: -1 })], options: { RetryTimes: '2' } })
    const account = await testbed.anAccount()
    const before = testbed.vendor.calls.length

    const answer = await post(account, path, body)

    expect(answer).toMatchObject({ status: 422, body: expected })
    expect(testbed.vendor.calls).toHaveLength(before)
    const event = await eventOf(account)
    expect(event.charge).toBe(0)
    expect(event.body).toMatchObject({ state: 'released', client_status: 422, error_code: 'no_images', ended_by: 'gateway-failed' })
    expect(event.body.explanation.attempts).toMatchObject([
      {
        channel_id: channel.id,
        outcome: 'refused',
        code: 'no_images',
        message: 'operation 1 of the channel\u2019s parameter override (return_error): Images are not served here.',
        retry: 'no',
      },
    ])
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it('keeps a status that would look like the channel’s own fault, and the channel stays healthy', async () => {
    await testbed.publish({ channels: [aRefusing({ ...error, status_code: 401 }, { status_code_mapping: { 401: '500' } })] })
    const account = await testbed.anAccount()

    expect(await post(account, '/v1/chat/completions', hello)).toMatchObject({
      status: 401,
      body: { error: { type: 'authentication_error', message } },
    })
    expect(await post(account, '/v1/chat/completions', hello)).toMatchObject({ status: 401 })
  })

  it('lets another channel answer with skip_retry false', async () => {
    const channels = [aRefusing({ ...error, skip_retry: false }, { priority: 1 }), testbed.aChannel('ok')]
    await testbed.publish({ channels, options: { RetryTimes: '1' } })
    const account = await testbed.anAccount()

    expect((await post(account, '/v1/chat/completions', hello)).status).toBe(200)
    expect((await eventOf(account)).body.explanation.attempts).toMatchObject([
      { outcome: 'refused', retry: 'other-channel' },
      { outcome: 'answered' },
    ])
  })

  it('answers a large body, which a body worker holds, and one that no channel answers after it', async () => {
    await testbed.publish({ channels: [aRefusing({ ...error, skip_retry: false })], options: { RetryTimes: '1' } })
    const account = await testbed.anAccount()
    const messages = [{ role: 'user', content: 'Say hello '.repeat(LARGE / 5) }]

    expect(await post(account, '/v1/chat/completions', { ...hello, messages })).toMatchObject({
      status: 422,
      body: { error: { code: 'no_images' } },
    })
  })
})

describe('sync_fields', () => {
  const operations = [{ mode: 'sync_fields', from: 'header:x-thread', to: 'body:prompt_cache_key' }]

  it.each([
    ['small', 1],
    ['large', LARGE / 5],
  ])('fills the body or the header of a %s call', async (_, times) => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { param_override: { operations } })] })
    const account = await testbed.anAccount()
    const messages = [{ role: 'user', content: 'Say hello '.repeat(times) }]

    await post(account, '/v1/chat/completions', { ...hello, messages }, { 'x-thread': 't1' })
    await post(account, '/v1/chat/completions', { ...hello, messages, prompt_cache_key: 't2' })

    const [first, second] = testbed.vendor.callsOf('ok').slice(-2)
    expect(JSON.parse(first?.text ?? '')).toMatchObject({ prompt_cache_key: 't1' })
    expect(second?.headers['x-thread']).toBe('t2')
  })
})
