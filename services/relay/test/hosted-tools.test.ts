import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Tools that only some vendors run: the channel is chosen by them, and a request that no channel can serve is refused.

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor

const MODEL = 'both'
const CHAT_ONLY = 'chat-only'

beforeAll(async () => {
  vendor = await startFormatVendor(() => ({ kind: 'text', text: 'Done.' }), {})
  testbed = await openTestbed()
  const claude = { type: 14, models: [MODEL], model_mapping: { [MODEL]: 'claude-sonnet-4-5' } }
  const chat = { type: 43, models: [MODEL, CHAT_ONLY], model_mapping: { [MODEL]: 'deepseek-chat', [CHAT_ONLY]: 'deepseek-chat' } }
  await testbed.publish({
    channels: [aChannel(vendor.url, { ...chat, priority: 5 }), aChannel(vendor.url, claude)],
    prices: [MODEL, CHAT_ONLY, 'claude-sonnet-4-5', 'deepseek-chat'].map((model) => ({ model, ratio: 1, completion_ratio: 4 })),
  })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

async function post(path: string, body: object) {
  const { key } = await testbed.anAccount()
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}`, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  })
  const warnings = answer.headers.get('x-tollgate-warnings')
  return { status: answer.status, warnings, text: await answer.text(), exposed: answer.headers.get('access-control-expose-headers') }
}

type Refused = { readonly error?: { readonly type?: string; readonly message?: string } }
const bodyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as Refused // an error of the relay

const search = { type: 'web_search_20250305', name: 'web_search' }
const messages = [{ role: 'user', content: 'Hi' }]
const LARGE = { role: 'user', content: 'word '.repeat(60_000) }

describe('a tool that the vendor runs', () => {
  it.each([
    ['of a small body', messages],
    ['of a body that a worker holds', [LARGE]],
  ])('%s passes over channels without it', async (_, said) => {
    const before = vendor.calls.length
    const responses = { model: MODEL, input: said, tools: [{ type: 'web_search' }] }
    const answer = await post('/v1/responses', responses)

    expect(answer.status).toBe(200)
    expect(vendor.calls.slice(before).map(({ format }) => format)).toEqual(['messages'])
  })

  it('is refused by name before any vendor is called', async () => {
    const before = vendor.calls.length
    const refused = [
      await post('/v1/messages', { model: CHAT_ONLY, max_tokens: 9, messages, tools: [search] }),
      await post('/v1/messages', { model: CHAT_ONLY, max_tokens: 9, messages, tools: [{ type: 'computer_20251124', name: 'computer' }] }),
      await post('/v1/responses', { model: CHAT_ONLY, input: 'Hi', tools: [{ type: 'web_search' }] }),
      await post('/v1/responses', { model: CHAT_ONLY, input: [LARGE], tools: [{ type: 'mcp', server_label: 'x' }] }),
      await post(`/v1beta/models/${CHAT_ONLY}:generateContent`, {
        contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
        tools: [{ urlContext: {} }],
      }),
    ]

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    const words = refused.map((answer) => bodyOf(answer).error?.message ?? '')
    for (const [index, name] of ['web_search_20250305', 'computer_20251124', 'web_search', 'mcp', 'urlContext'].entries())
      expect(words[index]).toContain(`do not offer ${name}`)
    expect(refused.map(bodyOf)[0]).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(vendor.calls).toHaveLength(before)
  })
})

describe('what a converted request loses', () => {
  const context_management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] }

  it.each([false, true])('is named in a header that browsers can read (stream: %s)', async (stream) => {
    const body = { model: CHAT_ONLY, max_tokens: 9, messages, top_k: 5, context_management, stream }
    const answer = await post('/v1/messages', body)

    expect(answer.status).toBe(200)
    expect(answer.warnings?.split(', ')).toEqual(expect.arrayContaining(['top_k', 'context_management']))
    expect(answer.exposed).toContain('X-Tollgate-Warnings')
  })

  it('is nothing if the vendor speaks the client’s format', async () => {
    expect(await post('/v1/chat/completions', { model: CHAT_ONLY, messages })).toMatchObject({ status: 200, warnings: null })
  })
})
