import { GoogleGenAI } from '@google/genai'
import { FORMAT_USAGE } from '@tollgate/testing/format-scripts/script'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Google's Interactions, called by Google's SDK, with models of vendors of every format.

const MODEL = 'gpt-4o'
const VENDORS = [
  ['OpenAI', 1],
  ['a vendor of Chat Completions only', 43],
  ['Anthropic', 14],
  ['Gemini', 24],
] as const
const TOOLS = ['weather', 'population'].map((name) => ({
  type: 'function' as const,
  name,
  description: `Tells the ${name}.`,
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
}))

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor

beforeAll(async () => {
  vendor = await startFormatVendor(
    (call) => {
      if (call.userText.includes('refuse')) return { kind: 'error', status: 400, message: 'the vendor refuses' }
      const tool = call.tools.find((name) => !call.text.includes(`${name} of Bonn`))
      if (tool !== undefined) return { kind: 'calls', calls: [{ id: `call_${tool}`, name: tool, input: { city: 'Bonn' } }] }
      return { kind: 'text', text: 'Both are known.', reasoning: 'First think.' }
    },
    { isStrict: true },
  )
  testbed = await openTestbed()
  await publish(1)
  relay = await testbed.startRelay()
})
afterEach(async () => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

const publish = async (type: number) =>
  await testbed.publish({
    channels: [aChannel(vendor.url, { type, models: [MODEL] })],
    prices: [{ model: MODEL, ratio: 1, completion_ratio: 2 }],
  })

async function aClient() {
  const account = await testbed.anAccount()
  return { account, google: new GoogleGenAI({ apiKey: `sk-${account.key}`, httpOptions: { baseUrl: relay.url } }) }
}

async function eventsOf(account: Account, count: number) {
  return await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(count)
    return found
  })
}

const ONE = FORMAT_USAGE.input + 2 * FORMAT_USAGE.output
type Step = { type: string; id?: string; name?: string; arguments?: unknown; signature?: string }
const resultOf = ({ id = '', name = '' }: Step) => ({
  type: 'function_result' as const,
  call_id: id,
  name,
  result: `${name} of Bonn: known`,
})

