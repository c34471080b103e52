import OpenAI, { toFile } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import { aWav } from './audio.ts'
import { EMBEDDING, SOUND, SPOKEN } from '@tollgate/testing/vendor-calls'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

const MODELS = [
  { model: 'gpt-3.5-turbo-instruct', ratio: 2, completion_ratio: 3 },
  { model: 'text-embedding-3-small', ratio: 10 },
  { model: 'omni-moderation-latest', ratio: 4 },
  { model: 'dall-e-3', price: 0.04 },
  { model: 'gpt-image-1', ratio: 2.5, completion_ratio: 8, image_ratio: 2 },
  { model: 'jina-reranker', ratio: 3 },
  { model: 'tts-1', ratio: 7.5 },
  { model: 'kokoro', ratio: 7.5 },
  { model: 'eleven_multilingual_v2', ratio: 7.5 },
  { model: 'speech-by-token', ratio: 0.3, audio_ratio: 25, audio_completion_ratio: 1 },
  { model: 'gpt-4o-mini-tts', ratio: 0.3, audio_ratio: 25, audio_completion_ratio: 1 },
  { model: 'whisper-1', ratio: 15 },
  { model: 'gpt-4o-transcribe', ratio: 1.25, completion_ratio: 4, audio_ratio: 2.4 },
]

beforeAll(async () => {
  testbed = await openTestbed()
  await publish('ok')
  relay = await testbed.startRelay({ RELAY_MAX_BODY: 3_000_000 })
})
beforeEach(() => publish('ok'))
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
  await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
})
afterAll(() => testbed.close())

async function publish(scenario: string, over: Parameters<Testbed['aChannel']>[1] = {}): Promise<void> {
  await testbed.publish({ channels: [testbed.aChannel(scenario, { models: MODELS.map(({ model }) => model), ...over })], prices: MODELS })
}

async function aClient(over: Parameters<Testbed['anAccount']>[0] = {}): Promise<{ client: OpenAI; account: Account }> {
  const account = await testbed.anAccount(over)
  return { account, client: new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 }) }
}

/** The single event of the account. */
async function eventOf(account: Account) {
  const [event, ...others] = await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).not.toEqual([])
    return found
  })
  expect(others).toEqual([])
  if (event === undefined) throw new Error('no event')
  return event
}

async function expectCharge(account: Account, charge: number, usage: Partial<Usage>): Promise<void> {
  const event = await eventOf(account)
  expect(event.body.usage).toMatchObject(usage)
  expect(event.charge).toBe(charge)
  expect(event.body.ended_by).toBe('complete')
  expect(await testbed.spendable(account)).toBe(account.credited - charge)
}

const sentTo = (scenario: string) => testbed.vendor.callsOf(scenario).at(-1)

describe('completions', () => {
  it('returns a whole answer', async () => {
    const { client, account } = await aClient()

    const answer = await client.completions.create({
      model: 'gpt-3.5-turbo-instruct',
      prompt: ['Once', 'Twice'],
      max_tokens: 5,
      logit_bias: { 50256: -100 },
    })

    expect(answer.choices[0]?.text).toBe('Once upon a time')
    expect(JSON.parse(sentTo('ok')?.text ?? '')).toMatchObject({ logit_bias: { 50256: -100 } })
    await expectCharge(account, 52, { text_in: 5, text_out: 7, source: 'upstream' })
  })

  it('streams, and charges what was delivered when upstream reports no usage', async () => {
    const { client, account } = await aClient()

    const stream = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Once', stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? ''

    expect(text).toBe('Once upon a time')
    const event = await eventOf(account)
    expect(event.body).toMatchObject({ state: 'estimated', is_stream: true })
    expect(event.charge).toBeGreaterThan(0)
  })
})

