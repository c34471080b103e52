import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish({})
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

const publish = (options: Record<string, string>) => testbed.publish({ channels: [testbed.aChannel('ok')], options })

async function request(path: string, key: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${relay.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, body: await answer.json() }
}

/** 2 dollars in the wallet, half a dollar granted to the token, 83 quota spent. */
async function aSpender(over: Parameters<Testbed['anAccount']>[0] = {}): Promise<Account> {
  const account = await testbed.anAccount({ credited: 1_000_000, granted: 250_000, is_unlimited: false, ...over })
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }),
  })
  await answer.text()
  return account
}

const COST = 45

describe.each(['/v1/dashboard/billing', '/dashboard/billing'])('%s', (prefix) => {
  it.each<[string, Record<string, string>, Parameters<Testbed['anAccount']>[0], number, number]>([
    ['the token, in dollars', {}, {}, 0.5, COST / 500_000],
    ['the token, in quota', { DisplayInCurrencyEnabled: 'false' }, {}, 250_000, COST],
    ['the user', { DisplayTokenStatEnabled: 'false' }, {}, 2, COST / 500_000],
    ['an unlimited token', {}, { is_unlimited: true }, 100_000_000, COST / 500_000],
    ['the user of an unlimited token', { DisplayTokenStatEnabled: 'false' }, { is_unlimited: true }, 2, COST / 500_000],
  ])('shows %s', async (_name, options, over, limit, used) => {
    await publish(options)
    const { key } = await aSpender(over)

    expect(await request(`${prefix}/subscription`, key)).toEqual({
      status: 200,
      body: {
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: limit,
        hard_limit_usd: limit,
        system_hard_limit_usd: limit,
        access_until: 0,
      },
    })
    const usage = await request(`${prefix}/usage?start_date=2026-01-01&end_date=2026-12-31`, key)
    expect(usage).toMatchObject({ status: 200, body: { object: 'list' } })
    expect((usage.body as { total_usage: number }).total_usage).toBe(Number((used * 100).toPrecision(12))) // our own shape
  })

  it('counts what failed tasks gave back neither as granted nor as used', async () => {
    await publish({})
    const { key } = await aSpender()
    testbed.controlPlane.calls.refunds = { user: 50_000, token: 20 }

    const [limit, usage] = [await request(`${prefix}/subscription`, key), await request(`${prefix}/usage`, key)]
    testbed.controlPlane.calls.refunds = { user: 0, token: 0 }

    expect(limit.body).toMatchObject({ hard_limit_usd: (250_000 - 20) / 500_000 })
    expect(usage.body).toMatchObject({ total_usage: 0.005 })
  })

  it('shows the expiry of a token, and loads a cold account', async () => {
    await publish({})
    const until = Math.floor(Date.now() / 1000) + 3600
    const { key } = await testbed.anAccount({ expired_time: until, credited: 500_000 })

    expect((await request(`${prefix}/subscription`, key)).body).toMatchObject({ access_until: until })
  })

  it('refuses a wrong key with 401, and sends other errors with status 200', async () => {
    const { key } = await testbed.anAccount()
    testbed.controlPlane.calls.isDown = true
    const cold = await request(`${prefix}/usage`, key)
    testbed.controlPlane.calls.isDown = false

    expect((await request(`${prefix}/subscription`, 'sk-unknown')).status).toBe(401)
    expect(cold).toMatchObject({ status: 200, body: { error: { code: 'ledger_cold', message: expect.any(String) } } })
  })
})
