import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { findVideoVendor } from './index.ts'
import { readArkRequest } from './native-ark.ts'
import { renderVideo } from './render-video.ts'
import { CALLBACK_RULE, readVideoRequest, type VideoRequest } from './video-request.ts'
import type { CredentialInput, Digests } from '../task-family.ts'
import type { VideoVendor } from './video-vendor.ts'

const digests: Digests = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
}

function vendorOf(channelType: number): VideoVendor {
  const vendor = findVideoVendor(channelType)
  if (vendor === undefined) throw new Error(`no video vendor for ${channelType}`)
  return vendor
}

const aRequest = (change: Partial<VideoRequest> = {}): VideoRequest => ({
  model: 'm',
  prompt: 'a boat',
  images: [],
  seconds: undefined,
  size: '',
  metadata: {},
  callback_url: '',
  ...change,
})

describe('reading a request', () => {
  it('takes images, seconds and the vendor’s own fields from wherever clients put them', () => {
    const body = {
      model: 'm',
      prompt: 'a boat',
      input_reference: 'https://a/1.png',
      images: ['https://a/2.png'],
      seconds: '8',
      mode: 'pro',
    }

    expect(readVideoRequest({ ...body, size: '1280x720', metadata: { seed: 7 } })).toEqual({
      kind: 'request',
      request: {
        model: 'm',
        prompt: 'a boat',
        images: ['https://a/1.png', 'https://a/2.png'],
        seconds: 8,
        size: '1280x720',
        metadata: { mode: 'pro', seed: 7 },
        callback_url: '',
      },
    })
    expect(readVideoRequest({ model: 'm', prompt: 'p', duration: 5 })).toMatchObject({ request: { seconds: 5 } })
  })

  it.each([
    ['no model', { prompt: 'p' }, 'invalid_request', 'model is required'],
    ['a blank prompt', { model: 'm', prompt: ' ' }, 'invalid_request', 'prompt is required'],
    ['no second', { model: 'm', prompt: 'p', seconds: 0 }, 'invalid_seconds', 'seconds must be a whole number from 1 to 3600'],
    ['half a second', { model: 'm', prompt: 'p', seconds: '1.5' }, 'invalid_seconds', 'seconds must be a whole number from 1 to 3600'],
    ['an hour and more', { model: 'm', prompt: 'p', seconds: 3601 }, 'invalid_seconds', 'seconds must be a whole number from 1 to 3600'],
    [
      'an image that is no text',
      { model: 'm', prompt: 'p', image: 5 },
      'invalid_request',
      'images must be at most 20 addresses or data URLs',
    ],
    [
      'another model behind the priced one',
      { model: 'm', prompt: 'p', metadata: '{"model_name":"dear","duration":60}' },
      'invalid_request',
      'metadata must not contain model_name, duration',
    ],
  ])('refuses %s', (_what, body, code, message) => {
    expect(readVideoRequest(body)).toEqual({ kind: 'refused', code, message })
  })
})