describe.each(VENDORS)('an interaction with %s', (_name, type) => {
  it('goes on over three turns with tools and reasoning, by the id of the one before', async () => {
    await publish(type)
    const { google, account } = await aClient()
    const settings = { model: MODEL, tools: TOOLS, generation_config: { max_output_tokens: 2000 } }

    const first = await google.interactions.create({ ...settings, input: 'What is known of Bonn?' })
    const [call] = (first.steps as Step[]).filter((step) => step.type === 'function_call')
    expect([first.status, call?.name, call?.arguments]).toEqual(['requires_action', 'weather', { city: 'Bonn' }])

    const second = await google.interactions.create({
      ...settings,
      previous_interaction_id: first.id,
      input: [resultOf(call ?? { type: '' })],
    })
    const [next] = (second.steps as Step[]).filter((step) => step.type === 'function_call')
    expect([second.status, next?.name, second.previous_interaction_id]).toEqual(['requires_action', 'population', first.id])

    const third = await google.interactions.create({
      ...settings,
      previous_interaction_id: second.id,
      input: [resultOf(next ?? { type: '' })],
    })
    expect([third.status, third.output_text]).toEqual(['completed', 'Both are known.'])
    expect(third.usage).toMatchObject({ total_input_tokens: FORMAT_USAGE.input, total_tokens: FORMAT_USAGE.input + FORMAT_USAGE.output })

    const fourth = await google.interactions.create({ ...settings, previous_interaction_id: third.id, input: 'And now?' })
    expect(fourth.status).toBe('completed')
    const sent = vendor.calls.at(-1)?.text ?? ''
    for (const part of ['What is known of Bonn?', 'weather of Bonn: known', 'population of Bonn: known', 'Both are known.', 'And now?'])
      expect(sent).toContain(part)
    expect(vendor.refusals).toEqual([])
    expect((await eventsOf(account, 4)).map(({ charge }) => charge)).toEqual([ONE, ONE, ONE, ONE])
  })

  it('streams its steps, and is read, listed with its input, and deleted', async () => {
    await publish(type)
    const { google, account } = await aClient()

    const stream = await google.interactions.create({ model: MODEL, input: 'Hello', stream: true })
    const events: { event_type: string; delta?: { type: string; text?: string }; interaction?: { id: string; status: string } }[] = []
    for await (const event of stream) events.push(event as (typeof events)[number])

    const types = events.map(({ event_type }) => event_type)
    expect([types[0], types.at(-1)]).toEqual(['interaction.created', 'interaction.completed'])
    expect(types.filter((one) => one === 'step.start')).toHaveLength(types.filter((one) => one === 'step.stop').length)
    const text = events.flatMap(({ delta }) => (delta?.type === 'text' ? [delta.text] : [])).join('')
    expect([text, events.at(-1)?.interaction?.status]).toEqual(['Both are known.', 'completed'])
    const id = events.at(-1)?.interaction?.id ?? ''

    const kept = await google.interactions.get(id, { include_input: true })
    expect([kept.id, kept.output_text, kept.status]).toEqual([id, 'Both are known.', 'completed'])
    expect(kept.input).toEqual([{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }])
    const again: string[] = []
    for await (const event of await google.interactions.get(id, { stream: true })) again.push((event as { event_type: string }).event_type)
    expect([again[0], again.at(-1)]).toEqual(['interaction.created', 'interaction.completed'])
    await google.interactions.delete(id)
    await expect(google.interactions.get(id)).rejects.toMatchObject({ status: 404 })
    expect((await eventsOf(account, 1))[0]?.charge).toBe(ONE)
  })

  it('says what the vendor refuses, whole and as a stream', async () => {
    await publish(type)
    const { google, account } = await aClient()

    await expect(google.interactions.create({ model: MODEL, input: 'refuse' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('the vendor refuses'),
    })
    await expect(google.interactions.create({ model: MODEL, input: 'refuse', stream: true })).rejects.toMatchObject({ status: 400 })
    expect(await testbed.spendable(account)).toBe(account.credited)
  })
})

describe('an interaction', () => {
  it('keeps Gemini’s signature with its call, and gives it back to Gemini', async () => {
    await publish(24)
    const { google } = await aClient()

    const first = await google.interactions.create({ model: MODEL, input: 'Hello', store: false })
    const thought = (first.steps as Step[]).find(({ type }) => type === 'thought')
    await google.interactions.create({
      model: MODEL,
      store: false,
      tools: TOOLS,
      input: [
        { type: 'user_input', content: [{ type: 'text', text: 'Go on.' }] },
        { type: 'thought', signature: 'Z2VtaW5p' },
        { type: 'function_call', id: 'c1', name: 'weather', arguments: { city: 'Bonn' } },
        { type: 'function_result', call_id: 'c1', result: 'weather of Bonn: known' },
      ],
    })

    expect(thought?.signature).toEqual(expect.any(String))
    const sent = JSON.parse(vendor.calls.at(-1)?.text ?? '') as { contents: { parts: Record<string, unknown>[] }[] } // a body of Gemini
    const call = sent.contents.flatMap(({ parts }) => parts).find((part) => part['functionCall'] !== undefined)
    expect(call).toMatchObject({ functionCall: { name: 'weather' }, thoughtSignature: 'Z2VtaW5p' })
  })

  it('is its owner’s alone, and none of the Responses API', async () => {
    await publish(1)
    const { google, account } = await aClient()
    const { google: other } = await aClient()
    const { id } = await google.interactions.create({ model: MODEL, input: 'Hello' })

    await expect(other.interactions.get(id)).rejects.toMatchObject({ status: 404 })
    await expect(other.interactions.create({ model: MODEL, input: 'x', previous_interaction_id: id })).rejects.toMatchObject({
      status: 400,
    })
    const openai = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    await expect(openai.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(openai.responses.create({ model: MODEL, input: 'x', previous_response_id: id })).rejects.toMatchObject({ status: 400 })
  })

  it('is not kept for a client that does not want it', async () => {
    await publish(1)
    const { google } = await aClient()
    const { id } = await google.interactions.create({ model: MODEL, input: 'Hello', store: false })

    await expect(google.interactions.get(id)).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    [{ background: true, store: false }, 'store'],
    [{ background: true, stream: true }, 'stream'],
    [{ background: true, agent: 'deep-research' }, 'agent'],
    [{ response_modalities: ['text', 'video'] }, 'background'],
    [{ agent: 'deep-research' }, 'agent'],
    [{ tools: [{ type: 'file_search' }] }, 'file_search'],
    [{ webhook_config: {} }, 'webhook_config'],
    [{ input: undefined }, 'input'],
    [{ model: undefined }, 'model'],
    [{ generation_config: { temperature: 'hot' } }, 'temperature'],
  ])('is refused by name for %j', async (change, name) => {
    const { account } = await aClient()
    const headers = { 'x-goog-api-key': `sk-${account.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: MODEL, input: 'Hello', ...change })

    const answer = await fetch(`${relay.url}/v1beta/interactions`, { method: 'POST', headers, body })

    const { error } = (await answer.json()) as { error: { message: string; status: string } } // Google's form
    expect([answer.status, error.status, error.message.includes(name)]).toEqual([400, 'INVALID_ARGUMENT', true])
  })
})
