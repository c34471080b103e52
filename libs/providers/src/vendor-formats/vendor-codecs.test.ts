import { describe, expect, it } from 'vitest'
import type { ChatFormat, VendorChatFormat } from '../chat/request.ts'
import type { VendorCodec } from '../chat/codec.ts'
import { readEvents } from '../chat/whole-answer.ts'
import { readFixture, requestFile } from '../conformance/cell.testing.ts'
import { meaningOf, meaningOfWhole } from '../conformance/meaning.ts'
import { chatOperation } from '../operations/chat.ts'
import type { Translator } from '../calls/operation.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { vendorCodecs } from './index.ts'

/** The formats that only vendors speak: requests of every client, answers whole and as a stream cut at every byte, and errors. */
type Sample = {
  readonly name: VendorChatFormat
  readonly stream: string
  /** Absent: the vendor always streams. */
  readonly whole?: object
  /** Streams without usage are estimated. */
  readonly hasNoStreamUsage?: true
  /** Fields of the request's limit that the format carries. */
  readonly carriesLimit?: true
  /** The status of the first error inside a 200; 401 if the document states it. */
  readonly statusInDocument?: 402 | 502
  /** Carries tools and images. */
  readonly hasParts?: true
  readonly failing: string
  readonly errors: readonly (readonly [status: number, body: object, kind: string, real: number])[]
}

const sse = (...events: readonly (object | readonly [string, object])[]): string =>
  events
    .map((event) =>
      Array.isArray(event) ? `event: ${event[0]}\ndata: ${JSON.stringify(event[1])}\n\n` : `data: ${JSON.stringify(event)}\n\n`,
    )
    .join('')

const tencentError = (Code: string) => ({ Response: { Error: { Code, Message: Code }, RequestId: 'r1' } })

