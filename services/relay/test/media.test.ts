import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KEY_CHANNELS, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
const GEMINI = 24

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [{ ...testbed.aChannel('ok'), type: GEMINI }] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

it.each(['http://169.254.169.254/latest/meta-data', 'http://localhost:6379/', 'http://10.0.0.1/x.png', 'gopher://x/'])(
  'an image at %s is not fetched: the request is refused, nothing is sent to the vendor, nothing stays held',
  async (url) => {
    const { key } = await testbed.anAccount()
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ]
    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}` },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content }] }),
    })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_image_url', type: 'invalid_request_error' } })
    expect(testbed.vendor.calls).toEqual([])
    expect(relay.deps.open.size).toBe(0)
  },
)

it('an image is fetched through the proxy of the options, from an http address only where they allow it', async () => {
  const asked: unknown[] = []
  const proxy = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()))
      outgoing.writeHead(200, { 'content-type': 'image/png' }).end('pixels')
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo // a listening TCP server has one
  const options = {
    WorkerUrl: `http://127.0.0.1:${port}`,
    WorkerValidKey: createSealer(KEY_CHANNELS).seal('proxy-key', sealedBy.option('WorkerValidKey')),
  }
  const { key } = await testbed.anAccount()
  const sent = async (url: string, more: Readonly<Record<string, string>>): Promise<string> => {
    await testbed.publish({ channels: [{ ...testbed.aChannel('ok'), type: GEMINI }], options: { ...options, ...more } })
    const before = testbed.vendor.calls.length
    const content = [{ type: 'image_url', image_url: { url } }]
    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}` },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content }] }),
    })
    await answer.text()
    return testbed.vendor.calls.slice(before).map(({ text }) => text)[0] ?? ''
  }

  const picture = Buffer.from('pixels').toString('base64')
  expect(await sent('https://images.example/a.png', {})).toContain(picture)
  expect(asked).toMatchObject([{ url: 'https://images.example/a.png', key: 'proxy-key' }])
  expect(await sent('http://images.example/b.png', {})).toBe('')
  expect(asked).toHaveLength(1)
  expect(await sent('http://images.example/b.png', { WorkerAllowHttpImageRequestEnabled: 'true' })).toContain(picture)
  expect(asked).toHaveLength(2)
  proxy.close()
})