describe('embeddings', () => {
  it.each(['float', 'base64'] as const)('embeds several inputs as %s', async (encoding_format) => {
    const { client, account } = await aClient()

    const answer = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['one', 'two'],
      encoding_format,
      dimensions: 2,
    })

    expect(answer.data).toHaveLength(2)
    const [first] = answer.data
    const vector = first?.embedding
    if (encoding_format === 'float') expect(vector).toEqual(EMBEDDING.slice(0, 2))
    else expect(vector).toBe(Buffer.from(new Float32Array(EMBEDDING.slice(0, 2)).buffer).toString('base64'))
    await expectCharge(account, 90, { text_in: 9, source: 'upstream' })
  })

  it('takes the model from the path, and accepts token input', async () => {
    const { account } = await aClient()

    const answer = await fetch(`${relay.url}/v1/engines/text-embedding-3-small/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: [[1, 2, 3], [4]] }),
    })

    expect(answer.status).toBe(200)
    expect(sentTo('ok')).toMatchObject({ path: '/v1/embeddings' })
    expect(JSON.parse(sentTo('ok')?.text ?? '')).toEqual({ input: [[1, 2, 3], [4]], model: 'text-embedding-3-small' })
    await expectCharge(account, 90, { text_in: 9 })
  })
})

describe('moderations', () => {
  it('has a default model, and estimates unreported usage', async () => {
    const { client, account } = await aClient()

    const answer = await client.moderations.create({ input: ['a text', 'another text'] })

    expect(answer.results[0]?.flagged).toBe(false)
    expect(JSON.parse(sentTo('ok')?.text ?? '')).toMatchObject({ model: 'omni-moderation-latest' })
    const event = await eventOf(account)
    expect(event.body).toMatchObject({ state: 'estimated', model_name: 'omni-moderation-latest' })
    expect(event.charge).toBe(event.body.usage.text_in * 4)
  })
})

describe('images', () => {
  it('charges the images that were returned', async () => {
    const { client, account } = await aClient()

    const answer = await client.images.generate({ model: 'dall-e-3', prompt: 'a cat', n: 2, size: '1024x1024' })

    expect(answer.data).toHaveLength(2)
    await expectCharge(account, 40_000, { images: 2 })
  })

  it('charges tokens for a model that reports them, streamed', async () => {
    const { client, account } = await aClient()

    const stream = await client.images.generate({ model: 'gpt-image-1', prompt: 'a cat', stream: true, partial_images: 1 })
    const kinds = []
    for await (const event of stream) kinds.push(event.type)

    expect(kinds).toEqual(['image_generation.partial_image', 'image_generation.completed'])
    await expectCharge(account, Math.round(2.5 * (10 + 40 * 2 + 200 * 8)), { text_in: 10, image_in: 40, image_out: 200 })
  })

  it('forwards several images byte for byte', async () => {
    const { client, account } = await aClient()
    const picture = (name: string) => toFile(Buffer.from([0, 1, 2, 13, 10, 255, 45, 45]), name, { type: 'image/png' })

    const answer = await client.images.edit({
      model: 'gpt-image-1',
      image: [await picture('one.png'), await picture('zwei ü.png')],
      mask: await picture('mask.png'),
      prompt: 'make it blue',
      n: 1,
    })

    expect(answer.data).toHaveLength(1)
    const sent = await formOf(sentTo('ok'))
    expect(sent.getAll('image[]').map((file) => (file instanceof File ? file.name : ''))).toEqual(['one.png', 'zwei ü.png'])
    expect(await bytesOf(sent.get('mask'))).toEqual([0, 1, 2, 13, 10, 255, 45, 45])
    await expectCharge(account, Math.round(2.5 * (10 + 40 * 2 + 200 * 8)), { image_in: 40, image_out: 200 })
  })

  it('forwards an edit with a mapped model, and streams', async () => {
    await publish('ok', { model_mapping: { 'gpt-image-1': 'gpt-image-1.5' }, param_override: { user: 'gateway' } })
    const { client, account } = await aClient()
    const image = await toFile(Buffer.from([0, 1, 2, 13, 10, 255, 45, 45]), 'a "quoted" name.png', { type: 'image/png' })

    const stream = await client.images.edit({ model: 'gpt-image-1', image, prompt: 'make it blue', stream: true })
    const kinds = []
    for await (const event of stream) kinds.push(event.type)

    expect(kinds).toEqual(['image_edit.partial_image', 'image_edit.completed'])
    const sent = await formOf(sentTo('ok'))
    expect([sent.get('model'), sent.get('user'), sent.get('prompt')]).toEqual(['gpt-image-1.5', 'gateway', 'make it blue'])
    expect(await bytesOf(sent.get('image'))).toEqual([0, 1, 2, 13, 10, 255, 45, 45])
    expect((await eventOf(account)).body).toMatchObject({ model_name: 'gpt-image-1', upstream_model: 'gpt-image-1.5' })
  })

  const edit = {
    model: 'gpt-image-1',
    images: [{ image_url: 'https://images.example/1.png' }, { image_url: 'data:image/png;base64,AAAA' }],
    prompt: 'make it blue',
  }
  const postEdit = async (account: Account, body: object) =>
    await fetch(`${relay.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('forwards an edit in JSON, with the addresses as they are', async () => {
    await publish('ok', { model_mapping: { 'gpt-image-1': 'gpt-image-1.5' } })
    const { account } = await aClient()

    const answer = await postEdit(account, edit)

    expect(await answer.json()).toMatchObject({ data: [{ b64_json: expect.any(String) as string }] })
    const sent = sentTo('ok')
    expect(sent?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(sent?.bytes.toString() ?? '')).toEqual({ ...edit, model: 'gpt-image-1.5' })
    await expectCharge(account, Math.round(2.5 * (10 + 40 * 2 + 200 * 8)), { image_in: 40, image_out: 200 })
  })

  it('streams an edit in JSON, also one that a body worker reads', async () => {
    const { account } = await aClient()
    const large = { image_url: `data:image/png;base64,${'A'.repeat(1_500_000)}` }

    const answer = await postEdit(account, { ...edit, images: [large], mask: edit.images[1], stream: true })

    expect(await answer.text()).toContain('event: image_edit.completed')
    await expectCharge(account, Math.round(2.5 * (10 + 40 * 2 + 200 * 8)), { image_in: 40, image_out: 200 })
  })

  it('refuses an edit in JSON if the vendor reads forms only, without a charge', async () => {
    await publish('ok', { type: 8 })
    const { account } = await aClient()

    const answer = await postEdit(account, edit)

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('multipart/form-data only') as string } })
    expect(await testbed.spendable(account)).toBe(account.credited)
  })
})

