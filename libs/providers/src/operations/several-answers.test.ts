import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { objectsAt, type JsonObject } from '../json.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { chatOperation } from './chat.ts'

/** Several answers to one request: chat clients on Gemini, Gemini clients on chat vendors. */

function translatorOf(client: ChatFormat, vendor: ApiFormat, body: JsonObject) {
  const operation = chatOperation(chatCodecs[client])
  const read = operation.readRequest(body, { model: 'm', is_stream: body['stream'] === true })
  if (read.kind === 'invalid') throw new Error(read.detail)
  return operation.createTranslator(vendor, {
    request: read.request,
    raw: Buffer.from(JSON.stringify(body)),
    content_type: 'application/json',
    request_id: 'r',
    created: 1,
    prompt_tokens: 1,
    count: (counts, text) => {
      counts.letters += text.length
    },
    settings: { default_max_tokens: () => 9, safety_settings: [], makes_images: () => false },
  })
}

const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }
const CHAT = { model: 'm', n: 2, messages: [{ role: 'user', content: 'Hi' }] }
const GEMINI = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { candidateCount: 2 } }

const candidate = (index: number, text: string, finishReason?: string) => ({
  index,
  content: { role: 'model', parts: [{ text }] },
  ...(finishReason === undefined ? {} : { finishReason }),
})
const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 }
const choice = (index: number, content: string) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' })
const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 }

const sse = (events: readonly (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
const GEMINI_EVENTS = [
  { candidates: [candidate(0, 'Red'), candidate(1, 'Bl')] },
  { candidates: [candidate(1, 'ue', 'STOP')], usageMetadata },
  { candidates: [candidate(0, '.', 'MAX_TOKENS')], usageMetadata },
]
const delta = (index: number, content: string, finish_reason: string | null = null) => ({
  id: 'x',
  choices: [{ index, delta: { content }, finish_reason }],
})
const CHAT_EVENTS = [
  delta(1, 'Bl'),
  delta(0, 'Red'),
  delta(0, '.', 'length'),
  delta(1, 'ue', 'stop'),
  { id: 'x', choices: [], usage },
  '[DONE]',
]

function streamed(translator: ReturnType<typeof translatorOf>, text: string): { readonly text: string; readonly stream: unknown } {
  const stream = translator.openStream()
  const bytes = Buffer.from(text)
  const sent: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 7) sent.push(stream.push(bytes.subarray(at, at + 7)))
  const { rest, ending } = stream.close()
  const settled = stream.facts.usage
  if (settled === undefined) throw new Error('no usage')
  const all = Buffer.concat([...sent, rest, stream.closing(settled)]).toString()
  const { answers } = stream.facts
  return { text: all, stream: { ending, answers, prompt: settled.prompt_tokens, text: stream.facts.delivered.text.letters } }
}

describe('a chat client on Gemini', () => {
  it('wants them by candidateCount', () => {
    const { body, warnings } = translatorOf('openai-chat', 'gemini', CHAT).encode(encoding)

    expect(JSON.parse(body.toString()).generationConfig).toEqual({ candidateCount: 2 })
    expect(warnings).toEqual([])
  })

  it('gets them in one body', () => {
    const body = { candidates: [candidate(0, 'Red', 'MAX_TOKENS'), candidate(1, 'Blue', 'STOP')], usageMetadata }
    const answer = translatorOf('openai-chat', 'gemini', CHAT).readWhole(Buffer.from(JSON.stringify(body)), 'application/json')
    if (answer.kind !== 'answer') throw new Error(answer.failure.message)
    const sent: unknown = JSON.parse(answer.bytes.toString())

    expect(objectsAt(sent, 'choices')).toMatchObject([
      { index: 0, message: { content: 'Red' }, finish_reason: 'length' },
      { index: 1, message: { content: 'Blue' }, finish_reason: 'stop' },
    ])
    expect(sent).toMatchObject({ usage: { prompt_tokens: 5, completion_tokens: 4 } })
    expect(answer).toMatchObject({ answers: 2, texts: ['Red', 'Blue'], usage: { prompt_tokens: 5 } })
  })

  it.each([
    ['as it arrives', false],
    ['from a complete one', true],
  ])('gets them in one stream, %s, which OpenAI’s client reads', async (_, isWhole) => {
    const body = { ...CHAT, stream: true, stream_options: { include_usage: true } }
    const translator = translatorOf('openai-chat', 'gemini', body)
    const read = isWhole ? translator.readWhole(Buffer.from(sse(GEMINI_EVENTS)), 'text/event-stream') : undefined
    const { text, stream } =
      read?.kind === 'answer' ? { text: read.bytes.toString(), stream: undefined } : streamed(translator, sse(GEMINI_EVENTS))
    const fetch = () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
    const client = new OpenAI({ apiKey: 'k', baseURL: 'https://example.com/v1', fetch })
    const final = await client.chat.completions
      .stream({ model: 'm', n: 2, messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } })
      .finalChatCompletion()

    expect(final.choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason])).toEqual([
      [0, 'Red.', 'length'],
      [1, 'Blue', 'stop'],
    ])
    expect(final.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 4 })
    expect(text.match(/\[DONE\]/g)).toHaveLength(1)
    expect(text.match(/"usage":\{/g)).toHaveLength(1)
    if (!isWhole) expect(stream).toEqual({ ending: 'finished', answers: 2, prompt: 5, text: 8 })
  })

  it('gets an error if one of them fails', () => {
    const body = { candidates: [candidate(0, 'Red', 'STOP'), { index: 1, finishReason: 'MALFORMED_FUNCTION_CALL' }] }
    const answer = translatorOf('openai-chat', 'gemini', CHAT).readWhole(Buffer.from(JSON.stringify(body)), 'application/json')

    expect(answer).toMatchObject({ kind: 'failed', failure: { code: 'MALFORMED_FUNCTION_CALL' } })
  })
})

