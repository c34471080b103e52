import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, type JsonObject } from '../../../json.ts'
import { ANSWER, SETTLED, answerInput, anyEvents } from './__fixtures__/any-events.ts'
import { openAiChat } from './index.ts'

const { client, vendor } = openAiChat
const text = (value: string): ModelEvent => ({ kind: 'text', text: value })

function stream(events: readonly ModelEvent[], input = answerInput()) {
  const encoder = client.createEncoder(input)
  const before = events.map((event) => encoder.push(event)).join('')
  return { before, bytes: before + encoder.closing(SETTLED), warnings: encoder.warnings }
}

function chunksOf(bytes: string): JsonObject[] {
  const datas = bytes
    .split('\n\n')
    .slice(0, -1)
    .map((block) => block.slice('data: '.length))
  return datas.filter((data) => data !== '[DONE]').map((data): JsonObject => JSON.parse(data))
}

const choicesOf = (chunk: JsonObject): JsonObject[] => (Array.isArray(chunk['choices']) ? chunk['choices'].filter(isObject) : [])
const deltas = (bytes: string) =>
  chunksOf(bytes)
    .flatMap(choicesOf)
    .map(({ delta, finish_reason }) => finish_reason ?? delta)

describe('a stream for a chat client', () => {
  it('writes the role first, every delta, the finish, then usage and end marker after settlement', () => {
    const { before, bytes, warnings } = stream(ANSWER)

    expect(deltas(bytes)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Let me ' },
      { reasoning_content: 'see.' },
      { reasoning_content: '\n\nAgain.' },
      { content: 'Two ' },
      { content: 'calls 👋' },
      {
        annotations: [{ type: 'url_citation', url_citation: { url: 'https://x.example/a', title: 'A', start_index: 0, end_index: 12 } }],
      },
      { tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'f', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 1, id: 'call_b', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      'tool_calls',
    ])
    expect(before).not.toContain('[DONE]')
    expect(bytes.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(chunksOf(bytes).at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 7, total_tokens: 14 } })
    expect(new Set(chunksOf(bytes).map(({ id, model, created }) => `${String(id)} ${String(model)} ${String(created)}`))).toEqual(
      new Set(['msg_1 asked 1700000000']),
    )
    expect(warnings).toEqual(['reasoning-signature'])
  })

  it('has no usage if none was requested', () => {
    expect(stream([text('a')], answerInput({ include_usage: false })).bytes).not.toContain('usage')
  })

  it.each([
    ['stop', [], 'stop'],
    ['tools, but none was called', [{ kind: 'finish', finish: 'tools' }], 'stop'],
    [
      'stop after a call',
      [
        { kind: 'tool-call', index: 4, id: 'c', name: 'f' },
        { kind: 'finish', finish: 'stop' },
      ],
      'tool_calls',
    ],
    ['length', [{ kind: 'finish', finish: 'length' }], 'length'],
    ['filter', [{ kind: 'finish', finish: 'filter' }], 'content_filter'],
    ['other', [{ kind: 'finish', finish: 'other' }], 'length'],
  ] as const)('ends with the reason: %s', (_, events, reason) => {
    expect(deltas(stream([text('a'), ...events]).bytes).at(-1)).toBe(reason)
  })

  it('writes a call for a client of the older functions in their fields', () => {
    const input = answerInput({ body: client.answerSettings?.({ functions: [{ name: 'f' }], messages: [] }) ?? {} })
    const events: ModelEvent[] = [
      { kind: 'tool-call', index: 0, id: 'c', name: 'f' },
      { kind: 'tool-arguments', index: 0, text: '{}' },
      { kind: 'tool-call', index: 1, id: 'd', name: 'g' },
      { kind: 'finish', finish: 'tools' },
    ]

    const { bytes, warnings } = stream(events, input)

    expect(deltas(bytes).slice(1)).toEqual([
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{}' } },
      'function_call',
    ])
    expect(warnings).toEqual(['second function call'])
    expect(client.encodeAnswer(events, input).body).toMatchObject({
      choices: [{ message: { content: null, function_call: { name: 'f', arguments: '{}' } }, finish_reason: 'function_call' }],
    })
  })

  it('unwraps the free text of a custom tool', () => {
    const body = { tools: [{ type: 'custom', custom: { name: 'patch' } }], messages: [] }
    const events: ModelEvent[] = [
      { kind: 'tool-call', index: 0, id: 'c', name: 'patch' },
      { kind: 'tool-arguments', index: 0, text: '{"input":"a \\"' },
      { kind: 'tool-arguments', index: 0, text: 'b\\""}' },
      { kind: 'finish', finish: 'tools' },
    ]
    const input = answerInput({ body: client.answerSettings?.(body) ?? {} })

    expect(deltas(stream(events, input).bytes).slice(1)).toEqual([
      { tool_calls: [{ index: 0, id: 'c', type: 'custom', custom: { name: 'patch', input: '' } }] },
      { tool_calls: [{ index: 0, custom: { input: 'a "b"' } }] },
      'tool_calls',
    ])
    expect(client.encodeAnswer(events, input).body).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: 'a "b"' } }] } }],
    })
  })

  it('writes an image as markdown in the text', () => {
    expect(deltas(stream([{ kind: 'image', media_type: 'image/png', data: 'AA==' }]).bytes)[1]).toEqual({
      content: '![image](data:image/png;base64,AA==)',
    })
  })

  it('is well-formed in any order of events', () => {
    fc.assert(
      fc.property(anyEvents(), (events) => {
        const { bytes } = stream(events)
        const chunks = chunksOf(bytes)
        const told = chunks.flatMap(choicesOf)
        const finishes = told.filter(({ finish_reason }) => finish_reason !== null)
        const opened = new Set<unknown>()
        for (const { delta } of told) {
          const calls = objectAt({ delta }, 'delta')['tool_calls']
          for (const call of Array.isArray(calls) ? calls.filter(isObject) : []) {
            if ('id' in call) {
              expect(call['index']).toBe(opened.size)
              opened.add(call['index'])
            } else expect(opened.has(call['index'])).toBe(true)
          }
        }

        expect(told[0]?.['delta']).toMatchObject({ role: 'assistant' })
        expect(finishes).toHaveLength(1)
        expect(told.at(-1)).toBe(finishes[0])
        expect(bytes.endsWith('data: [DONE]\n\n')).toBe(true)
        expect(bytes.match(/\[DONE\]/g)).toHaveLength(1)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a whole answer for a chat client', () => {
  it('equals the merged stream', () => {
    const { body, warnings } = client.encodeAnswer(ANSWER, answerInput())

    expect(body).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'asked',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Two calls 👋',
            reasoning_content: 'Let me see.\n\nAgain.',
            refusal: null,
            annotations: [
              { type: 'url_citation', url_citation: { url: 'https://x.example/a', title: 'A', start_index: 0, end_index: 12 } },
            ],
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'call_b', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 7,
        total_tokens: 14,
        prompt_tokens_details: { cached_tokens: 2, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
      },
    })
    expect(warnings).toEqual(['reasoning-signature'])
  })

  it('survives decoding and encoding', () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      reasoning_content: 'hm',
      refusal: null,
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://x.example', title: 'X', start_index: 0, end_index: 2 } }],
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"x": 1}' } }],
    }
    const logprobs = { content: [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }], refusal: null }
    const body = {
      id: 'chatcmpl-9',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'asked',
      choices: [{ index: 0, message, logprobs, finish_reason: 'tool_calls' }],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 2, audio_tokens: 0 },
      },
    }

    expect(client.encodeAnswer(vendor.decodeAnswer(body), answerInput())).toEqual({ body, warnings: [] })
  })

  it('decodes to the same from a stream as from one body', () => {
    const decoder = vendor.createDecoder()
    const events = [...decoder.push(Buffer.from(stream(ANSWER).bytes)), ...decoder.end().events]

    expect(client.encodeAnswer(events, answerInput()).body).toEqual(client.encodeAnswer(ANSWER, answerInput()).body)
  })
})
