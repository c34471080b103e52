import type { GroupSnapshot } from '@tollgate/contracts/relay/snapshot'
import { reproduceChoice } from '@tollgate/domain/channel-choice/reproduce'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let account: Account
beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

/** Each test also holds that the choices of its last request follow from what was recorded. */
afterEach(async () => {
  const explanation = (await lastEvent())?.body.explanation
  if (explanation !== undefined && explanation.candidates.length > 0)
    expect([reproduceChoice(explanation).kind, explanation]).toEqual(['exact', explanation])
})

const GROUPS: GroupSnapshot[] = [
  { name: 'cheap', ratio: 1, usable_label: 'cheap' },
  { name: 'dear', ratio: 3, usable_label: 'dear' },
  { name: 'middle', ratio: 2, usable_label: 'middle' },
]
const OPTIONS = { AutoGroups: '["cheap","dear","middle"]', RetryTimes: '3' }

type Scenarios = Partial<Record<'cheap' | 'dear' | 'middle', string>>

/** One channel per group, each with its scenario. */
async function publish(scenarios: Scenarios, options: Record<string, string> = {}) {
  const named = Object.entries(scenarios).map(([group, scenario]) => [group, testbed.aChannel(scenario, { groups: [group] })] as const)
  await testbed.publish({ channels: named.map(([, channel]) => channel), groups: GROUPS, options: { ...OPTIONS, ...options } })
  return Object.fromEntries(named)
}

async function request(over: Parameters<Testbed['anAccount']>[0] = {}, fields: object = {}) {
  account = await testbed.anAccount({ group: 'auto', cross_group_retry: true, ...over })
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields }),
  })
  await answer.text()
  return answer.status
}

const lastEvent = async () => (await testbed.eventsOf(account)).at(-1)
const attemptsOf = async () => (await lastEvent())?.body.explanation.attempts.map(({ group, channel_id }) => [group, channel_id])