describe('a Gemini client on a chat vendor', () => {
  it('wants them by n', () => {
    expect(JSON.parse(translatorOf('gemini', 'openai-chat', GEMINI).encode(encoding).body.toString())).toMatchObject({ n: 2 })
  })

  it('gets them in one body', () => {
    const body = { id: 'x', choices: [choice(0, 'Red'), choice(1, 'Blue')], usage }
    const answer = translatorOf('gemini', 'openai-chat', GEMINI).readWhole(Buffer.from(JSON.stringify(body)), 'application/json')
    if (answer.kind !== 'answer') throw new Error(answer.failure.message)

    expect(JSON.parse(answer.bytes.toString())).toMatchObject({
      candidates: [
        { index: 0, content: { parts: [{ text: 'Red' }] }, finishReason: 'STOP' },
        { index: 1, content: { parts: [{ text: 'Blue' }] }, finishReason: 'STOP' },
      ],
      usageMetadata: { candidatesTokenCount: 4 },
    })
  })

  it('gets them in one stream, which Google’s client reads', async () => {
    const { text } = streamed(translatorOf('gemini', 'openai-chat', { ...GEMINI, stream: true }), sse(CHAT_EVENTS))
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: 'https://example.com' } })
    const before = globalThis.fetch
    globalThis.fetch = () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
    const said = new Map<number, string>()
    const ends = new Map<number, unknown>()
    try {
      for await (const chunk of await client.models.generateContentStream({ model: 'm', contents: 'Hi' })) {
        for (const { index = 0, content, finishReason } of chunk.candidates ?? []) {
          said.set(index, (said.get(index) ?? '') + (content?.parts ?? []).map((part) => part.text ?? '').join(''))
          if (finishReason !== undefined) ends.set(index, finishReason)
        }
      }
    } finally {
      globalThis.fetch = before
    }

    expect(Object.fromEntries(said)).toEqual({ 0: 'Red.', 1: 'Blue' })
    expect(Object.fromEntries(ends)).toEqual({ 0: 'MAX_TOKENS', 1: 'STOP' })
  })
})
