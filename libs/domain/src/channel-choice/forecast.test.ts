import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSituation } from '../../test/a-situation.ts'
import type { ForecastInput } from './choice.ts'
import { chancesOf, chooseChannel } from './choose.ts'
import { forecastChoices } from './forecast.ts'
import { numbersOf } from './numbers-of.ts'

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
    const random = numbersOf(7, 0)
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
