import { chargeOf } from '@tollgate/domain/pricing/charge'
import { VENDOR_USAGE } from '@tollgate/testing/vendor-server'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { GROUPS, openTestbed, PRICES, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

const { prompt_tokens, completion_tokens } = VENDOR_USAGE

async function settledFor(account: Account, body: object) {
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }], ...body }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return await vi.waitFor(async () => {
    const [event] = await testbed.eventsOf(account)
    if (event === undefined) throw new Error('no event yet')
    expect(event.charge).toBe(chargeOf(event.body.quote, event.body.usage).charge)
    return event
  })
}

it('charges a search model’s built-in search at the price for its context size', async () => {
  await testbed.publish({
    channels: [testbed.aChannel('ok', { models: ['gpt-4o-search-preview'] })],
    prices: [{ model: 'gpt-4o-search-preview', ratio: 1.25 }],
    options: { 'tool_price_setting.prices': '{"web_search_preview/high:gpt-4o*":50,"web_search_preview":10}' },
  })
  const account = await testbed.anAccount()

  const { charge, body } = await settledFor(account, {
    model: 'gpt-4o-search-preview',
    web_search_options: { search_context_size: 'high' },
  })

  expect(body.quote.tools).toEqual({ web_search_preview: { price: 50, variant: 'high', at_least: 1 } })
  expect(charge).toBe(25_000 + Math.round((prompt_tokens + completion_tokens * 4) * 1.25))
  expect(body.explanation.wallet_held).toBeGreaterThanOrEqual(charge)
})

it('charges the group ratio that is set for the user’s group, and logs it', async () => {
  await testbed.publish({
    channels: [testbed.aChannel('ok')],
    groups: GROUPS.map((group) => (group.name === 'vip' ? { ...group, ratio_for: { default: 10 } } : group)),
  })
  const account = await testbed.anAccount({ group: 'vip' })

  const { charge, body } = await settledFor(account, {})

  expect(body.quote).toMatchObject({ group: 'vip', group_ratio: 10, user_group: 'default' })
  expect(charge).toBe(Math.round((prompt_tokens + completion_tokens * 4) * 1.25 * 10))
})

it('charges the whole request by the price card of its length, and keeps all cards in the quote', async () => {
  const cards = [
    { above: prompt_tokens - 1, model_ratio: 5, completion_ratio: 6 },
    { above: 1_000_000, model_ratio: 9 },
  ]
  await testbed.publish({ channels: [testbed.aChannel('ok')], prices: [...PRICES.slice(1), { model: 'gpt-4o', ratio: 1.25, cards }] })
  const account = await testbed.anAccount()

  const { charge, body } = await settledFor(account, { max_tokens: 100 })

  expect(body.quote).toMatchObject({ model_ratio: 1.25, cards })
  expect(charge).toBe((prompt_tokens + completion_tokens * 6) * 5)
})

it.each([
  ['a whole answer', {}],
  ['a stream', { stream: true }],
])('charges %s by an estimate when the vendor reports more tokens than can be true', async (_what, body) => {
  await testbed.publish({ channels: [testbed.aChannel(`usage~7~${Number.MAX_SAFE_INTEGER}`)] })
  const account = await testbed.anAccount()

  const { charge, body: event } = await settledFor(account, body)

  expect(event).toMatchObject({ state: 'estimated', usage: { source: 'estimated' } })
  expect(charge).toBeGreaterThan(0)
  expect(charge).toBeLessThanOrEqual(event.explanation.wallet_held)
  expect(await testbed.openHolds()).toBe(0)
})
