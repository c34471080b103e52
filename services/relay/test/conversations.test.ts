import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Conversations of the Responses API, called by OpenAI's SDK, with models of vendors of every format.

const MODEL = 'gpt-4o'
const VENDORS = [
  ['OpenAI', 1],
  ['a vendor of Chat Completions only', 43],
  ['Anthropic', 14],
  ['Gemini', 24],
] as const

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor
let turn = 0

beforeAll(async () => {
  vendor = await startFormatVendor(() => ({ kind: 'text', text: `Answer ${(turn += 1)}.` }), { isStrict: true })
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
  await testbed.publish({ channels: [aChannel(vendor.url, { type, models: [MODEL] })], prices: [{ model: MODEL, ratio: 1 }] })

async function aClient() {
  const account = await testbed.anAccount()
  return new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
}

const sentText = () => vendor.calls.at(-1)?.text ?? ''

describe.each(VENDORS)('a conversation with %s', (_name, type) => {
  it('goes on over three turns, whole and streamed, and lists its items', async () => {
    await publish(type)
    turn = 0
    const openai = await aClient()
    const { id } = await openai.conversations.create({
      items: [{ type: 'message', role: 'user', content: 'My name is Ada.' }],
      metadata: { topic: 'names' },
    })

    const first = await openai.responses.create({ model: MODEL, conversation: id, input: 'Who am I?' })
    expect(first.output_text).toBe('Answer 1.')
    expect(sentText()).toContain('My name is Ada.')
    const stream = openai.responses.stream({ model: MODEL, conversation: { id }, input: 'And you?' })
    expect((await stream.finalResponse()).output_text).toBe('Answer 2.')
    await openai.responses.create({ model: MODEL, conversation: id, input: [{ role: 'user', content: 'Thanks.' }], store: false })

    for (const part of ['My name is Ada.', 'Who am I?', 'Answer 1.', 'And you?', 'Answer 2.', 'Thanks.']) expect(sentText()).toContain(part)
    expect(sentText()).not.toContain('conv_')
    const items = []
    for await (const item of openai.conversations.items.list(id, { order: 'asc', limit: 3 })) items.push(item)
    const said = items.map((item) => (item.type === 'message' ? [item.role, (item.content[0] as { text: string }).text] : [item.type]))
    expect(said).toEqual([
      ['user', 'My name is Ada.'],
      ['user', 'Who am I?'],
      ['assistant', 'Answer 1.'],
      ['user', 'And you?'],
      ['assistant', 'Answer 2.'],
      ['user', 'Thanks.'],
      ['assistant', 'Answer 3.'],
    ])
    // The scripted vendor gives each of its answers the same id.
    const ids = items.filter((item) => item.type === 'message' && item.role === 'user').map((item) => item.id)
    expect(new Set(ids).size).toBe(4)
    expect(vendor.refusals).toEqual([])
  })
})

describe('a conversation', () => {
  it('is read, changed and deleted with its items', async () => {
    const openai = await aClient()
    const made = await openai.conversations.create({ metadata: { a: '1' } })
    const added = await openai.conversations.items.create(made.id, {
      items: [
        { role: 'user', content: 'One.' },
        { role: 'user', content: 'Two.' },
      ],
    })
    const [one, two] = added.data

    expect((await openai.conversations.retrieve(made.id)).metadata).toEqual({ a: '1' })
    expect((await openai.conversations.update(made.id, { metadata: { b: '2' } })).metadata).toEqual({ b: '2' })
    expect((await openai.conversations.items.retrieve(two?.id ?? '', { conversation_id: made.id })).id).toBe(two?.id)
    await openai.conversations.items.delete(one?.id ?? '', { conversation_id: made.id })
    expect((await openai.conversations.items.list(made.id)).data.map((item) => item.id)).toEqual([two?.id])
    expect(await openai.conversations.delete(made.id)).toMatchObject({ id: made.id, deleted: true })
    await expect(openai.conversations.retrieve(made.id)).rejects.toMatchObject({ status: 404, code: 'conversation_not_found' })
  })

  it('is its owner’s alone, and no other vendor’s', async () => {
    await publish(1)
    const openai = await aClient()
    const other = await aClient()
    const { id } = await openai.conversations.create()
    const before = vendor.calls.length

    await expect(other.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
    for (const conversation of [id, 'conv_of_the_vendor'])
      await expect(other.responses.create({ model: MODEL, conversation, input: 'x' })).rejects.toMatchObject({ status: 404 })
    expect(vendor.calls).toHaveLength(before)
  })

  it('is refused beside a previous response, and with items that are none', async () => {
    const openai = await aClient()
    const { id } = await openai.conversations.create()

    const both = openai.responses.create({ model: MODEL, conversation: id, previous_response_id: 'resp_1', input: 'x' })
    await expect(both).rejects.toMatchObject({ status: 400, param: 'conversation' })
    const wrong = openai.conversations.items.create(id, { items: [{ content: 'no role' }] as never })
    await expect(wrong).rejects.toMatchObject({ status: 400, param: 'items' })
  })
})

describe('what only OpenAI can do with a long conversation', () => {
  it('is left out for the models of other vendors, and named', async () => {
    await publish(14)
    const openai = await aClient()
    const body = {
      model: MODEL,
      input: 'Hello',
      context_management: [{ type: 'compaction', compact_threshold: 100_000 }],
      prompt_cache_options: { mode: 'explicit' },
    }

    const { response } = await openai.responses.create(body as never).withResponse()

    const named = response.headers.get('x-tollgate-warnings')?.split(', ')
    expect(named).toEqual(expect.arrayContaining(['context_management', 'prompt_cache_options']))
    expect(sentText()).not.toContain('compact_threshold')
  })
})
