import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

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
