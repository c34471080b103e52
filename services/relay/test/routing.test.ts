import { createSealer, keyIdOf, sealedBy } from '@tollgate/config/sealing'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { activityStarts, LATENCY_BOUNDS_MS } from '@tollgate/domain/channel-health/activity'
import { reproduceChoice } from '@tollgate/domain/channel-choice/reproduce'
import { MASK } from '@tollgate/domain/channel-choice/setting-secrets'
import { writeEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import { addChannelActivity } from '@tollgate/redis/stores/channel-activity'
import { ChannelIncident } from '@tollgate/redis/stores/incident-stream'
import { keys } from '@tollgate/redis/keys'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { KEY_CHANNELS, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let account: Account
beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay({ FIRST_BYTE_TIMEOUT: 1 })
  account = await testbed.anAccount()
})
afterAll(() => testbed.close())

/** Each test also holds that the choices of its requests follow from what was recorded. */
afterEach(async () => {
  const events = await testbed.eventsOf(account)
  const lost = events.filter(({ body }) => body.explanation.candidates.length > 0 && reproduceChoice(body.explanation).kind !== 'exact')
  expect(lost.map(({ body }) => body.explanation)).toEqual([])
})

type Sent = { readonly text?: string; readonly fields?: object; readonly url?: string }

async function request({ text = 'hi', fields = {}, url = relay.url }: Sent = {}): Promise<number> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text }], ...fields }),
  })
  await answer.text()
  return answer.status
}

async function askTimes(count: number, sent: Sent = {}): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < count; at += 1) statuses.push(await request(sent))
  return statuses
}

const lastEvent = async () => (await testbed.eventsOf(account)).at(-1)?.body
const callsOf = (scenario: string) => testbed.vendor.callsOf(scenario).length

