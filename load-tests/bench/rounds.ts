import type { Scenario } from '../scenarios/scenarios.ts'
import type { Gateway } from './gateways.ts'
import { applyLoad, SATURATED, type Run, type Sample } from './load.ts'
import { MAX_STOLEN } from './rows.ts'
import type { Testbed } from './testbed.ts'

export type Bench = {
  readonly testbed: Testbed
  readonly rounds: number
  /** Multiplies every measured time; 1 is the published form. */
  readonly scale: number
  /** Multiplies the warm-up before each measurement. */
  readonly warmth: number
  /** Sentences for the report about conditions that make a figure unreliable. */
  readonly notes: Set<string>
}

export type Pairing = { readonly gateway: Gateway; readonly scenario: Scenario }

/**
 * Measures several pairings in rounds, each round in another order, so that changes on the machine affect all alike. The first round is a
 * warm-up.
 */
export async function alternate(
  { testbed, rounds, scale, warmth, notes }: Bench,
  pairings: readonly Pairing[],
  run: Run,
): Promise<Sample[][]> {
  const samples: Sample[][] = pairings.map(() => [])
  for (let round = 0; round <= rounds; round += 1) {
    for (let step = 0; step < pairings.length; step += 1) {
      const at = (step + round) % pairings.length
      const pairing = pairings[at]
      if (pairing === undefined) continue
      const { gateway, scenario } = pairing
      const sample = await applyLoad(testbed, gateway, scenario, { ...run, warmup: run.warmup * warmth, seconds: run.seconds * scale })
      if (round === 0) continue
      if (sample.loadShare > SATURATED && scenario.shape.kind !== 'closed') {
        notes.add(`The load side used ${Math.round(sample.loadShare * 100)} % of its core in ${scenario.name} on ${gateway.name}.`)
      }
      if (sample.stolenShare > MAX_STOLEN) {
        notes.add(
          `The host took ${Math.round(sample.stolenShare * 100)} % of a core in ${scenario.name} on ${gateway.name}, round ${round}.`,
        )
      }
      samples[at]?.push(sample)
    }
  }
  return samples
}

export const perRequest = ({ cpu, outcome }: Sample): number => cpu / outcome.completed
export const perChunk = ({ cpu, outcome }: Sample): number => cpu / outcome.chunks
export const perSecond = ({ outcome }: Sample): number => outcome.completed / outcome.seconds

/** The quotient of each round: first by second. */
export function ratios(first: readonly Sample[], second: readonly Sample[], of: (sample: Sample) => number): number[] {
  return first.map((sample, at) => {
    const other = second[at]
    return other === undefined ? Number.NaN : of(sample) / of(other)
  })
}
