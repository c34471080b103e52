import { GoogleGenAI, ApiError } from '@google/genai'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerInput } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject } from '../../../json.ts'
import { SETTLED } from './__fixtures__/replay.ts'
import { gemini } from './index.ts'

/** Google's own client reads what our encoder writes. */

const EVENTS: readonly ModelEvent[] = [
  { kind: 'start', id: 'resp-1' },
  { kind: 'reasoning', text: 'I need the weather.' },
  { kind: 'reasoning-signature', signature: 'c2ln', by: 'gemini' },
  { kind: 'text', text: 'Let me ' },
  { kind: 'text', text: 'see – 看看.' },
  { kind: 'tool-call', index: 0, id: 'call_1', name: 'weather', signature: 'c2ln' },
  { kind: 'tool-arguments', index: 0, text: '{"city":' },
  { kind: 'tool-arguments', index: 0, text: '"Paris"}' },
  { kind: 'tool-call', index: 1, id: 'call_2', name: 'now' },
  { kind: 'finish', finish: 'tools' },
  { kind: 'usage', usage: SETTLED, raw: {} },
]
const INPUT: AnswerInput = { id: 'req-1', created: 1, model: 'gemini-2.5-pro', include_usage: true, prompt_tokens: 3, body: {} }
const REFUSAL = { status: 429, message: 'too many requests', type: 'new_api_error', code: 'rate_limited', param: '' }

let server: Server
let client: GoogleGenAI
let decoded: ReturnType<typeof gemini.client.decodeRequest>[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [, model = '', action] = /models\/([^:]+):(\w+)/.exec(request.url ?? '') ?? []
      const is_stream = action === 'streamGenerateContent'
      decoded.push(gemini.client.decodeRequest(JSON.parse(Buffer.concat(chunks).toString()), { model, is_stream }))
      if (model === 'refused') {
        response.writeHead(429, { 'content-type': 'application/json' }).end(gemini.client.renderError(REFUSAL))
        return
      }
      if (!is_stream) {
        const { body } = gemini.client.encodeAnswer(EVENTS, INPUT)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      const encoder = gemini.client.createEncoder(INPUT)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(gemini.client.ping)
      const place = { frame: 'sse', isFirst: false } as const
      for (const event of EVENTS) response.write(encoder.push(event))
      response.end(model === 'broken' ? gemini.client.renderStreamError(REFUSAL, place) : encoder.closing(SETTLED))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } })
})

afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
  })
})

describe('@google/genai', () => {
  it('reads a whole answer', async () => {
    const answer = await client.models.generateContent({ model: 'gemini-2.5-pro', contents: 'Weather?' })

    expect(answer.text).toBe('Let me see – 看看.')
    expect(answer.functionCalls).toEqual([
      { id: 'call_1', name: 'weather', args: { city: 'Paris' } },
      { id: 'call_2', name: 'now', args: {} },
    ])
    expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
    expect(answer.usageMetadata).toMatchObject({ promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 })
    expect(answer.responseId).toBe('resp-1')
  })

  it('reads a stream', async () => {
    const texts: string[] = []
    const thoughts: string[] = []
    const calls: unknown[] = []
    let finish: unknown
    let total: unknown
    for await (const chunk of await client.models.generateContentStream({ model: 'gemini-2.5-pro', contents: 'Weather?' })) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.text !== undefined) (part.thought === true ? thoughts : texts).push(part.text)
        if (part.functionCall !== undefined) calls.push(part.functionCall)
      }
      finish = chunk.candidates?.[0]?.finishReason ?? finish
      total = chunk.usageMetadata?.totalTokenCount ?? total
    }

    expect(texts.join('')).toBe('Let me see – 看看.')
    expect(thoughts.join('')).toBe('I need the weather.')
    expect(calls).toEqual([
      { id: 'call_1', name: 'weather', args: { city: 'Paris' } },
      { id: 'call_2', name: 'now', args: {} },
    ])
    expect({ finish, total }).toEqual({ finish: 'STOP', total: 12 })
  })

  it('keeps a streamed turn in its history, and what it sends back is one turn again', async () => {
    decoded = []
    const chat = client.chats.create({ model: 'gemini-2.5-pro' })
    for await (const chunk of await chat.sendMessageStream({ message: 'Weather?' })) expect(chunk.candidates).toHaveLength(1)
    for await (const chunk of await chat.sendMessageStream({
      message: [
        { functionResponse: { name: 'now', response: { output: 'noon' } } },
        { functionResponse: { id: 'call_1', name: 'weather', response: { degrees: 21 } } },
      ],
    })) {
      expect(chunk.candidates).toHaveLength(1)
    }

    const [, second] = decoded
    expect(second?.kind === 'ok' && gemini.client.decodeChat(second.request).messages).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'I need the weather.', signature: 'c2ln', by: 'gemini' },
          { kind: 'text', text: 'Let me see – 看看.' },
          { kind: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}', signature: 'c2ln' },
          { kind: 'tool-call', id: 'call_2', name: 'now', arguments: '{}' },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', call_id: 'call_2', name: 'now', content: [{ kind: 'text', text: 'noon' }] },
          { kind: 'tool-result', call_id: 'call_1', name: 'weather', content: [{ kind: 'text', text: '{"degrees":21}' }] },
        ],
      },
    ])
  })

  it('raises an error answer with its status', async () => {
    const refused = client.models.generateContent({ model: 'refused', contents: 'Hi' })

    await expect(refused).rejects.toThrow(ApiError)
    await expect(refused).rejects.toMatchObject({ status: 429, message: expect.stringContaining('RESOURCE_EXHAUSTED') })
  })

  it('raises an error inside a stream', async () => {
    const stream = await client.models.generateContentStream({ model: 'broken', contents: 'Hi' })
    const drain = async () => {
      for await (const chunk of stream) expect(isObject(chunk)).toBe(true)
    }

    await expect(drain()).rejects.toMatchObject({ name: 'ApiError', status: 429, message: expect.stringContaining('too many requests') })
  })
})
