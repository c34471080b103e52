import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { judge, type ChannelFault } from '@tollgate/domain/channel-health/judge'
import { OutboundError } from '@tollgate/outbound/errors'
import { catalogue } from '@tollgate/providers/catalogue'
import { openAiChat } from '@tollgate/providers/chat/formats/openai-chat/index'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { embeddings } from '@tollgate/providers/operations/embeddings'
import type { Translator } from '@tollgate/providers/calls/operation'
import { findVendor, vendors, type Vendor } from '@tollgate/providers/vendors/index'
import { formatsOf } from '@tollgate/providers/vendors/vendor'
import { describe, expect, it } from 'vitest'
import { prepareSample, sampleOther } from '../test/prepare-sample.ts'
import { toUpstreamFailure } from './failure.ts'

/**
 * Every vendor that speaks, with each thing that goes wrong: what the client gets and what happens to the channel. Bodies follow the
 * vendor's format, or its own error codes.
 */
type Fault = 'wrong key' | 'rate limit' | 'quota gone' | 'model unknown'
type Answered = readonly [status: number, body: object]
type Bodies = Readonly<Record<Fault, Answered>>

const openAi: Bodies = {
  'wrong key': [401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } }],
  'rate limit': [429, { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } }],
  'quota gone': [429, { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } }],
  'model unknown': [404, { error: { message: 'The model does not exist', type: 'invalid_request_error', code: 'model_not_found' } }],
}

const flat = (code: string, message: string, entries: Readonly<Record<Fault, readonly [number, string | number]>>): Bodies => {
  const body = (fault: Fault): Answered => [entries[fault][0], { [code]: entries[fault][1], [message]: fault }]
  return {
    'wrong key': body('wrong key'),
    'rate limit': body('rate limit'),
    'quota gone': body('quota gone'),
    'model unknown': body('model unknown'),
  }
}

const anthropic = (type: string, status: number): Answered => [status, { type: 'error', error: { type, message: type } }]
const google = (status: string, code: number, details: readonly object[] = []): Answered => [
  code,
  { error: { code, status, message: status, details } },
]
const tencent = (Code: string): Answered => [200, { Response: { Error: { Code, Message: Code }, RequestId: 'r' } }]
const xunfei = (code: number): Answered => [200, { header: { code, message: 'no', sid: 's' } }]
const reason = (text: string) => [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: text }]

const BY_FORMAT: Partial<Record<ApiFormat, Bodies>> = {
  'anthropic-messages': {
    'wrong key': anthropic('authentication_error', 401),
    'rate limit': anthropic('rate_limit_error', 429),
    'quota gone': anthropic('billing_error', 402),
    'model unknown': anthropic('not_found_error', 404),
  },
  gemini: {
    'wrong key': google('INVALID_ARGUMENT', 400, reason('API_KEY_INVALID')),
    'rate limit': google('RESOURCE_EXHAUSTED', 429),
    'quota gone': google('PERMISSION_DENIED', 403, reason('BILLING_DISABLED')),
    'model unknown': google('NOT_FOUND', 404),
  },
  'dify-chat': flat('code', 'message', {
    'wrong key': [401, 'unauthorized'],
    'rate limit': [429, 'too_many_requests'],
    'quota gone': [400, 'provider_quota_exceeded'],
    'model unknown': [400, 'model_currently_not_support'],
  }),
  'replicate-chat': flat('title', 'detail', {
    'wrong key': [401, 'Unauthenticated'],
    'rate limit': [429, 'Throttled'],
    'quota gone': [402, 'Insufficient credit'],
    'model unknown': [404, 'Not found'],
  }),
  'coze-chat': flat('code', 'msg', {
    'wrong key': [200, 4100],
    'rate limit': [200, 4013],
    'quota gone': [200, 4028],
    'model unknown': [200, 4200],
  }),
  'tencent-chat': {
    'wrong key': tencent('AuthFailure.SecretIdNotFound'),
    'rate limit': tencent('RequestLimitExceeded'),
    'quota gone': tencent('FailedOperation.FreeResourcePackExhausted'),
    'model unknown': tencent('InvalidParameterValue.Model'),
  },
  'xunfei-chat': {
    'wrong key': [401, { message: 'HMAC signature cannot be verified' }],
    'rate limit': xunfei(11_202),
    'quota gone': xunfei(11_200),
    'model unknown': xunfei(10_404),
  },
  'baidu-chat': flat('error_code', 'error_msg', {
    'wrong key': [200, 110],
    'rate limit': [200, 18],
    'quota gone': [200, 17],
    'model unknown': [200, 3],
  }),
}

const minimax = (status_code: number): Answered => [200, { base_resp: { status_code, status_msg: 'no' } }]

/** Vendors that state errors by codes of their own. */
const BY_TYPE: Readonly<Record<number, Bodies>> = {
  35: { ...openAi, 'wrong key': minimax(1004), 'rate limit': minimax(1002), 'quota gone': minimax(1008) },
}

