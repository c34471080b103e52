import type { ChatFormat } from '@tollgate/providers/chat/request'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { chatOperation } from '@tollgate/providers/operations/chat'
import type { JsonObject } from '@tollgate/providers/json'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'

type Client = Extract<ChatFormat, 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'>

/** A call of a client to a channel of this type. */
function call(
  client: Client,
  body: JsonObject,
  { type = ChannelType.OpenRouter, is_stream = false }: { type?: ChannelType; is_stream?: boolean } = {},
) {
  const route = client === 'gemini' ? { model: 'm', is_stream } : {}
  const prepared = prepareSample({ operation: chatOperation(chatCodecs[client]), body, route, type })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  return prepared
}

const HI = { role: 'user', content: 'Hi' }
const ASKS = {
  'openai-chat': { model: 'm', messages: [HI] },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 10, messages: [HI] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
} satisfies Record<Client, JsonObject>

const CLAUDE = 'anthropic-claude-v1'
const thought = { type: 'reasoning.text', text: 'Let me see.', signature: 'c2ln', format: CLAUDE, index: 0 }
const hidden = { type: 'reasoning.encrypted', data: 'aGlk', format: CLAUDE, index: 1 }
const summary = { type: 'reasoning.summary', summary: 'I looked.', format: 'openai-responses-v1', index: 0 }
const sealed = { type: 'reasoning.encrypted', data: 'c2VhbA', id: 'rs_1', format: 'openai-responses-v1', index: 1 }

const answerWith = (reasoning_details: readonly object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: 'a1',
      model: 'm',
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello', reasoning: 'Let me see.', reasoning_details } },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }),
  )

function readWhole(client: Client, details: readonly object[], type?: ChannelType): JsonObject {
  const read = call(client, ASKS[client], type === undefined ? {} : { type }).translator.readWhole(answerWith(details), 'application/json')
  if (read.kind === 'failed') throw new Error(read.failure.message)
  return JSON.parse(read.bytes.toString()) as JsonObject
}

const sentBy = (client: Client, body: JsonObject, type?: ChannelType) =>
  JSON.parse(call(client, body, type === undefined ? {} : { type }).call.body?.toString() ?? '') as { messages: JsonObject[] }

describe('reasoning_details of OpenRouter', () => {
  it('become thinking with its signature and redacted thinking for a client of Anthropic, and return as they were', () => {
    const { content } = readWhole('anthropic-messages', [thought, hidden]) as { content: JsonObject[] }

    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'aGlk' },
      { type: 'text', text: 'Hello' },
    ])
    const again = { ...ASKS['anthropic-messages'], messages: [HI, { role: 'assistant', content }, HI] }
    expect(sentBy('anthropic-messages', again).messages[1]).toEqual({
      role: 'assistant',
      content: 'Hello',
      reasoning_details: [thought, hidden],
    })
  })

  it('become reasoning items for a client of Responses, and return with their ids', () => {
    const { output } = readWhole('openai-responses', [summary, sealed]) as { output: JsonObject[] }
    const items = output.filter(({ type }) => type === 'reasoning')

    expect(items).toMatchObject([
      { summary: [{ type: 'summary_text', text: 'I looked.' }] },
      { summary: [], encrypted_content: expect.stringMatching(/./) as unknown },
    ])
    const [, assistant] = sentBy('openai-responses', { model: 'm', input: [HI, ...output, HI] }).messages
    expect(assistant).toMatchObject({ content: 'Hello', reasoning_details: [{ ...sealed, index: 0 }] })
  })

  it('become thoughts for a client of Gemini, and return', () => {
    const { candidates } = readWhole('gemini', [thought, sealed]) as { candidates: { content: { parts: JsonObject[] } }[] }
    const parts = candidates[0]?.content.parts ?? []

    expect(parts[0]).toMatchObject({ text: 'Let me see.', thought: true, thoughtSignature: expect.stringMatching(/./) as unknown })
    const contents = [...ASKS.gemini.contents, { role: 'model', parts }, ...ASKS.gemini.contents]
    expect(sentBy('gemini', { contents }).messages[1]).toMatchObject({ reasoning_details: [thought, sealed] })
  })

  it('arrive in pieces, which an index joins', () => {
    const { translator } = call('anthropic-messages', { ...ASKS['anthropic-messages'], stream: true }, { is_stream: true })
    const stream = translator.openStream()
    const first = { type: 'reasoning.text', format: CLAUDE, index: 0 }
    const second = { type: 'reasoning.text', format: CLAUDE, index: 1 }
    const deltas = [
      { reasoning: 'Let ', reasoning_details: [{ ...first, text: 'Let ' }] },
      { reasoning: 'me.', reasoning_details: [{ ...first, text: 'me.' }] },
      { reasoning_details: [{ ...first, signature: 's0' }] },
      { reasoning: 'Again.', reasoning_details: [{ ...second, text: 'Again.' }] },
      { reasoning_details: [{ ...second, signature: 's1' }] },
      { content: 'Hello' },
    ]
    const chunks = deltas.map((delta) => ({ id: 'a', model: 'm', choices: [{ index: 0, delta }] }))
    const end = { id: 'a', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

    const text = [...chunks, end].map((chunk) => stream.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)).toString()).join('')

    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as JsonObject)
    const told = events.flatMap(({ type, index, delta }) => (type === 'content_block_delta' ? [[index, delta]] : []))
    expect(told).toEqual([
      [0, { type: 'thinking_delta', thinking: 'Let ' }],
      [0, { type: 'thinking_delta', thinking: 'me.' }],
      [0, { type: 'signature_delta', signature: 's0' }],
      [1, { type: 'thinking_delta', thinking: 'Again.' }],
      [1, { type: 'signature_delta', signature: 's1' }],
      [2, { type: 'text_delta', text: 'Hello' }],
    ])
  })

  it('pass through a client of the same format byte for byte, in both directions', () => {
    const body = { model: 'm', messages: [HI, { role: 'assistant', content: 'Hello', reasoning_details: [thought, sealed] }, HI] }
    const { call: sent, translator } = call('openai-chat', body)
    const answer = answerWith([thought, sealed])
    const read = translator.readWhole(answer, 'application/json')

    expect(sent.body?.toString()).toBe(JSON.stringify(body))
    expect(read.kind === 'answer' && read.bytes.equals(answer)).toBe(true)
  })

  it('are neither read from nor sent to a vendor that does not declare them', () => {
    const other = ChannelType.OpenAI
    const { content } = readWhole('anthropic-messages', [thought, hidden], other) as { content: JsonObject[] }

    expect(content.map(({ type }) => type)).toEqual(['thinking', 'text'])
    const signed = { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' }
    const again = {
      ...ASKS['anthropic-messages'],
      messages: [HI, { role: 'assistant', content: [signed, { type: 'text', text: 'Hello' }] }, HI],
    }
    expect(sentBy('anthropic-messages', again, other).messages[1]).toEqual({ role: 'assistant', content: 'Hello' })
  })
})
