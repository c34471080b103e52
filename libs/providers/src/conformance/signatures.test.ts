import { describe, expect, it } from 'vitest'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { AnswerInput } from '../chat/codec.ts'
import type { ModelEvent } from '../chat/events.ts'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { isObject, listAt, type JsonObject } from '../json.ts'
import { UPSTREAM_MODEL } from './cases.ts'

/** A vendor gets its own proof of reasoning back in the next turn, whatever format the client between has. */
const INPUT: AnswerInput = { id: 'request-1', created: 1, model: 'm', include_usage: true, prompt_tokens: 1, body: {} }
const SIGNING = ['openai-responses', 'anthropic-messages', 'gemini'] as const
const CLIENTS = SIGNING
/** Base64, as Google's signatures are. */
const SIGNATURE = 'c2lnbmF0dXJlMTIz'

const call: ModelEvent[] = [
  { kind: 'tool-call', index: 0, id: 'call_1', name: 'f' },
  { kind: 'tool-arguments', index: 0, text: '{}' },
  { kind: 'finish', finish: 'tools' },
]

describe.each(CLIENTS)('through a client of %s', (client) => {
  it.each(SIGNING.filter((vendor) => vendor !== client))('%s gets its signature back', (vendor) => {
    const answer: ModelEvent[] = [
      { kind: 'start' },
      { kind: 'reasoning', text: 'thought' },
      { kind: 'reasoning-signature', signature: SIGNATURE, by: vendor },
      ...call,
    ]

    for (const turn of [wholeTurn(client, answer), streamedTurn(client, answer)]) {
      expect(JSON.stringify(sent(client, vendor, turn))).toContain(SIGNATURE)
      for (const other of SIGNING.filter((one) => one !== vendor && one !== client))
        expect(JSON.stringify(sent(client, other, turn))).not.toContain(SIGNATURE)
    }
  })

  it.each(['openai-responses', 'anthropic-messages'] as const)('%s gets its hidden reasoning back', (vendor) => {
    if (vendor === client) return
    const answer: ModelEvent[] = [{ kind: 'start' }, { kind: 'redacted-reasoning', data: SIGNATURE, by: vendor }, ...call]

    for (const turn of [wholeTurn(client, answer), streamedTurn(client, answer)])
      expect(JSON.stringify(sent(client, vendor, turn))).toContain(SIGNATURE)
  })

  it('removes the proofs of other vendors for a vendor of its own format', () => {
    const other = client === 'gemini' ? 'anthropic-messages' : 'gemini'
    const answer: ModelEvent[] = [
      { kind: 'start' },
      { kind: 'reasoning', text: 'thought' },
      { kind: 'reasoning-signature', signature: SIGNATURE, by: other },
      ...call,
    ]
    const raw = Buffer.from(JSON.stringify(bodyOf(client, wholeTurn(client, answer))))

    const decoded = chatCodecs[client].client.decodeRequest(JSON.parse(raw.toString()), ROUTE)
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)
    const { body, state } = decoded.request
    const passed = chatCodecs[client].passThrough.encodeBody({ raw, body, state, upstream_model: 'm', is_stream: false })

    expect(passed.toString()).toContain('call_1')
    expect(passed.toString()).not.toMatch(/tollgate|dG9sbGdhdGU6/)
  })
})

describe.each(['openai-chat', 'openai-responses', 'anthropic-messages'] as const)('through a client of %s', (client) => {
  it('gemini gets the signature of a call back', () => {
    const [opened, ...rest] = call
    const signed: ModelEvent[] = opened?.kind === 'tool-call' ? [{ ...opened, signature: SIGNATURE }, ...rest] : []

    for (const turn of [wholeTurn(client, signed), streamedTurn(client, signed)])
      expect(JSON.stringify(sent(client, 'gemini', turn))).toContain(`"thoughtSignature":"${SIGNATURE}"`)
  })
})

const ROUTE = { model: 'm' }

