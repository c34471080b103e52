import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const GEMINI = 24
const MODEL = 'gemini-2.5-flash-image'
/** https://ai.google.dev/gemini-api/docs/pricing (read 2026-11-24): 0.30 USD per million of the prompt, 30 USD per million of images. */
const PRICE = { model: MODEL, ratio: 0.15, completion_ratio: 4, image_completion_ratio: 100 }
const IMAGE_TOKENS = 1290
const PICTURE = 'iVBORw0KGgo='

/** https://ai.google.dev/gemini-api/docs/image-generation */
const answer = {
  candidates: [
    {
      content: { role: 'model', parts: [{ text: 'A cat.' }, { inlineData: { mimeType: 'image/png', data: PICTURE } }] },
      finishReason: 'STOP',
      index: 0,
    },
  ],
  usageMetadata: {
    promptTokenCount: 8,
    candidatesTokenCount: IMAGE_TOKENS + 10,
    totalTokenCount: IMAGE_TOKENS + 18,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 8 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: IMAGE_TOKENS }],
  },
  modelVersion: MODEL,
  responseId: 'r1',
}
const CHARGE = Math.round(PRICE.ratio * (8 + 10 * 4 + IMAGE_TOKENS * 100))

/** Google's answer, with status 200, when it draws nothing. */
const withoutImage = (word: string) => ({
  ...(word === 'BLOCKED' ? { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } : {}),
  candidates: word === 'BLOCKED' ? [] : [{ content: {}, finishReason: word, index: 0 }],
  usageMetadata: { promptTokenCount: 8, totalTokenCount: 8 },
})

let testbed: Testbed
let relay: TestRelay
let vendor: Server
const sent: string[] = []

beforeAll(async () => {
  vendor = createServer((incoming, reply) => {
    const isStream = incoming.url?.includes('streamGenerateContent') === true
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      sent.push(body)
      const word = /a picture of (\w+)/.exec(body)?.[1]
      const text = JSON.stringify(word === undefined ? answer : withoutImage(word))
      reply.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
      reply.end(isStream ? `data: ${text}\n\n` : text)
    })
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('', { type: GEMINI, base_url, models: [MODEL] })], prices: [PRICE] })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

async function send(account: Account, path: string, body: object): Promise<string> {
  const reply = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(body),
  })
  expect(reply.status).toBe(200)
  return await reply.text()
}

const eventOf = (account: Account) =>
  vi.waitFor(async () => {
    const [event] = await testbed.eventsOf(account)
    if (event === undefined) throw new Error('no event')
    return event
  })

const contents = [{ role: 'user', parts: [{ text: 'Draw a cat.' }] }]
const messages = [{ role: 'user', content: 'Draw a cat.' }]
const chat = { model: MODEL, messages, max_tokens: 2000 }

describe('an answer with an image', () => {
  it.each<[string, string, object]>([
    ['Gemini', `/v1beta/models/${MODEL}:generateContent`, { contents, generationConfig: { maxOutputTokens: 2000 } }],
    [
      'Gemini, streamed',
      `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`,
      { contents, generationConfig: { maxOutputTokens: 2000 } },
    ],
    ['OpenAI chat', '/v1/chat/completions', chat],
    ['OpenAI chat, streamed', '/v1/chat/completions', { ...chat, stream: true }],
    ['Anthropic', '/v1/messages', chat],
  ])('costs its image tokens at their own ratio, and the hold covers them: a client of %s', async (_, path, body) => {
    const account = await testbed.anAccount()

    await send(account, path, body)

    const event = await eventOf(account)
    expect(event.body.usage).toMatchObject({ text_in: 8, text_out: 10, image_out: IMAGE_TOKENS, source: 'upstream' })
    expect(event.charge).toBe(CHARGE)
    expect(await testbed.spendable(account)).toBe(account.credited - CHARGE)
    expect(event.body.explanation.wallet_held).toBeGreaterThanOrEqual(CHARGE)
  })

  it('reaches a client of Gemini as the vendor sent it, whose own modalities are kept', async () => {
    const body = { contents, generationConfig: { responseModalities: ['Image'] } }

    const got = await send(await testbed.anAccount(), `/v1beta/models/${MODEL}:generateContent`, body)

    expect(got).toBe(JSON.stringify(answer))
    expect(sent.at(-1)).toBe(JSON.stringify(body))
  })

  it('reaches a client of OpenAI’s chat, which has no field for it, as an image in Markdown', async () => {
    const got = JSON.parse(await send(await testbed.anAccount(), '/v1/chat/completions', chat)) as {
      choices: { message: { content: string } }[]
      usage: object
    }

    expect(got.choices[0]?.message.content).toBe(`A cat.![image](data:image/png;base64,${PICTURE})`)
    expect(got.usage).toMatchObject({ completion_tokens_details: { image_tokens: IMAGE_TOKENS } })
  })
})

describe('OpenAI’s images from a model of Google', () => {
  const sdkOf = ({ key }: Account) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })

  it('are drawn in the nearest shape, and charged by the vendor’s tokens', async () => {
    const account = await testbed.anAccount()

    const { data, usage, output_format } = await sdkOf(account).images.generate({ model: MODEL, prompt: 'Draw a cat.', size: '1536x1024' })

    expect(data).toEqual([{ b64_json: PICTURE }])
    expect([output_format, usage]).toMatchObject([
      'png',
      { input_tokens: 8, output_tokens: IMAGE_TOKENS + 10, total_tokens: IMAGE_TOKENS + 18 },
    ])
    expect(JSON.parse(sent.at(-1) ?? '')).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Draw a cat.' }] }],
      generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    })
    const event = await eventOf(account)
    expect([event.charge, event.body.usage.image_out]).toEqual([CHARGE, IMAGE_TOKENS])
    expect(event.body.explanation.wallet_held).toBeGreaterThanOrEqual(CHARGE)
  })

  it.each([
    ['IMAGE_SAFETY', 400, 'moderation_blocked'],
    ['BLOCKED', 400, 'moderation_blocked'],
    ['NO_IMAGE', 502, 'bad_response_body'],
  ])('are refused by name and cost nothing after %s', async (word, status, code) => {
    const account = await testbed.anAccount()

    const asked = sdkOf(account).images.generate({ model: MODEL, prompt: `a picture of ${word}` })

    await expect(asked).rejects.toMatchObject({ status, code })
    if (status === 400) await expect(asked).rejects.toThrow(word === 'BLOCKED' ? 'PROHIBITED_CONTENT' : word)
    expect((await eventOf(account)).charge).toBe(0)
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it.each([{ n: 2 }, { response_format: 'url' as const }, { stream: true as const }])('are refused with %j', async (field) => {
    const asked = sdkOf(await testbed.anAccount()).images.generate({ model: MODEL, prompt: 'Draw a cat.', ...field })

    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining(Object.keys(field)[0] ?? '') })
  })
})