describe('a channel that fails', () => {
  it('is skipped after a few failures, and the log says why', async () => {
    const bad = testbed.aChannel('status~500', { priority: 5 })
    await testbed.publish({ channels: [bad, testbed.aChannel('ok')], options: { RetryTimes: '1' } })

    const statuses = await askTimes(8)

    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(callsOf('status')).toBe(3)
    const result = (await lastEvent())?.explanation.candidates.find(({ channel_id }) => channel_id === bad.id)
    expect(result).toMatchObject({ result: 'breaker-open' })
    expect(result?.remaining_ms).toBeGreaterThan(0)
  })

  it('is not skipped after one failure', async () => {
    const once = testbed.aChannel('429-then-ok', { priority: 5 })
    await testbed.publish({ channels: [once, testbed.aChannel('ok')], options: { RetryTimes: '1' } })

    await askTimes(4)

    expect(callsOf('429-then-ok')).toBe(4)
    expect((await lastEvent())?.channel_id).toBe(once.id)
  })

  it.each([
    ['418', [200, 503]],
    ['500-599', [418, 200]],
  ])('is followed by another for the statuses of AutomaticRetryStatusCodes %s', async (codes, expected) => {
    const options = { RetryTimes: '1', AutomaticRetryStatusCodes: codes }
    const statusOf = async (status: number): Promise<number> => {
      await testbed.publish({ channels: [testbed.aChannel(`status~${status}`, { priority: 5 }), testbed.aChannel('ok')], options })
      return request()
    }

    expect([await statusOf(418), await statusOf(503)]).toEqual(expected)
  })

  it('is tried anyway when there is no other', async () => {
    await testbed.publish({ channels: [testbed.aChannel('status~502')] })

    expect(new Set(await askTimes(6))).toEqual(new Set([502]))

    const [candidate] = (await lastEvent())?.explanation.candidates ?? []
    expect(candidate).toMatchObject({ result: 'chosen', chosen_by: 'least-bad' })
  })

  it('may ask for a pause, which lasts as long as it asked', async () => {
    const limited = testbed.aChannel('limited~1.5', { priority: 5 })
    await testbed.publish({ channels: [limited, testbed.aChannel('ok')], options: { RetryTimes: '1' } })

    expect(await askTimes(5)).toEqual([200, 200, 200, 200, 200])
    expect(callsOf('limited')).toBe(1)
    expect((await lastEvent())?.explanation.candidates[0]).toMatchObject({ channel_id: limited.id, result: 'cooling' })

    await vi.waitFor(async () => {
      await request()
      expect((await lastEvent())?.channel_id).toBe(limited.id)
    }, 4000)
    expect(callsOf('limited')).toBe(2)
  })

  it('passes its Retry-After to the client when there is no other', async () => {
    await testbed.publish({ channels: [testbed.aChannel('limited~30')] })

    const answer = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await answer.text()

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '30'])
  })

  it('makes the client wait until its breaker is tried again', async () => {
    await testbed.publish({ channels: [testbed.aChannel('status~503')] })
    const answerOf = async () => {
      const answer = await fetch(`${relay.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      })
      await answer.text()
      return [answer.status, answer.headers.get('retry-after')]
    }

    expect([await answerOf(), await answerOf(), await answerOf()]).toEqual([
      [503, '2'],
      [503, '2'],
      [503, '5'],
    ])
  })

  it('may hang: another channel is tried after the first-byte timeout', async () => {
    await testbed.publish({ channels: [testbed.aChannel('silent', { priority: 5 }), testbed.aChannel('ok')], options: { RetryTimes: '1' } })

    expect(await request()).toBe(200)

    expect((await lastEvent())?.explanation.attempts.map(({ outcome, retry }) => [outcome, retry])).toEqual([
      ['timeout', 'other-channel'],
      ['answered', undefined],
    ])
  })

  it('is also skipped after broken streams', async () => {
    await testbed.publish({ channels: [testbed.aChannel('cut-mid-stream', { priority: 5 }), testbed.aChannel('ok')] })

    await askTimes(5, { fields: { stream: true } })

    expect(callsOf('cut-mid-stream')).toBe(3)
  })

  it('is skipped by the other relays too', async () => {
    const other = await testbed.startRelay()
    const shaky = testbed.aChannel('status~503', { priority: 5 })
    await testbed.publish({ channels: [shaky, testbed.aChannel('ok')], options: { RetryTimes: '1' } })
    await askTimes(4)

    await vi.waitFor(() => expect(other.deps.health.countOpen()).toBe(relay.deps.health.countOpen()), 3000)
    const before = callsOf('status')
    await request({ url: other.url })
    await other.stop()

    expect(callsOf('status')).toBe(before)
  })
})

describe('the strategy of a group', () => {
  const resultsOf = async () => (await lastEvent())?.explanation.candidates.map(({ result }) => result)

  it('decides within a priority by cost, and a schedule leaves channels out', async () => {
    const rests = { hours: '00:00-24:00', days: [((new Date().getUTCDay() + 2) % 7) + 1] }
    await testbed.publish({
      channels: [
        testbed.aChannel('ok', { setting: { cost_ratio: 2 } }),
        testbed.aChannel('ok', { setting: { cost_ratio: 0.5 } }),
        testbed.aChannel('ok', { setting: { cost_ratio: 0.1, schedule: rests } }),
      ],
      options: { RoutingStrategies: '{"*":"price"}' },
    })

    await request()

    expect(await resultsOf()).toEqual(['costlier', 'chosen', 'off-schedule'])
  })

  it('decides by the cost of useful tokens that the worker measured, and records whether it was measured', async () => {
    const channels = [
      testbed.aChannel('ok', { setting: { cost_ratio: 1 } }),
      testbed.aChannel('ok', { setting: { cost_ratio: 1 } }),
      testbed.aChannel('ok', { setting: { cost_ratios: { 'gpt-4o': 9 } } }),
    ]
    const [first, second] = channels.map(({ id }) => ({ channel_id: id, model: 'gpt-4o', useful_tokens: 1000, last_at: 1 }))
    if (first === undefined || second === undefined) throw new Error('two channels are needed')
    await writeEffectiveCosts(testbed.redis, {
      at: 1,
      hours: 6,
      models: { 'gpt-4o': 3 },
      rows: [
        { ...first, usd: 4, requests: 50 },
        { ...second, usd: 100, requests: 3 },
      ],
    })
    await testbed.publish({ channels, options: { RoutingStrategies: '{"default":"effective-cost"}' } })

    await vi.waitFor(
      async () => {
        await request()
        expect(await resultsOf()).toEqual(['costlier', 'chosen', 'costlier'])
      },
      { timeout: 15_000, interval: 250 },
    )
    const event = await lastEvent()
    // The second had too few requests: its list price counts.
    expect(event?.explanation.choice?.draws[0]).toMatchObject({ strategy: 'effective-cost', figures: [4, 3, 27], bases: 'mll' })
    expect(event === undefined ? undefined : reproduceChoice(event.explanation).kind).toBe('exact')
  })

  it('leaves a channel of weight 0 as a reserve when weights are exact', async () => {
    const broken = testbed.aChannel('status', { weight: 3 })
    const reserve = testbed.aChannel('ok', { weight: 0 })
    await testbed.publish({ channels: [broken, reserve], options: { ExactChannelWeights: 'true', RetryTimes: '1' } })

    const before = callsOf('status')
    for (let sent = 0; sent < 3; sent += 1) await request()

    expect(callsOf('status')).toBe(before + 3)
    const event = await lastEvent()
    expect(event?.explanation.attempts.map(({ channel_id }) => channel_id)).toEqual([broken.id, reserve.id])
    expect(event?.explanation.choice?.exact_weights).toBe(true)
  })

  it('decides by the latency that all relays saw', async () => {
    const channels = [testbed.aChannel('ok'), testbed.aChannel('ok')]
    await testbed.publish({ channels, options: { RoutingStrategies: '{"default":"latency"}' } })
    const answers = (bucket: number) => ({ ok: 9, failed: 0, latency: LATENCY_BOUNDS_MS.map((_, at) => (at === bucket ? 900 : 0)) })
    const counts = new Map(channels.map(({ id }, at) => [id, answers(at === 0 ? 12 : 2)]))
    const [start = 0] = activityStarts(Math.floor(Date.now() / 1000), 1)
    await addChannelActivity(testbed.redis, { start, counts, errors: new Map(), breakers: [], relay_id: 'other', now: Date.now() })

    await vi.waitFor(
      async () => {
        await request()
        expect(await resultsOf()).toEqual(['slower', 'chosen'])
      },
      { timeout: 10_000, interval: 250 },
    )
  })
})

describe('the retry budget of a request', () => {
  it('allows no further attempt once it is used up', async () => {
    const hanging = [1, 2, 3, 4].map(() => testbed.aChannel('silent'))
    await testbed.publish({ channels: hanging, options: { RetryTimes: '3', RetryTimeBudget: '1' } })

    expect(await request()).toBe(504)

    expect((await lastEvent())?.explanation.attempts).toHaveLength(1)
  })

  it('does not count against a channel that it left too little time', async () => {
    const hanging = testbed.aChannel('silent')
    const slow = testbed.aChannel('slow-error~50', { priority: 5 })
    await testbed.publish({ channels: [slow, hanging], options: { RetryTimes: '1', RetryTimeBudget: '1' } })
    const fields = { stream: true }

    expect(await Promise.all([1, 2, 3].map(() => request({ fields })))).toEqual([504, 504, 504])
    expect((await lastEvent())?.explanation.attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'timeout'])
    await request({ fields })

    expect((await lastEvent())?.explanation.candidates).toMatchObject([
      { channel_id: hanging.id, result: 'chosen' },
      { channel_id: slow.id, result: 'breaker-open' },
    ])
  })
})

describe('the secrets of a channel setting', () => {
  it('reach the vendor in clear text, and credentials of clients do not', async () => {
    const channel = testbed.aChannel('ok')
    const secrets = { [JSON.stringify(['header_override', 'X-Gate'])]: 'gate-secret' }
    const setting_sealed = createSealer(KEY_CHANNELS).seal(JSON.stringify(secrets), sealedBy.channelSetting(channel.id))
    const header_override = { 'X-Gate': MASK, 'X-Stolen': '{client_header:authorization}', 'X-Host': '{client_header:X-Forwarded-For}' }
    await testbed.publish({ channels: [{ ...channel, setting: { header_override }, setting_sealed }] })

    expect(await request()).toBe(200)

    const headers = testbed.vendor.callsOf('ok').at(-1)?.headers
    expect(headers).toMatchObject({ 'x-gate': 'gate-secret' })
    expect(Object.keys(headers ?? {})).not.toContain('x-stolen')
    expect(Object.keys(headers ?? {})).not.toContain('x-host')
  })
})

describe('a channel of several keys', () => {
  const sealer = createSealer(KEY_CHANNELS)
  const withKeys = (text: string, over: Partial<ChannelSnapshot> = {}): ChannelSnapshot => {
    const channel = testbed.aChannel('keyed', { setting: { multi_key_mode: 'polling' }, ...over })
    return { ...channel, key_sealed: sealer.seal(text, sealedBy.channelKey(channel.id)) }
  }
  const usedKeys = (since: number) =>
    testbed.vendor
      .callsOf('keyed')
      .slice(since)
      .map(({ headers }) => headers.authorization)

  it('uses them in turn', async () => {
    await testbed.publish({ channels: [withKeys('good-1\ngood-2')] })
    const since = callsOf('keyed')

    await askTimes(4)

    expect(usedKeys(since)).toEqual(['Bearer good-1', 'Bearer good-2', 'Bearer good-1', 'Bearer good-2'])
  })

  it('continues with the others when one was revoked, reports its id, and reveals no key', async () => {
    const channel = withKeys('["revoked-1","good-2"]')
    await testbed.publish({ channels: [channel], options: { RetryTimes: '1', AutomaticDisableChannelEnabled: 'true' } })
    const since = callsOf('keyed')

    expect(new Set(await askTimes(6))).toEqual(new Set([200]))

    expect(usedKeys(since).filter((key) => key === 'Bearer revoked-1')).toHaveLength(1)
    const [entry] = await testbed.redis.xrevrange(keys.incidents(), '+', '-', 'COUNT', 1)
    const incident = ChannelIncident.parse(JSON.parse(entry?.[1][1] ?? ''))
    expect(incident).toMatchObject({ channel_id: channel.id, key_id: keyIdOf('revoked-1'), status: 401, code: 'invalid_api_key' })
    const texts = (await testbed.eventsOf(account)).map(({ body }) => JSON.stringify(body)).join('') + JSON.stringify(entry)
    expect(texts).not.toMatch(/revoked-1|good-2/)
    expect(texts).toContain(keyIdOf('revoked-1'))
  })

  it('does not use a disabled key, and is skipped when all are disabled', async () => {
    const one = withKeys('revoked-1\ngood-2', { keys_out: [keyIdOf('revoked-1')] })
    const none = withKeys('revoked-1', { keys_out: [keyIdOf('revoked-1')], priority: 9 })
    await testbed.publish({ channels: [one, none] })
    const since = callsOf('keyed')

    expect(await askTimes(3)).toEqual([200, 200, 200])

    expect(new Set(usedKeys(since))).toEqual(new Set(['Bearer good-2']))
    expect((await lastEvent())?.explanation.candidates.find(({ channel_id }) => channel_id === none.id)?.result).toBe('keys-out')
  })

  it('does not use an expired key, and a channel whose only key expired is skipped', async () => {
    const now = Math.floor(Date.now() / 1000)
    const two = withKeys('revoked-1\ngood-2', { key_expiry: { [keyIdOf('revoked-1')]: now - 1, [keyIdOf('good-2')]: now + 3600 } })
    const only = testbed.aChannel('ok', { key_expiry: { '': now - 1 }, priority: 9 })
    await testbed.publish({ channels: [two, only] })
    const since = callsOf('keyed')

    expect(await askTimes(3)).toEqual([200, 200, 200])

    expect(new Set(usedKeys(since))).toEqual(new Set(['Bearer good-2']))
    expect((await lastEvent())?.explanation.candidates.find(({ channel_id }) => channel_id === only.id)?.result).toBe('keys-out')
  })
})

describe('what a request records of its choice', () => {
  it('is a seed and a letter per candidate, also of those that the list leaves out', async () => {
    const channels = Array.from({ length: 20 }, (_, at) => testbed.aChannel('status~500', { weight: at, priority: at < 18 ? 1 : 0 }))
    await testbed.publish({ channels, options: { RetryTimes: '2', ChannelAffinityEnabled: 'false' } })

    await request()

    const explanation = (await lastEvent())?.explanation
    expect(explanation).toMatchObject({
      candidates_cut: 8,
      choice: { draws: [{ left: 2, states: 'u'.repeat(20) }, { left: 1 }, { left: 0 }] },
    })
    expect(explanation?.choice?.rest).toHaveLength(8 * 3)
    const reproduced = explanation && reproduceChoice(explanation)
    expect(reproduced).toMatchObject({ kind: 'exact', key_count: undefined })
    expect(
      reproduced?.kind === 'exact' && reproduced.draws.map(({ chances }) => chances.filter(({ probability }) => probability > 0).length),
    ).toEqual([18, 17, 16])
  })
})

describe('the same conversation', () => {
  const channelsOf = async (sent: readonly Sent[]) => {
    const before = (await testbed.eventsOf(account)).length
    for (const one of sent) await request(one)
    return (await testbed.eventsOf(account)).slice(before).map(({ body }) => body.channel_id)
  }
  const long = (start: string) => start + ' and so on'.repeat(600)

  it('goes to the same channel by the client’s identifier, or by its first message if the prompt is long', async () => {
    await testbed.publish({ channels: [1, 2, 3, 4, 5].map(() => testbed.aChannel('ok')) })

    const named = await channelsOf([1, 2, 3, 4].map((turn) => ({ text: `turn ${turn}`, fields: { prompt_cache_key: 'thread-7' } })))
    const told = await channelsOf([1, 2, 3, 4].map(() => ({ text: long('one') })))
    const others = await channelsOf(Array.from({ length: 12 }, (_, at) => ({ text: long(`number ${at}`) })))

    expect(new Set(named).size).toBe(1)
    expect(new Set(told).size).toBe(1)
    expect(new Set(others).size).toBeGreaterThan(1)
    const sessions = (await testbed.eventsOf(account)).slice(-20).map(({ body }) => body.session)
    expect(new Set(sessions.slice(0, 4))).toHaveProperty('size', 1)
    expect(new Set(sessions)).toHaveProperty('size', 14)
    expect((await lastEvent())?.explanation.candidates.find(({ result }) => result === 'chosen')?.chosen_by).toBe('affinity')
  })

  it('fails over, and comes back', async () => {
    const fields = { prompt_cache_key: 'thread-8' }
    const [a, b] = [testbed.aChannel('ok'), testbed.aChannel('ok')]
    await testbed.publish({ channels: [a, b], options: { RetryTimes: '1' } })
    const [home = 0] = await channelsOf([{ fields }])
    const ill = [a, b].map((channel) =>
      channel.id === home ? { ...channel, base_url: channel.base_url.replace(/ok$/, 'limited~1') } : channel,
    )

    await testbed.publish({ channels: ill, options: { RetryTimes: '1' } })
    const away = await channelsOf([{ fields }, { fields }])

    expect(away.every((id) => id !== home)).toBe(true)
    await vi.waitFor(async () => expect(await channelsOf([{ fields }])).toEqual([home]), 4000)
  })

  it('is distributed at random when the option is off', async () => {
    await testbed.publish({ channels: [1, 2, 3].map(() => testbed.aChannel('ok')), options: { ChannelAffinityEnabled: 'false' } })

    await channelsOf([{ fields: { user: 'u' } }])

    expect((await lastEvent())?.explanation.candidates.find(({ result }) => result === 'chosen')?.chosen_by).toBeUndefined()
  })
})

describe('a token of the group auto', () => {
  const walker = async (over: object = {}) => {
    account = await testbed.anAccount({ group: 'auto', ...over })
    return account
  }
  const groupOf = async () => {
    const last = await lastEvent()
    return [last?.group, last?.quote.group_ratio]
  }
  const options = { AutoGroups: '["hidden","vip","default"]', RetryTimes: '0' }

  it('runs, and is charged, in the first listed group that its user may use and that has the model', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('ok', { groups: ['default', 'hidden'] }), testbed.aChannel('ok', { groups: ['vip'] })],
      options,
    })
    await walker()
    expect(await request()).toBe(200)
    expect(await groupOf()).toEqual(['vip', 2])

    await testbed.publish({ channels: [testbed.aChannel('ok', { groups: ['default', 'hidden'] })], options })
    expect(await request()).toBe(200)
    expect(await groupOf()).toEqual(['default', 1])
  })

  it('skips a group without a healthy channel', async () => {
    const [ill, well] = [testbed.aChannel('status~500', { groups: ['vip'] }), testbed.aChannel('ok', { groups: ['default'] })]
    await testbed.publish({ channels: [ill, well], options })
    await walker()

    expect(await askTimes(5)).toEqual([500, 500, 500, 200, 200])

    expect(await groupOf()).toEqual(['default', 1])
  })

  it('is refused when its user may use no listed group, or none has the model', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')], options: { AutoGroups: '["hidden"]' } })
    await walker()
    expect(await request()).toBe(403)

    await testbed.publish({ channels: [testbed.aChannel('ok', { models: ['another'] })], options })
    expect(await request()).toBe(404)
  })

  it('lists the models of all its groups', async () => {
    const channels = [
      testbed.aChannel('ok', { groups: ['vip'], models: ['b'] }),
      testbed.aChannel('ok', { groups: ['default'], models: ['a', 'b'] }),
    ]
    await testbed.publish({ channels, options, prices: ['a', 'b'].map((model) => ({ model, ratio: 1 })) })
    const { key } = await walker()

    const answer = await fetch(`${relay.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })

    expect(((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(['a', 'b'])
  })
})
