import { expect, it } from 'vitest'
import { images } from './images.ts'

const FORMATS = ['replicate-chat', 'replicate-images'] as const

function translatorOf(body: object) {
  const read = images.readRequest({ model: 'black-forest-labs/flux-1.1-pro', prompt: 'A fox', ...body }, {})
  if (read.kind === 'invalid') throw new Error(read.detail)
  const { request } = read
  const format = images.formatFor(FORMATS, request)
  if (format === undefined) return undefined
  return images.createTranslator(format, {
    request,
    raw: Buffer.from('{}'),
    content_type: 'application/json',
    request_id: 'r',
    created: 1_700_000_000,
    prompt_tokens: 2,
    count: () => {},
    settings: { default_max_tokens: () => 1, safety_settings: [], makes_images: () => false },
  })
}

const encoding = { upstream_model: 'm', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }

it.each([
  [{}, { prompt: 'A fox' }, []],
  [{ size: '1024x1024' }, { prompt: 'A fox', aspect_ratio: '1:1' }, ['size: sent as the ratio 1:1']],
  [{ size: '1792x1024', n: 2 }, { prompt: 'A fox', aspect_ratio: '16:9', num_outputs: 2 }, ['size: sent as the ratio 16:9']],
  [{ size: 'huge', quality: 'hd' }, { prompt: 'A fox' }, ['size', 'quality']],
])('sends %j as the input of a prediction', (body, input, warnings) => {
  const sent = translatorOf(body)?.encode(encoding)

  expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({ input })
  expect(sent?.warnings).toEqual(warnings)
})

it('leaves inline answers and streams to other channels', () => {
  expect(translatorOf({ response_format: 'b64_json' })).toBeUndefined()
  expect(translatorOf({ stream: true })).toBeUndefined()
})

it.each([
  [{ id: 'p', status: 'succeeded', output: 'https://replicate.delivery/a.webp' }, ['https://replicate.delivery/a.webp']],
  [{ id: 'p', status: 'processing', output: ['https://x/1', 'https://x/2'] }, ['https://x/1', 'https://x/2']],
])('answers with the files of a prediction, and counts them', (prediction, urls) => {
  const read = translatorOf({})?.readWhole(Buffer.from(JSON.stringify(prediction)), 'application/json')
  if (read?.kind !== 'answer') throw new Error('no answer')

  expect(JSON.parse(read.bytes.toString())).toEqual({ created: 1_700_000_000, data: urls.map((url) => ({ url })) })
  expect(read.usage).toMatchObject({ images: urls.length, source: 'upstream' })
})

it.each([
  [
    { id: 'p', status: 'failed', error: 'NSFW content detected' },
    { kind: 'refused', status: 502, message: 'NSFW content detected' },
  ],
  [
    { id: 'p', status: 'processing', output: null },
    { kind: 'timeout', status: 504 },
  ],
  [
    { title: 'Insufficient credit', detail: 'Buy credit', status: 402 },
    { kind: 'refused', status: 402, type: 'insufficient_quota' },
  ],
  [{ id: 'p', status: 'succeeded', output: {} }, { kind: 'malformed' }],
])('does not take %j for an image', (prediction, failure) => {
  expect(translatorOf({})?.readWhole(Buffer.from(JSON.stringify(prediction)), 'application/json')).toMatchObject({
    kind: 'failed',
    failure,
  })
})
