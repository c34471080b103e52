import { describe, expect, it } from 'vitest'
import { countInto } from '@tollgate/domain/pricing/count'
import type { ModelEvent } from '../chat/events.ts'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { vendorCodecs } from '../vendor-formats/index.ts'
import { isObject, type JsonObject } from '../json.ts'

/** One answer in each format: with a text, and the vendor's word for its end. */
const ANSWERS: Readonly<Record<ChatFormat, (text: string, word: string | undefined) => JsonObject>> = {
  'openai-chat': (content, word) => ({
    choices: [{ index: 0, message: { role: 'assistant', content }, ...(word === undefined ? {} : { finish_reason: word }) }],
  }),
  'openai-responses': (text, reason) => ({
    status: 'incomplete',
    incomplete_details: { reason },
    output: text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
  }),
  'anthropic-messages': (text, stop_reason) => ({ content: text === '' ? [] : [{ type: 'text', text }], stop_reason }),
  gemini: (text, finishReason) => ({ candidates: [{ content: { parts: text === '' ? [] : [{ text }] }, finishReason }] }),
}

/** The same as the events of a stream. */
const STREAMS: Readonly<Record<ChatFormat, (text: string, word: string | undefined) => string>> = {
  'openai-chat': (content, word) =>
    `${sse({ choices: [{ index: 0, delta: { content } }] })}${word === undefined ? '' : sse({ choices: [{ index: 0, delta: {}, finish_reason: word }] })}data: [DONE]\n\n`,
  'openai-responses': (text, word) =>
    `${text === '' ? '' : sse({ type: 'response.output_text.delta', output_index: 0, delta: text })}${sse({ type: 'response.incomplete', response: ANSWERS['openai-responses'](text, word) })}`,
  'anthropic-messages': (text, stop_reason) =>
    `${sse({ type: 'message_start', message: {} })}${text === '' ? '' : sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text } })}${sse({ type: 'message_delta', delta: { stop_reason }, usage: {} })}${sse({ type: 'message_stop' })}`,
  gemini: (text, word) => sse(ANSWERS.gemini(text, word)),
}

