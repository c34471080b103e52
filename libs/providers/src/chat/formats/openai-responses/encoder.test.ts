import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { ANSWER, SETTLED, answerInput, anyEvents } from '../openai-chat/__fixtures__/any-events.ts'
import { openAiResponses } from './index.ts'

const { client, vendor } = openAiResponses
const body = {
  model: 'asked',
  instructions: 'Be.',
  input: 'not repeated',
  tools: [{ type: 'custom', name: 'patch' }],
  temperature: 0,
  metadata: { a: 'b' },
}
const input = answerInput({ body: client.answerSettings?.(body) ?? {} })

function stream(events: readonly ModelEvent[]) {
  const encoder = client.createEncoder(input)
  const before = events.map((event) => encoder.push(event)).join('')
  const bytes = before + encoder.closing(SETTLED)
  return { before, bytes, told: eventsOf(bytes), warnings: encoder.warnings }
}

function eventsOf(bytes: string): JsonObject[] {
  return bytes
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const [name = '', data = ''] = block.split('\n')
      const event: JsonObject = JSON.parse(data.slice('data: '.length))
      expect(name).toBe(`event: ${String(event['type'])}`)
      return event
    })
}

const typesOf = (told: readonly JsonObject[]) => told.map(({ type }) => String(type).replace('response.', ''))

