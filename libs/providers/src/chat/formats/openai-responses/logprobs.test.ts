import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import { SETTLED, answerInput } from '../openai-chat/__fixtures__/any-events.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { openAiResponses } from './index.ts'

const entry = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [{ token: 'Hi', logprob: -0.1, bytes: [72, 105] }] }
const fromChat: ModelEvent[] = [
  { kind: 'start' },
  { kind: 'text', text: 'Hi' },
  { kind: 'vendor-specific', by: 'openai-chat', type: 'logprobs', raw: { content: [entry], refusal: null } },
  { kind: 'finish', finish: 'stop' },
]
const input = answerInput({ body: {} })

function dataOf(bytes: string): Record<string, unknown>[] {
  const lines = bytes.split('\n').filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice('data: '.length)))
}

describe('log probabilities', () => {
  it('of a chat answer reach a client of Responses in a delta, the finished part and the response', () => {
    const encoder = openAiResponses.client.createEncoder(input)
    const told = dataOf(fromChat.map((event) => encoder.push(event)).join('') + encoder.closing(SETTLED))
    const of = (type: string) => told.filter((event) => event['type'] === type)

    expect(of('response.output_text.delta')).toMatchObject([
      { delta: 'Hi', logprobs: [] },
      { delta: '', logprobs: [entry] },
    ])
    expect(of('response.output_text.done')).toMatchObject([{ text: 'Hi', logprobs: [entry] }])
    expect(of('response.completed')).toMatchObject([{ response: { output: [{ content: [{ text: 'Hi', logprobs: [entry] }] }] } }])
    expect(encoder.warnings).toEqual([])
  })

  it('without text that they belong to are named in a warning', () => {
    const encoder = openAiResponses.client.createEncoder(input)
    for (const event of fromChat.filter(({ kind }) => kind !== 'text')) encoder.push(event)

    expect(encoder.warnings).toEqual(['logprobs'])
  })

  it('of a stream of Responses reach a client of Chat Completions, with the bytes that it expects', () => {
    const { top_logprobs, ...rest } = { token: 'Hi', logprob: -0.1, top_logprobs: [{ token: 'Hi', logprob: -0.1 }] }
    const events = [
      { type: 'response.created', response: { id: 'resp_1', model: 'm' } },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi', logprobs: [{ ...rest, top_logprobs }] },
      { type: 'response.completed', response: { id: 'resp_1', output: [], status: 'completed' } },
    ]
    const decoder = openAiResponses.vendor.createDecoder()
    const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const decoded = [...decoder.push(Buffer.from(stream)), ...decoder.end().events]
    const encoder = openAiChat.client.createEncoder(input)
    const chunks = dataOf(decoded.map((event) => encoder.push(event)).join(''))

    expect(chunks.flatMap(({ choices }) => choices)).toContainEqual(
      expect.objectContaining({
        logprobs: { content: [{ ...rest, bytes: null, top_logprobs: [{ token: 'Hi', logprob: -0.1, bytes: null }] }], refusal: null },
      }),
    )
  })

  it('of a whole answer of Responses are read once', () => {
    const part = { type: 'output_text', text: 'Hi', annotations: [], logprobs: [entry] }
    const body = { id: 'resp_1', status: 'completed', output: [{ id: 'msg_1', type: 'message', role: 'assistant', content: [part] }] }
    const events = openAiResponses.vendor.decodeAnswer(body, 'pass-through')

    expect(events.filter(({ kind }) => kind === 'vendor-specific')).toEqual([
      { kind: 'vendor-specific', by: 'openai-chat', type: 'logprobs', raw: { content: [entry], refusal: null } },
    ])
  })
})
