import Anthropic from '@anthropic-ai/sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsOf } from '../../call-arguments.ts'
import type { AnswerInput } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { objectAt } from '../../../json.ts'
import { eventsOf, findDisorder } from './__fixtures__/check-stream.ts'
import { SETTLED } from './__fixtures__/replay.ts'
import { createEncoder, encodeAnswer } from './encoder.ts'

const INPUT: AnswerInput = { id: 'msg_ours', created: 1, model: 'claude-opus-4-6', include_usage: true, prompt_tokens: 21, body: {} }
const text = (value: string): ModelEvent => ({ kind: 'text', text: value })
const call = (index: number, name = 'f'): ModelEvent => ({ kind: 'tool-call', index, id: `call_${index}`, name })
const args = (index: number, value: string): ModelEvent => ({ kind: 'tool-arguments', index, text: value })
const finish = (value: 'stop' | 'length' | 'tools' | 'filter' | 'other'): ModelEvent => ({ kind: 'finish', finish: value })

function stream(events: readonly ModelEvent[], usage = SETTLED): { readonly sse: string; readonly warnings: readonly string[] } {
  const encoder = createEncoder(INPUT)
  const pushed = events.map((event) => encoder.push(event)).join('')
  return { sse: pushed + encoder.closing(usage), warnings: encoder.warnings }
}

/** The official client's reading of it. */
async function read(sse: string): Promise<Anthropic.Message> {
  const client = new Anthropic({
    apiKey: 'k',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(sse, { headers: { 'content-type': 'text/event-stream' } })),
  })
  return client.messages.stream({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] }).finalMessage()
}

describe('the official client reads', () => {
  it('thoughts, a text and two calls', async () => {
    const { sse, warnings } = stream([
      { kind: 'start', id: 'chatcmpl-1', model: 'gpt-5' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: 'm.' },
      text('Let me '),
      text('look.'),
      call(0, 'weather'),
      args(0, '{"city":'),
      args(0, '"Paris"}'),
      call(1, 'time'),
      args(1, '{}'),
      finish('tools'),
    ])

    const message = await read(sse)

    expect(message).toMatchObject({
      id: 'chatcmpl-1',
      model: 'claude-opus-4-6',
      role: 'assistant',
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 7 },
    })
    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'Hmm.', signature: 'tollgate.unsigned' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'call_0', name: 'weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'call_1', name: 'time', input: {} },
    ])
    expect(warnings).toEqual([])
  })

  it('thinking with its own signature, and redacted thinking', async () => {
    const message = await read(
      stream([
        { kind: 'reasoning', text: 'a' },
        { kind: 'reasoning-signature', signature: 'S1', by: 'anthropic-messages' },
        { kind: 'reasoning-signature', signature: 'S2', by: 'anthropic-messages' },
        { kind: 'redacted-reasoning', data: 'R', by: 'anthropic-messages' },
        text('b'),
        finish('stop'),
      ]).sse,
    )

    expect(message.content).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'S1' },
      { type: 'thinking', thinking: '', signature: 'S2' },
      { type: 'redacted_thinking', data: 'R' },
      { type: 'text', text: 'b' },
    ])
  })

  it('interleaved arguments of parallel calls', async () => {
    const message = await read(
      stream([call(0), call(1), args(0, '{"a'), args(1, '{"b":'), args(0, '":1}'), args(1, '2}'), finish('tools')]).sse,
    )

    expect(message.content).toMatchObject([
      { id: 'call_0', input: { a: 1 } },
      { id: 'call_1', input: { b: 2 } },
    ])
  })

  it('an empty answer', async () => {
    const message = await read(stream([{ kind: 'start' }, finish('stop')]).sse)

    expect(message).toMatchObject({ id: 'msg_ours', content: [], stop_reason: 'end_turn' })
  })

  it('the usage of both caches and of searches', async () => {
    const message = await read(
      stream([text('a'), finish('stop')], {
        ...SETTLED,
        cache_read: 3,
        cache_write: 2,
        cache_write_1h: 1,
        reasoning: 4,
        tool_calls: { web_search: 2 },
      }).sse,
    )

    expect(message.usage).toMatchObject({
      input_tokens: 5,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 3,
      output_tokens: 7,
      output_tokens_details: { thinking_tokens: 4 },
      server_tool_use: { web_search_requests: 2 },
    })
  })
})

