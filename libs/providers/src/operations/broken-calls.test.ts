import { describe, expect, it } from 'vitest'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { chatOperation } from './chat.ts'

/** Tool arguments that are not a JSON object, in requests and in answers: they never become an empty object. */

function translatorOf(client: ChatFormat, vendor: ApiFormat, body: object) {
  const operation = chatOperation(chatCodecs[client])
  const read = operation.readRequest(body, { model: 'm', is_stream: 'stream' in body })
  if (read.kind === 'invalid') throw new Error(read.detail)
  return operation.createTranslator(vendor, {
    request: read.request,
    raw: Buffer.from(JSON.stringify(body)),
    content_type: 'application/json',
    request_id: 'r',
    created: 1,
    prompt_tokens: 1,
    count: () => undefined,
    settings: { default_max_tokens: () => 9, safety_settings: [], makes_images: () => false },
  })
}

const BROKEN = ['{"path":"/tm', 'hello', '[1]', '{"a":1}{"a":1}'] as const
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]

function historyOf(client: 'openai-chat' | 'openai-responses', given: unknown, call_id = 'c1') {
  if (client === 'openai-chat') {
    const call = { id: call_id, type: 'function', function: { name: 'read', arguments: given } }
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call_id, content: 'no such file' },
    ]
    return { model: 'm', messages, tools }
  }
  const input = [
    { type: 'message', role: 'user', content: 'Hi' },
    { type: 'function_call', call_id, name: 'read', arguments: given },
    { type: 'function_call_output', call_id, output: 'no such file' },
  ]
  return { model: 'm', input }
}

const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }

describe.each(['openai-chat', 'openai-responses'] as const)('a history of %s with broken arguments', (client) => {
  describe.each(['anthropic-messages', 'gemini', 'bedrock-converse'] as const)('for %s, which takes objects only,', (vendor) => {
    it.each(BROKEN)('shows the call %s and its result as text', (given) => {
      const { body, warnings } = translatorOf(client, vendor, historyOf(client, given)).encode(encoding)
      const sent = body.toString()

      expect(sent).toContain(JSON.stringify(`Call of the tool read with arguments that are not a JSON object: ${given}`))
      expect(sent).toContain('Result of the tool read:')
      expect(sent).toContain('no such file')
      expect(sent).not.toMatch(/tool_use|tool_result|functionCall"|functionResponse|toolUse|toolResult/)
      expect(warnings).toContain('tool call with arguments that are no JSON object: sent as text')
    })

    it.each(['', ' ', 'null', '{}'])('keeps a call of a function without parameters: %j', (given) => {
      const { body, warnings } = translatorOf(client, vendor, historyOf(client, given)).encode(encoding)

      expect(body.toString()).toMatch(/"(?:input|args)":\{\}/)
      expect(warnings).toEqual([])
    })
  })

  it.each(BROKEN)('is sent as it is where arguments are text: %s', (given) => {
    const vendor = client === 'openai-chat' ? 'openai-responses' : 'openai-chat'
    const { body, warnings } = translatorOf(client, vendor, historyOf(client, given)).encode(encoding)

    expect(body.toString()).toContain(JSON.stringify(given))
    expect(warnings).toEqual([])
  })
})

it('keeps the whole calls of the same turn, each with its result', () => {
  const call = (id: string, given: string) => ({ id, type: 'function', function: { name: 'read', arguments: given } })
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Reading', tool_calls: [call('a', '{"path"'), call('b', '{"path":"/b"}')] },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
  ]
  const { body } = translatorOf('openai-chat', 'anthropic-messages', { model: 'm', messages, tools }).encode(encoding)

  expect(JSON.parse(body.toString()).messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ text: 'Reading' }, { type: 'text' }, { type: 'tool_use', id: 'b', input: { path: '/b' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'b', content: 'B' }, { text: 'Result of the tool read:' }, { text: 'A' }],
    },
  ])
})

it('takes arguments that a Gemini client sends as text', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ functionCall: { name: 'read', args: 'hello' } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'B' } } }] },
  ]
  const { body } = translatorOf('gemini', 'openai-chat', { contents }).encode(encoding)

  expect(JSON.parse(body.toString()).messages[1].tool_calls[0].function).toEqual({ name: 'read', arguments: 'hello' })
})