/** Status for the client if no other channel is left, and what the channel is blamed for. */
const EXPECTED: Readonly<Record<Fault, readonly [status: number, fault: ChannelFault | undefined]>> = {
  'wrong key': [502, 'key'],
  'rate limit': [429, undefined],
  'quota gone': [502, 'money'],
  'model unknown': [404, undefined],
}

const chat = chatOperation(openAiChat)

type Credentials = { readonly key?: string | undefined; readonly other?: string | undefined }

/** The translator of a request to the vendor, as the relay prepares it. */
function translatorOf(type: number, isStream: boolean, credentials: Credentials): Translator {
  const vendor = findVendor(type)
  const operation = vendor !== undefined && servesChat(vendor) ? chat : embeddings
  const body = operation === chat ? { model: 'm', messages: [{ role: 'user', content: 'Hi' }] } : { model: 'm', input: 'Hi' }
  const prepared = prepareSample({ operation, body: { ...body, ...(isStream ? { stream: true } : {}) }, type, ...credentials })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind === 'unsupported' ? prepared.detail : prepared.kind)
  return prepared.translator
}

const servesChat = (vendor: Vendor) =>
  formatsOf(vendor, 'm', sampleOther(vendor.channelType)).some(
    (format) => format === 'openai-chat' || format === 'openai-responses' || format in BY_FORMAT,
  )

const judged = (failure: UpstreamFailure, channel_type: number, has_sent_bytes = false) =>
  judge(failure, {
    retries_left: 1,
    is_pinned: false,
    channel_type,
    status_code_mapping: {},
    auto_disable: { is_enabled: true, auto_ban: true, keywords: [] },
    has_sent_bytes,
  })

const isChatOrEmbeddings = (vendor: Vendor) => servesChat(vendor) || formatsOf(vendor, 'm').includes('openai-embeddings')
const speaking = Object.values(vendors).filter(isChatOrEmbeddings)

it('covers every type that can be chosen, except those of tasks, which task-failures.test.ts has', () => {
  const offered = Object.values(vendors).filter(({ channelType }) =>
    catalogue.some(({ type, isSelectable }) => type === channelType && isSelectable),
  )
  const hasTasks = (vendor: Vendor) => formatsOf(vendor, 'm').every((format) => TASKS.includes(format))

  expect(offered.length).toBeGreaterThan(40)
  expect(offered.filter((vendor) => !speaking.includes(vendor) && !hasTasks(vendor)).map(({ name }) => name.en)).toEqual([])
})

const TASKS: readonly ApiFormat[] = ['midjourney', 'suno', 'video']

type Caller = { readonly name: string; readonly type: number; readonly key?: string; readonly other?: string }
/** Some keys and versions call another API of the vendor. */
const OTHER_APIS: readonly Caller[] = [
  { name: 'Tencent Hunyuan, signed', type: 23, key: 'app|id|secret' },
  { name: 'iFlytek Spark, by WebSocket', type: 18, key: 'app|secret|name', other: 'v2.1' },
]
const callers: readonly Caller[] = [
  ...speaking.map(({ name, channelType }): Caller => ({ name: name.en, type: channelType })),
  ...OTHER_APIS,
]

describe.each(callers)('$name', ({ type, key, other }) => {
  const whole = translatorOf(type, false, { key, other })
  const bodies = BY_TYPE[type] ?? BY_FORMAT[whole.format] ?? openAi

  it.each(Object.keys(EXPECTED).filter((name): name is Fault => name in EXPECTED))('%s', (name) => {
    const [status, body] = bodies[name]
    const text = JSON.stringify(body)
    const read = status === 200 ? whole.readWhole(Buffer.from(text), 'application/json') : undefined
    if (read?.kind === 'answer') throw new Error('an error was taken for an answer')
    const failure = read?.failure ?? whole.decodeError(status, text)
    const [client, fault] = EXPECTED[name]
    const { retry, ...result } = judged(failure, type)

    expect(retry).toBe('other-channel')
    expect(result).toMatchObject({ status: client, fault })
    expect(result.disable_reason === undefined).toBe(fault === undefined)
  })

  it('a cut stream is no complete answer, and nothing is retried after its first byte', () => {
    if (whole.format === 'openai-embeddings') {
      expect(whole.streamType('text/event-stream')).toBeUndefined()
      return
    }
    const stream = translatorOf(type, true, { key, other }).openStream()
    stream.push(Buffer.from('d'))

    // Gemini’s format calls a stream without any candidate failed.
    expect(['cut', 'failed']).toContain(stream.close().ending)
    expect(judged({ kind: 'network', message: 'reset' }, type, true).retry).toBe('no')
  })

  it('a slow head goes to another channel, and is a 504 for the client', () => {
    const failure = toUpstreamFailure(new OutboundError('timeout', 'no first byte'))

    expect(judged(failure, type)).toMatchObject({ retry: 'other-channel', status: 504, fault: undefined, disable_reason: undefined })
  })
})
