import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerInput, StreamFrame } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject } from '../../../json.ts'
import { SETTLED, decodeAll } from './__fixtures__/replay.ts'
import { gemini } from './index.ts'
import { decodeGeminiAnswer } from './answer-reader.ts'

const INPUT: AnswerInput = { id: 'req-1', created: 1, model: 'gemini-2.5-pro', include_usage: true, prompt_tokens: 3, body: {} }

function encode(
  events: readonly ModelEvent[],
  frame: StreamFrame = 'sse',
): { pieces: string[]; closing: string; warnings: readonly string[] } {
  const encoder = gemini.client.createEncoder({ ...INPUT, frame })
  const pieces = events.map((event) => encoder.push(event))
  const closing = encoder.closing(SETTLED)
  return { pieces, closing, warnings: encoder.warnings }
}

function chunksOf(text: string): unknown[] {
  const events = text.split('\r\n\r\n').filter((event) => event !== '')
  return events.map((event) => JSON.parse(event.replace(/^data: /, '')))
}

const partsOf = (text: string) => chunksOf(text).flatMap((chunk) => findParts(chunk))

function findParts(chunk: unknown): unknown[] {
  const [candidate] = isObject(chunk) && Array.isArray(chunk['candidates']) ? chunk['candidates'] : []
  const content: unknown = isObject(candidate) ? candidate['content'] : undefined
  return isObject(content) && Array.isArray(content['parts']) ? content['parts'] : []
}

describe('a stream of events', () => {
  it('is written as it arrives, and its finish and usage after settlement', () => {
    const { pieces, closing } = encode([
      { kind: 'start', id: 'resp_7', model: 'gpt-5' },
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'finish', finish: 'stop' },
      { kind: 'usage', usage: SETTLED, raw: {} },
    ])

    expect(pieces).toEqual([
      '',
      'data: {"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-pro","responseId":"resp_7"}\r\n\r\n',
      'data: {"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-pro","responseId":"resp_7"}\r\n\r\n',
      'data: {"candidates":[{"content":{"parts":[{"text":"lo"}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-pro","responseId":"resp_7"}\r\n\r\n',
      '',
      '',
    ])
    expect(chunksOf(closing)).toEqual([
      {
        candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
        usageMetadata: {
          promptTokenCount: 5,
          candidatesTokenCount: 7,
          totalTokenCount: 12,
          promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
        },
        modelVersion: 'gemini-2.5-pro',
        responseId: 'resp_7',
      },
    ])
  })

  it('is one JSON array for a client that asked for it', () => {
    const { pieces, closing } = encode(
      [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b' },
        { kind: 'finish', finish: 'length' },
      ],
      'array',
    )

    expect(pieces[0]).toMatch(/^\[\{.*\}\n$/)
    expect(pieces[1]).toMatch(/^,\r\n\{.*\}\n$/)
    const whole: unknown = JSON.parse(pieces.join('') + closing)
    expect(whole).toMatchObject([{}, {}, { candidates: [{ finishReason: 'MAX_TOKENS' }] }])
  })

  it('is an array even without any content', () => {
    const { closing } = encode([], 'array')

    expect(JSON.parse(closing)).toMatchObject([{ candidates: [{ finishReason: 'STOP' }] }])
  })

  it('never shows a part of a call’s arguments', () => {
    const { pieces, closing } = encode([
      { kind: 'tool-call', index: 0, id: 'c0', name: 'weather', signature: 'sig' },
      { kind: 'tool-arguments', index: 0, text: '{"city":"Pa' },
      { kind: 'tool-call', index: 1, id: 'c1', name: 'now' },
      { kind: 'tool-arguments', index: 0, text: 'ris"}' },
      { kind: 'text', text: 'Wait.' },
      { kind: 'tool-arguments', index: 1, text: '{"zone":1}' },
      { kind: 'finish', finish: 'tools' },
    ])

    expect(pieces.map((piece) => partsOf(piece))).toEqual([
      [],
      [],
      [],
      [],
      [{ functionCall: { id: 'c0', name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'sig' }, { text: 'Wait.' }],
      [],
      [],
    ])
    expect(chunksOf(closing)).toMatchObject([
      { candidates: [{ content: { parts: [{ functionCall: { id: 'c1', name: 'now', args: { zone: 1 } } }] }, finishReason: 'STOP' }] },
    ])
  })

  it('sends parallel calls together, because Semantic Kernel runs only those of the last chunk', () => {
    const { pieces, closing } = encode([
      { kind: 'tool-call', index: 0, id: 'c0', name: 'weather' },
      { kind: 'tool-arguments', index: 0, text: '{"city":"Bonn"}' },
      { kind: 'tool-call', index: 1, id: 'c1', name: 'weather' },
      { kind: 'tool-arguments', index: 1, text: '{"city":"Kyoto"}' },
      { kind: 'finish', finish: 'tools' },
    ])

    expect(pieces.join('')).toBe('')
    expect(partsOf(closing)).toMatchObject([{ functionCall: { args: { city: 'Bonn' } } }, { functionCall: { args: { city: 'Kyoto' } } }])
  })

  it.each([
    ['tools', { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed function call: weather' }],
    ['length', { finishReason: 'MAX_TOKENS' }],
    ['filter', { finishReason: 'SAFETY' }],
  ] as const)('leaves out a call with broken arguments at the end %s, and says so', (finish, ending) => {
    const { closing, warnings } = encode([
      { kind: 'tool-call', index: 0, id: 'c0', name: 'now' },
      { kind: 'tool-call', index: 1, id: 'c1', name: 'weather' },
      { kind: 'tool-arguments', index: 1, text: '{"city":' },
      { kind: 'finish', finish },
    ])

    expect(partsOf(closing)).toEqual([{ functionCall: { id: 'c0', name: 'now', args: {} } }])
    expect(chunksOf(closing)).toMatchObject([{ candidates: [ending] }])
    expect(warnings).toEqual(['tool_call.arguments'])
  })

  it('writes sources as grounding, with the finish', () => {
    const { closing } = encode([
      { kind: 'text', text: 'Spain won.' },
      { kind: 'citation', url: 'https://example.com/a', title: 'A', text: 'Spain won.', raw: { large: 'x' } },
      { kind: 'finish', finish: 'stop' },
    ])

    expect(chunksOf(closing)).toMatchObject([
      {
        candidates: [
          {
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.com/a', title: 'A' } }],
              groundingSupports: [{ segment: { text: 'Spain won.' }, groundingChunkIndices: [0] }],
            },
          },
        ],
      },
    ])
  })

  it('carries other vendors’ reasoning signatures in thought signatures, in both directions', () => {
    const { pieces } = encode([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'reasoning-signature', signature: 'ErUB+/=', by: 'anthropic-messages' },
      { kind: 'redacted-reasoning', data: 'Em:wK', by: 'anthropic-messages' },
    ])
    const asked = gemini.client.decodeRequest(
      {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          ...pieces.flatMap((piece) => partsOf(piece)).map((part) => ({ role: 'model', parts: [part] })),
        ],
      },
      { model: 'm' },
    )

    expect(asked.kind === 'ok' && gemini.client.decodeChat(asked.request).messages[1]).toEqual({
      role: 'assistant',
      parts: [
        { kind: 'thinking', text: 'Hm.', signature: 'ErUB+/=', by: 'anthropic-messages' },
        { kind: 'redacted-thinking', data: 'Em:wK', by: 'anthropic-messages' },
      ],
    })
  })
})

