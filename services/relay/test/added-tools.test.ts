import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatReply } from '@tollgate/testing/format-scripts/script'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Codex 0.171 declares its tools for models since GPT-6 in an input item, below namespaces, and leaves `tools` out.

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor
let reply: FormatReply

const VENDORS = [
  ['chat', 43, 'deepseek-chat'],
  ['messages', 14, 'claude-sonnet-4-5'],
  ['gemini', 24, 'gemini-2.5-flash'],
] as const
const parameters = { type: 'object', properties: { ms: { type: 'integer' } }, required: ['ms'], additionalProperties: false }
const sleep = (name: string) => ({ type: 'function', name, description: 'Waits.', strict: false, parameters })
const added = {
  type: 'additional_tools',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [{ type: 'custom', name: 'exec', description: 'Runs code.' }, sleep('wait')],
    },
    { type: 'namespace', name: 'clock', description: '', tools: [sleep('sleep'), sleep('wait')] },
  ],
}
const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read the note.' }] }

beforeAll(async () => {
  vendor = await startFormatVendor(() => reply, { isStrict: true })
  testbed = await openTestbed()
  const channels = VENDORS.map(([format, type, model]) =>
    aChannel(vendor.url, { type, models: [format], model_mapping: { [format]: model } }),
  )
  const prices = VENDORS.map(([model]) => ({ model, ratio: 1, completion_ratio: 4 }))
  await testbed.publish({ channels, prices })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

async function send(model: string, input: readonly object[], stream: boolean): Promise<Record<string, unknown>[]> {
  const { key } = await testbed.anAccount()
  const answer = await fetch(`${relay.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model, input, stream, store: false }),
  })
  const text = await answer.text()
  expect([answer.status, vendor.refusals, answer.status === 200 ? '' : text]).toEqual([200, [], ''])
  const whole = stream ? (text.split('\n').findLast((line) => line.startsWith('data: ')) ?? '').slice('data: '.length) : text
  const { output, response = { output } } = JSON.parse(whole) as { output: never; response?: { output: Record<string, unknown>[] } }
  return response.output
}

describe.each(VENDORS)('tools that the input adds, for a vendor of %s', (format) => {
  it.each([false, true])('are offered, and called in their namespaces (stream: %s)', async (stream) => {
    reply = {
      kind: 'calls',
      calls: [
        { id: 'call_1', name: 'exec', input: { input: 'text("hi")' } },
        { id: 'call_2', name: 'clock__wait', input: { ms: 5 } },
        { id: 'call_3', name: 'sleep', input: { ms: 6 } },
      ],
    }
    const output = await send(format, [added, user], stream)

    expect(vendor.calls.at(-1)?.tools).toEqual(['exec', 'functions__wait', 'sleep', 'clock__wait'])
    const called = output.filter(({ type }) => type !== 'reasoning')
    expect(
      called.map(({ type, name, namespace, input, arguments: given }) => [type, namespace, name, input ?? JSON.parse(String(given))]),
    ).toEqual([
      ['custom_tool_call', 'functions', 'exec', 'text("hi")'],
      ['function_call', 'clock', 'wait', { ms: 5 }],
      ['function_call', 'clock', 'sleep', { ms: 6 }],
    ])

    reply = { kind: 'text', text: 'Done.' }
    const results = called.map(({ type, call_id }) => ({ type: `${String(type)}_output`, call_id, output: 'ok' }))
    const said = await send(format, [added, user, ...output, ...results], stream)

    expect(said.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'Done.' }] })
    for (const name of ['exec', 'clock__wait', 'sleep']) expect(vendor.calls.at(-1)?.text.split(`"${name}"`).length).toBeGreaterThan(2)
  })
})