describe('submissions', () => {
  it.each<[string, number, Partial<VideoRequest>, unknown]>([
    [
      'Kling, text',
      50,
      { seconds: 5, size: '1280x720', metadata: { mode: 'pro' } },
      { path: '/v1/videos/text2video', body: { model_name: 'm', prompt: 'a boat', duration: '5', aspect_ratio: '16:9', mode: 'pro' } },
    ],
    [
      'Kling, first and last image',
      50,
      { images: ['data:image/png;base64,AAAA', 'https://a/2.png'] },
      { path: '/v1/videos/image2video', body: { model_name: 'm', prompt: 'a boat', image: 'AAAA', image_tail: 'https://a/2.png' } },
    ],
    [
      'Jimeng, ten seconds',
      51,
      { seconds: 10, size: '720x1280' },
      {
        path: '/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31',
        body: { req_key: 'm', prompt: 'a boat', frames: 241, aspect_ratio: '9:16' },
      },
    ],
    [
      'Jimeng, an inline image',
      51,
      { images: ['data:image/png;base64,AAAA'], seconds: 5 },
      { body: { req_key: 'm', prompt: 'a boat', frames: 121, binary_data_base64: ['AAAA'] } },
    ],
    [
      'Vidu, text',
      52,
      { seconds: 8, size: '1280x720' },
      { path: '/ent/v2/text2video', body: { model: 'm', prompt: 'a boat', duration: 8, resolution: '720p', aspect_ratio: '16:9' } },
    ],
    ['Vidu, an image', 52, { images: ['a'] }, { path: '/ent/v2/img2video', body: { model: 'm', prompt: 'a boat', images: ['a'] } }],
    ['Vidu, first and last image', 52, { images: ['a', 'b'] }, { path: '/ent/v2/start-end2video' }],
    ['Vidu, references', 52, { images: ['a', 'b', 'c'] }, { path: '/ent/v2/reference2video' }],
    [
      'Doubao, text',
      54,
      { seconds: 5, size: '1280x720' },
      {
        path: '/api/v3/contents/generations/tasks',
        body: { model: 'm', content: [{ type: 'text', text: 'a boat' }], duration: 5, ratio: '16:9', resolution: '720p' },
      },
    ],
    [
      'Doubao, an image and a command of the client',
      54,
      { seconds: 5, prompt: 'a boat --dur 10', images: ['https://a/1.png'] },
      {
        body: {
          model: 'm',
          content: [
            { type: 'text', text: 'a boat --dur 10' },
            { type: 'image_url', image_url: { url: 'https://a/1.png' } },
          ],
        },
      },
    ],
    [
      'Doubao, the first and the last image',
      54,
      { images: ['https://a/1.png', 'https://a/2.png'] },
      {
        body: {
          model: 'm',
          content: [
            { type: 'text', text: 'a boat' },
            { type: 'image_url', image_url: { url: 'https://a/1.png' }, role: 'first_frame' },
            { type: 'image_url', image_url: { url: 'https://a/2.png' }, role: 'last_frame' },
          ],
        },
      },
    ],
    [
      'Doubao, references',
      54,
      { images: ['https://a/1.png', 'https://a/2.png', 'https://a/3.png'] },
      {
        body: {
          model: 'm',
          content: [
            { type: 'text', text: 'a boat' },
            { type: 'image_url', image_url: { url: 'https://a/1.png' }, role: 'reference_image' },
            { type: 'image_url', image_url: { url: 'https://a/2.png' }, role: 'reference_image' },
            { type: 'image_url', image_url: { url: 'https://a/3.png' }, role: 'reference_image' },
          ],
        },
      },
    ],
    [
      'Doubao, references of another shape',
      54,
      { images: ['https://a/1.png', 'https://a/2.png', 'https://a/3.png'], size: '1080x1920', seconds: 10 },
      {
        body: {
          model: 'm',
          content: [
            { type: 'text', text: 'a boat' },
            ...[1, 2, 3].map((at) => ({ type: 'image_url', image_url: { url: `https://a/${at}.png` }, role: 'reference_image' })),
          ],
          duration: 10,
          ratio: '9:16',
          resolution: '1080p',
        },
      },
    ],
    // Two of the four sizes of openai 7.57 have shapes that no other vendor has.
    ...(
      [
        ['1792x1024', '16:9', '1080p'],
        ['1024x1792', '9:16', '1080p'],
        ['854x480', '16:9', '480p'],
        ['7:4', '16:9', undefined],
      ] as const
    ).flatMap(([size, ratio, resolution]): [string, number, Partial<VideoRequest>, object][] => [
      [`Kling, size ${size}`, 50, { size }, { body: { model_name: 'm', prompt: 'a boat', aspect_ratio: ratio } }],
      [`Jimeng, size ${size}`, 51, { size }, { body: { req_key: 'm', prompt: 'a boat', aspect_ratio: ratio } }],
      [
        `Doubao, size ${size}`,
        54,
        { size },
        {
          body: {
            model: 'm',
            content: [{ type: 'text', text: 'a boat' }],
            ratio,
            ...(resolution === undefined ? {} : { resolution }),
          },
        },
      ],
    ]),
    ['Vidu, a size of OpenAI', 52, { size: '1792x1024' }, { body: { model: 'm', prompt: 'a boat', aspect_ratio: '16:9' } }],
    [
      'Sora',
      55,
      { seconds: 8, size: '1280x720', images: ['https://a/1.png'] },
      {
        path: '/v1/videos',
        body: { model: 'm', prompt: 'a boat', seconds: '8', size: '1280x720', input_reference: { image_url: 'https://a/1.png' } },
      },
    ],
  ])('are encoded for %s', (_what, channelType, change, call) => {
    const encoded = vendorOf(channelType).submit(aRequest(change), 'task_1')

    expect(encoded).toMatchObject({ method: 'POST', ...(call as object) })
    const { body } = call as { readonly body?: object }
    if (body !== undefined)
      expect(
        Object.keys(encoded.body ?? {})
          .filter((name) => name !== 'external_task_id')
          .toSorted(),
      ).toEqual(Object.keys(body).toSorted())
  })

  it.each([
    ['Kling', 50, { code: 0, data: { task_id: '7' } }, 'text2video/7', { method: 'GET', path: '/v1/videos/text2video/7' }],
    [
      'Jimeng',
      51,
      { code: 10_000, data: { task_id: '7' } },
      'm/7',
      { method: 'POST', path: '/?Action=CVSync2AsyncGetResult&Version=2022-08-31', body: { req_key: 'm', task_id: '7' } },
    ],
    ['Vidu', 52, { task_id: '7', state: 'created' }, '7', { method: 'GET', path: '/ent/v2/tasks/7/creations' }],
    ['Doubao', 54, { id: 'cgt-7' }, 'cgt-7', { method: 'GET', path: '/api/v3/contents/generations/tasks/cgt-7' }],
    ['Sora', 55, { id: 'video_7', status: 'queued' }, 'video_7', { method: 'GET', path: '/v1/videos/video_7' }],
  ])('of %s give what the next poll needs', (_vendor, channelType, body, vendor_task_id, poll) => {
    const vendor = vendorOf(channelType)

    expect(vendor.readSubmission(200, body, aRequest())).toEqual({ kind: 'accepted', vendor_task_id })
    expect(vendor.poll(vendor_task_id)).toEqual(poll)
  })

  it.each([
    ['Kling', 50, 200, { code: 1201, message: 'bad model' }, { kind: 'refused', status: 400, code: '1201', message: 'bad model' }],
    ['Kling under load', 50, 429, { code: 1303, message: 'busy' }, { kind: 'limited', status: 429, code: '1303', message: 'busy' }],
    ['Jimeng', 51, 200, { code: 50_411, message: 'risk' }, { kind: 'refused', status: 400, code: '50411', message: 'risk' }],
    ['Vidu', 52, 400, { reason: 'FieldInvalid', message: 'no' }, { kind: 'refused', status: 400, code: 'FieldInvalid', message: 'no' }],
    ['Doubao', 54, 401, { error: { code: 'Auth', message: 'no' } }, { kind: 'refused', status: 401, code: 'Auth', message: 'no' }],
    ['Sora without a text', 55, 500, {}, { kind: 'refused', status: 500, code: '', message: 'the upstream refused the video' }],
    ['Sora without JSON', 55, 502, undefined, { kind: 'refused', status: 502, message: 'the upstream answered without a JSON object' }],
  ])('that %s refuses have its code and text', (_what, channelType, status, body, failure) => {
    expect(vendorOf(channelType).readSubmission(status, body, aRequest())).toEqual({ kind: 'failed', failure })
  })
})