describe('a whole answer', () => {
  it('has joined pieces, separate blocks, and upstream’s usage', () => {
    const { body, warnings } = gemini.client.encodeAnswer(
      [
        { kind: 'start', id: 'r1' },
        { kind: 'reasoning', text: 'a' },
        { kind: 'reasoning', text: 'b' },
        { kind: 'reasoning-signature', signature: 'sig', by: 'gemini' },
        { kind: 'text', text: 'c' },
        { kind: 'text', text: 'd' },
        { kind: 'block-break' },
        { kind: 'text', text: 'e' },
        { kind: 'image', media_type: 'image/png', data: 'iVBO' },
        { kind: 'tool-call', index: 0, id: 'c0', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{"a":' },
        { kind: 'tool-arguments', index: 0, text: '1}' },
        { kind: 'finish', finish: 'tools' },
        { kind: 'usage', usage: { ...SETTLED, reasoning: 3, cache_read: 4, image_in: 1 }, raw: {} },
      ],
      INPUT,
    )

    expect(warnings).toEqual([])
    expect(body).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'ab', thought: true, thoughtSignature: 'sig' },
              { text: 'cd' },
              { text: 'e' },
              { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
              { functionCall: { id: 'c0', name: 'f', args: { a: 1 } } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 5,
        candidatesTokenCount: 4,
        totalTokenCount: 12,
        cachedContentTokenCount: 4,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 4 },
          { modality: 'IMAGE', tokenCount: 1 },
        ],
        thoughtsTokenCount: 3,
      },
      modelVersion: 'gemini-2.5-pro',
      responseId: 'r1',
    })
  })

  it.each([
    ['stop', 'STOP'],
    ['tools', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['filter', 'SAFETY'],
    ['other', 'OTHER'],
  ] as const)('ends with %s as %s', (finish, reason) => {
    expect(
      gemini.client.encodeAnswer(
        [
          { kind: 'text', text: 'a' },
          { kind: 'finish', finish },
        ],
        INPUT,
      ).body,
    ).toMatchObject({
      candidates: [{ finishReason: reason }],
    })
  })
})

