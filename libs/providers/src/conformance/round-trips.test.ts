import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { ModelEvent } from '../chat/events.ts'
import type { Message, ChatRequest, Part } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { CHAT_FORMATS, UPSTREAM_MODEL } from './cases.ts'
import { meaningOf, meaningOfStream, meaningOfWhole } from './meaning.ts'

/** Content that every format can express survives encoding and decoding by the same format. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((one) => one.trim() !== '')
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/)
const json = fc.dictionary(name, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant([1, 'two', null])), { maxKeys: 3 })

describe.each(CHAT_FORMATS)('%s', (format) => {
  const { client, vendor } = chatCodecs[format]

  it('gives back a conversation', () => {
    fc.assert(
      fc.property(aConversation(), (request) => {
        const context = {
          upstream_model: UPSTREAM_MODEL[format],
          is_stream: false,
          supports_stream_options: true,
          default_max_tokens: 8192,
          safety_settings: [],
          makes_images: false,
        }
        const { body, warnings } = vendor.encodeChat(request, context)
        const decoded = client.decodeRequest(JSON.parse(JSON.stringify(body)), { model: UPSTREAM_MODEL[format], is_stream: false })

        expect(warnings).toEqual([])
        expect(decoded).toMatchObject({ kind: 'ok' })
        if (decoded.kind === 'ok') expect(said(client.decodeChat(decoded.request))).toEqual(said(request))
      }),
      { numRuns: 150 },
    )
  })

  it('gives back an answer, whole and streamed, however it is cut', () => {
    fc.assert(
      fc.property(anAnswer(), fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 }), (events, sizes) => {
        const input = { id: 'request-1', created: 1, model: 'm', include_usage: true, prompt_tokens: 1, body: {} }
        const encoder = client.createEncoder(input)
        const stream = Buffer.from(events.map((event) => encoder.push(event)).join('') + encoder.closing(USAGE))
        const decoder = vendor.createDecoder()
        const pieces = cut(stream, sizes).flatMap((piece) => decoder.push(piece))
        const { events: last, ending } = decoder.end()

        expect(['done', 'finished']).toContain(ending)
        expect(meaningOf([...pieces, ...last])).toEqual(meaningOf(events))
        expect(meaningOfStream(format, stream)).toEqual(meaningOf(events))
        expect(meaningOfWhole(format, client.encodeAnswer(events, input).body)).toEqual(meaningOf(events))
      }),
      { numRuns: 150 },
    )
  })
})

function aConversation(): fc.Arbitrary<ChatRequest> {
  const user = fc.array(text, { minLength: 1, maxLength: 2 }).map((texts): Message[] => [{ role: 'user', parts: texts.map(toText) }])
  const calls = fc.tuple(fc.option(text), fc.array(fc.tuple(name, json, text), { minLength: 1, maxLength: 3 }))
  const round = fc.tuple(calls, user).map(([[before, made], after]): Message[] => [
    {
      role: 'assistant',
      parts: [
        ...(before === null ? [] : [toText(before)]),
        ...made.map(([tool, input], at): Part => ({ kind: 'tool-call', id: `call_${at}`, name: tool, arguments: JSON.stringify(input) })),
      ],
    },
    {
      role: 'user',
      parts: made.map(([tool, , result], at): Part => ({
        kind: 'tool-result',
        call_id: `call_${at}`,
        name: tool,
        content: [toText(result)],
      })),
    },
    ...after,
  ])
  const spoken = fc.tuple(text, user).map(([answer, after]): Message[] => [{ role: 'assistant', parts: [toText(answer)] }, ...after])
  return fc
    .tuple(fc.option(text), user, fc.oneof(round, spoken), fc.option(fc.integer({ min: 16, max: 4000 })))
    .map(([system, first, rest, max_tokens]) => ({
      model: 'm',
      messages: [...(system === null ? [] : [{ role: 'system' as const, parts: [toText(system)] }]), ...first, ...rest],
      tools: [],
      stop: [],
      is_stream: false,
      ...(max_tokens === null ? {} : { max_tokens }),
    }))
}

const toText = (value: string): Part & { kind: 'text' } => ({ kind: 'text', text: value })

/** Turns in order; formats split a turn differently into messages and texts into parts. */
function said({ messages, max_tokens = 8192 }: ChatRequest): unknown {
  const parts = messages.flatMap(({ role, parts: own }) => own.map((part) => ({ role, part })))
  const turns: unknown[] = []
  let open = { role: '', text: '' }
  for (const { role, part } of parts) {
    if (part.kind === 'text' && open.role === role) open.text += part.text
    else if (part.kind === 'text') turns.push((open = { role, text: part.text }))
    else {
      open = { role: '', text: '' }
      if (part.kind === 'tool-call') turns.push({ call: part.id, name: part.name, input: JSON.parse(part.arguments) })
      if (part.kind === 'tool-result')
        turns.push({ result: part.call_id, text: part.content.map((inner) => (inner.kind === 'text' ? inner.text : '')) })
    }
  }
  return { turns, max_tokens: Math.max(max_tokens, 0) }
}

const USAGE: Usage = {
  ...ZERO_USAGE,
  text_in: 30,
  text_out: 12,
  cache_read: 10,
  reasoning: 4,
  prompt_tokens: 40,
  completion_tokens: 12,
  source: 'upstream',
}

function anAnswer(): fc.Arbitrary<ModelEvent[]> {
  const pieces = (kind: 'text' | 'reasoning') =>
    fc.array(text, { maxLength: 3 }).map((all): ModelEvent[] => all.map((one) => ({ kind, text: one })))
  const calls = fc.array(fc.tuple(name, json), { maxLength: 3 }).map((made) =>
    made.flatMap(([tool, input], index): ModelEvent[] => {
      const written = JSON.stringify(input)
      return [
        { kind: 'tool-call', index, id: `call_${index}`, name: tool },
        ...[written.slice(0, 3), written.slice(3)].map((piece): ModelEvent => ({ kind: 'tool-arguments', index, text: piece })),
      ]
    }),
  )
  return fc
    .tuple(pieces('reasoning'), pieces('text'), calls, fc.constantFrom('stop' as const, 'length' as const))
    .map(([thoughts, texts, made, ended]) => {
      const finish = made.length > 0 && ended === 'stop' ? 'tools' : ended
      return [{ kind: 'start' }, ...thoughts, ...texts, ...made, { kind: 'finish', finish }, { kind: 'usage', usage: USAGE, raw: {} }]
    })
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