describe('polls', () => {
  const url = 'https://a/v.mp4'
  const done = { state: 'success', status: 'SUCCESS', progress: '100%', media: [{ kind: 'video', url }] }

  it.each([
    [
      'Kling',
      50,
      { code: 0, data: { task_status: 'processing' } },
      { state: 'in_progress', status: 'IN_PROGRESS', progress: '50%', media: [] },
    ],
    ['Kling', 50, { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ url }] } } }, done],
    ['Kling', 50, { code: 0, data: { task_status: 'failed', task_status_msg: 'risk' } }, { state: 'failure', fail_reason: 'risk' }],
    ['Kling', 50, { code: 0, data: { task_status: 'dreaming' } }, { state: 'unknown', status: 'UNKNOWN', unread: 'dreaming' }],
    ['Jimeng', 51, { code: 10_000, data: { status: 'in_queue' } }, { state: 'queued', status: 'QUEUED' }],
    ['Jimeng', 51, { code: 10_000, message: 'Success', data: { status: 'done', video_url: url } }, done],
    ['Jimeng without a video', 51, { code: 50_511, message: 'risk', data: { status: 'done' } }, { state: 'failure', fail_reason: 'risk' }],
    [
      'Jimeng with pictures',
      51,
      { code: 10_000, data: { status: 'done', image_urls: [url] } },
      { ...done, media: [{ kind: 'image', url }] },
    ],
    [
      'Kling, with the length of its video',
      50,
      { code: 0, data: { task_status: 'succeed', task_result: { videos: [{ url, duration: '5.1' }] } } },
      { ...done, seconds: 5 },
    ],
    [
      'Doubao, with what it bills',
      54,
      { status: 'succeeded', duration: 5, usage: { completion_tokens: 9 }, content: { video_url: url } },
      { ...done, seconds: 5, tokens: 9 },
    ],
    ['Jimeng after a day', 51, { code: 10_000, data: { status: 'expired' } }, { state: 'failure', status: 'FAILURE' }],
    ['Vidu', 52, { state: 'queueing' }, { state: 'queued' }],
    ['Vidu', 52, { state: 'success', creations: [{ url }] }, done],
    ['Vidu', 52, { state: 'failed', err_code: 'AuditSubmitIllegal' }, { state: 'failure', fail_reason: 'AuditSubmitIllegal' }],
    ['Doubao', 54, { status: 'running' }, { state: 'in_progress' }],
    ['Doubao', 54, { status: 'succeeded', content: { video_url: url } }, done],
    ['Doubao after its time', 54, { status: 'expired' }, { state: 'failure', status: 'FAILURE' }],
    ['Doubao', 54, { status: 'failed', error: { code: 'Risk', message: 'no' } }, { state: 'failure', fail_reason: 'Risk: no' }],
    ['Gemini', 24, { status: 'in_progress' }, { state: 'in_progress' }],
    ['Gemini', 24, { status: 'budget_exceeded' }, { state: 'failure' }],
    ['Sora', 55, { status: 'in_progress', progress: 42 }, { state: 'in_progress', progress: '42%' }],
    ['Sora', 55, { status: 'completed', progress: 100 }, { state: 'success', progress: '100%', media: [] }],
    ['Sora', 55, { status: 'failed', error: null }, { state: 'failure', fail_reason: 'the upstream reported a failure' }],
  ])('of %s are read: %j', (_vendor, channelType, body, report) => {
    expect(vendorOf(channelType).readReport('7', body)).toMatchObject({ vendor_task_id: '7', ...report })
  })

  it.each([
    [50, { code: 1200, message: 'busy' }],
    [51, { code: 50_430, message: 'busy' }],
    [52, { message: 'busy' }],
    [54, { error: { message: 'busy' } }],
    [55, 'not JSON'],
    [24, { error: { message: 'busy' } }],
  ])('that say nothing about the task are not read: type %i', (channelType, body) => {
    expect(vendorOf(channelType).readReport('7', body)).toBeUndefined()
  })

  it('of Sora lead to bytes that need the key', () => {
    expect(vendorOf(55).content?.('video_7', { data: {} })).toEqual({ method: 'GET', path: '/v1/videos/video_7/content' })
  })
})

