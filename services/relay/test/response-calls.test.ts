import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Calls of OpenAI's SDK about a conversation that make no answer: counting its tokens, and compacting it.

const MODEL = 'gpt-6-sol'
const PRICES = [{ model: MODEL, ratio: 1, completion_ratio: 4 }]
const ANTHROPIC = 14

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish(1)
  relay = await testbed.startRelay()
})
afterEach(async () => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(() => testbed.close())

async function publish(type: number, over: Parameters<Testbed['aChannel']>[1] = {}): Promise<void> {
  await testbed.publish({ channels: [testbed.aChannel('ok', { type, models: [MODEL], ...over })], prices: PRICES })
}

async function aClient() {
  const account = await testbed.anAccount()
  return { account, openai: new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 }) }
}

async function eventsOf(account: Account, count = 1) {
  return await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(count)
    return found
  })
}

describe('the tokens of a response', () => {
  it('are counted by OpenAI, with the mapped model, and charged nothing', async () => {
    await publish(1, { model_mapping: { [MODEL]: 'gpt-upstream' } })
    const { openai, account } = await aClient()

    const count = await openai.responses.inputTokens.count({ model: MODEL, input: 'How many?', instructions: 'Be brief.' })

    expect([count.object, count.input_tokens]).toEqual(['response.input_tokens', 76])
    const sent = testbed.vendor.callsOf('ok').at(-1)
    expect([sent?.path, JSON.parse(sent?.text ?? '')]).toEqual([
      '/v1/responses/input_tokens',
      { model: 'gpt-upstream', input: 'How many?', instructions: 'Be brief.' },
    ])
    expect((await eventsOf(account))[0]).toMatchObject({ charge: 0, body: { client_status: 200 } })
  })

  it('are estimated where no vendor counts', async () => {
    await publish(ANTHROPIC)
    const { openai, account } = await aClient()

    const count = await openai.responses.inputTokens.count({ model: MODEL, input: 'How many tokens is this?' })

    expect(count.object).toBe('response.input_tokens')
    expect(count.input_tokens).toBeGreaterThan(4)
    expect(count.input_tokens).toBeLessThan(30)
    expect((await eventsOf(account))[0]?.charge).toBe(0)
  })

  it('need a model', async () => {
    const { openai } = await aClient()

    await expect(openai.responses.inputTokens.count({ input: 'How many?' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a compacted conversation', () => {
  it('is charged by its usage, and goes on with the account that made it', async () => {
    await publish(1)
    const { openai, account } = await aClient()

    const compacted = await openai.responses.compact({ model: MODEL, input: [{ role: 'user', content: 'A long talk.' }] })

    expect(compacted.output).toEqual([{ id: 'cmp_1', type: 'compaction', encrypted_content: 'sealed' }])
    expect(testbed.vendor.callsOf('ok').at(-1)?.path).toBe('/v1/responses/compact')
    const [event] = await eventsOf(account)
    // 139 prompt tokens and 438 others at four times the price.
    expect(event).toMatchObject({ charge: 139 + 438 * 4, body: { usage: { prompt_tokens: 139, completion_tokens: 438, reasoning: 64 } } })

    await openai.responses.create({ model: MODEL, input: [...compacted.output, { role: 'user', content: 'Go on.' }] as never })
    const sent = JSON.parse(testbed.vendor.callsOf('ok').at(-1)?.text ?? '') as { input: unknown[] } // the body of a request
    expect(sent.input[0]).toEqual(compacted.output[0])
    // Another account could not read it.
    await testbed.publish({ channels: [testbed.aChannel('other', { id: 99, models: [MODEL] })], prices: PRICES })
    const lost = openai.responses.create({ model: MODEL, input: [...compacted.output, { role: 'user', content: 'Go on.' }] as never })
    await expect(lost).rejects.toMatchObject({ status: 404 })
  })

  it('is refused, in words, where only vendors of other APIs serve the model', async () => {
    await publish(ANTHROPIC)
    const { openai, account } = await aClient()

    const refused = openai.responses.compact({ model: MODEL, input: 'A long talk.' })

    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining('OpenAI’s Responses API') })
    expect(await testbed.spendable(account)).toBe(account.credited)
  })
})
