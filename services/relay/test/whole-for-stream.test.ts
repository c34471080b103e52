import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI, { toFile } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aWav } from './audio.ts'
import { aChannel, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Vendors that do not know `stream` of a call other than chat answer as a whole.

const MODELS = ['gpt-image-1', 'gpt-4o-transcribe', 'whisper-1', 'gpt-4o-mini-tts']

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let account: Account
let answer: (reply: ServerResponse) => void = () => {}

const json = (body: object) => (reply: ServerResponse) =>
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const typed = (type: string, body: string | Buffer) => (reply: ServerResponse) => reply.writeHead(200, { 'content-type': type }).end(body)

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => answer(reply))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
beforeEach(async () => {
  await publish()
  account = await testbed.anAccount()
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

async function publish(options: Record<string, string> = {}) {
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const channel = aChannel(`http://127.0.0.1:${port}`, { type: 1, models: MODELS })
  await testbed.publish({
    channels: [channel],
    prices: MODELS.map((model) => ({ model, ratio: 1 })),
    options: { RetryTimes: '0', ...options },
  })
}

const client = () => new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
async function eventsOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = []
  for await (const event of stream) events.push(event)
  return events
}
const usageOf = async () => (await vi.waitFor(async () => (await testbed.eventsOf(account))[0] ?? expect.fail('no event'))).body.usage

const IMAGE_USAGE = { input_tokens: 10, output_tokens: 200, total_tokens: 210 }
const IMAGES = { created: 7, data: [{ b64_json: 'AAAA' }], size: '1024x1024', output_format: 'png', usage: IMAGE_USAGE }
const picture = async () => await toFile(Buffer.from([1, 2, 3]), 'a.png', { type: 'image/png' })
const sound = async () => await toFile(aWav(2), 'a.wav', { type: 'audio/wav' })

describe('an image that is to be streamed, of a vendor without streams', () => {
  it('comes as the last event of the format, and is charged as a whole', async () => {
    answer = json(IMAGES)

    const events = await eventsOf(await client().images.generate({ model: 'gpt-image-1', prompt: 'a cat', stream: true }))

    expect(events).toEqual([
      { type: 'image_generation.completed', created_at: 7, b64_json: 'AAAA', size: '1024x1024', output_format: 'png', usage: IMAGE_USAGE },
    ])
    expect(await usageOf()).toMatchObject({ text_in: 10, image_out: 200, source: 'upstream' })
  })

  it('comes so from an edit, by form and by JSON', async () => {
    answer = json(IMAGES)
    const edited = await eventsOf(
      await client().images.edit({ model: 'gpt-image-1', image: await picture(), prompt: 'blue', stream: true }),
    )
    const body = { model: 'gpt-image-1', images: [{ image_url: 'https://a.example/1.png' }], prompt: 'blue', stream: true }
    const byJson = await client().post('/images/edits', { body, __binaryResponse: true })

    expect(edited).toMatchObject([{ type: 'image_edit.completed', b64_json: 'AAAA' }])
    expect(await (byJson as Response).text()).toMatch(/^event: image_edit\.completed\ndata: \{[^\n]*"b64_json":"AAAA"[^\n]*\}\n\n$/)
  })

  it('comes as one event for each image, of which the last has the usage', async () => {
    answer = json({ ...IMAGES, data: [{ b64_json: 'AAAA' }, { url: 'https://a.example/2.png', revised_prompt: 'a dog' }] })

    const events = await eventsOf(await client().images.generate({ model: 'gpt-image-1', prompt: 'a cat', n: 2, stream: true }))

    expect(events).toHaveLength(2)
    expect(events[0]).not.toHaveProperty('usage')
    expect(events[1]).toMatchObject({
      type: 'image_generation.completed',
      usage: IMAGE_USAGE,
      url: 'https://a.example/2.png',
      revised_prompt: 'a dog',
    })
  })

  it('comes so after pings, which have begun a stream', async () => {
    await publish({ 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' })
    answer = (reply) => setTimeout(() => json(IMAGES)(reply), 1200)

    const events = await eventsOf(await client().images.generate({ model: 'gpt-image-1', prompt: 'a cat', stream: true }))

    expect(events).toMatchObject([{ type: 'image_generation.completed' }])
  })

  it('is refused if the answer is an error', async () => {
    answer = json({ error: { message: 'no', code: 'bad' } })

    await expect(client().images.generate({ model: 'gpt-image-1', prompt: 'a cat', stream: true })).rejects.toThrow(/no/)
  })
})

describe('a transcription that is to be streamed, of a vendor without streams', () => {
  const usage = { type: 'tokens', input_tokens: 20, output_tokens: 5, total_tokens: 25 }

  it.each([
    ['JSON', json({ text: 'Hello', usage })],
    ['text', typed('text/plain', 'Hello')],
  ])('comes as the last event of the format (%s)', async (_kind, sent) => {
    answer = sent

    const events = await eventsOf(
      await client().audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await sound(), stream: true }),
    )

    expect(events).toMatchObject([{ type: 'transcript.text.done', text: 'Hello' }])
  })

  it('keeps the usage', async () => {
    answer = json({ text: 'Hello', usage })

    const events = await eventsOf(
      await client().audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await sound(), stream: true }),
    )

    expect(events).toMatchObject([{ usage }])
    expect(await usageOf()).toMatchObject({ text_in: 20, text_out: 5, source: 'upstream' })
  })
})

describe('speech that is to be streamed as events, of a vendor that sends audio', () => {
  it('comes as events of the format', async () => {
    answer = typed('audio/mpeg', Buffer.from('sound'))

    const got = await client().audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'hi', voice: 'alloy', stream_format: 'sse' })
    const events = (await got.text()).split('\n\n').flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? [])

    expect(got.headers.get('content-type')).toContain('text/event-stream')
    expect(events.map((data): unknown => JSON.parse(data))).toMatchObject([
      { type: 'speech.audio.delta', audio: Buffer.from('sound').toString('base64') },
      { type: 'speech.audio.done' },
    ])
  })
})

describe('a page in place of a transcript', () => {
  it.each([
    ['text/html; charset=utf-8', undefined],
    ['text/html', 'text'],
    ['text/plain', 'text'],
    ['text/plain', undefined],
  ] as const)('of type %s is refused and not charged (format %s)', async (type, response_format) => {
    answer = typed(type, '<!DOCTYPE html>\n<html><body>Welcome</body></html>')

    const create = client().audio.transcriptions.create({
      model: 'whisper-1',
      file: await sound(),
      ...(response_format === undefined ? {} : { response_format }),
    })

    await expect(create).rejects.toMatchObject({ status: 502, code: 'bad_response_body' })
    expect((await testbed.eventsOf(account)).filter(({ charge }) => charge !== 0)).toEqual([])
  })
})