describe('credentials', () => {
  const input = (key: string): CredentialInput => ({
    key,
    call: { method: 'POST', path: '/?Version=2022-08-31&Action=CVSync2AsyncGetResult', body: { req_key: 'm' } },
    host: 'visual.volcengineapi.com',
    now: Date.UTC(2026, 10, 23, 17),
    digests,
  })

  it.each([
    [52, 'Token k'],
    [54, 'Bearer k'],
    [55, 'Bearer k'],
    [50, 'Bearer k'],
    [51, 'Bearer k'],
  ])('of type %i are the key itself', (channelType, authorization) => {
    expect(vendorOf(channelType).credential(input('k'))['authorization']).toBe(authorization)
  })

  it('of Kling are a token of half an hour, signed with the secret', () => {
    const token = vendorOf(50).credential(input('access|secret'))['authorization']?.replace('Bearer ', '') ?? ''

    const [head = '', claims = '', signature] = token.split('.')
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    const seconds = Date.UTC(2026, 10, 23, 17) / 1000
    expect([decode(head), decode(claims)]).toEqual([
      { alg: 'HS256', typ: 'JWT' },
      { iss: 'access', exp: seconds + 1800, nbf: seconds - 5 },
    ])
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'))
  })

  it('of Jimeng sign method, sorted query, host, time and body', () => {
    const hash = digests.sha256('{"req_key":"m"}')
    const canonical = [
      'POST',
      '/',
      'Action=CVSync2AsyncGetResult&Version=2022-08-31',
      `content-type:application/json\nhost:visual.volcengineapi.com\nx-content-sha256:${hash}\nx-date:20261123T170000Z\n`,
      'content-type;host;x-content-sha256;x-date',
      hash,
    ].join('\n')
    const toSign = `HMAC-SHA256\n20261123T170000Z\n20261123/cn-north-1/cv/request\n${digests.sha256(canonical)}`
    const signingKey = ['20261123', 'cn-north-1', 'cv', 'request'].reduce<string | Uint8Array>(digests.hmacSha256, 'secret')
    const signature = Buffer.from(digests.hmacSha256(signingKey, toSign)).toString('hex')

    expect(vendorOf(51).credential(input('access|secret'))).toEqual({
      'content-type': 'application/json',
      'x-date': '20261123T170000Z',
      'x-content-sha256': hash,
      authorization: `HMAC-SHA256 Credential=access/20261123/cn-north-1/cv/request, SignedHeaders=content-type;host;x-content-sha256;x-date, Signature=${signature}`,
    })
  })
})

