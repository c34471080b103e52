import type { ChatFormat } from '@tollgate/providers/chat/request'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { objectsAt, textAt, type JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

/** Mistral's own forms of messages, for clients of its format and of others. */

function prepared(client: ChatFormat, body: JsonObject, type: number = ChannelType.Mistral) {
  const call = prepareSample({ operation: chatOperation(chatCodecs[client]), body, type })
  if (call.kind !== 'ok') throw new Error(call.kind)
  return call
}

function messagesOf(client: ChatFormat, body: JsonObject, type?: number): readonly JsonObject[] {
  return objectsAt(JSON.parse(prepared(client, body, type).call.body?.toString() ?? ''), 'messages')
}

const model = 'mistral-large-latest'
const HISTORIES: readonly (readonly [ChatFormat, JsonObject])[] = [
  [
    'openai-chat',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: '',
          refusal: null,
          reasoning_content: 'So.',
          tool_calls: [{ id: 'call_abc123', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_abc123', content: 'seen' },
      ],
    },
  ],
  [
    'anthropic-messages',
    {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_01A09q90qw90lq917835lq9', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01A09q90qw90lq917835lq9', content: 'seen' }] },
      ],
    },
  ],
  [
    'openai-responses',
    {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'function_call', call_id: 'call_abc123', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_abc123', output: 'seen' },
      ],
    },
  ],
]

describe.each(HISTORIES)('a history of %s', (client, body) => {
  it('has ids of nine letters and digits, the same for call and result', () => {
    const messages = messagesOf(client, { model, ...body })
    const [call] = messages.flatMap((message) => objectsAt(message, 'tool_calls'))
    const result = messages.find(({ role }) => role === 'tool')

    expect(call?.['id']).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(result?.['tool_call_id']).toBe(call?.['id'])
    for (const message of messages) for (const field of ['reasoning_content', 'refusal']) expect(message).not.toHaveProperty(field)
  })

  it('keeps its ids for other vendors', () => {
    const [call] = messagesOf(client, { model: 'm', ...body }, ChannelType.DeepSeek).flatMap((message) => objectsAt(message, 'tool_calls'))

    expect(textAt(call, 'id')).toMatch(/^(?:call_abc123|toolu_01)/)
  })
})

it('keeps ids that Mistral made', () => {
  const call = { id: 'D681PevKs', type: 'function', function: { name: 'look', arguments: '{}' } }
  const body = {
    model,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'D681PevKs', content: 'seen' },
    ],
  }

  expect(prepared('openai-chat', body).call.body?.toString()).toBe(JSON.stringify(body))
})

it.each<readonly [ChatFormat, JsonObject]>([
  ['openai-chat', {}],
  ['anthropic-messages', { max_tokens: 9 }],
])('the beginning of the answer in a request of %s has its prefix', (client, fields) => {
  const turns = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'There' },
  ]
  const begun = messagesOf(client, { model, messages: turns, ...fields })
  const later = messagesOf(client, { model, messages: [...turns, { role: 'user', content: 'And?' }], ...fields })

  expect(begun.at(-1)).toMatchObject({ role: 'assistant', content: 'There', prefix: true })
  for (const message of later) expect(message).not.toHaveProperty('prefix')
})

describe('an answer with a list of parts', () => {
  const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
  const chat = { model: 'mistral-small-latest', messages: [{ role: 'user', content: 'Hi' }] }

  it('is a text with its reasoning for a chat client', () => {
    const message = { role: 'assistant', content: [thinking('So.'), { type: 'text', text: 'Red' }, { type: 'text', text: '.' }] }
    const body = { id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    const answer = prepared('openai-chat', chat).translator.readWhole(Buffer.from(JSON.stringify(body)), 'application/json')

    expect(answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()) : answer).toMatchObject({
      choices: [{ message: { content: 'Red.', reasoning_content: 'So.' } }],
    })
    expect(answer).toMatchObject({ texts: ['So.', 'Red.'], usage: { prompt_tokens: 1 } })
  })

  it.each([1, 7, 10_000])('is so in a stream, in pieces of %i bytes, which OpenAI’s client reads', async (size) => {
    const delta = (content: unknown, finish_reason: string | null = null) => ({
      id: 'x',
      choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
      ...(finish_reason === null ? {} : { usage }),
    })
    const plain = `data: ${JSON.stringify(delta(' there'))}\n\n`
    const events = [delta([thinking('S')]), delta([thinking('o.')]), delta([{ type: 'text', text: 'Hi' }])]
    const sent = Buffer.from(
      `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}${plain}data: ${JSON.stringify(delta('.', 'stop'))}\n\ndata: [DONE]\n\n`,
    )
    const stream = prepared('openai-chat', { ...chat, stream: true }).translator.openStream()
    const pieces: Buffer[] = []
    for (let at = 0; at < sent.length; at += size) pieces.push(stream.push(sent.subarray(at, at + size)))
    const { rest, ending } = stream.close()
    const settled = stream.facts.usage
    if (settled === undefined) throw new Error('no usage')
    const text = Buffer.concat([...pieces, rest, stream.closing(settled)]).toString()
    const fetch = () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
    const client = new OpenAI({ apiKey: 'k', baseURL: 'https://example.com/v1', fetch })
    const said = { content: '', reasoning_content: '' }
    for await (const chunk of await client.chat.completions.create({ ...chat, messages: [{ role: 'user', content: 'Hi' }], stream: true }))
      for (const name of ['content', 'reasoning_content'] as const) said[name] += textAt(chunk.choices[0]?.delta, name) ?? ''

    expect(said).toEqual({ content: 'Hi there.', reasoning_content: 'So.' })
    expect(text).toContain(plain)
    expect([ending, stream.facts.finish]).toEqual(['done', 'stop'])
  })
})