describe('the beginning', () => {
  it('reports the prompt tokens of upstream, else our estimate', () => {
    const early = { ...SETTLED, text_in: 100, text_out: 1, completion_tokens: 1, cache_read: 50 }
    const told = eventsOf(stream([{ kind: 'start', usage: early }]).sse)[0]
    const guessed = eventsOf(stream([text('a')]).sse)[0]

    expect(objectAt(objectAt(told, 'message'), 'usage')).toMatchObject({ input_tokens: 100, cache_read_input_tokens: 50, output_tokens: 1 })
    expect(objectAt(objectAt(guessed, 'message'), 'usage')).toMatchObject({ input_tokens: 21, output_tokens: 0 })
  })

  it('is sent with the first event, the end only after settlement', () => {
    const encoder = createEncoder(INPUT)

    expect(encoder.push({ kind: 'start' })).toContain('message_start')
    expect(encoder.push(text('a'))).toContain('"text":"a"')
    expect(encoder.push(finish('stop'))).toBe('event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n')
    expect(encoder.push({ kind: 'usage', usage: SETTLED, raw: {} })).toBe('')
    expect(eventsOf(encoder.closing(SETTLED)).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
  })
})

describe('the stop reason', () => {
  it.each([
    ['a stop', [text('a'), finish('stop')], 'end_turn'],
    ['a stop after a call, as some vendors end', [call(0), finish('stop')], 'tool_use'],
    ['tools without any call', [text('a'), finish('tools')], 'end_turn'],
    ['a limit', [text('a'), finish('length')], 'max_tokens'],
    ['a limit inside a call', [call(0), finish('length')], 'max_tokens'],
    ['a filter', [{ kind: 'refusal', text: 'no' }, finish('filter')], 'refusal'],
    ['a pause', [text('a'), finish('other')], 'max_tokens'],
    ['nothing at all', [text('a')], 'end_turn'],
    ['a sequence', [text('a'), { kind: 'finish', finish: 'stop', stop_sequence: 'END' }], 'stop_sequence'],
  ] as const)('of %s', (_, events, reason) => {
    const { body } = encodeAnswer(events, INPUT)

    expect(body['stop_reason']).toBe(reason)
    expect(body['stop_sequence']).toBe(reason === 'stop_sequence' ? 'END' : null)
  })
})

describe('what the format cannot express', () => {
  it.each([
    ['a picture', { kind: 'image', media_type: 'image/png', data: 'AA' }, 'image'],
    ['a sound', { kind: 'audio', data: 'AA' }, 'audio'],
    ['a place of another vendor', { kind: 'citation', url: 'https://a', raw: { type: 'url_citation' } }, 'citation'],
    ['a block of another vendor', { kind: 'vendor-specific', by: 'gemini', type: 'grounding', raw: {} }, 'grounding'],
    ['arguments of no call', { kind: 'tool-arguments', index: 4, text: '{}' }, 'tool_arguments'],
  ] as const)('gives a warning: %s', (_, event, word) => {
    const { sse, warnings } = stream([event, finish('stop')])

    expect(warnings).toEqual([word])
    expect(findDisorder(eventsOf(sse))).toBeUndefined()
  })

  it('is audio, of which the transcript is kept', () => {
    expect(encodeAnswer([{ kind: 'audio', data: 'AA', transcript: 'Hello' }], INPUT).body['content']).toEqual([
      { type: 'text', text: 'Hello' },
    ])
  })

  it('leaves out a call that was cut off, and says that the answer was', () => {
    const { body, warnings } = encodeAnswer([text('a'), call(0), args(0, '{"a":'), finish('length')], INPUT)

    expect(body).toMatchObject({ content: [{ type: 'text', text: 'a' }], stop_reason: 'max_tokens' })
    expect(warnings).toEqual(['tool_arguments'])
  })
})

const anEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.constant<ModelEvent>({ kind: 'start', id: 'x' }),
  fc.string({ maxLength: 4 }).map(text),
  fc.string({ maxLength: 4 }).map((value): ModelEvent => ({ kind: 'reasoning', text: value })),
  fc.constantFrom<ModelEvent>(
    { kind: 'reasoning-signature', signature: 'S', by: 'anthropic-messages' },
    { kind: 'reasoning-signature', signature: 'S', by: 'gemini' },
    { kind: 'redacted-reasoning', data: 'R', by: 'anthropic-messages' },
    { kind: 'block-break' },
    { kind: 'refusal', text: 'no' },
    { kind: 'citation', raw: { type: 'char_location', cited_text: 'c' } },
    {
      kind: 'vendor-specific',
      by: 'anthropic-messages',
      type: 'server_tool_use',
      raw: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
    },
    { kind: 'image', media_type: 'image/png', data: 'AA' },
    { kind: 'usage', usage: SETTLED, raw: {} },
    finish('stop'),
    finish('tools'),
  ),
  fc.nat(3).map((index) => call(index)),
  fc.tuple(fc.nat(3), fc.constantFrom('', '{', '}', '{"a":1}', '"x', ',')).map(([index, value]) => args(index, value)),
)