/** The request that the vendor gets when a client of the other format returns the turn with the call's result. */
function sent(client: ChatFormat, vendor: ChatFormat, turn: readonly JsonObject[]): JsonObject {
  const decoded = chatCodecs[client].client.decodeRequest(bodyOf(client, turn), ROUTE)
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  const chat = chatCodecs[client].client.decodeChat(decoded.request)
  return chatCodecs[vendor].vendor.encodeChat(chat, {
    upstream_model: UPSTREAM_MODEL[vendor],
    is_stream: false,
    supports_stream_options: true,
    default_max_tokens: 100,
    safety_settings: [],
    makes_images: false,
  }).body
}

/** The turn of the model as a client of the format keeps it. */
function wholeTurn(client: ChatFormat, events: readonly ModelEvent[]): JsonObject[] {
  return turnOf(client, chatCodecs[client].client.encodeAnswer(events, INPUT).body)
}

/** The same from a stream, joined as the official SDKs do. */
function streamedTurn(client: ChatFormat, events: readonly ModelEvent[]): JsonObject[] {
  const encoder = chatCodecs[client].client.createEncoder(INPUT)
  const text = events.map((event) => encoder.push(event)).join('') + encoder.closing(ZERO_USAGE)
  const chunks = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data: {'))
    .map((line): unknown => JSON.parse(line.slice(6)))
    .filter(isObject)
  if (client === 'gemini') return chunks.flatMap((chunk) => turnOf(client, chunk))
  if (client === 'openai-responses') return turnOf(client, chunks.at(-1)?.['response'])
  if (client === 'openai-chat') {
    const deltas = chunks.flatMap((chunk) => listAt(chunk, 'choices')).map((choice) => (isObject(choice) ? choice['delta'] : undefined))
    const [first] = deltas.flatMap((delta) => listAt(delta, 'tool_calls'))
    const called = isObject(first) ? { ...first, function: { name: 'f', arguments: '{}' } } : {}
    return [{ role: 'assistant', content: null, tool_calls: [called] }]
  }
  const blocks: Record<string, unknown>[] = []
  for (const { type, index, content_block, delta } of chunks) {
    if (type === 'content_block_start' && isObject(content_block)) blocks[Number(index)] = { ...content_block }
    const block = blocks[Number(index)]
    if (type !== 'content_block_delta' || !isObject(delta) || block === undefined) continue
    if (typeof delta['thinking'] === 'string') block['thinking'] = `${String(block['thinking'])}${delta['thinking']}`
    if (typeof delta['signature'] === 'string') block['signature'] = delta['signature']
  }
  return [{ role: 'assistant', content: blocks }]
}

function turnOf(client: ChatFormat, answer: unknown): JsonObject[] {
  if (client === 'openai-responses') return listAt(answer, 'output').filter(isObject)
  if (client === 'anthropic-messages') return [{ role: 'assistant', content: listAt(answer, 'content') }]
  const [first] = listAt(answer, client === 'gemini' ? 'candidates' : 'choices').filter(isObject)
  return [first?.[client === 'gemini' ? 'content' : 'message']].filter(isObject)
}

function bodyOf(client: ChatFormat, turn: readonly JsonObject[]): JsonObject {
  const asked = { role: 'user', content: 'ask' }
  if (client === 'openai-responses')
    return { model: 'm', input: [asked, ...turn, { type: 'function_call_output', call_id: 'call_1', output: 'done' }] }
  if (client === 'openai-chat') return { model: 'm', messages: [asked, ...turn, { role: 'tool', tool_call_id: 'call_1', content: 'done' }] }
  if (client === 'gemini') {
    const result = { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'f', response: { output: 'done' } } }] }
    return { contents: [{ role: 'user', parts: [{ text: 'ask' }] }, ...turn, result] }
  }
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'done' }] }
  return { model: 'm', max_tokens: 100, messages: [asked, ...turn, result] }
}