describe('rerank', () => {
  it('charges the usage that upstream reports', async () => {
    const { account } = await aClient()

    const answer = await fetch(`${relay.url}/v1/rerank`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'jina-reranker', query: 'which', documents: ['a', { text: 'b' }], top_n: 1 }),
    })

    expect(await answer.json()).toMatchObject({ results: [{ index: 1, relevance_score: 0.9 }] })
    await expectCharge(account, 63, { text_in: 21 })
  })
})

describe('speech', () => {
  it('streams audio as it arrives and charges characters', async () => {
    const { client, account } = await aClient()

    const answer = await client.audio.speech.create({ model: 'tts-1', input: 'Grüße 👋🏽', voice: 'alloy' })

    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(answer.headers.get('content-length')).toBeNull()
    expect(Buffer.from(await answer.arrayBuffer()).equals(SOUND)).toBe(true)
    expect(sentTo('ok')?.headers.accept).toBe('*/*')
    await expectCharge(account, 60, { characters: 8, text_in: 0, source: 'upstream' })
  })

  it.each(['kokoro', 'eleven_multilingual_v2'])('charges characters whatever the name (%s)', async (model) => {
    const { client, account } = await aClient()

    await (await client.audio.speech.create({ model, input: 'hello world', voice: 'alloy' })).arrayBuffer()

    await expectCharge(account, 83, { characters: 11, text_in: 0, audio_out: 0, source: 'upstream' })
  })

  it('holds what the characters cost', async () => {
    const { client, account } = await aClient({ credited: 83 })

    const answer = await client.audio.speech.create({ model: 'kokoro', input: 'hello world', voice: 'alloy' })
    await answer.arrayBuffer()

    await expectCharge(account, 83, { characters: 11 })
  })

  it('charges tokens where the price has some for audio', async () => {
    const { client, account } = await aClient()

    await (await client.audio.speech.create({ model: 'speech-by-token', input: 'hello world', voice: 'alloy' })).arrayBuffer()

    const event = await eventOf(account)
    expect(event.body).toMatchObject({ state: 'estimated', usage: { audio_out: 20 } })
    expect(event.body.usage).not.toHaveProperty('characters')
  })

  it('streams events, with the tokens that upstream reports', async () => {
    const { client, account } = await aClient()

    const answer = await client.audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello', voice: 'alloy', stream_format: 'sse' })
    const text = await answer.text()

    expect(text.match(/speech\.audio\.\w+/g)).toEqual(['speech.audio.delta', 'speech.audio.delta', 'speech.audio.done'])
    await expectCharge(account, Math.round(0.3 * (8 + 90 * 25)), { text_in: 8, audio_out: 90, source: 'upstream' })
  })

  it('estimates the tokens of a model that reports none', async () => {
    const { client, account } = await aClient()

    await (await client.audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello there, how are you?', voice: 'alloy' })).arrayBuffer()

    const event = await eventOf(account)
    expect(event.body).toMatchObject({ state: 'estimated', usage: { audio_out: 44 } })
    expect(event.charge).toBeGreaterThan(0)
  })

  it('breaks off when upstream does, and charges the characters', async () => {
    await publish('cut-mid-stream')
    const { client, account } = await aClient()

    const reading = (async () => (await client.audio.speech.create({ model: 'tts-1', input: 'Hello', voice: 'alloy' })).arrayBuffer())()

    await expect(reading).rejects.toThrow()
    const event = await eventOf(account)
    expect(event.body).toMatchObject({ ended_by: 'upstream-failed', usage: { characters: 5 } })
    expect(event.charge).toBe(38)
  })
})

describe('transcriptions and translations', () => {
  const wav = () => toFile(aWav(61), 'speech.wav', { type: 'audio/wav' })
  const MINUTE = 1017 * 15

  it.each([
    ['text', `${SPOKEN}\n`],
    ['srt', `1\n00:00:00,000 --> 00:00:02,000\n${SPOKEN}\n`],
    ['vtt', `WEBVTT\n\n00:00.000 --> 00:02.000\n${SPOKEN}\n`],
  ] as const)('answers in %s, and charges the duration of the audio itself', async (response_format, text) => {
    const { client, account } = await aClient()

    const answer: unknown = await client.audio.transcriptions.create({ model: 'whisper-1', file: await wav(), response_format })

    expect(answer).toBe(text)
    await expectCharge(account, MINUTE, { seconds: 61, text_in: 0, source: 'upstream' })
  })

  it('refuses an answer that says it is JSON and is not', async () => {
    const { client, account } = await aClient()
    await publish('garbage')

    await expect(client.audio.transcriptions.create({ model: 'whisper-1', file: await wav() })).rejects.toMatchObject({
      status: 502,
      code: 'bad_response_body',
    })

    await vi.waitFor(async () => expect(await testbed.eventsOf(account)).toMatchObject([{ charge: 0, body: { state: 'released' } }]))
  })

  it('charges the seconds that upstream charges', async () => {
    const { client, account } = await aClient()

    const answer = await client.audio.transcriptions.create({ model: 'whisper-1', file: await wav(), language: 'en' })

    expect(answer.text).toBe(SPOKEN)
    expect((await formOf(sentTo('ok'))).get('language')).toBe('en')
    await expectCharge(account, 1033 * 15, { seconds: 62 })
  })

  it('charges upstream’s duration when the file has none', async () => {
    const { client, account } = await aClient()
    const file = await toFile(Buffer.from('not a sound that we know'), 'speech.xyz')

    const answer = await client.audio.translations.create({ model: 'whisper-1', file, response_format: 'verbose_json' })

    expect(answer).toMatchObject({ text: SPOKEN, duration: 61.3 })
    expect(sentTo('ok')?.path).toBe('/v1/audio/translations')
    await expectCharge(account, 1033 * 15, { seconds: 62, source: 'upstream' })
  })

  it('marks an unknown duration as an estimate', async () => {
    const { client, account } = await aClient()
    const file = await toFile(Buffer.alloc(480_000, 'x'), 'speech.xyz')

    await client.audio.transcriptions.create({ model: 'whisper-1', file, response_format: 'text' })

    expect((await eventOf(account)).body).toMatchObject({ state: 'estimated', usage: { seconds: 60 } })
  })

  it('charges tokens for a model that reports them', async () => {
    const { client, account } = await aClient()

    const answer = await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await wav() })

    expect(answer.text).toBe(SPOKEN)
    await expectCharge(account, Math.round(1.25 * (2 + 28 * 2.4 + 6 * 4)), { text_in: 2, audio_in: 28, text_out: 6 })
  })

  it('streams', async () => {
    const { client, account } = await aClient()

    const stream = await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await wav(), stream: true })
    let text = ''
    for await (const event of stream) if (event.type === 'transcript.text.delta') text += event.delta

    expect(text).toBe(SPOKEN)
    await expectCharge(account, Math.round(1.25 * (2 + 28 * 2.4 + 6 * 4)), { audio_in: 28, text_out: 6 })
  })

  it('reports a broken stream, and charges what was delivered', async () => {
    await publish('cut-mid-stream')
    const { client, account } = await aClient()

    const stream = await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await wav(), stream: true })
    const reading = (async () => {
      for await (const event of stream) expect(event.type).toBe('transcript.text.delta')
    })()

    await expect(reading).rejects.toBeInstanceOf(OpenAI.APIError)
    expect((await eventOf(account)).body).toMatchObject({ state: 'estimated', ended_by: 'upstream-failed' })
  })
})