describe('a stream for a client of Responses', () => {
  it('has every event that strict clients expect, numbered, the last one after settlement', () => {
    const { before, told, warnings } = stream(ANSWER)

    expect(typesOf(told)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ])
    expect(told.map(({ sequence_number }) => sequence_number)).toEqual(told.map((_, index) => index))
    expect(before).not.toContain('response.completed')
    expect(warnings).toEqual([])
  })

  it('ends with the whole response', () => {
    const { told } = stream(ANSWER)

    expect(told.at(-1)?.['response']).toMatchSnapshot()
    expect(told.at(-1)?.['response']).toEqual(client.encodeAnswer(ANSWER, input).body)
  })

  it.each([
    ['length', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
    ['filter', { status: 'failed', incomplete_details: null, error: { code: 'invalid_prompt' } }],
    ['stop', { status: 'completed', incomplete_details: null }],
    ['other', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }],
  ] as const)('reports how it ended: %s', (finish, expected) => {
    const { told } = stream([
      { kind: 'text', text: 'a' },
      { kind: 'finish', finish },
    ])

    expect(told.at(-1)).toMatchObject({ type: `response.${expected.status}`, response: expected })
    expect(told.at(-2)).toMatchObject({
      type: 'response.output_item.done',
      item: { status: finish === 'stop' ? 'completed' : 'incomplete' },
    })
  })

  // OpenAI sends items one after another, and @earendil-works/pi-ai 0.74.2 gives all arguments to the item that opened last.
  it.each([
    ['in turn', [0, 0, 1, 1]],
    ['at once', [0, 1, 0, 1]],
    ['at once, the second one whole first', [0, 1, 1, 0]],
  ])('opens a call when the one before is done: two %s', (_, order) => {
    const pieces = [
      ['{"a"', ':1}'],
      ['{"b"', ':2}'],
    ]
    const started = new Set<number>()
    const calls = order.flatMap((index): ModelEvent[] => {
      const begun: ModelEvent[] = started.has(index) ? [] : [{ kind: 'tool-call', index, id: `call_${index}`, name: 'f' }]
      started.add(index)
      return [...begun, { kind: 'tool-arguments', index, text: pieces[index]?.shift() ?? '' }]
    })
    const { told, warnings } = stream([{ kind: 'text', text: 'a' }, ...calls, { kind: 'finish', finish: 'tools' }])

    expect(typesOf(told).filter((type) => type.startsWith('output_item'))).toEqual(
      [0, 1, 2].flatMap(() => ['output_item.added', 'output_item.done']),
    )
    expect(objectAt(told.at(-1), 'response')['output']).toMatchObject([
      { type: 'message' },
      { call_id: 'call_0', arguments: '{"a":1}', status: 'completed' },
      { call_id: 'call_1', arguments: '{"b":2}', status: 'completed' },
    ])
    expect(warnings).toEqual([])
  })

  it('writes text that interrupts a call, and the rest of its arguments', () => {
    const { told, warnings } = stream([
      { kind: 'tool-call', index: 0, id: 'call_0', name: 'f' },
      { kind: 'tool-arguments', index: 0, text: '{"a"' },
      { kind: 'text', text: 'wait' },
      { kind: 'tool-call', index: 1, id: 'call_1', name: 'f' },
      { kind: 'tool-arguments', index: 0, text: ':1}' },
      { kind: 'finish', finish: 'tools' },
    ])

    expect(objectAt(told.at(-1), 'response')['output']).toMatchObject([
      { call_id: 'call_0', arguments: '{"a":1}' },
      { type: 'message', content: [{ text: 'wait' }] },
      { call_id: 'call_1', arguments: '' },
    ])
    expect(warnings).toEqual([])
  })

  // @ai-sdk/xai 5.0.12 refuses a whole answer for an item without it; OpenAI documents it for every item.
  it('gives every item a status, reasoning too', () => {
    const { told } = stream(ANSWER)

    const items = told.map((event) => event['item']).filter(isObject)
    expect(items.map(({ type, status }) => [type, status])).toEqual(
      ['reasoning', 'message', 'function_call', 'function_call'].flatMap((type) => [
        [type, 'in_progress'],
        [type, 'completed'],
      ]),
    )
  })

  it('writes free text for a custom tool, and images as items', () => {
    const { told } = stream([
      { kind: 'tool-call', index: 0, id: 'c', name: 'patch' },
      { kind: 'tool-arguments', index: 0, text: '{"input":"a \\"b\\""}' },
      { kind: 'image', media_type: 'image/webp', data: 'AA==' },
    ])

    expect(objectAt(told.at(-1), 'response')['output']).toMatchObject([
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'a "b"', status: 'completed' },
      { type: 'image_generation_call', status: 'completed', result: 'AA==', output_format: 'webp' },
    ])
    expect(typesOf(told)).toContain('custom_tool_call_input.done')
  })

  it('is well-formed in any order of events', () => {
    fc.assert(
      fc.property(anyEvents(), (events) => {
        const { told } = stream(events)
        const output = objectAt(told.at(-1), 'response')['output']
        const open = new Map<unknown, JsonObject>()
        const done: JsonObject[] = []
        const texts = new Map<string, string>()
        for (const event of told) {
          const { type, output_index, item } = event
          const at = JSON.stringify([output_index, event['content_index'], event['summary_index']])
          if (type === 'response.output_item.added') {
            expect(output_index).toBe(open.size)
            open.set(output_index, objectAt(event, 'item'))
          } else if (output_index !== undefined) {
            expect(open.has(output_index)).toBe(true)
            expect(done[Number(output_index)]).toBeUndefined()
            if ('item_id' in event) expect(event['item_id']).toBe(open.get(output_index)?.['id'])
          }
          if (type === 'response.output_item.done' && isObject(item)) done[Number(output_index)] = item
          if (typeof event['delta'] === 'string') texts.set(at, (texts.get(at) ?? '') + event['delta'])
          const whole = textAt(event, 'text') ?? textAt(event, 'arguments') ?? textAt(event, 'refusal') ?? textAt(event, 'input')
          if (typeof type === 'string' && type.endsWith('.done') && whole !== undefined) expect(texts.get(at)).toBe(whole)
        }

        expect(typesOf(told).slice(0, 2)).toEqual(['created', 'in_progress'])
        expect(['response.completed', 'response.incomplete', 'response.failed']).toContain(told.at(-1)?.['type'])
        expect(typesOf(told).filter((type) => ['completed', 'incomplete', 'failed'].includes(String(type)))).toHaveLength(1)
        expect(done).toEqual(output)
        expect(done).toHaveLength(open.size)
      }),
      { numRuns: 300 },
    )
  })

  it('decodes to the same answer again', () => {
    const decoder = vendor.createDecoder()
    const events = [...decoder.push(Buffer.from(stream(ANSWER).bytes)), ...decoder.end().events]

    expect(client.encodeAnswer(events, input).body).toEqual(client.encodeAnswer(ANSWER, input).body)
    expect(vendor.decodeAnswer(client.encodeAnswer(ANSWER, input).body).filter(({ kind }) => kind === 'reasoning-signature')).toEqual([
      { kind: 'reasoning-signature', signature: 'sig', by: 'anthropic-messages' },
    ])
  })
})

it('writes an error inside a stream as an event and as a failed response', () => {
  const bytes = client.renderStreamError({ status: 502, message: 'a\n\nb', type: 'upstream_error', code: 'bad', param: '' })

  expect(eventsOf(bytes)).toMatchObject([
    {
      type: 'error',
      message: 'a\n\nb',
      code: 'bad',
      param: null,
      error: { type: 'upstream_error', message: 'a\n\nb', code: 'bad', param: null },
    },
    { type: 'response.failed', response: { status: 'failed', error: { code: 'bad', message: 'a\n\nb' } } },
  ])
})