describe('a token of the group auto that retries across groups', () => {
  it('moves on to the next group when the channels of one have failed, and pays its price', async () => {
    const { cheap, dear } = await publish({ cheap: 'status~500', dear: 'ok' })

    expect(await request()).toBe(200)

    const event = await lastEvent()
    expect(event?.body).toMatchObject({ group: 'dear', quote: { group_ratio: 3 }, channel_id: dear?.id, state: 'settled' })
    const { text_in = 0, text_out = 0 } = event?.body.usage ?? {}
    expect(event?.charge).toBe(Math.ceil((text_in + text_out * 4) * 1.25 * 3))
    expect(await testbed.spendable(account)).toBe(account.credited - (event?.charge ?? 0))
    expect(await attemptsOf()).toEqual([
      [undefined, cheap?.id],
      ['dear', dear?.id],
    ])
    expect(event?.body.explanation.candidates.map(({ channel_id, result }) => [channel_id, result])).toEqual([
      [cheap?.id, 'chosen'],
      [dear?.id, 'chosen'],
    ])
  })

  it('pays the price of a cheaper group that comes later', async () => {
    await publish({ dear: 'status~500', middle: 'ok' })

    expect(await request()).toBe(200)

    expect((await lastEvent())?.body).toMatchObject({ group: 'middle', quote: { group_ratio: 2 } })
  })

  it('streams from the next group', async () => {
    await publish({ cheap: 'status~500', dear: 'ok' })

    expect(await request({}, { stream: true })).toBe(200)

    expect((await lastEvent())?.body).toMatchObject({ group: 'dear', quote: { group_ratio: 3 }, is_stream: true })
  })

  it('stays in its group without the flag, with a pinned channel, or without retries left', async () => {
    const { cheap } = await publish({ cheap: 'status~500', dear: 'ok' })
    expect(await request({ cross_group_retry: false })).toBe(500)
    expect((await lastEvent())?.body).toMatchObject({ group: 'cheap', quote: { group_ratio: 1 } })

    account = await testbed.anAccount({ group: 'auto', cross_group_retry: true, role: 10 })
    const pinned = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}-${cheap?.id}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
    })
    await pinned.text()
    expect(pinned.status).toBe(500)

    await publish({ cheap: 'status~500', dear: 'ok' }, { RetryTimes: '0' })
    expect(await request()).toBe(500)
    expect((await lastEvent())?.body.group).toBe('cheap')
  })

  it('tries a channel of two groups once', async () => {
    const both = testbed.aChannel('status~500', { groups: ['cheap', 'dear'] })
    const last = testbed.aChannel('ok', { groups: ['middle'] })
    await testbed.publish({ channels: [both, last], groups: GROUPS, options: OPTIONS })

    expect(await request()).toBe(200)

    expect(await attemptsOf()).toEqual([
      [undefined, both.id],
      ['middle', last.id],
    ])
  })

  it('prefers a healthy channel of the next group to one of its own that pauses', async () => {
    const ill = testbed.aChannel('status~500', { groups: ['cheap'], priority: 5 })
    const failing = testbed.aChannel('status~502', { groups: ['cheap'] })
    const well = testbed.aChannel('ok', { groups: ['dear'] })
    const channels = [ill, failing, well]
    await testbed.publish({ channels: [ill], groups: GROUPS, options: OPTIONS })
    for (let at = 0; at < 3; at += 1) await request({ cross_group_retry: false })
    await testbed.publish({ channels, groups: GROUPS, options: OPTIONS })

    expect(await request()).toBe(200)

    expect(await attemptsOf()).toEqual([
      [undefined, failing.id],
      ['dear', well.id],
    ])
  })

  it('tries the channels that pause when no group has another', async () => {
    const { cheap, dear } = await publish({ cheap: 'status~500', dear: 'status~502' })
    for (let at = 0; at < 4; at += 1) expect([500, 502]).toContain(await request())

    expect(await request({}, {})).toBeGreaterThanOrEqual(500)

    const tried = (await attemptsOf())?.map(([, id]) => id) ?? []
    expect(tried.length).toBeGreaterThan(0)
    expect([cheap?.id, dear?.id]).toEqual(expect.arrayContaining(tried))
    expect((await lastEvent())?.charge).toBe(0)
    expect(await testbed.openHolds()).toBe(0)
  })

  it('stays where the balance of wallet and token reaches', async () => {
    await publish({ cheap: 'status~500', dear: 'ok', middle: 'ok' })
    // 1 000 completion tokens cost 5 000 in `cheap`, 10 000 in `middle` and 15 000 in `dear`.
    const limited = { max_tokens: 1000 }

    expect(await request({ credited: 12_000 }, limited)).toBe(200)
    expect((await lastEvent())?.body.group).toBe('middle')
    expect(await request({ credited: 7000 }, limited)).toBe(500)
    expect(await lastEvent()).toMatchObject({ charge: 0, body: { group: 'cheap' } })
    expect(await request({ is_unlimited: false, granted: 12_000 }, limited)).toBe(200)
    expect((await lastEvent())?.body).toMatchObject({ group: 'middle' })
    expect((await lastEvent())?.body.token_charge).toBe((await lastEvent())?.charge)
    expect(await request({ credited: 4000 }, limited)).toBe(403)
    expect(await testbed.openHolds()).toBe(0)
  })

  it('passes over a group whose limit is reached, and takes the limit of the one it uses', async () => {
    const RateLimits = JSON.stringify({ group: { cheap: { rpm: 5 }, dear: { rpm: 1 }, middle: { rpm: 9, concurrency: 1 } } })
    await publish({ cheap: 'status~500', dear: 'ok', middle: 'ok' }, { RateLimits })
    const groups: (string | undefined)[] = []

    for (let at = 0; at < 2; at += 1) {
      expect(await request()).toBe(200)
      groups.push((await lastEvent())?.body.group)
    }

    expect(groups).toEqual(['dear', 'middle'])
    expect(await request()).toBe(200)
    expect((await lastEvent())?.body.group).toBe('middle')
  })
})
