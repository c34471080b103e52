import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RefusalBatch } from '@tollgate/contracts/relay/refusal'
import { keys } from '@tollgate/redis/keys'
import { readRefusals } from '@tollgate/redis/stores/refusal-stream'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relays: TestRelay[]

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relays = [await testbed.startRelay(), await testbed.startRelay()]
})
beforeEach(async () => {
  await sent()
  await testbed.redis.del(keys.refusals())
  await testbed.publish({
    channels: [
      testbed.aChannel('ok', { id: 50 }),
      testbed.aChannel('ok', { id: 51, models: ['unpriced'] }),
      testbed.aChannel('ok', { id: 52, models: ['off'], status: 2 }),
    ],
    options: { LogRefusedPerMinute: '6' },
  })
})
afterAll(() => testbed.close())

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }

type Init = { readonly body?: unknown; readonly path?: string; readonly relay?: number; readonly method?: string }

async function send({ key }: Account, { body = hello, path = '/v1/chat/completions', relay = 0, method = 'POST' }: Init = {}) {
  const answer = await fetch(`${relays[relay]?.url}${path}`, {
    method,
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'user-agent': 'test/1' },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  await answer.text()
  return { status: answer.status, request_id: answer.headers.get('x-request-id') }
}

/** Everything that the relays have noted so far. */
async function sent(): Promise<RefusalBatch[]> {
  for (const { deps } of relays) await deps.refusals.flush()
  return (await readRefusals(testbed.redis, '0', 1000)).flatMap(({ batch }) => batch ?? [])
}

describe('a refused request of a known token', () => {
  const cases: [string, Parameters<Testbed['anAccount']>[0], Init, string, string][] = [
    ['a disabled token', { status: 2 }, {}, 'token.disabled', ''],
    ['a banned user', { user_status: 2 }, {}, 'user.disabled', ''],
    ['an address that is not allowed', { allow_ips: ['10.0.0.0/8'] }, {}, 'access.ip', ''],
    ['a list of models with a disabled token', { status: 2 }, { method: 'GET', path: '/v1/models' }, 'token.disabled', ''],
    ['a body that is not JSON', {}, { body: '{' }, 'request.invalid', ''],
    ['a model that is not allowed', { model_limits: ['other'] }, {}, 'access.model', 'gpt-4o'],
    ['a model without a price', {}, { body: { ...hello, model: 'unpriced' } }, 'model.unpriced', 'unpriced'],
    ['a model without an enabled channel', {}, { body: { ...hello, model: 'off' } }, 'channel.none', 'off'],
    ['a user without quota', { credited: 0 }, {}, 'quota.user-empty', 'gpt-4o'],
    ['a limit of tokens', { limits: { tpm: 1 } }, {}, 'rate.minute-tokens', 'gpt-4o'],
  ]

  it.each(cases)('is recorded: %s', async (_name, over, init, reason, model) => {
    const account = await testbed.anAccount(over)

    const { status, request_id } = await send(account, init)

    const [batch] = await sent()
    expect(batch?.counts).toMatchObject([{ user_id: account.record.user_id, token_id: account.record.token_id, reason, seen: 1 }])
    expect(batch?.requests).toMatchObject([
      {
        request_id,
        reason,
        status,
        model,
        username: account.record.username,
        client: { method: init.method ?? 'POST', user_agent: 'test/1' },
      },
    ])
  })

  it('says whether the configuration knows its model', async () => {
    const account = await testbed.anAccount()
    await send(account, { body: { ...hello, model: `no-such-${'x'.repeat(400)}` } })
    await send(account, { body: { ...hello, model: 'unpriced' } })

    const requests = (await sent()).flatMap((batch) => batch.requests)

    expect(requests.map(({ reason, is_known_model, model }) => [reason, is_known_model, model.length])).toEqual([
      ['model.unknown', false, 255],
      ['model.unpriced', true, 8],
    ])
  })
})

describe('what is not recorded here', () => {
  it('is a request that held money, or one without a known token', async () => {
    const account = await testbed.anAccount()
    expect((await send(account)).status).toBe(200)
    expect((await send({ ...account, key: 'unknown'.repeat(6) })).status).toBe(401)

    expect(await sent()).toEqual([])
  })

  it('is anything while the option is off', async () => {
    await testbed.publish({ channels: [], options: { LogRefusedEnabled: 'false' } })
    await send(await testbed.anAccount({ status: 2 }))

    expect(await sent()).toEqual([])
  })
})

describe('a flood of refused requests', () => {
  it('is counted exactly over several relays, and sampled by reason', async () => {
    const account = await testbed.anAccount()
    const unpriced = { body: { ...hello, model: 'unpriced' } }

    await Promise.all(Array.from({ length: 60 }, (_, at) => send(account, { ...unpriced, relay: at % 2 })))
    await send(account, { body: '{' })

    const batches = await sent()
    const counts = batches.flatMap((batch) => batch.counts)
    const seen = (reason: string) => counts.filter((count) => count.reason === reason).reduce((sum, count) => sum + count.seen, 0)
    expect([seen('model.unpriced'), seen('request.invalid')]).toEqual([60, 1])
    const requests = batches.flatMap((batch) => batch.requests)
    // Two of six per reason and relay; over a minute's end twice as many.
    expect(requests.filter(({ reason }) => reason === 'model.unpriced').length).toBeLessThanOrEqual(8)
    expect(requests.filter(({ reason }) => reason === 'request.invalid')).toHaveLength(1)
  })

  it('loses no count while the stream is full', async () => {
    const account = await testbed.anAccount({ status: 2 })
    await testbed.redis.eval("for i = 1, 500 do redis.call('XADD', KEYS[1], '*', 'batch', '{}') end", 1, keys.refusals())
    await send(account)
    expect(await sent()).toEqual([])

    await testbed.redis.del(keys.refusals())
    await send(account)

    const counts = (await sent()).flatMap((batch) => batch.counts)
    expect(counts.reduce((sum, { seen }) => sum + seen, 0)).toBe(2)
  })
})