const SAMPLES: readonly Sample[] = [
  {
    name: 'dify-chat',
    stream: sse(
      { event: 'workflow_started', task_id: 't' },
      { event: 'message', message_id: 'm1', answer: 'Hello ' },
      { event: 'message', message_id: 'm1', answer: '世界' },
      { event: 'message_end', message_id: 'm1', metadata: { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } } },
    ),
    whole: { event: 'message', message_id: 'm1', answer: 'Hello 世界', metadata: { usage: { prompt_tokens: 7, completion_tokens: 3 } } },
    failing: sse(
      { event: 'message', message_id: 'm1', answer: 'Hel' },
      { event: 'error', status: 400, code: 'provider_quota_exceeded', message: 'Your quota is used up' },
    ),
    errors: [
      [401, { code: 'unauthorized', message: 'Access token is invalid', status: 401 }, 'refused', 401],
      [400, { code: 'provider_quota_exceeded', message: 'Your quota is used up', status: 400 }, 'refused', 402],
      [429, { code: 'too_many_requests', message: 'Slow down', status: 429 }, 'limited', 429],
    ],
  },
  {
    name: 'coze-chat',
    stream: sse(
      ['conversation.chat.created', { id: 'c1', status: 'created' }],
      ['conversation.message.delta', { role: 'assistant', type: 'answer', content: 'Hello ', content_type: 'text' }],
      ['conversation.message.delta', { role: 'assistant', type: 'answer', content: '世界', content_type: 'text' }],
      ['conversation.message.completed', { role: 'assistant', type: 'answer', content: 'Hello 世界' }],
      ['conversation.message.completed', { role: 'assistant', type: 'follow_up', content: 'More?' }],
      ['conversation.chat.completed', { id: 'c1', usage: { token_count: 10, input_count: 7, output_count: 3 } }],
      ['done', {}],
    ),
    failing: sse(
      ['conversation.chat.created', { id: 'c1' }],
      ['conversation.chat.failed', { id: 'c1', last_error: { code: 4028, msg: 'The free quota has been used up' } }],
    ),
    errors: [
      [200, { code: 4100, msg: 'authentication is invalid' }, 'refused', 401],
      [200, { code: 4013, msg: 'QPS limit exceeded' }, 'limited', 429],
      [404, { code: 4200, msg: 'bot does not exist' }, 'refused', 404],
    ],
  },
  {
    name: 'baidu-chat',
    stream: sse(
      { id: 'as-1', sentence_id: 0, is_end: false, result: 'Hello ' },
      { id: 'as-1', sentence_id: 1, is_end: true, result: '世界', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
    ),
    whole: { id: 'as-1', result: 'Hello 世界', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
    carriesLimit: true,
    failing: sse({ id: 'as-1', is_end: false, result: 'Hel' }, { error_code: 336_100, error_msg: 'try again' }),
    errors: [
      [200, { error_code: 110, error_msg: 'Access token invalid' }, 'refused', 401],
      [200, { error_code: 18, error_msg: 'Open api qps request limit reached' }, 'limited', 429],
      [200, { error_code: 17, error_msg: 'Open api daily request limit reached' }, 'refused', 402],
      [200, { error_code: 3, error_msg: 'Unsupported openapi method' }, 'refused', 404],
    ],
  },
  {
    name: 'bedrock-converse',
    stream: sse(
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hello ' } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: '世界' } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'end_turn' }],
      ['metadata', { usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 }, metrics: { latencyMs: 9 } }],
    ),
    whole: {
      output: { message: { role: 'assistant', content: [{ text: 'Hello ' }, { text: '世界' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
    },
    hasParts: true,
    statusInDocument: 502,
    carriesLimit: true,
    failing: sse(
      ['messageStart', { role: 'assistant' }],
      ['error', { type: 'error', error: { type: 'invalid_request_error', message: 'The model returned errors' } }],
    ),
    errors: [
      [403, { message: 'The security token included in the request is invalid.' }, 'refused', 403],
      [429, { message: 'Too many requests, please wait before trying again.' }, 'limited', 429],
      [400, { message: 'The provided model identifier is invalid.' }, 'refused', 400],
    ],
  },
  {
    name: 'tencent-chat',
    stream: sse(
      { Id: 't1', Created: 1, Choices: [{ Index: 0, Delta: { Role: 'assistant', Content: 'Hello ' }, FinishReason: '' }] },
      {
        Id: 't1',
        Choices: [{ Index: 0, Delta: { Role: 'assistant', Content: '世界' }, FinishReason: 'stop' }],
        Usage: { PromptTokens: 7, CompletionTokens: 3, TotalTokens: 10 },
      },
    ),
    whole: {
      Response: {
        Id: 't1',
        RequestId: 'r1',
        Choices: [{ Index: 0, Message: { Role: 'assistant', Content: 'Hello 世界' }, FinishReason: 'stop' }],
        Usage: { PromptTokens: 7, CompletionTokens: 3, TotalTokens: 10 },
      },
    },
    hasParts: true,
    failing: sse({ Id: 't1', Choices: [{ Delta: { Content: 'Hel' } }] }, { ErrorMsg: { Code: 4001, Msg: 'model timed out' } }),
    errors: [
      [200, tencentError('AuthFailure.SignatureFailure'), 'refused', 401],
      [200, tencentError('RequestLimitExceeded.UinLimitExceeded'), 'limited', 429],
      [200, tencentError('FailedOperation.ResourcePackExhausted'), 'refused', 402],
      [200, tencentError('InvalidParameterValue.Model'), 'refused', 404],
      [200, tencentError('InvalidParameterValue'), 'refused', 400],
    ],
  },
  {
    name: 'xunfei-chat',
    stream: sse(
      { header: { code: 0, sid: 's1', status: 0 }, payload: { choices: { status: 0, seq: 0, text: [{ content: 'Hello ', index: 0 }] } } },
      {
        header: { code: 0, sid: 's1', status: 2 },
        payload: {
          choices: { status: 2, seq: 1, text: [{ content: '世界', index: 0 }] },
          usage: { text: { question_tokens: 4, prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
        },
      },
    ),
    statusInDocument: 402,
    carriesLimit: true,
    failing: sse(
      { header: { code: 0, status: 0 }, payload: { choices: { status: 0, text: [{ content: 'Hel' }] } } },
      { header: { code: 10_110, message: 'the service is busy', status: 2 } },
    ),
    errors: [
      [200, { header: { code: 11_200, message: 'AppIdNoAuthError', sid: 's1' } }, 'refused', 402],
      [200, { header: { code: 11_202, message: 'AppIdQpsOverFlow' } }, 'limited', 429],
      [401, { message: 'HMAC signature cannot be verified' }, 'refused', 401],
    ],
  },
  {
    name: 'replicate-chat',
    stream: 'event: output\nid: 1:0\ndata: Hello \n\nevent: output\nid: 2:0\ndata: 世界\n\nevent: done\nid: 3:0\ndata: {}\n\n',
    whole: {
      id: 'p1',
      status: 'succeeded',
      output: ['Hello ', '世界'],
      metrics: { input_token_count: 7, output_token_count: 3, predict_time: 0.4 },
    },
    hasNoStreamUsage: true,
    carriesLimit: true,
    failing: 'event: output\ndata: Hel\n\nevent: error\ndata: {"detail":"CUDA out of memory"}\n\n',
    errors: [
      [401, { title: 'Unauthenticated', detail: 'You did not pass a valid authentication token', status: 401 }, 'refused', 401],
      [402, { title: 'Insufficient credit', detail: 'You have insufficient credit', status: 402 }, 'refused', 402],
      [404, { detail: 'The requested resource could not be found.', status: 404 }, 'refused', 404],
      [429, { detail: 'Request was throttled.', status: 429 }, 'limited', 429],
    ],
  },
]

/** Anthropic's clients always state one. */
const LIMITS = new Set(['max_output_tokens', 'max_tokens', 'inferenceConfig'])
const CLIENTS = Object.values(chatCodecs)

function translatorFor(client: ChatFormat, vendor: VendorChatFormat, file: string, isStream = false): Translator {
  const operation = chatOperation(chatCodecs[client])
  const raw = readFixture(requestFile(client, file))
  const decoded = operation.readRequest(JSON.parse(raw.toString()), { model: 'the-model', is_stream: isStream })
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return operation.createTranslator(vendor, {
    request: { ...decoded.request, is_stream: isStream },
    raw,
    content_type: 'application/json',
    request_id: 'request-1',
    created: 1_700_000_000,
    prompt_tokens: 11,
    count: () => {},
    settings: { default_max_tokens: () => 8192, safety_settings: [], makes_images: () => false },
  })
}

function formatFor(client: ChatFormat, file: string, vendor: VendorChatFormat): string | undefined {
  const operation = chatOperation(chatCodecs[client])
  const decoded = operation.readRequest(JSON.parse(readFixture(requestFile(client, file)).toString()), { model: 'm', is_stream: false })
  return decoded.kind === 'ok' ? operation.formatFor([vendor], decoded.request) : undefined
}

function eventsOf({ vendor }: VendorCodec, pieces: readonly Buffer[]) {
  const decoder = vendor.createDecoder()
  const pushed = pieces.flatMap((piece) => decoder.push(piece))
  const { events, ending } = decoder.end()
  return { events: [...pushed, ...events], ending }
}

const NO_USAGE = meaningOf([]).usage
const ANSWER = { text: 'Hello 世界', calls: [], finish: 'stop', failed: false, usage: [7, 3, 0, 0] }

describe.each(SAMPLES)(
  '$name',
  ({ name, stream, whole, failing, errors, hasNoStreamUsage, carriesLimit, hasParts, statusInDocument = 401 }) => {
    const codec: VendorCodec = vendorCodecs[name]

    it('says the same as a stream, however it is cut, and whole', () => {
      const bytes = Buffer.from(stream)
      for (let at = 0; at < bytes.length; at += 1) {
        const { events, ending } = eventsOf(codec, [bytes.subarray(0, at), bytes.subarray(at)])
        expect(ending).toBe('done')
        expect(meaningOf(events)).toMatchObject(hasNoStreamUsage ? { ...ANSWER, usage: NO_USAGE } : ANSWER)
      }
      if (whole !== undefined) expect(meaningOf(codec.vendor.decodeAnswer(whole))).toMatchObject(ANSWER)
    })

    it('is cut off without its last event', () => {
      expect(eventsOf(codec, [Buffer.from(stream.slice(0, stream.indexOf('世')))]).ending).toBe('cut')
    })

    it('fails inside a stream with what the vendor said', () => {
      const { events, ending } = eventsOf(codec, [Buffer.from(failing)])

      expect(ending).toBe('failed')
      expect(events.at(-1)).toMatchObject({ kind: 'failed', failure: { kind: 'refused' } })
    })

    it.each(errors)('maps an error with %i', (status, body, kind, real) => {
      expect(codec.vendor.decodeError(status, JSON.stringify(body))).toMatchObject({ kind, status: real })
      expect(codec.vendor.decodeError(502, '<h1>Bad gateway</h1>')).toMatchObject({ status: 502 })
    })

    it('does not take an error in a document for an answer', () => {
      expect(readEvents(codec.vendor.decodeAnswer(errors[0]?.[1]))).toMatchObject({ kind: 'failed', failure: { status: statusInDocument } })
      expect(readEvents(codec.vendor.decodeAnswer({}))).toMatchObject({ kind: 'failed', failure: { kind: 'malformed' } })
    })

    it.each(CLIENTS)('answers a client of $name', (client) => {
      const isDocument = whole !== undefined
      const bytes = Buffer.from(isDocument ? JSON.stringify(whole) : stream)
      const read = translatorFor(client.name, name, 'multi-turn').readWhole(bytes, isDocument ? 'application/json' : 'text/event-stream')
      if (read.kind === 'failed') throw new Error(read.failure.message)

      expect(meaningOfWhole(client.name, JSON.parse(read.bytes.toString()))).toMatchObject({ text: 'Hello 世界', usage: [7, 3, 0, 0] })
      expect(read.warnings).toEqual([])
    })

    it('sends the conversation as reviewed', () => {
      const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }
      const sent = CLIENTS.map(({ name: client }) => translatorFor(client, name, 'multi-turn', true).encode(encoding))

      const bodies = sent.map(({ body }) =>
        JSON.stringify(JSON.parse(body.toString(), (key, value: unknown) => (LIMITS.has(key) ? undefined : value))),
      )
      expect(new Set(bodies).size).toBe(1)
      expect(JSON.parse(bodies[0] ?? '')).toMatchSnapshot()
      expect(sent.map(({ warnings }) => warnings)).toEqual([[], [], ['max_tokens'].filter(() => carriesLimit !== true), []])
    })

    it('warns of marks for the vendor’s cache that it cannot carry', () => {
      const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }
      const { warnings } = translatorFor('anthropic-messages', name, 'cache-usage').encode(encoding)

      expect(warnings.some((warning) => /^cache( marks|_control)/.test(warning))).toBe(true)
    })

    it('leaves tools and inline images to other channels, unless it carries them', () => {
      const taken = hasParts ? name : undefined
      expect(CLIENTS.map((client) => formatFor(client.name, 'tools', name))).toEqual([taken, taken, taken, taken])
      expect(CLIENTS.map((client) => formatFor(client.name, 'image', name))).toEqual([taken, taken, taken, taken])
      expect(CLIENTS.map((client) => formatFor(client.name, 'plain', name))).toEqual([name, name, name, name])
    })
  },
)

it('writes an agent’s answer once, although Dify repeats it at the end', () => {
  const bytes = sse(
    { event: 'agent_message', message_id: 'm', answer: 'Hi' },
    { event: 'agent_thought', thought: 'x' },
    { event: 'message', message_id: 'm', answer: 'Hi' },
    { event: 'message_end', message_id: 'm' },
  )

  expect(meaningOf(eventsOf(vendorCodecs['dify-chat'], [Buffer.from(bytes)]).events).text).toBe('Hi')
})