describe('an order of Ark’s own client', () => {
  const given = {
    model: 'm',
    content: [
      { type: 'text', text: 'a boat' },
      { type: 'image_url', image_url: { url: 'https://a/1.png' }, role: 'reference_image' },
    ],
    duration: 5,
    resolution: '720p',
    ratio: '16:9',
    service_tier: 'flex',
    seed: null,
    callback_url: null,
  }

  it('reaches Ark as it was written', () => {
    const read = readArkRequest(given)
    const request = read.kind === 'request' ? read.request : aRequest({})

    expect(request).toMatchObject({ model: 'm', prompt: 'a boat', images: ['https://a/1.png'], seconds: 5, size: '' })
    const { seed: _seed, callback_url: _callback, ...sent } = given
    expect(vendorOf(54).submit(request, 'task_1').body).toEqual(sent)
  })

  it('has a number of frames in place of seconds', () => {
    const read = readArkRequest({ ...given, duration: null, frames: 125 })
    const request = read.kind === 'request' ? read.request : aRequest({})

    expect(request.seconds).toBe(6)
    expect(vendorOf(54).submit(request, 'task_1').body).toMatchObject({ frames: 125 })
    expect(vendorOf(54).submit(request, 'task_1').body).not.toHaveProperty('duration')
  })

  it.each([
    [{ model: '' }, 'model is required'],
    [{ content: [] }, 'content is required'],
    [{ content: [{ type: 'video_url', video_url: { url: 'https://a/1.mp4' } }] }, 'content: video_url is not offered by this gateway'],
    [{ duration: -1 }, 'duration must be a whole number from 1 to 3600'],
    [{ callback_url: 'http://a' }, CALLBACK_RULE],
  ])('is refused: %j', (change, message) => {
    expect(readArkRequest({ ...given, ...change })).toMatchObject({ kind: 'refused', message })
  })
})

describe('a video', () => {
  const task: TaskRecord = {
    task_id: 'task_1',
    family: 'video',
    platform: 'kling',
    user_id: 1,
    channel_id: 2,
    channel_key: '',
    vendor_task_id: 'text2video/7',
    action: 'VIDEO',
    model: 'kling-v2-master',
    state: 'success',
    status: 'SUCCESS',
    progress: '100%',
    prompt: 'a boat',
    prompt_en: '',
    description: '',
    fail_reason: '',
    image_url: '',
    media: [{ kind: 'video', url: 'https://a/v.mp4' }],
    stored: [],
    properties: { seconds: '5', size: '1280x720' },
    data: null,
    quota: 1,
    submit_time: 1_000,
    start_time: 0,
    finish_time: 9_000,
  }

  it('is shown as OpenAI shows it, without the vendor’s id', () => {
    const video = renderVideo(task)

    expect(video).toMatchObject({
      id: 'task_1',
      object: 'video',
      status: 'completed',
      progress: 100,
      created_at: 1,
      completed_at: 9,
      seconds: '5',
      size: '1280x720',
      error: null,
      metadata: { url: 'https://a/v.mp4' },
    })
    expect(JSON.stringify(video)).not.toContain('text2video/7')
  })

  it.each([
    ['failure', 'failed', { code: 'generation_failed', message: 'risk' }],
    ['expired', 'failed', { code: 'expired', message: 'risk' }],
    ['queued', 'queued', null],
    ['not_started', 'queued', null],
    ['in_progress', 'in_progress', null],
    ['unknown', 'queued', null],
  ] as const)('in state %s is %s', (state, status, error) => {
    expect(renderVideo({ ...task, state, fail_reason: 'risk' })).toMatchObject({ status, error })
  })
})