describe('errors of upstream', () => {
  const calls: [string, (client: OpenAI) => Promise<unknown>][] = [
    ['completions', (client) => client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'x' })],
    ['embeddings', (client) => client.embeddings.create({ model: 'text-embedding-3-small', input: 'x' })],
    ['moderations', (client) => client.moderations.create({ input: 'x' })],
    ['images', (client) => client.images.generate({ model: 'dall-e-3', prompt: 'x' })],
    ['speech', (client) => client.audio.speech.create({ model: 'tts-1', input: 'x', voice: 'alloy' })],
    ['transcriptions', async (client) => client.audio.transcriptions.create({ model: 'whisper-1', file: await toFile(aWav(1), 'a.wav') })],
  ]

  it.each(calls)('are forwarded and cost nothing: %s', async (_name, call) => {
    const { client, account } = await aClient()

    for (const [scenario, status] of [
      ['status~429', 429],
      ['status~400', 400],
      ['reset', 502],
    ] as const) {
      await publish(scenario)
      await expect(call(client)).rejects.toMatchObject({ status })
    }

    await vi.waitFor(async () => expect(await testbed.eventsOf(account)).toHaveLength(3))
    expect((await testbed.eventsOf(account)).map(({ charge }) => charge)).toEqual([0, 0, 0])
    expect(await testbed.spendable(account)).toBe(account.credited)
  })
})

async function formOf(call: ReturnType<typeof sentTo>): Promise<FormData> {
  if (call === undefined) throw new Error('no call')
  return await new Response(new Uint8Array(call.bytes), { headers: { 'content-type': call.headers['content-type'] ?? '' } }).formData()
}

async function bytesOf(file: unknown): Promise<number[]> {
  if (!(file instanceof File)) throw new Error('no file')
  return [...new Uint8Array(await file.arrayBuffer())]
}
