import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { VENDOR_USAGE } from '@tollgate/testing/vendor-server'
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

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }

async function chat(
  account: Pick<Account, 'key'> | undefined,
  body: object | string = hello,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(account === undefined ? {} : { authorization: `Bearer sk-${account.key}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Reads a stream up to this text. */
async function readUntil(answer: Response, wanted: string): Promise<void> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; !text.includes(wanted);) text += (await reader?.read())?.value ?? ''
}

/** Waits for the single event of an account. */
async function eventOf(account: Account, timeout = 2000) {
  return await vi.waitFor(async () => {
    const events = await testbed.eventsOf(account)
    expect(events).toHaveLength(1)
    const [event] = events
    if (event === undefined) throw new Error('no event')
    return event
  }, timeout)
}

describe('a whole answer', () => {
  it('reaches the client as the vendor sent it and is charged from the usage it reports', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()

    const answer = await chat(account)

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      choices: [{ message: { content: 'Hello from the scripted vendor.' } }],
      usage: VENDOR_USAGE,
    })
    const { charge, body, size } = await eventOf(account)
    expect(body.state).toBe('settled')
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
    expect(charge).toBe(Math.round((12 + 6 * 4) * 1.25))
    expect(await testbed.spendable(account)).toBe(account.credited - charge)
    expect(size).toBeLessThanOrEqual(4096)
    expect(answer.headers.get('x-oneapi-request-id')).toMatch(/^\d{23}\w{8}$/)
  })

  it('forwards its trace context to the control plane', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()
    await testbed.forgetRecord(account)
    const [lookup, load] = [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-1bf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ]

    await (await chat(account, hello, { traceparent: lookup })).arrayBuffer()
    const warm = await testbed.anAccount()
    await (await chat(warm, hello, { traceparent: load })).arrayBuffer()

    expect([...testbed.controlPlane.calls.traces]).toEqual(expect.arrayContaining([lookup, load]))
  })

  it('is logged with steps, attempts, candidates and hold', async () => {
    const [used, other] = [testbed.aChannel('ok', { priority: 5 }), testbed.aChannel('ok', { priority: 1 })]
    await testbed.publish({ channels: [used, other] })
    const account = await testbed.anAccount()

    await (await chat(account)).arrayBuffer()

    const { body } = await eventOf(account)
    expect(body.explanation.steps.map(({ step }) => step)).toEqual([
      'identify',
      'read',
      'admit',
      'quote',
      'reserve',
      'dispatch',
      'deliver',
      'settle',
    ])
    expect(body.explanation.steps.every(({ started_ms, ended_ms }) => started_ms <= ended_ms)).toBe(true)
    expect(body.explanation.attempts).toMatchObject([{ channel_id: used.id, outcome: 'answered', status: 200 }])
    expect(body.explanation.candidates.map(({ channel_id, result }) => [channel_id, result])).toEqual([
      [used.id, 'chosen'],
      [other.id, 'lower-priority'],
    ])
    expect(body.explanation.wallet_held).toBeGreaterThan(0)
    expect(body).toMatchObject({
      channel_id: used.id,
      model_name: 'gpt-4o',
      username: 'alice',
      client_status: 200,
      ended_by: 'complete',
      is_stream: false,
    })
  })

  it('is estimated and marked when the vendor reports no usage', async () => {
    await testbed.publish({ channels: [testbed.aChannel('no-usage')] })
    const account = await testbed.anAccount()

    await (await chat(account)).arrayBuffer()

    const { body, charge } = await eventOf(account)
    expect(body.state).toBe('estimated')
    expect(body.usage.completion_tokens).toBeGreaterThan(0)
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
  })

  it('costs the fixed price of its model', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()

    await (await chat(account, { ...hello, model: 'per-call' })).arrayBuffer()

    expect((await eventOf(account)).charge).toBe(10_000)
  })
})

describe('a stream', () => {
  it('hides the usage chunk from a client that did not ask for it, and is charged from it', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()

    const answer = await chat(account, { ...hello, stream: true })
    const text = await answer.text()

    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(text).toContain('"content":"Hello"')
    expect(text).not.toContain('"usage"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'settled', is_stream: true, ended_by: 'complete' })
    expect(body.first_token_ms).toBeGreaterThan(0)
    expect(charge).toBe(45)
    expect(JSON.parse(testbed.vendor.callsOf('ok').at(-1)?.text ?? '')).toMatchObject({ stream_options: { include_usage: true } })
  })

  it('shows the usage chunk to a client that asked for it', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true, stream_options: { include_usage: true } })).text()

    expect(text.match(/"usage"/g)).toHaveLength(1)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('adds a usage chunk for a client that asked for it when the vendor sent none', async () => {
    await testbed.publish({ channels: [testbed.aChannel('no-usage')] })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true, stream_options: { include_usage: true } })).text()

    expect(text).toMatch(/"choices":\[\],"usage":\{"prompt_tokens":\d+/)
    expect((await eventOf(account)).body.state).toBe('estimated')
  })

  it('ends with an error event and no end marker when the vendor breaks off, charged for what was delivered', async () => {
    await testbed.publish({ channels: [testbed.aChannel('cut-mid-stream')] })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true })).text()

    expect(text).toContain('"content":" the"')
    expect(text).toContain('"code":"stream_response_error"')
    expect(text).not.toContain('[DONE]')
    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'upstream-failed', error_code: 'stream_response_error' })
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
  })

  it('passes on an error the vendor puts into the stream, and no end marker', async () => {
    await testbed.publish({ channels: [testbed.aChannel('error-in-200')] })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true })).text()

    expect(text).toContain('scripted failure inside 200')
    expect(text).not.toContain('[DONE]')
  })

  it.each(['error-first', 'empty-stream', 'json-as-stream'])(
    'goes to another channel when the first one has nothing but %s',
    async (scenario) => {
      const [bad, good] = [testbed.aChannel(scenario, { priority: 5 }), testbed.aChannel('ok', { priority: 1 })]
      await testbed.publish({ channels: [bad, good], options: { RetryTimes: '1' } })
      const account = await testbed.anAccount()

      const text = await (await chat(account, { ...hello, stream: true })).text()

      expect(text).toContain('"content":"Hello"')
      expect(text).not.toContain('scripted failure')
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
      const { body, charge } = await eventOf(account)
      expect(body.explanation.attempts.map(({ channel_id, outcome }) => [channel_id, outcome])).toEqual([
        [bad.id, scenario === 'empty-stream' ? 'malformed' : 'refused'],
        [good.id, 'answered'],
      ])
      expect(charge).toBe(45)
    },
  )

  it.each(['json-as-stream~1', 'never-streams'])(
    'is converted from a whole answer when the vendor does not stream: %s',
    async (scenario) => {
      await testbed.publish({ channels: [testbed.aChannel(scenario)] })
      const account = await testbed.anAccount()

      const answer = await chat(account, { ...hello, stream: true })
      const text = await answer.text()

      expect(answer.headers.get('content-type')).toContain('text/event-stream')
      expect(text).toContain('"content":"Hello from the scripted vendor."')
      expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
      expect((await eventOf(account)).charge).toBe(45)
    },
  )

  it('that the client did not ask for is converted to the whole answer that it asked for', async () => {
    await testbed.publish({ channels: [testbed.aChannel('always-streams')] })
    const account = await testbed.anAccount()

    const answer: unknown = await (await chat(account, hello)).json()

    expect(answer).toMatchObject({ object: 'chat.completion', choices: [{ message: { content: 'Hello from the scripted vendor.' } }] })
    const { body, charge } = await eventOf(account)
    // The relay asks for usage only in requested streams, so this one was counted.
    expect(body.state).toBe('estimated')
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
  })

  it('is an error answer, not a stream, when no channel begins one', async () => {
    await testbed.publish({ channels: [testbed.aChannel('error-first')] })
    const account = await testbed.anAccount()

    const answer = await chat(account, { ...hello, stream: true })

    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('scripted failure before anything') } })
    expect((await eventOf(account)).charge).toBe(0)
  })

  it('continues with another channel after pings for a silent one', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('slow-error~1500', { priority: 5 }), testbed.aChannel('ok', { priority: 1 })],
      options: { RetryTimes: '1', 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' },
    })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true })).text()

    expect(text.startsWith(': PING\n\n')).toBe(true)
    expect(text).toContain('"content":"Hello"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('ends with an error when the vendor falls silent', async () => {
    const impatient = await testbed.startRelay({ STREAMING_TIMEOUT: 1 })
    await testbed.publish({ channels: [testbed.aChannel('stall')] })
    const account = await testbed.anAccount()

    const answer = await fetch(`${impatient.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    const text = await answer.text()

    expect(text).toContain('"code":"upstream_timeout"')
    expect((await eventOf(account)).body.state).toBe('estimated')
    await impatient.stop()
  })

  it('pings during silence when the option is set', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('slow-first-byte~1500')],
      options: { 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' },
    })
    const account = await testbed.anAccount()

    const text = await (await chat(account, { ...hello, stream: true })).text()

    expect(text.startsWith(': PING\n\n')).toBe(true)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('aborts the vendor call at once when the client disconnects, and settles what was delivered', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~10~2000')] })
    const account = await testbed.anAccount()
    const controller = new AbortController()
    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      signal: controller.signal,
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    await readUntil(answer, 'Hello')

    controller.abort()

    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected', client_status: 499 })
    expect(charge).toBeGreaterThan(0)
    await vi.waitFor(() => expect(testbed.vendor.callsOf('paced').at(-1)?.isAborted).toBe(true))
  })
})