function sse(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function whole(format: ChatFormat, text: string, word: string | undefined): ModelEvent | undefined {
  return endIn(vendorCodecs[format].vendor.decodeAnswer(ANSWERS[format](text, word)))
}

function streamed(format: ChatFormat, text: string, word: string | undefined): ModelEvent | undefined {
  const decoder = vendorCodecs[format].vendor.createDecoder()
  return endIn([...decoder.push(Buffer.from(STREAMS[format](text, word))), ...decoder.end().events])
}

const endIn = (events: readonly ModelEvent[]) => events.find(({ kind }) => kind === 'finish' || kind === 'failed')

function passed(format: ChatFormat, text: string, word: string | undefined) {
  const reader = chatCodecs[format].passThrough.createUsageReader({ wants_usage: true, count: countInto })
  reader.push(Buffer.from(STREAMS[format](text, word)))
  reader.close()
  return reader.facts
}

describe('the vendor’s word for the end of an answer', () => {
  it.each([
    ['openai-chat', 'sensitive', 'filter'],
    ['openai-chat', 'model_length', 'length'],
    ['openai-chat', 'model_context_window_exceeded', 'length'],
    ['openai-chat', 'eos', 'stop'],
    ['openai-responses', 'max_output_tokens', 'length'],
    ['openai-responses', 'content_filter', 'filter'],
    ['anthropic-messages', 'model_context_window_exceeded', 'length'],
    ['anthropic-messages', 'refusal', 'filter'],
    ['anthropic-messages', 'pause_turn', 'other'],
    ['gemini', 'CONTINUATION', 'length'],
    ['gemini', 'OTHER', 'other'],
  ] as const)('of %s, %s, means %s', (format, word, finish) => {
    expect(whole(format, 'a', word)).toEqual({ kind: 'finish', finish })
    expect(streamed(format, 'a', word)).toEqual({ kind: 'finish', finish })
  })

  it.each([
    ['openai-chat', 'insufficient_system_resource'],
    ['openai-chat', 'network_error'],
    ['openai-chat', 'error'],
    ['openai-chat', 'abort'],
    ['anthropic-messages', 'network_error'],
    ['gemini', 'MALFORMED_FUNCTION_CALL'],
    ['gemini', 'UNEXPECTED_TOOL_CALL'],
    ['gemini', 'TOO_MANY_TOOL_CALLS'],
    ['gemini', 'NO_IMAGE'],
    ['gemini', 'MALFORMED_RESPONSE'],
    ['gemini', 'MISSING_THOUGHT_SIGNATURE'],
  ] as const)('of %s, %s, is a failure when converted, and in the same format if there is nothing else', (format, word) => {
    const failed = { kind: 'failed', failure: { status: 502, code: word } }
    for (const text of ['', 'a']) {
      expect(whole(format, text, word)).toMatchObject(failed)
      expect(streamed(format, text, word)).toMatchObject(failed)
    }
    expect(passed(format, '', word).failure).toMatchObject(failed.failure)
    expect(passed(format, 'a', word).failure).toBeUndefined()
    expect(endIn(vendorCodecs[format].vendor.decodeAnswer(ANSWERS[format]('', word), 'pass-through'))).toMatchObject(failed)
    expect(endIn(vendorCodecs[format].vendor.decodeAnswer(ANSWERS[format]('a', word), 'pass-through'))?.kind).toBe('finish')
  })

  it.each(Object.keys(chatCodecs) as ChatFormat[])('that no table of %s has fails a converted answer and names the word', (format) => {
    for (const end of [whole(format, 'a', 'never_heard_of'), streamed(format, 'a', 'never_heard_of')]) {
      expect(end).toMatchObject({ kind: 'failed', failure: { status: 502, code: 'unknown_finish_reason' } })
      expect(JSON.stringify(end)).toContain('never_heard_of')
    }
  })

  it('OTHER of Google is a failure only without parts', () => {
    for (const read of [whole, streamed]) expect(read('gemini', '', 'OTHER')).toMatchObject({ kind: 'failed', failure: { code: 'OTHER' } })
    expect(passed('gemini', '', 'OTHER').failure).toMatchObject({ code: 'OTHER' })
  })

  it('is explained by Google’s message, without the key in it', () => {
    const candidate = { content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'Malformed: print(f()) AIzaSyABCDEFGH' }
    expect(endIn(vendorCodecs.gemini.vendor.decodeAnswer({ candidates: [candidate] }))).toMatchObject({
      failure: { message: 'upstream ended the answer with MALFORMED_FUNCTION_CALL: Malformed: print(f()) AIza***' },
    })
  })

  it('is missing before [DONE]: the answer is cut', () => {
    expect(streamed('openai-chat', 'a', undefined)).toMatchObject({ kind: 'failed', failure: { code: 'no_finish_reason' } })
    expect(passed('openai-chat', 'a', undefined).failure).toBeUndefined()
    expect(passed('openai-chat', '', undefined).failure).toMatchObject({ code: 'no_finish_reason' })
  })

  it.each([
    { type: 'error', code: 'x', message: 'boom' },
    { code: 'DataInspectionFailed', message: 'boom' },
    { object: 'error', message: 'boom', code: 500 },
  ])('does not matter after an error without an envelope: %o', (error) => {
    const bytes = Buffer.from(`${sse({ choices: [{ index: 0, delta: { content: 'a' } }] })}${sse(error)}data: [DONE]\n\n`)
    const events = vendorCodecs['openai-chat'].vendor.createDecoder().push(bytes)
    const reader = chatCodecs['openai-chat'].passThrough.createUsageReader({ wants_usage: true, count: countInto })
    const shown = reader.push(bytes).toString()

    expect(endIn(events)).toMatchObject({ kind: 'failed', failure: { message: 'boom' } })
    expect(reader.facts.failure).toMatchObject({ message: 'boom' })
    expect(shown).not.toContain('boom')
  })
})

describe('the end of an answer for clients of another format', () => {
  const input = { id: 'x', created: 0, model: 'm', include_usage: false, prompt_tokens: 1, body: {} }

  it('is a refusal for Messages clients when the vendor’s model refused in a field of its own', () => {
    const message = { role: 'assistant', content: null, refusal: 'No.' }
    const events = vendorCodecs['openai-chat'].vendor.decodeAnswer({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
    expect(chatCodecs['anthropic-messages'].client.encodeAnswer(events, input).body).toMatchObject({ stop_reason: 'refusal' })
  })

  it('is no plain stop when the vendor paused its turn', () => {
    const events = vendorCodecs['anthropic-messages'].vendor.decodeAnswer(ANSWERS['anthropic-messages']('a', 'pause_turn'))
    const { choices } = chatCodecs['openai-chat'].client.encodeAnswer(events, input).body
    expect(Array.isArray(choices) && isObject(choices[0]) && choices[0]['finish_reason']).toBe('length')
    expect(chatCodecs['openai-responses'].client.encodeAnswer(events, input).body).toMatchObject({ status: 'incomplete' })
  })

  it('is a failed response with a code that agents do not repeat when a filter ended it', () => {
    const events = vendorCodecs['anthropic-messages'].vendor.decodeAnswer(ANSWERS['anthropic-messages']('a', 'refusal'))
    expect(chatCodecs['openai-responses'].client.encodeAnswer(events, input).body).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_prompt', message: 'The vendor refused this request by its content policy.' },
    })
  })
})
