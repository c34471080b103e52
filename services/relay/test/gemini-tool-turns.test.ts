import OpenAI from 'openai'
import type { RunnableToolFunctionWithParse } from 'openai/lib/RunnableFunction'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Gemini models before 3 state no ids of calls; frameworks keep results by them.

const CITIES = ['Rome', 'Oslo', 'Lima']
let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor

beforeAll(async () => {
  vendor = await startFormatVendor(
    (call) => {
      const city = CITIES.find((one) => !call.text.includes(`weather of ${one}`))
      if (city === undefined) return { kind: 'text', text: 'All three are known.' }
      const calls = ['weather', 'population'].map((name) => ({ id: '', name, input: { city } }))
      return { kind: 'calls', calls }
    },
    { isStrict: true },
  )
  testbed = await openTestbed()
  await testbed.publish({
    channels: [aChannel(vendor.url, { type: 24, models: ['gpt-4o'], model_mapping: { 'gpt-4o': 'gemini-2.5-flash' } })],
    prices: [{ model: 'gpt-4o', ratio: 1 }],
  })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

describe('a conversation of three tool turns with Gemini', () => {
  it.each([true, false])('keeps every result with its call in OpenAI’s tool runner (stream: %s)', async (stream) => {
    const client = new OpenAI({ apiKey: `sk-${(await testbed.anAccount()).key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const ran: string[] = []
    const tool = (name: string): RunnableToolFunctionWithParse<{ city: string }> => ({
      type: 'function',
      function: {
        name,
        description: `Tells the ${name}.`,
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        parse: (text: string) => JSON.parse(text) as { city: string }, // as the schema says
        function: ({ city }: { city: string }) => {
          ran.push(`${name} of ${city}`)
          return `${name} of ${city}: known`
        },
      },
    })
    const tools = [tool('weather'), tool('population')]
    const messages = [{ role: 'user' as const, content: 'Three cities, please.' }]

    const runner = stream
      ? client.chat.completions.runTools({ model: 'gpt-4o', messages, tools, stream: true })
      : client.chat.completions.runTools({ model: 'gpt-4o', messages, tools })
    const said = await runner.finalContent()

    expect([said, vendor.refusals]).toEqual(['All three are known.', []])
    expect(ran).toEqual(CITIES.flatMap((city) => [`weather of ${city}`, `population of ${city}`]))
    const ids = runner.messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []).map(({ id }) => id) : []))
    expect([ids.length, new Set(ids).size]).toEqual([6, 6])
    const sent = vendor.calls.at(-1)?.body['contents'] as { parts: { functionResponse?: { name: string; response: object } }[] }[] // Google's contents
    const results = sent.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []))
    expect(results.map(({ name, response }) => [name, JSON.stringify(response).includes(`${name} of `)])).toEqual(
      CITIES.flatMap(() => [
        ['weather', true],
        ['population', true],
      ]),
    )
  })
})