/** Opens a stream, reads up to this text and disconnects. */
async function leaveAfter(account: Account, wanted: string, body: object = {}): Promise<void> {
  const controller = new AbortController()
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    signal: controller.signal,
    headers: { authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ ...hello, stream: true, ...body }),
  })
  await readUntil(answer, wanted)
  controller.abort()
}

/** Disconnects as soon as the vendor has been called. */
async function leaveOnceCalled(account: Account, scenario: string, body: object): Promise<void> {
  const controller = new AbortController()
  const before = testbed.vendor.callsOf(scenario).length
  const answer = fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    signal: controller.signal,
    headers: { authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ ...hello, ...body }),
  }).catch(() => 'left')
  await vi.waitFor(() => expect(testbed.vendor.callsOf(scenario)).toHaveLength(before + 1))
  controller.abort()
  await answer
}

const VENDOR_USAGE_PART = { prompt_tokens: VENDOR_USAGE.prompt_tokens, completion_tokens: VENDOR_USAGE.completion_tokens }

describe('a client that disconnects during its response', () => {
  const prompt = { messages: [{ role: 'user', content: 'word '.repeat(2000) }] }

  it('pays for its prompt once the model has begun, even without content', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('paced~3000~2')],
      options: { 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' },
    })
    const account = await testbed.anAccount()

    await leaveAfter(account, ': PING', prompt)

    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected', client_status: 499, usage: { completion_tokens: 0 } })
    expect(body.usage.prompt_tokens).toBeGreaterThan(1500)
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'cancel', is_capped: false })
  })

  it.each([
    ['before its first event', 'slow-error~9000', ': PING'],
    ['while it queues the request', 'comment-only', ': PING'],
  ])('pays for its prompt once upstream has sent its head, %s', async (_when, scenario, seen) => {
    await testbed.publish({
      channels: [testbed.aChannel(scenario)],
      options: { 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' },
    })
    const account = await testbed.anAccount()

    await leaveAfter(account, seen, prompt)

    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected', client_status: 499, usage: { completion_tokens: 0 } })
    expect(body.usage.prompt_tokens).toBeGreaterThan(1500)
    expect(charge).toBe(chargeOf(body.quote, body.usage).charge)
  })

  it('pays nothing for a stream of which upstream has sent no head', async () => {
    await testbed.publish({ channels: [testbed.aChannel('silent')] })
    const account = await testbed.anAccount()

    await leaveOnceCalled(account, 'silent', { ...prompt, stream: true })

    expect(await eventOf(account)).toMatchObject({ charge: 0, body: { state: 'released', ended_by: 'client-disconnected' } })
  })

  it('pays the usage of a whole answer, which is read to its end', async () => {
    await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~300')] })
    const account = await testbed.anAccount()

    await leaveOnceCalled(account, 'slow-first-byte', { stream: false })

    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'settled', ended_by: 'client-disconnected', client_status: 499, usage: VENDOR_USAGE_PART })
    expect(charge).toBe(45)
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'drain', is_capped: false })
  })

  it('pays the usage of a stream with hidden reasoning, which is read to its end', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~10~30')] })
    const [asking, named] = [await testbed.anAccount(), await testbed.anAccount()]

    await leaveAfter(asking, 'Hello', { reasoning_effort: 'high' })
    await testbed.publish({ channels: [testbed.aChannel('paced~10~30', { model_mapping: { 'gpt-4o': 'o4-mini' } })] })
    await leaveAfter(named, 'Hello')

    for (const account of [asking, named])
      expect((await eventOf(account)).body).toMatchObject({
        state: 'settled',
        usage: VENDOR_USAGE_PART,
        explanation: { client_disconnect: { policy: 'drain' } },
      })
  })

  it('pays what was delivered of a stream whose bytes are over the limit', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~5~2000')], options: { ClientDisconnectDrainBytes: '4000' } })
    const account = await testbed.anAccount()

    await leaveAfter(account, 'Hello', { reasoning_effort: 'high' })

    const { body } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', explanation: { client_disconnect: { policy: 'drain', is_capped: true } } })
    expect(body.usage.completion_tokens).toBeGreaterThan(10)
    await vi.waitFor(() => expect(testbed.vendor.callsOf('paced').at(-1)?.isAborted).toBe(true))
  })

  it('pays its prompt if too many answers of the channel are read on', async () => {
    await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~400')], options: { ClientDisconnectDrains: '1' } })
    const [first, second] = [await testbed.anAccount(), await testbed.anAccount()]

    await leaveOnceCalled(first, 'slow-first-byte', { stream: false })
    await leaveOnceCalled(second, 'slow-first-byte', { stream: false, ...prompt })

    expect((await eventOf(first)).body.state).toBe('settled')
    const { body } = await eventOf(second)
    expect(body).toMatchObject({ state: 'estimated', explanation: { client_disconnect: { policy: 'cancel', is_capped: true } } })
    expect(body.usage.prompt_tokens).toBeGreaterThan(1500)
  })

  it('pays nothing for an answer that upstream breaks off before its first content', async () => {
    const impatient = await testbed.startRelay({ STREAMING_TIMEOUT: 1 })
    await testbed.publish({ channels: [testbed.aChannel('paced~3000~2')] })
    const account = await testbed.anAccount()

    await fetch(`${impatient.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream: true }),
    }).then((answer) => answer.text())

    expect(await eventOf(account)).toMatchObject({ charge: 0, body: { state: 'released', ended_by: 'upstream-failed' } })
    await impatient.stop()
  })

  it('pays the prompt that upstream reported in its first event, and the delivered content', async () => {
    await testbed.publish({ channels: [testbed.aChannel('early-usage~900')] })
    const account = await testbed.anAccount()

    await leaveAfter(account, 'vendor')

    const { body } = await eventOf(account)
    expect(body).toMatchObject({ state: 'estimated', usage: { prompt_tokens: 900, text_in: 900 } })
    expect(body.usage.completion_tokens).toBeGreaterThan(3)
  })

  it('has its stream read up to the usage when the channel drains', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~10~30', { setting: { client_disconnect: 'drain' } })] })
    const account = await testbed.anAccount()

    await leaveAfter(account, 'Hello')

    const { body } = await eventOf(account)
    expect(body).toMatchObject({ state: 'settled', ended_by: 'client-disconnected', client_status: 499 })
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'drain', is_capped: false })
    expect(testbed.vendor.callsOf('paced').at(-1)?.isComplete).toBe(true)
  })

  it('has its stream read no longer than the channel allows', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~10~2000', { setting: { client_disconnect: 'drain', drain_seconds: 1 } })] })
    const account = await testbed.anAccount()

    await leaveAfter(account, 'Hello')

    const { body } = await eventOf(account, 5000)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected' })
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'drain', is_capped: true })
    // Content that arrived after the disconnect counts too.
    expect(body.usage.completion_tokens).toBeGreaterThan(40)
    await vi.waitFor(() => expect(testbed.vendor.callsOf('paced').at(-1)?.isAborted).toBe(true))
  })

  it('has its stream read no longer than the option allows', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('paced~10~2000', { setting: { client_disconnect: 'drain' } })],
      options: { ClientDisconnectDrainSeconds: '1' },
    })
    const account = await testbed.anAccount()

    await leaveAfter(account, 'Hello')

    const { body } = await eventOf(account, 5000)
    expect(body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected' })
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'drain', is_capped: true })
  })

  it.each([
    ['a stream', true],
    ['a whole answer', false],
  ])('has its answer read even if it left before %s began', async (_what, stream) => {
    await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~400', { setting: { client_disconnect: 'drain' } })] })
    const account = await testbed.anAccount()
    const controller = new AbortController()
    const answer = fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      signal: controller.signal,
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream }),
    }).catch(() => 'left')
    await vi.waitFor(() => expect(testbed.vendor.open()).toBe(1))

    controller.abort()

    expect(await answer).toBe('left')
    const { body } = await eventOf(account)
    expect(body).toMatchObject({ state: 'settled', ended_by: 'client-disconnected', client_status: 499, usage: { prompt_tokens: 12 } })
    expect(body.explanation.client_disconnect).toMatchObject({ policy: 'drain' })
  })
})

describe('retries', () => {
  beforeEach(() => testbed.publish({ channels: [] }))

  it('try another channel and never the same one twice', async () => {
    const [broken, busy, good] = [
      testbed.aChannel('status~500', { priority: 3 }),
      testbed.aChannel('status~429', { priority: 2 }),
      testbed.aChannel('ok', { priority: 1 }),
    ]
    await testbed.publish({ channels: [broken, busy, good], options: { RetryTimes: '3' } })
    const account = await testbed.anAccount()

    const answer = await chat(account)

    expect(answer.status).toBe(200)
    const { body } = await eventOf(account)
    expect(body.explanation.attempts.map(({ channel_id, outcome, retry }) => [channel_id, outcome, retry])).toEqual([
      [broken.id, 'refused', 'other-channel'],
      [busy.id, 'limited', 'other-channel'],
      [good.id, 'answered', undefined],
    ])
    expect(body.explanation.candidates.every(({ result }) => result === 'chosen')).toBe(true)
  })

  it('are all logged when there were many, also the one that answered, without what takes most space', async () => {
    const failing = Array.from({ length: 20 }, () => testbed.aChannel('wordy~500', { priority: 2 }))
    const good = testbed.aChannel('ok', { priority: 1 })
    await testbed.publish({ channels: [...failing, good], options: { RetryTimes: '20' } })
    const account = await testbed.anAccount()

    expect((await chat(account)).status).toBe(200)

    const { body } = await eventOf(account)
    const { attempts, is_cut } = body.explanation
    expect(is_cut).toBe(true)
    expect(
      attempts
        .slice(0, -1)
        .map(({ channel_id }) => channel_id)
        .toSorted((a, b) => a - b),
    ).toEqual(failing.map(({ id }) => id))
    expect(attempts.at(-1)).toMatchObject({ channel_id: good.id, outcome: 'answered' })
    expect(attempts[0]).toMatchObject({
      status: 500,
      code: 'scripted_error',
      message: expect.stringMatching(/^.*the reason is long/) as unknown,
    })
  })

  it('end with the last error when every channel has failed, and charge nothing', async () => {
    await testbed.publish({ channels: [testbed.aChannel('status~500'), testbed.aChannel('status~503')], options: { RetryTimes: '5' } })
    const account = await testbed.anAccount()

    const answer = await chat(account)

    expect([500, 503]).toContain(answer.status)
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringMatching(/scripted status 50[03]$/), code: 'scripted_error' },
    })
    const { body, charge } = await eventOf(account)
    expect(body).toMatchObject({ state: 'released', ended_by: 'upstream-failed' })
    expect(charge).toBe(0)
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it('do not happen without RetryTimes', async () => {
    await testbed.publish({ channels: [testbed.aChannel('status~500', { priority: 1 }), testbed.aChannel('ok')] })

    expect((await chat(await testbed.anAccount())).status).toBe(500)
  })

  it('report a saturated upstream with a text of its own', async () => {
    await testbed.publish({ channels: [testbed.aChannel('status~429')] })

    const answer = await chat(await testbed.anAccount())

    expect(answer.status).toBe(429)
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining('Upstream capacity of this group is exhausted') },
    })
  })

  it('map the status before the decision and the response', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('status~400', { status_code_mapping: { 400: '500' } })],
      options: { RetryTimes: '1' },
    })

    expect((await chat(await testbed.anAccount())).status).toBe(500)
  })

  it.each([
    ['a connection that is reset', 'reset', 502, 'do_request_failed'],
    ['an answer that is no JSON', 'garbage', 502, 'bad_response_body'],
  ])('answer for %s without revealing an address', async (_name, scenario, status, code) => {
    await testbed.publish({ channels: [testbed.aChannel(scenario)] })

    const answer = await chat(await testbed.anAccount())
    const text = await answer.text()

    expect(answer.status).toBe(status)
    expect(JSON.parse(text)).toMatchObject({ error: { code } })
    expect(text).not.toMatch(/127\.0\.0\.1|http:/)
  })

  it('never reveal an error body that is not JSON', async () => {
    await testbed.publish({ channels: [testbed.aChannel('html-error~502')] })

    const text = await (await chat(await testbed.anAccount())).text()

    expect(text).toContain('bad response status code 502')
    expect(text).not.toContain('10.1.2.3')
  })

  it('try another channel when a 200 carries an error', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('error-in-200', { priority: 1 }), testbed.aChannel('ok')],
      options: { RetryTimes: '1' },
    })

    expect((await chat(await testbed.anAccount())).status).toBe(200)
  })

  it('record an incident for a channel whose key is refused', async () => {
    const channel = testbed.aChannel('bad-key')
    await testbed.publish({ channels: [channel], options: { AutomaticDisableChannelEnabled: 'true' } })

    await chat(await testbed.anAccount())

    await vi.waitFor(async () => {
      const [entry] = await testbed.redis.xrevrange('incidents', '+', '-', 'COUNT', 1)
      expect(JSON.parse(entry?.[1][1] ?? '{}')).toMatchObject({ channel_id: channel.id, status: 401 })
    })
  })

  it('send again when an idle kept-alive connection has died', async () => {
    await testbed.publish({ channels: [testbed.aChannel('reset-when-reused')] })
    const account = await testbed.anAccount()

    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await chat(account)).status)

    expect(statuses).toEqual([200, 200, 200])
  })
})

describe('the request to the vendor', () => {
  it('follows the operations of the channel’s override, and keeps the client’s bytes if none applies', async () => {
    const onModel = [{ path: 'original_model', mode: 'full', value: 'gpt-4o' }]
    const operations = [
      { mode: 'move', from: 'user', to: 'metadata.user', conditions: onModel },
      { mode: 'set_header', path: 'X-Team', value: 'blue', conditions: onModel },
    ]
    await testbed.publish({ channels: [testbed.aChannel('ok', { param_override: { operations } })] })
    const account = await testbed.anAccount()

    await chat(account, { ...hello, user: 'u1' })
    await chat(account, hello)

    const [changed, kept] = testbed.vendor.callsOf('ok').slice(-2)
    expect(JSON.parse(changed?.text ?? '')).toEqual({ ...hello, metadata: { user: 'u1' } })
    expect(changed?.headers['x-team']).toBe('blue')
    expect(kept?.text).toBe(JSON.stringify(hello))
  })

  it('is the client’s own body with the mapped model and the channel’s key', async () => {
    await testbed.publish({
      channels: [
        testbed.aChannel('ok', {
          id: 900,
          model_mapping: { 'gpt-4o': 'step', step: 'vendor-large' },
          param_override: { temperature: 0.5 },
          openai_organization: 'org-1',
        }),
      ],
    })
    const account = await testbed.anAccount()

    await chat(account, { ...hello, temperature: 1, logit_bias: { 50: 1 }, unknown_field: [0] })

    const call = testbed.vendor.callsOf('ok').at(-1)
    expect(JSON.parse(call?.text ?? '')).toEqual({
      ...hello,
      model: 'vendor-large',
      temperature: 0.5,
      logit_bias: { 50: 1 },
      unknown_field: [0],
    })
    expect(call?.headers).toMatchObject({ authorization: 'Bearer vendor-key-900', 'openai-organization': 'org-1' })
    expect(call?.headers['user-agent']).toMatch(/^Tollgate/)
    expect((await eventOf(account)).body).toMatchObject({ model_name: 'gpt-4o', upstream_model: 'vendor-large' })
  })

  it('refuses a model mapping with a cycle', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { model_mapping: { 'gpt-4o': 'a', a: 'gpt-4o' } })] })

    const answer = await chat(await testbed.anAccount())

    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({
      error: { code: 'model_mapped_error', message: expect.stringContaining('model_mapping_contains_cycle') },
    })
  })
})

describe('a client that reads slowly', () => {
  it('pauses the vendor instead of filling the memory', async () => {
    await testbed.publish({ channels: [testbed.aChannel('flood~60')] })
    const account = await testbed.anAccount({ credited: 1e12 })
    const before = process.memoryUsage().rss
    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    const call = testbed.vendor.callsOf('flood').at(-1)

    await vi.waitFor(() => expect(call?.bytes_buffered()).toBeGreaterThan(0))
    const grown = process.memoryUsage().rss - before
    await reader?.cancel()

    expect(grown).toBeLessThan(40 * 1024 * 1024)
    expect((await eventOf(account)).body.ended_by).toBe('client-disconnected')
  })

  it('is disconnected after the write-stall time, and settled', async () => {
    const impatient = await testbed.startRelay({ WRITE_STALL_TIMEOUT: 1 })
    await testbed.publish({ channels: [testbed.aChannel('flood~60')] })
    const account = await testbed.anAccount({ credited: 1e12 })
    const answer = await fetch(`${impatient.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ ...hello, stream: true }),
    })
    await answer.body?.getReader().read()

    expect((await eventOf(account, 5000)).body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected' })
    await impatient.stop()
  })
})
