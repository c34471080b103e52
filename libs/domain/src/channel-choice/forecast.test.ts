import { ROUTING_STRATEGIES } from '@tollgate/contracts/routing-strategies'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BreakerState } from '../channel-health/breaker.ts'
import type { ForecastInput, SkipReason } from './choice.ts'
import { chancesOf, chooseChannel } from './choose.ts'
import { forecastChoices } from './forecast.ts'

const aState: fc.Arbitrary<BreakerState> = fc.oneof(
  fc.constant<BreakerState>({ kind: 'closed' }),
  fc.record({
    kind: fc.constant('open' as const),
    cause: fc.constantFrom('failures' as const, 'limited' as const, 'dead' as const),
    remaining_ms: fc.nat(9000),
    severity: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('half-open' as const), is_probing: fc.boolean(), severity: fc.nat(3) }),
)

const NOON = Date.UTC(2026, 10, 23, 12)

const aSituation = fc
  .record({
    channels: fc.array(
      fc.record({
        priority: fc.nat(2),
        weight: fc.integer({ min: -5, max: 60 }),
        status: fc.constantFrom(1, 1, 1, 1, 2, 3),
        keys: fc.constantFrom(1, 1, 1, 2, 3, 0),
        states: fc.option(fc.array(aState, { minLength: 3, maxLength: 3 }), { nil: undefined, freq: 2 }),
        cost_ratio: fc.constantFrom(undefined, 0.5, 1, 2),
        region: fc.constantFrom(undefined, 'eu', 'us'),
        latency: fc.constantFrom(undefined, 100, 120, 900),
        schedule: fc.constantFrom(undefined, undefined, undefined, { hours: '09:00-12:00' }, { hours: '12:00-09:00' }),
        skip: fc.constantFrom<(SkipReason | undefined)[]>(undefined, undefined, undefined, undefined, 'unsupported', 'limit-reached'),
      }),
      { maxLength: 7 },
    ),
    affinity_key: fc.option(fc.nat(), { nil: undefined, freq: 2 }),
    strategy: fc.constantFrom(...ROUTING_STRATEGIES),
    region: fc.constantFrom('', '', 'eu', 'us'),
  })
  .map(({ channels, affinity_key, strategy, region }) => ({
    region,
    channels: channels.map(({ priority, weight, status, cost_ratio, region: at, schedule }, id) =>
      aChannel({ id, priority, weight, status, setting: { cost_ratio, region: at, schedule } }),
    ),
    affinity_key,
    strategy,
    latencyOf: ({ id }: ChannelSnapshot) => channels[id]?.latency,
    now: NOON - 3_600_000,
    keysOf: ({ id }: ChannelSnapshot) => Array.from({ length: channels[id]?.keys ?? 0 }, (_, at) => String(at)),
    healthOf: ({ id }: ChannelSnapshot) => {
      const states = channels[id]?.states
      return states && ((key_id: string): BreakerState => states[Number(key_id)] ?? { kind: 'closed' })
    },
    skip: ({ id }: ChannelSnapshot) => channels[id]?.skip,
  }))

const none: ForecastInput['tried'] = new Map()

/** A number of the middle of each share of the draw, in the order of the pool. */
function middles(probabilities: readonly number[]): (number | undefined)[] {
  let below = 0
  return probabilities.map((probability) => {
    below += probability
    return probability > 0 ? below - probability / 2 : undefined
  })
}

describe('the forecast of a choice', () => {
  it('says of 10 000 random situations what the relay would choose, and why not the others', () => {
    fc.assert(
      fc.property(aSituation, fc.nat(2), (situation, retries_left) => {
        const chances = chancesOf({ ...situation, tried: none, retries_left })
        const total = chances.reduce((sum, { probability }) => sum + probability, 0)
        const draws = middles(chances.map(({ probability }) => probability))

        const drawn = draws.map((at) =>
          at === undefined ? undefined : chooseChannel({ ...situation, tried: none, retries_left, random: () => at }),
        )

        if (total === 0) expect(chooseChannel({ ...situation, tried: none, retries_left, random: () => 0.5 }).channel).toBeUndefined()
        else expect(total).toBeCloseTo(1, 9)
        for (const [at, choice] of drawn.entries()) {
          if (choice === undefined) continue
          expect(choice.channel?.id).toBe(chances[at]?.candidate.channel_id)
          expect(choice.candidates[at]).toEqual(chances[at]?.candidate)
          const others = chances.flatMap(({ probability, candidate }, nth) => (probability === 0 ? [[nth, candidate] as const] : []))
          for (const [nth, candidate] of others) expect(choice.candidates[nth]).toEqual(candidate)
        }
      }),
      { numRuns: 10_000 },
    )
  })

  it('gives each attempt the shares that the relay draws, when all attempts fail', () => {
    const attempts = 3
    const draws = 4000
    const random = seeded(7)
    fc.assert(
      fc.property(aSituation, (situation) => {
        const counts = situation.channels.map(() => Array.from({ length: attempts }, () => 0))
        for (let nth = 0; nth < draws; nth += 1) {
          const tried = new Map<number, Set<string>>()
          for (let attempt = 0; attempt < attempts; attempt += 1) {
            const { channel, key_id } = chooseChannel({ ...situation, tried, retries_left: attempts - 1 - attempt, random })
            if (channel === undefined) break
            const own = counts[channel.id]
            if (own !== undefined) own[attempt] = (own[attempt] ?? 0) + 1
            tried.set(channel.id, (tried.get(channel.id) ?? new Set()).add(key_id))
          }
        }

        const { rows } = forecastChoices(situation, attempts)

        for (const [at, { probabilities }] of rows.entries())
          for (const [attempt, probability] of probabilities.entries()) {
            const share = (counts[at]?.[attempt] ?? 0) / draws
            // Five standard deviations, and a floor for shares near 0 and 1.
            expect(Math.abs(share - probability)).toBeLessThan(5 * Math.sqrt((probability * (1 - probability)) / draws) + 0.002)
          }
      }),
      { numRuns: 60, seed: 11 },
    )
  })

  it('ends when no channel is left, and says when it stops early', () => {
    expect(forecastChoices({ channels: [] }, 3)).toEqual({ rows: [], attempts: 0, is_cut: false, exhausted: new Map() })
    expect(forecastChoices({ channels: [aChannel({ id: 1 }), aChannel({ id: 2 })] }, 5)).toMatchObject({ attempts: 2, is_cut: false })
    const many = Array.from({ length: 100 }, (_, id) => aChannel({ id }))
    expect(forecastChoices({ channels: many }, 4)).toMatchObject({ attempts: 2, is_cut: true })
  })
})

/** Mulberry32: a small generator, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
