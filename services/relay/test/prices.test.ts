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

it('charges the ratio that the model has in its group, and names its entry', async () => {
  await testbed.publish({
    channels: [testbed.aChannel('ok')],
    groups: GROUPS.map((group) => (group.name === 'vip' ? { ...group, ratio_for: { default: 10 }, ratio_of: { 'gpt-4*': 0.5 } } : group)),
  })
  const account = await testbed.anAccount({ group: 'vip' })

  const { charge, body } = await settledFor(account, {})

  expect(body.quote).toMatchObject({ group: 'vip', group_ratio: 0.5, group_model: 'gpt-4*' })
  expect(body.quote).not.toHaveProperty('user_group')
  expect(charge).toBe(Math.round((prompt_tokens + completion_tokens * 4) * 1.25 * 0.5))
})

it('charges by the hours in which the request began', async () => {
  const hours = [{ from: '00:00', to: '24:00', ratio: 3 }]
  await testbed.publish({
    channels: [testbed.aChannel('ok')],
    prices: [...PRICES.slice(1), { model: 'gpt-4o', ratio: 1, completion_ratio: 4, hours }],
  })
  const account = await testbed.anAccount()

  const { charge, body } = await settledFor(account, { max_tokens: 10 })

  expect(body.quote.hours).toEqual({ ratio: 3, week_minute: expect.any(Number) })
  expect(charge).toBe((prompt_tokens + completion_tokens * 4) * 3)
  expect(body.explanation.wallet_held).toBeGreaterThanOrEqual(charge)
})

it('refuses a model without an output price, and does not list it, where the site requires one', async () => {
  const options = { OutputPriceRequired: 'true' }
  const channels = [testbed.aChannel('ok', { models: ['gpt-4o', 'half-priced'] })]
  const prices = [...PRICES.slice(1), { model: 'gpt-4o', ratio: 1, completion_ratio: 4 }, { model: 'half-priced', ratio: 1 }]
  await testbed.publish({ channels, prices, options })
  const account = await testbed.anAccount()
  const call = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` }
    const answer = await fetch(
      `${relay.url}${path}`,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    return { status: answer.status, text: await answer.text() }
  }
  const chat = (model: string) => call('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Say hello' }] })

  expect((await chat('half-priced')).text).toContain('half-priced')
  expect((await chat('half-priced')).status).not.toBe(200)
  expect((await chat('gpt-4o')).status).toBe(200)
  const listed = (await call('/v1/models')).text
  expect([listed.includes('gpt-4o'), listed.includes('half-priced')]).toEqual([true, false])
  await testbed.publish({ channels, prices })
  expect((await chat('half-priced')).status).toBe(200)
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
