import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let account: Account

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [testbed.aChannel('ok')] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())
beforeEach(async () => {
  account = await testbed.anAccount()
})

const three = {
  ModelRequestRateLimitEnabled: 'true',
  ModelRequestRateLimitDurationMinutes: '7',
  ModelRequestRateLimitSuccessCount: '3',
}
const threeOfTheGroup = {
  ...three,
  ModelRequestRateLimitSuccessCount: '1000',
  ModelRequestRateLimitGroup: JSON.stringify({ default: [0, 3] }),
}

async function post(format: 'chat/completions' | 'messages' = 'chat/completions') {
  const answer = await fetch(`${relay.url}/v1/${format}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${account.key}`, 'x-api-key': `sk-${account.key}` },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Say hello' }] }),
  })
  await answer.text()
  return answer
}

const statuses = async (count: number): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, () => post()))).map(({ status }) => status).toSorted((a, b) => a - b)

it.each([
  ['for all', three],
  ['for a group', threeOfTheGroup],
])('a limit of successful requests %s admits as many at once as it names', async (_, options) => {
  await testbed.publish({ channels: [testbed.aChannel('slow-first-byte~150')], options })

  expect(await statuses(30)).toEqual([200, 200, 200, ...Array.from({ length: 27 }, () => 429)])
})

it.each([
  ['refused by the vendor', 'status~400', 400],
  ['failed', 'status~500', 500],
])('a request that is %s gives its place back', async (_, scenario, status) => {
  await testbed.publish({ channels: [testbed.aChannel(scenario)], options: three })
  for (let at = 0; at < 5; at += 1) expect((await post()).status).toBe(status)

  await testbed.publish({ channels: [testbed.aChannel('ok')], options: three })
  expect(await statuses(5)).toEqual([200, 200, 200, 429, 429])
})

it('the refusal says the limit in the headers of the client’s format', async () => {
  await testbed.publish({ channels: [testbed.aChannel('ok')], options: three })
  await statuses(3)

  const refusal = await post()
  expect(refusal.status).toBe(429)
  expect(Object.fromEntries([...refusal.headers].filter(([name]) => name.startsWith('x-ratelimit')))).toEqual({
    'x-ratelimit-limit-requests': '3',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': expect.stringMatching(/^[67]m\d/) as string,
  })
  const anthropic = await post('messages')
  expect(anthropic.headers.get('anthropic-ratelimit-requests-limit')).toBe('3')
  expect(anthropic.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
})