describe('in any order of events', () => {
  it('the stream is well-formed and equals the whole answer', () => {
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 25 }), (events) => {
        const { sse } = stream(events)
        const told = eventsOf(sse)

        expect(findDisorder(told)).toBeUndefined()
        const inputs = new Map<unknown, string>()
        for (const { index, delta } of told) {
          const piece = objectAt({ delta }, 'delta')['partial_json']
          if (typeof piece === 'string') inputs.set(index, (inputs.get(index) ?? '') + piece)
        }
        const broken = [...inputs.values()].filter((input) => argumentsOf(input) === undefined).length
        const begun = told.filter(({ type }) => type === 'content_block_start').length
        expect(encodeAnswer(events, INPUT).body['content']).toHaveLength(begun - broken)
      }),
      { numRuns: 1000 },
    )
  })

  it('no text is lost or moved', () => {
    fc.assert(
      fc.property(fc.array(anEvent, { maxLength: 25 }), (events) => {
        const said = events.map((event) => (event.kind === 'text' || event.kind === 'refusal' ? event.text : '')).join('')
        const { content } = encodeAnswer(events, INPUT).body

        expect(Array.isArray(content) ? content.map((block) => (block.type === 'text' ? block.text : '')).join('') : '').toBe(said)
      }),
    )
  })

  it('calls with interleaved arguments are all written whole, in their order', () => {
    const pieces = fc.array(fc.tuple(fc.nat(2), fc.nat(3)), { maxLength: 20 })
    fc.assert(
      fc.property(pieces, (turns) => {
        const whole = [0, 1, 2].map((index) => JSON.stringify({ of: index, text: '}{"\\' }))
        const rest = [...whole]
        const events: ModelEvent[] = [call(0), call(1), call(2)]
        for (const [index, length] of turns) {
          events.push(args(index, (rest[index] ?? '').slice(0, length)))
          rest[index] = (rest[index] ?? '').slice(length)
        }
        for (const [index, left] of rest.entries()) events.push(args(index, left))

        const { body, warnings } = encodeAnswer([...events, finish('tools')], INPUT)

        expect(warnings).toEqual([])
        expect(body['content']).toEqual(
          whole.map((json, index) => ({ type: 'tool_use', id: `call_${index}`, name: 'f', input: JSON.parse(json) })),
        )
      }),
    )
  })
})