const text = fc.string({ maxLength: 8 })
const index = fc.nat(2)
const anyEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), id: text }),
  fc.record({ kind: fc.constantFrom('text' as const, 'reasoning' as const, 'refusal' as const), text }),
  fc.record({
    kind: fc.constant('reasoning-signature' as const),
    signature: text,
    by: fc.constantFrom('gemini' as const, 'openai-responses' as const),
  }),
  fc.record({ kind: fc.constant('block-break' as const) }),
  fc.record({
    kind: fc.constant('tool-call' as const),
    index,
    id: fc.string({ minLength: 1, maxLength: 4 }),
    name: fc.constantFrom('f', 'g'),
  }),
  fc.record({ kind: fc.constant('tool-arguments' as const), index, text: fc.constantFrom('{"a":', '1}', '{}', '{"b":[2]}', '', 'x') }),
  fc.record({ kind: fc.constant('image' as const), media_type: fc.constant('image/png'), data: fc.constant('iVBO') }),
  fc.record({ kind: fc.constant('audio' as const), data: fc.constantFrom('', 'UklGRg=='), transcript: text }),
  fc.record({ kind: fc.constant('citation' as const), url: fc.webUrl(), raw: fc.constant({}) }),
  fc.record({
    kind: fc.constant('vendor-specific' as const),
    by: fc.constantFrom('gemini' as const, 'openai-chat' as const),
    type: fc.constant('toolCall'),
    raw: fc.constant({ toolCall: {} }),
  }),
  fc.record({ kind: fc.constant('usage' as const), usage: fc.constant(SETTLED), raw: fc.constant({}) }),
  fc.record({ kind: fc.constant('finish' as const), finish: fc.constantFrom('stop' as const, 'length' as const) }),
)

describe('in any order of events', () => {
  it.each(['sse', 'array'] as const)('a stream as %s is well-formed, its calls are whole, and it finishes once', (frame) => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 24 }), (events) => {
        const { pieces, closing } = encode(events, frame)
        const whole = pieces.join('') + closing
        const chunks: unknown = frame === 'array' ? JSON.parse(whole) : chunksOf(whole)
        if (!Array.isArray(chunks)) throw new Error('not a list')

        const finishes = chunks.map((chunk: unknown) => JSON.stringify(chunk).includes('"finishReason"'))
        expect(finishes.filter(Boolean)).toHaveLength(1)
        expect(finishes.at(-1)).toBe(true)
        for (const chunk of chunks) {
          const parts = findParts(chunk)
          expect(parts.length).toBeGreaterThan(0)
          for (const part of parts) {
            if (!isObject(part)) throw new Error('not a part')
            expect(Object.keys(part).length).toBeGreaterThan(0)
            if (isObject(part['functionCall'])) expect(isObject(part['functionCall']['args'])).toBe(true)
          }
        }
        const begun = events.slice(0, events.findIndex(({ kind }) => kind === 'finish') >>> 0)
        const calls = chunks.flatMap(findParts).filter((part) => isObject(part) && isObject(part['functionCall']))
        const lost = begun.filter(({ kind }) => kind === 'tool-call').length - calls.length
        expect(lost).toBeGreaterThanOrEqual(0)
        expect(lost === 0 || /"finishReason":"(?:MALFORMED_FUNCTION_CALL|MAX_TOKENS|SAFETY)"/.test(closing)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

/** Texts, thoughts, whole calls and images, in the order of a vendor. */
const spoken: fc.Arbitrary<ModelEvent[]> = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string({ minLength: 1 }) }),
      fc.record({ kind: fc.constant('image' as const), media_type: fc.constant('image/png'), data: fc.base64String({ minLength: 4 }) }),
      fc.record({
        kind: fc.constant('call' as const),
        name: fc.stringMatching(/^[a-z]{1,8}$/),
        args: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => {
    let count = 0
    return pieces.flatMap((piece): ModelEvent[] => {
      if (piece.kind !== 'call') return [piece]
      const at = count
      count += 1
      const args = JSON.stringify(piece.args)
      // Values that survive JSON: no `__proto__`, no minus zero.
      return [
        { kind: 'tool-call', index: at, id: `id_${at}`, name: piece.name },
        { kind: 'tool-arguments', index: at, text: JSON.stringify(JSON.parse(args)) },
      ]
    })
  })

describe('an answer that Gemini can express', () => {
  it('comes back the same from a stream and, joined, from a whole answer', () => {
    fc.assert(
      fc.property(spoken, fc.constantFrom('length' as const, 'filter' as const, 'other' as const), (said, finish) => {
        const events: ModelEvent[] = [{ kind: 'start', id: 'r', model: 'gemini-2.5-pro' }, ...said, { kind: 'finish', finish }]
        const { pieces, closing } = encode(events)
        const told = decodeAll([Buffer.from(pieces.join('') + closing)]).events
        expect(told.slice(1).filter(({ kind }) => kind !== 'usage')).toEqual(events.slice(1))
        expect(told[0]).toMatchObject({ kind: 'start', id: 'r', model: 'gemini-2.5-pro' })

        const { body } = gemini.client.encodeAnswer(events, INPUT)
        expect(joined(decodeGeminiAnswer(body))).toEqual(joined(events))
      }),
      { numRuns: 300 },
    )
  })
})

function joined(events: readonly ModelEvent[]): ModelEvent[] {
  const out: ModelEvent[] = []
  for (const event of events) {
    const last = out.at(-1)
    if ((event.kind === 'text' || event.kind === 'reasoning') && last?.kind === event.kind)
      out[out.length - 1] = { ...event, text: last.text + event.text }
    else if (event.kind !== 'usage') out.push(event.kind === 'start' ? { kind: 'start' } : event)
  }
  return out
}
