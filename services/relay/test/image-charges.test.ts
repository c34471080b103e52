import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const EACH = 10_000
const DOUBAO = 45

let testbed: Testbed
let relay: TestRelay
let answer: (reply: ServerResponse) => void
let calls = 0
const vendor = createServer((incoming, reply) => {
  incoming.resume().on('end', () => {
    calls += 1
    answer(reply)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as AddressInfo // it listens on a port
  testbed = await openTestbed()
  await testbed.publish({
    channels: [testbed.aChannel('', { type: DOUBAO, base_url: `http://127.0.0.1:${port}`, models: ['seedream', 'gpt-image-2'] })],
    prices: [
      { model: 'seedream', price: 0.02 },
      { model: 'gpt-image-2', price: 0.02 },
    ],
  })
  relay = await testbed.startRelay()
})
afterEach(async () => {
  calls = 0
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

const json = (body: object, status = 200) => {
  answer = (reply) => void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
type Event = { readonly type: string; readonly [field: string]: unknown }
const events = (...list: Event[]) => {
  const text = list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('')
  answer = (reply) => void reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(text)
}
const clientOf = (account: Account) => new OpenAI({ baseURL: `${relay.url}/v1`, apiKey: `sk-${account.key}`, maxRetries: 0 })
const chargeOf = (account: Account) =>
  vi.waitFor(async () => {
    const [event] = await testbed.eventsOf(account)
    if (event === undefined) throw new Error('no event yet')
    return event.charge
  })
const usage = (generated_images: number) => ({
  generated_images,
  output_tokens: generated_images * 4096,
  total_tokens: generated_images * 4096,
})
const picture = (name: string) => ({ url: `https://vendor.example/${name}.png`, size: '2048x2048' })
/** Seedream's fields for up to three pictures of one prompt. */
const SEVERAL = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 3 } }

async function streamed(account: Account, fields: object): Promise<string[]> {
  const stream = await clientOf(account).images.generate({ model: 'seedream', prompt: 'x', stream: true, ...fields })
  const types: string[] = []
  for await (const event of stream) types.push(event.type)
  return types
}

describe('pictures are charged by what was delivered', () => {
  it('in a stream with an event for each and one at the end', async () => {
    const one = { type: 'image_generation.partial_succeeded', ...picture('a') }
    events(one, one, one, { type: 'image_generation.completed', usage: usage(3) })
    const account = await testbed.anAccount()

    expect(await streamed(account, SEVERAL)).toEqual([...Array<string>(3).fill(one.type), 'image_generation.completed'])
    expect(await chargeOf(account)).toBe(3 * EACH)
  })

  it('without those that failed in the stream, whether or not the vendor counts', async () => {
    const one = { type: 'image_generation.partial_succeeded', ...picture('a') }
    const failed = { type: 'image_generation.partial_failed', error: { code: 'OutputImageSensitiveContentDetected' } }
    for (const end of [{ usage: usage(2) }, {}]) {
      events(one, failed, one, { type: 'image_generation.completed', ...end })
      const account = await testbed.anAccount()
      // OpenAI's own client takes the error of one picture for the end of the stream.
      const stream = await fetch(`${relay.url}/v1/images/generations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
        body: JSON.stringify({ model: 'seedream', prompt: 'x', stream: true, ...SEVERAL }),
      })
      expect((await stream.text()).match(/^event: .*/gm)).toEqual(
        [one, failed, one, { type: 'image_generation.completed' }].map(({ type }) => `event: ${type}`),
      )
      expect(await chargeOf(account)).toBe(2 * EACH)
    }
  })

  it.each([
    ['by the vendor’s count', { usage: usage(2) }],
    ['by the entries without an error', {}],
  ])('as a whole, %s', async (_how, rest) => {
    json({
      created: 1,
      data: [picture('a'), picture('b'), { error: { code: 'OutputImageSensitiveContentDetected', message: 'no' } }],
      ...rest,
    })
    const account = await testbed.anAccount()

    const { data } = await clientOf(account).images.generate({ model: 'seedream', prompt: 'x', ...SEVERAL })

    expect(data).toHaveLength(3)
    expect(await chargeOf(account)).toBe(2 * EACH)
  })

  it('and not at all where every one failed', async () => {
    json({
      created: 1,
      data: [{ error: { code: 'OutputImageSensitiveContentDetected', message: 'the picture may be sensitive' } }],
      usage: usage(0),
    })
    const account = await testbed.anAccount()

    await expect(clientOf(account).images.generate({ model: 'seedream', prompt: 'x' })).rejects.toThrow(/sensitive/)
    await vi.waitFor(async () => {
      const [event] = await testbed.eventsOf(account)
      expect(event?.charge).toBe(0)
    })
  })

  it('each of several that end by themselves, and all of them reach the client', async () => {
    const done = { type: 'image_generation.completed', b64_json: 'AAAA' }
    events(done, { type: 'image_generation.partial_image' }, done)
    const account = await testbed.anAccount()

    expect((await streamed(account, { model: 'gpt-image-2', n: 2 })).filter((type) => type === done.type)).toHaveLength(2)
    expect(await chargeOf(account)).toBe(2 * EACH)
  })
})

it('refuses vector pictures, whose second model has no price here', async () => {
  const account = await testbed.anAccount()
  for (const fields of [{ output_format: 'svg' }, { svg: { model: 'gpt-5.4' } }]) {
    const request = clientOf(account).images.generate({ model: 'gpt-image-2', prompt: 'x', ...fields } as OpenAI.ImageGenerateParams) // newer fields
    await expect(request).rejects.toThrow(/svg/)
  }
  expect(calls).toBe(0)
})

it.each([
  ['an error', () => json({ error: { message: 'boom', code: 'server_error' } }, 500)],
  ['an answer that cannot be read', () => json([])],
  ['a connection that breaks', () => (answer = (reply) => void reply.destroy())],
] as const)('tells clients not to order a picture again after %s, since the vendor may have made it', async (_what, arrange) => {
  arrange()
  const account = await testbed.anAccount()
  const client = new OpenAI({ baseURL: `${relay.url}/v1`, apiKey: `sk-${account.key}`, maxRetries: 2 })

  await expect(client.images.generate({ model: 'seedream', prompt: 'x' })).rejects.toThrow()

  expect(calls).toBe(1)
})
