import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { judge, type ChannelFault } from '@tollgate/domain/channel-health/judge'
import { OutboundError } from '@tollgate/outbound/errors'
import { readMidjourneyRequest } from '@tollgate/providers/tasks/midjourney/request'
import { readSunoRequest } from '@tollgate/providers/tasks/suno/suno'
import type { TaskRequest } from '@tollgate/providers/tasks/task-family'
import { toVideoTask } from '@tollgate/providers/tasks/video/submission'
import { vendors } from '@tollgate/providers/vendors/index'
import { formatsOf, type Vendor } from '@tollgate/providers/vendors/vendor'
import { describe, expect, it } from 'vitest'
import { toUpstreamFailure } from './failure.ts'

/**
 * Every vendor of tasks, with each refusal of a submission that its reference describes: what the client gets and what happens to the
 * channel. A submission is sent once, so nothing is retried, and its answer is no stream that could be cut.
 */
type Fault = 'wrong key' | 'rate limit' | 'quota gone' | 'model unknown'
/** A body is undefined if there is none, and null if it is not JSON. */
type Answered = readonly [status: number, body: object | null | undefined]
type Bodies = Partial<Readonly<Record<Fault, Answered>>>

const openAi = (status: number, code: string): Answered => [status, { error: { code, message: code, type: 'error' } }]
const kling = (status: number, code: number): Answered => [status, { code, message: 'refused', request_id: 'r' }]

/** A vendor without an entry for a fault does not have it: proxies have no account, and their models no names. */
const BODIES: Readonly<Record<number, Bodies>> = {
  2: { 'wrong key': [401, undefined], 'rate limit': [429, undefined] },
  5: { 'wrong key': [401, undefined], 'rate limit': [429, { code: 23, description: 'the queue is full' }] },
  36: {
    'wrong key': [401, { code: 'unauthorized', message: 'invalid token' }],
    'rate limit': [429, { code: 'invalid_request', message: '429 Too Many Requests' }],
    'quota gone': [402, { code: 'invalid_request', message: '402 Payment Required' }],
  },
  50: { 'wrong key': kling(401, 1002), 'rate limit': kling(429, 1302), 'quota gone': kling(429, 1102), 'model unknown': kling(404, 1203) },
  51: {
    'wrong key': [401, { ResponseMetadata: { Error: { Code: 'SignatureDoesNotMatch', Message: 'no' } } }],
    'rate limit': [429, { code: 50_429, message: 'Request Has Reached API Limit' }],
  },
  52: {
    'wrong key': [401, { reason: 'Unauthorized', message: 'no' }],
    'rate limit': [429, { reason: 'TooManyRequests', message: 'wait' }],
  },
  54: {
    'wrong key': openAi(401, 'AuthenticationError'),
    'rate limit': openAi(429, 'RateLimitExceeded'),
    'model unknown': openAi(404, 'InvalidEndpointOrModel.NotFound'),
  },
  55: {
    'wrong key': openAi(401, 'invalid_api_key'),
    'rate limit': openAi(429, 'rate_limit_exceeded'),
    'quota gone': openAi(429, 'insufficient_quota'),
    'model unknown': openAi(404, 'model_not_found'),
  },
}

/** Status for the client, and what the channel is blamed for. */
const EXPECTED: Readonly<Record<Fault, readonly [status: number, fault: ChannelFault | undefined]>> = {
  'wrong key': [502, 'key'],
  'rate limit': [429, undefined],
  'quota gone': [502, 'money'],
  'model unknown': [404, undefined],
}

const TASKS = ['midjourney', 'suno', 'video'] as const
const familyOf = (vendor: Vendor) => TASKS.find((family) => formatsOf(vendor, 'm').includes(family))
const ofTasks = Object.values(vendors).flatMap((vendor) => {
  const family = familyOf(vendor)
  return family === undefined ? [] : [{ name: vendor.name.en, type: vendor.channelType, family }]
})

function requestOf(family: (typeof TASKS)[number]): TaskRequest {
  if (family === 'video')
    return toVideoTask({ model: 'm', prompt: 'a boat', images: [], seconds: undefined, size: '', metadata: {}, callback_url: '' })
  const read =
    family === 'suno' ? readSunoRequest('music', { prompt: 'la' }) : readMidjourneyRequest('submit/imagine', { prompt: 'a boat' })
  if (read.kind === 'refused') throw new Error('the submission is valid')
  return read.request
}

const judged = (failure: UpstreamFailure, channel_type: number) =>
  judge(failure, {
    retries_left: 0,
    is_pinned: false,
    channel_type,
    status_code_mapping: {},
    auto_disable: { is_enabled: true, auto_ban: true, keywords: [] },
    has_sent_bytes: false,
  })

it('covers every vendor of tasks', () => {
  expect(Object.keys(BODIES).map(Number)).toEqual(ofTasks.map(({ type }) => type))
})

describe.each(ofTasks)('$name', ({ type, family }) => {
  const refusedWith = ([status, body]: Answered) => {
    const read = requestOf(family).read(status, body, { channelType: type, model: 'm' })
    if (read.kind === 'task') throw new Error('a refusal was taken for a task')
    return judged(read.failure, type)
  }
  const bodies = BODIES[type] ?? {}

  it.each(Object.keys(EXPECTED).filter((name): name is Fault => name in bodies))('%s', (name) => {
    const [status, fault] = EXPECTED[name]
    const { disable_reason, ...result } = refusedWith(bodies[name] ?? [0, null])

    expect(result).toMatchObject({ retry: 'no', status, fault })
    expect(disable_reason === undefined).toBe(fault === undefined)
  })

  it.each([
    ['without a body', undefined],
    ['with a page instead of JSON', null],
  ])('a refused key %s', (_, body) => {
    expect(refusedWith([401, body])).toMatchObject({ status: 502, fault: 'key' })
    expect(refusedWith([429, body])).toMatchObject({ status: 429, fault: undefined })
    expect(refusedWith([503, body])).toMatchObject({ status: 503, fault: undefined })
  })

  it('an answer that cannot be read is a 502 for the client and no fault of the channel', () => {
    expect(refusedWith([200, null])).toMatchObject({ fault: undefined, disable_reason: undefined })
  })

  it('a slow head is a 504 for the client', () => {
    expect(judged(toUpstreamFailure(new OutboundError('timeout', 'no first byte')), type)).toMatchObject({ status: 504, fault: undefined })
  })
})
