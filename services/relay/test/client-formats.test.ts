import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

/** SDKs of the other client APIs against a vendor with OpenAI's format, so that every answer is converted. */
let testbed: Testbed
let relay: TestRelay
const TEXT = 'Hello from the scripted vendor.'

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok')] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

async function anthropicClient(): Promise<Anthropic> {
  const { key } = await testbed.anAccount()
  return new Anthropic({ apiKey: `sk-${key}`, baseURL: relay.url, maxRetries: 0 })
}

async function googleClient(): Promise<GoogleGenAI> {
  const { key } = await testbed.anAccount()
  return new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: relay.url } })
}

const asked = { model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Say hello' }] }

describe('the Anthropic SDK', () => {
  it('gets a message, with its usage', async () => {
    const message = await (await anthropicClient()).messages.create(asked)

    expect(message.content).toMatchObject([{ type: 'text', text: TEXT }])
    expect(message).toMatchObject({ role: 'assistant', stop_reason: 'end_turn', model: 'gpt-4o' })
    expect(message.usage.input_tokens + message.usage.output_tokens).toBe(18)
  })

  it('streams one', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~2')] })
    const message = await (await anthropicClient()).messages.stream(asked).finalMessage()

    expect(message.content).toMatchObject([{ type: 'text', text: TEXT }])
    expect(message.usage.output_tokens).toBeGreaterThan(0)
  })

  it('lists models', async () => {
    const page = await (await anthropicClient()).models.list()

    expect(page.data.map(({ id }) => id)).toContain('gpt-4o')
  })

  it('reads refusals as its own errors', async () => {
    const stranger = new Anthropic({ apiKey: `sk-${'x'.repeat(48)}`, baseURL: relay.url, maxRetries: 0 })

    await expect(stranger.messages.create(asked)).rejects.toThrow(Anthropic.AuthenticationError)
    await expect((await anthropicClient()).messages.create({ ...asked, model: 'no-such-model' })).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error', message: expect.stringContaining('no-such-model') } },
    })
  })

  it('leaves an event with the error type that it got, and says that it is of this API', async () => {
    const account = await testbed.anAccount()
    await testbed.publish({ channels: [testbed.aChannel('status~429')] })

    const client = new Anthropic({ apiKey: `sk-${account.key}`, baseURL: relay.url, maxRetries: 0 })
    await expect(client.messages.create(asked)).rejects.toMatchObject({ status: 429, error: { error: { type: 'rate_limit_error' } } })

    expect((await testbed.eventsOf(account))[0]?.body).toMatchObject({
      state: 'released',
      client_status: 429,
      error_type: 'rate_limit_error',
      is_claude: true,
    })
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
  })

  it('may return thinking of another vendor without its signature, as clients that drop an unknown one do', async () => {
    const { key } = await testbed.anAccount()
    const thought = { type: 'thinking', thinking: 'hm' }
    const messages = [...asked.messages, { role: 'assistant', content: [thought, { type: 'text', text: 'x' }] }, ...asked.messages]

    const answer = await fetch(`${relay.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': `sk-${key}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...asked, messages }),
    })

    expect([answer.status, await answer.json()]).toMatchObject([200, { type: 'message' }])
  })

  it('finds the request id where it looks', async () => {
    const client = await anthropicClient()
    const { response, request_id } = await client.messages.create(asked).withResponse()

    expect(request_id).toBe(response.headers.get('x-oneapi-request-id'))
    expect(request_id).toMatch(/^\d{23}\w{8}$/)
    expect(response.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['request-id', 'retry-after', 'anthropic-ratelimit-tokens-remaining']),
    )
  })
})

/** A vendor with chat completions only. */
const DEEPSEEK = 43

describe('the Responses API of the openai SDK', () => {
  beforeAll(() => testbed.publish({ channels: [{ ...testbed.aChannel('ok'), type: DEEPSEEK }] }))
  afterAll(() => testbed.publish({ channels: [testbed.aChannel('ok')] }))

  const client = async () => {
    const { key } = await testbed.anAccount()
    return new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  }

  it('gets a response, with its usage', async () => {
    const response = await (await client()).responses.create({ model: 'gpt-4o', input: 'Say hello' })

    expect(response.output_text).toBe(TEXT)
    expect(response).toMatchObject({ status: 'completed', object: 'response', usage: { total_tokens: 18 } })
  })

  it('streams one', async () => {
    await testbed.publish({ channels: [{ ...testbed.aChannel('paced~2'), type: DEEPSEEK }] })
    const stream = (await client()).responses.stream({ model: 'gpt-4o', input: 'Say hello' })

    expect((await stream.finalResponse()).output_text).toBe(TEXT)
  })

  it('gets an error that names the fields which only a vendor of the same format can serve', async () => {
    const asked = (await client()).responses.create({ model: 'gpt-4o', input: 'more', prompt: { id: 'pmpt_1' } })

    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('responses to chat conversion does not support stateful fields: prompt'),
    })
  })
})

