import { ROUTING_STRATEGIES } from '@tollgate/contracts/relay/routing-strategies'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { ONE_KEY, type SkipReason } from '../src/channel-choice/choice.ts'
import type { BreakerState } from '../src/channel-health/breaker.ts'

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

/** Channels with all that a choice reads; `at` has the circuit breakers, latencies and limits of another moment. */
export const aSituation = fc
  .record({
    channels: fc.array(
      fc.record({
        priority: fc.nat(2),
        weight: fc.integer({ min: -5, max: 60 }),
        status: fc.constantFrom(1, 1, 1, 1, 2, 3),
        keys: fc.constantFrom(1, 1, 1, 2, 3, 0, 20),
        multi_key_mode: fc.constantFrom('random', 'polling'),
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
  .map(({ channels, affinity_key, strategy, region }) => {
    const at = (moment: number) => {
      const factsOf = (id: number) => channels[(id + moment) % channels.length]
      return {
        latencyOf: ({ id }: ChannelSnapshot) => factsOf(id)?.latency,
        costOf: ({ id }: ChannelSnapshot) => ({
          usd: (factsOf(id)?.latency ?? 300) / 100,
          is_measured: factsOf(id)?.latency !== undefined,
        }),
        healthOf: ({ id }: ChannelSnapshot) => {
          const states = factsOf(id)?.states
          return states && ((key_id: string): BreakerState => states[Number(key_id)] ?? { kind: 'closed' })
        },
        skip: ({ id }: ChannelSnapshot) => factsOf(id)?.skip,
      }
    }
    return {
      region,
      channels: channels.map(({ priority, weight, status, cost_ratio, region: near, schedule, multi_key_mode }, id) =>
        aChannel({ id, priority, weight, status, setting: { cost_ratio, region: near, schedule, multi_key_mode } }),
      ),
      affinity_key,
      strategy,
      now: NOON - 3_600_000,
      keysOf: ({ id }: ChannelSnapshot) => {
        const { keys = 0 } = channels[id] ?? {}
        return keys === 1 ? ONE_KEY : Array.from({ length: keys }, (_, nth) => String(nth))
      },
      ...at(0),
      at,
    }
  })
