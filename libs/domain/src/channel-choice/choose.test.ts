import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BreakerState } from '../channel-health/breaker.ts'
import { chancesOf, chooseChannel } from './choose.ts'

const first = () => 0
const none = new Map<number, Set<string>>()
const triedOnce = (...ids: number[]) => new Map(ids.map((id) => [id, new Set([''])]))

describe('chooseChannel', () => {
  it('draws from the highest priority and reports why the others were not chosen', () => {
    const channels = [
      aChannel({ id: 1, priority: 5 }),
      aChannel({ id: 2, priority: 9, status: ChannelStatus.disabled }),
      aChannel({ id: 3, priority: 9, status: ChannelStatus.autoDisabled }),
      aChannel({ id: 4, priority: 5 }),
      aChannel({ id: 5, priority: 1, weight: 100 }),
      aChannel({ id: 6, priority: 9 }),
    ]

    const { channel, candidates } = chooseChannel({ channels, tried: triedOnce(6), random: first })

    expect(channel?.id).toBe(1)
    expect(candidates.map(({ channel_id, result }) => [channel_id, result])).toEqual([
      [1, 'chosen'],
      [2, 'disabled'],
      [3, 'auto-disabled'],
      [4, 'not-drawn'],
      [5, 'lower-priority'],
      [6, 'already-tried'],
    ])
  })

  it('tries every channel of a priority before the next one', () => {
    const channels = [aChannel({ id: 1, priority: 2 }), aChannel({ id: 2, priority: 2 }), aChannel({ id: 3, priority: 1 })]
    const tried = new Map<number, Set<string>>()
    const order: number[] = []

    for (let turn = 0; turn < 4; turn += 1) {
      const { channel } = chooseChannel({ channels, tried, random: () => 0.999 })
      if (channel === undefined) break
      order.push(channel.id)
      tried.set(channel.id, new Set(['']))
    }

    expect(order).toEqual([2, 1, 3])
  })

  it('skips channels that the caller excludes and reports the reason', () => {
    const channels = [aChannel({ id: 1, type: 14 }), aChannel({ id: 2 })]

    const { channel, candidates } = chooseChannel({
      channels,
      tried: none,
      random: first,
      skip: (one) => (one.type === 14 ? 'unsupported' : undefined),
    })

    expect(channel?.id).toBe(2)
    expect(candidates[0]?.result).toBe('unsupported')
  })

  it('returns no channel if none is left', () => {
    expect(chooseChannel({ channels: [], tried: none, random: first })).toMatchObject({ channel: undefined, key_id: '', candidates: [] })
    expect(chooseChannel({ channels: [aChannel({ id: 1 })], tried: triedOnce(1), random: first }).channel).toBeUndefined()
  })

  it('draws by weight plus ten, so that a weight of 0 can be drawn', () => {
    const channels = [aChannel({ id: 1, weight: 20 }), aChannel({ id: 2, weight: 0 })]
    const drawn = Array.from({ length: 400 }, (_, index) => chooseChannel({ channels, tried: none, random: () => index / 400 }).channel?.id)

    expect(drawn.filter((id) => id === 1)).toHaveLength(300)
    expect(drawn.filter((id) => id === 2)).toHaveLength(100)
  })

  it('draws exact weights as they are, and a weight of 0 only when nothing else is left', () => {
    const channels = [aChannel({ id: 1, weight: 0 }), aChannel({ id: 2, weight: 1 }), aChannel({ id: 3, weight: 3 })]
    const exact = { channels, has_exact_weights: true }
    const shares = (tried: readonly number[]) =>
      chancesOf({ ...exact, tried: new Map(tried.map((id) => [id, new Set([''])])) }).map(({ probability }) => probability)

    expect(shares([])).toEqual([0, 0.25, 0.75])
    expect(shares([3])).toEqual([0, 1, 0])
    expect(shares([2, 3])).toEqual([1, 0, 0])
    const zeros = { channels: channels.map((channel) => ({ ...channel, weight: 0 })), has_exact_weights: true, tried: new Map() }
    expect(chancesOf(zeros).map(({ probability }) => probability)).toEqual([1 / 3, 1 / 3, 1 / 3])
    const races = Array.from({ length: 200 }, (_, affinity_key) =>
      chooseChannel({ ...exact, tried: new Map(), affinity_key, random: () => 0 }),
    )
    expect(new Set(races.map(({ channel }) => channel?.id))).toEqual(new Set([2, 3]))
  })

  it('never draws a tried or disabled channel, and always draws one if an untried enabled channel exists', () => {
    const channel = fc.record({
      priority: fc.integer({ min: -3, max: 3 }),
      weight: fc.nat(50),
      status: fc.integer({ min: 0, max: 3 }),
      isTried: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(channel, { maxLength: 12 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (inputs, chance) => {
        const channels = inputs.map(({ priority, weight, status }, id) => aChannel({ id, priority, weight, status }))
        const tried = triedOnce(...inputs.flatMap(({ isTried }, id) => (isTried ? [id] : [])))
        const open = channels.filter(({ id, status }) => status === ChannelStatus.enabled && !tried.has(id))

        const { channel: chosen, candidates } = chooseChannel({ channels, tried, random: () => chance })

        expect(chosen === undefined).toBe(open.length === 0)
        if (chosen !== undefined) expect(open.filter(({ priority }) => priority > chosen.priority)).toEqual([])
        expect(candidates.filter(({ result }) => result === 'chosen').map(({ channel_id }) => channel_id)).toEqual(
          chosen === undefined ? [] : [chosen.id],
        )
        expect(candidates).toHaveLength(channels.length)
      }),
    )
  })
})

type States = Readonly<Record<number, BreakerState | Readonly<Record<string, BreakerState>>>>
const open = (over: { cause?: 'failures' | 'limited' | 'dead'; severity?: number; remaining_ms?: number } = {}): BreakerState => ({
  kind: 'open',
  cause: 'failures',
  severity: 1,
  remaining_ms: 5000,
  ...over,
})
const ready: BreakerState = { kind: 'half-open', is_probing: false, severity: 1 }
const probing: BreakerState = { kind: 'half-open', is_probing: true, severity: 1 }
const closed: BreakerState = { kind: 'closed' }
const isState = (value: States[number]): value is BreakerState => typeof value.kind === 'string'
const healthOf =
  (states: States) =>
  ({ id }: ChannelSnapshot): ((key_id: string) => BreakerState) | undefined => {
    const state = states[id]
    if (state === undefined) return undefined
    return isState(state) ? () => state : (key_id) => state[key_id] ?? closed
  }

describe('the health of channels', () => {
  const channels = [1, 2, 3, 4].map((id) => aChannel({ id }))
  const resultsWith = (states: States, over: { retries_left?: number } = {}) =>
    chooseChannel({ channels, tried: none, random: first, healthOf: healthOf(states), ...over }).candidates.map(
      ({ result, chosen_by, remaining_ms }) => [result, chosen_by ?? '', remaining_ms ?? 0],
    )

  it('skips open, cooling and probing channels and reports which state each has', () => {
    expect(resultsWith({ 1: open({ remaining_ms: 700 }), 2: open({ cause: 'limited', remaining_ms: 900 }), 3: probing })).toEqual([
      ['breaker-open', '', 700],
      ['cooling', '', 900],
      ['half-open', '', 0],
      ['chosen', '', 0],
    ])
  })

  it('probes a half-open channel if a retry could still save the request', () => {
    expect(resultsWith({ 3: ready }, { retries_left: 1 })[2]).toEqual(['chosen', 'probe', 0])
    expect(resultsWith({ 3: ready }, { retries_left: 0 })[2]).toEqual(['not-drawn', '', 0])
  })

  it('falls back to a lower priority if all breakers of the higher one are open', () => {
    const levels = [aChannel({ id: 1, priority: 9 }), aChannel({ id: 2, priority: 1 })]

    const { channel, candidates } = chooseChannel({ channels: levels, tried: none, random: first, healthOf: healthOf({ 1: open() }) })

    expect(channel?.id).toBe(2)
    expect(candidates.map(({ result }) => result)).toEqual(['breaker-open', 'chosen'])
  })

  it('tries the least bad channel if all breakers are open', () => {
    const states = { 1: open(), 2: open({ severity: 0.4, remaining_ms: 9000 }), 3: open({ cause: 'dead', severity: 2 }), 4: probing }

    expect(resultsWith(states).map(([result, chosen_by]) => `${result} ${chosen_by}`.trim())).toEqual([
      'breaker-open',
      'chosen least-bad',
      'cooling',
      'half-open',
    ])
  })

  it('never chooses a disabled channel, however bad the others are', () => {
    const two = [aChannel({ id: 1, status: ChannelStatus.autoDisabled }), aChannel({ id: 2 })]

    const { channel } = chooseChannel({ channels: two, tried: none, random: first, healthOf: healthOf({ 2: open({ severity: 2 }) }) })

    expect(channel?.id).toBe(2)
  })
})

describe('a channel of several keys', () => {
  const key_ids = ['a', 'b', 'c']
  const several = aChannel({ id: 1, setting: { multi_key_mode: 'random' } })
  const keysOf = () => key_ids

  it('draws one of the healthy keys', () => {
    const drawn = [0, 0.4, 0.7].map(
      (chance) =>
        chooseChannel({ channels: [several], tried: none, random: () => chance, keysOf, healthOf: healthOf({ 1: { b: open() } }) }).key_id,
    )

    expect(drawn).toEqual(['a', 'a', 'c'])
  })

  it('uses its keys round robin if its setting says so', () => {
    const polling = aChannel({ id: 1, setting: { multi_key_mode: 'polling' } })

    const drawn = [0, 1, 2, 3].map(
      (turn) => chooseChannel({ channels: [polling], tried: none, random: first, keysOf, turnOf: () => turn }).key_id,
    )

    expect(drawn).toEqual(['a', 'b', 'c', 'a'])
  })

  it('is tried again with another key after the other channels of its priority', () => {
    const channels = [several, aChannel({ id: 2 })]
    const keys = ({ id }: ChannelSnapshot) => (id === 1 ? ['a', 'b'] : [''])
    const tried = new Map<number, Set<string>>()
    const order: string[] = []

    for (let turn = 0; turn < 4; turn += 1) {
      const { channel, key_id } = chooseChannel({ channels, tried, random: first, keysOf: keys })
      if (channel === undefined) break
      order.push(`${channel.id}${key_id}`)
      tried.set(channel.id, (tried.get(channel.id) ?? new Set()).add(key_id))
    }

    expect(order).toEqual(['1a', '2', '1b'])
  })

  it('is excluded if none of its keys is left', () => {
    const { channel, candidates } = chooseChannel({ channels: [several], tried: none, random: first, keysOf: () => [] })

    expect(channel).toBeUndefined()
    expect(candidates[0]?.result).toBe('keys-out')
  })
})

describe('the same conversation', () => {
  const channels = Array.from({ length: 5 }, (_, id) => aChannel({ id, weight: id === 0 ? 30 : 0 }))
  const keysOf = () => ['a', 'b', 'c']
  const choiceOf = (affinity_key: number, states: States = {}, chance = 0) => {
    const { channel, key_id, candidates } = chooseChannel({
      channels,
      tried: none,
      random: () => chance,
      affinity_key,
      keysOf,
      healthOf: healthOf(states),
    })
    return { at: `${channel?.id}${key_id}`, id: channel?.id, chosen_by: candidates.find(({ result }) => result === 'chosen')?.chosen_by }
  }

  it('gets the same channel and key for any random number', () => {
    expect(new Set([0, 0.3, 0.9].map((chance) => choiceOf(77, {}, chance).at)).size).toBe(1)
    expect(choiceOf(77).chosen_by).toBe('affinity')
  })

  it('moves only while its channel is unhealthy', () => {
    const home = choiceOf(77)
    const { id = -1 } = home

    const away = choiceOf(77, { [id]: open() })

    expect(away.id).not.toBe(id)
    expect(choiceOf(77, { [(id + 1) % 5]: open() }).at).toBe(home.at)
    expect(choiceOf(77).at).toBe(home.at)
  })

  it('keeps its channel when another channel is removed', () => {
    const seeds = Array.from({ length: 300 }, (_, affinity_key) => affinity_key * 7919)
    const before = seeds.map((affinity_key) => choiceOf(affinity_key))
    const after = seeds.map((affinity_key) => choiceOf(affinity_key, { 2: open() }))

    const moved = seeds.filter((_, at) => before[at]?.id !== 2 && before[at]?.at !== after[at]?.at)
    expect(moved).toEqual([])
  })

  it('is spread over the channels by their weights', () => {
    const ids = Array.from({ length: 2000 }, (_, affinity_key) => choiceOf(affinity_key * 104_729).id)
    const share = (id: number) => ids.filter((one) => one === id).length / ids.length

    expect(share(0)).toBeGreaterThan(0.45)
    expect(share(0)).toBeLessThan(0.55)
    expect(share(3)).toBeGreaterThan(0.09)
    expect(share(3)).toBeLessThan(0.16)
  })
})

describe('a strategy', () => {
  const results = (input: Partial<Parameters<typeof chooseChannel>[0]>, ...channels: ReturnType<typeof aChannel>[]) =>
    chooseChannel({ channels, tried: none, random: first, ...input }).candidates.map(({ result }) => result)

  it('prefers the lowest cost ratio within a priority, and 1 where there is none', () => {
    const dear = aChannel({ id: 1, setting: { cost_ratio: 1.2 } })
    const cheap = aChannel({ id: 2, setting: { cost_ratio: 0.8 } })
    const plain = aChannel({ id: 3 })
    const later = aChannel({ id: 4, priority: -1, setting: { cost_ratio: 0 } })

    expect(results({ strategy: 'price' }, dear, cheap, plain, later)).toEqual(['costlier', 'chosen', 'costlier', 'lower-priority'])
    expect(results({ strategy: 'price', tried: triedOnce(2) }, dear, cheap, plain)).toEqual(['costlier', 'already-tried', 'chosen'])
    expect(results({}, dear, cheap)).toEqual(['chosen', 'not-drawn'])
  })

  it('prefers the fastest channels and those that were not measured', () => {
    const latencyOf = ({ id }: { readonly id: number }) => [undefined, 1000, 1250, 2000, undefined][id]
    const channels = [1, 2, 3, 4].map((id) => aChannel({ id }))

    const { candidates } = chooseChannel({ channels, tried: none, random: first, strategy: 'latency', latencyOf })

    expect(candidates.map(({ result }) => result)).toEqual(['chosen', 'not-drawn', 'slower', 'not-drawn'])
  })
})

describe('a schedule', () => {
  const at = (text: string) => Date.parse(text)

  it.each<[string, unknown, string, boolean]>([
    ['within its hours', { hours: '09:00-18:00' }, '2026-11-23T09:00Z', true],
    ['at their end', { hours: '09:00-18:00' }, '2026-11-23T18:00Z', false],
    ['of another zone', { hours: '09:00-18:00', time_zone: 'Asia/Shanghai' }, '2026-11-23T01:30Z', true],
    ['in summer time', { hours: '09:00-10:00', time_zone: 'Europe/Berlin' }, '2026-07-01T07:30Z', true],
    ['until midnight', { hours: '18:00-24:00' }, '2026-11-23T23:59Z', true],
    ['over midnight', { hours: '22:00-06:00' }, '2026-11-23T05:59Z', true],
    ['on its days, a Monday', { hours: '00:00-24:00', days: [1] }, '2026-11-23T12:00Z', true],
    ['not on its days', { hours: '00:00-24:00', days: [6, 7] }, '2026-11-23T12:00Z', false],
    ['the morning after its day', { hours: '22:00-06:00', days: [7] }, '2026-11-23T01:00Z', true],
    ['the evening after its day', { hours: '22:00-06:00', days: [7] }, '2026-11-23T23:00Z', false],
    ['that cannot be read', { hours: '9-18' }, '2026-11-23T23:00Z', true],
  ])('%s', (_, schedule, now, serves) => {
    const { candidates } = chooseChannel({ channels: [aChannel({ setting: { schedule } })], tried: none, random: first, now: at(now) })

    expect(candidates[0]?.result).toBe(serves ? 'chosen' : 'off-schedule')
  })
})