const ASKED = {
  'anthropic-messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
} as const

function wholeAnswer(given: unknown, finish_reason: string) {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: given } }
  const message = { role: 'assistant', content: 'Reading', tool_calls: [call] }
  return { id: 'x', choices: [{ index: 0, finish_reason, message }] }
}

const whole = (client: ChatFormat, given: unknown, finish: string) =>
  translatorOf(client, 'openai-chat', ASKED[client]).readWhole(Buffer.from(JSON.stringify(wholeAnswer(given, finish))), 'application/json')

function streamed(client: ChatFormat, given: string, finish_reason: string) {
  const stream = translatorOf(client, 'openai-chat', { ...ASKED[client], stream: true }).openStream()
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: given } }
  const chunks = [
    { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [call] } }] },
    { id: 'x', choices: [{ index: 0, delta: {}, finish_reason }] },
  ]
  const sent = [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].map((text) =>
    stream.push(Buffer.from(text)).toString(),
  )
  const { rest, ending } = stream.close()
  const usage = { text_in: 1, prompt_tokens: 1, source: 'estimated' }
  const closing = ending === 'failed' ? '' : stream.closing(usage as never).toString() // the counts are not read here
  return { text: sent.join('') + rest.toString() + closing, ending, failure: stream.facts.failure }
}

describe('an answer with broken arguments', () => {
  it.each(BROKEN)('fails for a Messages client, whole and streamed: %s', (given) => {
    const failure = { kind: 'refused', status: 502, code: 'malformed_tool_arguments', message: expect.stringContaining('the tool read') }

    expect(whole('anthropic-messages', given, 'tool_calls')).toMatchObject({ kind: 'failed', failure })
    expect(streamed('anthropic-messages', given, 'tool_calls')).toMatchObject({ ending: 'failed', failure })
    expect(streamed('anthropic-messages', given, 'tool_calls').text).not.toContain('message_stop')
  })

  it('is said to be cut off to a Messages client if the vendor says so', () => {
    const answer = whole('anthropic-messages', '{"path":"/tm', 'length')
    const body = answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()) : undefined

    expect(body).toMatchObject({ content: [{ type: 'text', text: 'Reading' }], stop_reason: 'max_tokens' })
    expect(streamed('anthropic-messages', '{"path":"/tm', 'length')).toMatchObject({
      ending: 'done',
      text: expect.stringContaining('"stop_reason":"max_tokens"'),
    })
  })

  it.each([
    ...BROKEN.map((given) => [given, 'tool_calls', 'MALFORMED_FUNCTION_CALL'] as const),
    ['{"path":', 'length', 'MAX_TOKENS'] as const,
  ])('has no call for a Gemini client: %s with %s is %s', (given, finish, finishReason) => {
    const answer = whole('gemini', given, finish)
    const body = answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()) : undefined
    const { text } = streamed('gemini', given, finish)

    expect(body.candidates).toMatchObject([{ content: { parts: [{ text: 'Reading' }] }, finishReason }])
    expect(JSON.stringify(body) + text).not.toContain('functionCall')
    expect(text).toContain(`"finishReason":"${finishReason}"`)
  })

  it.each(['openai-responses'] as const)('passes as text to a client of %s', (client) => {
    const answer = whole(client, '{"path":"/tm', 'tool_calls')

    expect(answer.kind === 'answer' ? answer.bytes.toString() : '').toContain(JSON.stringify('{"path":"/tm'))
    expect(streamed(client, '{"path":"/tm', 'tool_calls').text).toContain(JSON.stringify('{"path":"/tm'))
  })

  it.each(['', 'null', '{}', null])('is none if the function has no parameters: %j', (given) => {
    const answer = whole('anthropic-messages', given, 'tool_calls')
    const body = answer.kind === 'answer' ? JSON.parse(answer.bytes.toString()) : undefined

    expect(body).toMatchObject({ content: [{ text: 'Reading' }, { type: 'tool_use', name: 'read', input: {} }], stop_reason: 'tool_use' })
    expect(streamed('anthropic-messages', given ?? '', 'tool_calls')).toMatchObject({ ending: 'done' })
  })
})