describe('the Google SDK', () => {
  it('gets an answer, with its usage', async () => {
    const answer = await (await googleClient()).models.generateContent({ model: 'gpt-4o', contents: 'Say hello' })

    expect(answer.text).toBe(TEXT)
    expect(answer.usageMetadata?.totalTokenCount).toBe(18)
  })

  it('streams one', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~2')] })
    const stream = await (await googleClient()).models.generateContentStream({ model: 'gpt-4o', contents: 'Say hello' })

    let text = ''
    let total = 0
    for await (const chunk of stream) {
      text += chunk.text ?? ''
      total = chunk.usageMetadata?.totalTokenCount ?? total
    }

    expect(text).toBe(TEXT)
    expect(total).toBeGreaterThan(0)
  })

  it.each(['error-in-200', 'cut-mid-stream'])('raises an error inside a stream (%s)', async (scenario) => {
    await testbed.publish({ channels: [testbed.aChannel(scenario)] })
    const stream = await (await googleClient()).models.generateContentStream({ model: 'gpt-4o', contents: 'Say hello' })

    const reading = (async () => {
      let text = ''
      for await (const chunk of stream) text += chunk.text ?? ''
      return text
    })()

    await expect(reading).rejects.toMatchObject({ status: 502, message: expect.stringContaining('"code":502') })
    await testbed.publish({ channels: [testbed.aChannel('paced~2')] })
  })

  it('gets a model that no channel has as not found', async () => {
    const asked = (await googleClient()).models.generateContent({ model: 'no-such-model', contents: 'x' })

    await expect(asked).rejects.toMatchObject({ status: 404, message: expect.stringContaining('"status":"NOT_FOUND"') })
  })

  it('gets an error when it refers to cached content that its user did not make here', async () => {
    const config = { cachedContent: 'cachedContents/rules' }
    const asked = (await googleClient()).models.generateContent({ model: 'gpt-4o', contents: 'more', config })

    await expect(asked).rejects.toMatchObject({ status: 404, message: expect.stringContaining('cachedContents/rules') })
  })

  it('lists models and gets one, on the path that OpenAI has too', async () => {
    const sdk = await googleClient()
    const names = []
    for await (const { name } of await sdk.models.list({ config: { httpOptions: { apiVersion: 'v1' } } })) names.push(name)

    expect(names).toContain('models/gpt-4o')
    expect(await sdk.models.get({ model: 'gpt-4o', config: { httpOptions: { apiVersion: 'v1' } } })).toMatchObject({
      name: 'models/gpt-4o',
    })
  })

  it('may send bytes in the URL-safe alphabet, which other vendors get in the standard one', async () => {
    const picture = Buffer.from([0xfb, 0xff, 0xbf])
    const inlineData = { mimeType: 'image/png', data: picture.toString('base64url') }
    await (await googleClient()).models.generateContent({ model: 'gpt-4o', contents: [{ inlineData }, { text: 'What is it?' }] })

    expect(inlineData.data).toBe('-_-_')
    expect(testbed.vendor.calls.at(-1)?.text).toContain('data:image/png;base64,+/+/')
  })

  it('gets the stream as one JSON array when it does not ask for events', async () => {
    const { key } = await testbed.anAccount()
    const answer = await fetch(`${relay.url}/v1beta/models/gpt-4o:streamGenerateContent?key=sk-${key}`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] }),
    })

    const chunks: unknown = await answer.json()
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(JSON.stringify(chunks)).toContain('"finishReason":"STOP"')
  })

  it('reads refusals as its own errors', async () => {
    const stranger = new GoogleGenAI({ apiKey: `sk-${'x'.repeat(48)}`, httpOptions: { baseUrl: relay.url } })

    await expect(stranger.models.generateContent({ model: 'gpt-4o', contents: 'x' })).rejects.toMatchObject({ status: 401 })
  })
})

describe('content that a vendor’s format cannot carry', () => {
  const ANTHROPIC = 14
  const audio = { type: 'input_audio' as const, input_audio: { data: 'UklGRg==', format: 'wav' as const } }
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'listen' }, audio] }]
  const openAi = async () => {
    const { key } = await testbed.anAccount()
    return new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  }

  it('is refused with the path of its field, and nothing is charged', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { type: ANTHROPIC })] })
    const account = await testbed.anAccount()
    const client = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })

    await expect(client.chat.completions.create({ model: 'gpt-4o', messages })).rejects.toMatchObject({
      status: 400,
      param: 'messages[0].content[1]',
      message: expect.stringContaining('messages[0].content[1]: audio inline'),
    })
    expect((await testbed.eventsOf(account)).map(({ charge }) => charge)).toEqual([0])
  })

  it('is sent to another channel of the model that carries it', async () => {
    const other = testbed.aChannel('ok', { priority: -1 })
    await testbed.publish({ channels: [testbed.aChannel('ok', { type: ANTHROPIC }), other] })

    const answer = await (await openAi()).chat.completions.create({ model: 'gpt-4o', messages })

    expect(answer.choices[0]?.message.content).toBe(TEXT)
    expect(testbed.vendor.calls.at(-1)?.text).toContain('input_audio')
  })

  it('is refused in Google’s format', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const parts = [{ fileData: { fileUri: 'files/abc', mimeType: 'application/pdf' } }]
    const asked = (await googleClient()).models.generateContent({ model: 'gpt-4o', contents: [{ role: 'user', parts }] })

    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('"field":"contents[0].parts[0]"') })
  })
})
