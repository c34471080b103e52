import Anthropic from '@anthropic-ai/sdk'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Refusals of a version of Anthropic's API are made on the channels of every vendor, in Anthropic's words.

const MODEL = 'claude-opus-5-5'
const VENDORS = [
  ['Anthropic', 14],
  ['OpenAI', 1],
  ['Gemini', 24],
] as const

let testbed: Testbed
let relay: TestRelay
let key: string
let vendor: FormatVendor

beforeAll(async () => {
  vendor = await startFormatVendor(() => ({ kind: 'text', text: 'Hello.' }))
  testbed = await openTestbed()
  await publish(1)
  relay = await testbed.startRelay()
  key = `sk-${(await testbed.anAccount()).key}`
})
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

const publish = async (type: number) =>
  await testbed.publish({ channels: [aChannel(vendor.url, { type, models: [MODEL] })], prices: [{ model: MODEL, ratio: 1 }] })

const hello = { model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }
const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }
const cited = { type: 'text', text: 'x', citations: [{ type: 'char_location', cited_text: 'x', document_index: 0 }] }

async function send(body: object, version: string, path = '/v1/messages') {
  const headers = { authorization: `Bearer ${key}`, 'anthropic-version': version, 'content-type': 'application/json' }
  const answer = await fetch(relay.url + path, { method: 'POST', headers, body: JSON.stringify({ ...hello, ...body }) })
  return { status: answer.status, body: (await answer.json()) as { type: string; error?: { type: string; message: string } } } // compared below
}

const REFUSED = [
  [{ temperature: 1 }, 'temperature: Extra inputs are not permitted'],
  [{ top_p: 0.5 }, 'top_p: Extra inputs are not permitted'],
  [{ top_k: 5 }, 'top_k: Extra inputs are not permitted'],
  [{ messages: [...hello.messages, { role: 'assistant', content: [document] }] }, 'messages.1.content.0: document blocks'],
  [{ messages: [{ role: 'user', content: [cited] }] }, 'messages.0.content.0.citations'],
  [
    { messages: [{ role: 'user', content: [{ type: 'search_result', source: 's', title: 't', content: [cited] }] }] },
    'messages.0.content.0.citations',
  ],
] as const

describe.each(VENDORS)('version 2026-10-21 on a channel of %s', (_vendor, type) => {
  it.each(REFUSED)('refuses %j', async (body, words) => {
    await publish(type)
    const before = vendor.calls.length

    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const refused = await send(body, '2026-10-21', path)
      expect([refused.status, refused.body.type, refused.body.error?.type]).toEqual([400, 'error', 'invalid_request_error'])
      expect(refused.body.error?.message).toContain(words)
    }
    expect(vendor.calls).toHaveLength(before)
  })

  it('takes what the version before it took, for a client that names that one or none', async () => {
    await publish(type)

    expect((await send({ temperature: 1 }, '2023-06-01')).status).toBe(200)
    expect((await send({ temperature: 1 }, '')).status).toBe(200)
  })
})

describe('Anthropic’s SDK', () => {
  it('names the version, sends its key as Bearer, and reads the answer of another vendor', async () => {
    await publish(1)
    const anthropic = new Anthropic({ apiKey: key, baseURL: relay.url, maxRetries: 0 })

    const message = await anthropic.messages.create({
      model: MODEL,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      user_profile_id: 'profile_1',
      cache_control: { type: 'ephemeral' },
    })

    expect([message.type, message.stop_details, message.container, message.usage.speed]).toEqual(['message', null, null, null])
  })

  it('lists models with every field that its types require', async () => {
    await publish(1)
    const anthropic = new Anthropic({ apiKey: key, baseURL: relay.url, maxRetries: 0 })

    const [model] = (await anthropic.models.list()).data
    expect(model).toEqual(await anthropic.models.retrieve(MODEL))
    expect([model?.id, model?.lifecycle, model?.max_input_tokens, model?.capabilities, model?.retires_at]).toEqual([
      MODEL,
      'active',
      null,
      null,
      null,
    ])
  })

  it('gets its fields to Anthropic as they are', async () => {
    await publish(14)
    const anthropic = new Anthropic({ apiKey: key, baseURL: relay.url, maxRetries: 0 })
    const fields = { cache_control: { type: 'ephemeral' as const }, inference_geo: 'global' }

    await anthropic.messages.create({
      model: MODEL,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
      user_profile_id: 'profile_1',
      workspace_id: 'wrkspc_1',
      ...fields,
    })

    const sent = vendor.calls.at(-1)
    expect(JSON.parse(sent?.text ?? '')).toMatchObject(fields)
    const names = ['anthropic-version', 'x-api-key', 'anthropic-user-profile-id', 'anthropic-workspace-id']
    expect(names.map((name) => sent?.headers[name])).toEqual(['2026-10-21', expect.stringMatching(/^vendor-key/), 'profile_1', undefined])
  })
})

describe('a field that is not known', () => {
  it('passes as it is, and is named in the log if its vendor may charge for it', async () => {
    await publish(1)
    const account = await testbed.anAccount()
    const body = { model: MODEL, messages: hello.messages, brand_new: { a: [1] }, latency_tier: 'turbo' }

    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

    expect([answer.status, answer.headers.get('x-tollgate-warnings')]).toEqual([200, null])
    expect(JSON.parse(vendor.calls.at(-1)?.text ?? '')).toMatchObject(body)
    const [event] = await vi.waitFor(async () => {
      const found = await testbed.eventsOf(account)
      expect(found).toHaveLength(1)
      return found
    })
    expect(event?.body.explanation.warnings).toEqual(['unpriced.latency_tier'])
  })
})
