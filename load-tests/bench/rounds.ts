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
  /** Multiplies the time between the start of a load and the start of its measuring. */
  readonly warmth: number
  /** Sentences for the report: what made a figure doubtful. */
  readonly notes: Set<string>
}

export type Pairing = { readonly gateway: Gateway; readonly scenario: Scenario }

/**
 * Rounds over several pairings, each round in another order, so that what changes on the machine meets all of them alike. The first
 * round warms code and connections and is not counted.
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

/** Round by round: how many times the first is of the second. */
export function ratios(first: readonly Sample[], second: readonly Sample[], of: (sample: Sample) => number): number[] {
  return first.map((sample, at) => {
    const other = second[at]
    return other === undefined ? Number.NaN : of(sample) / of(other)
  })
}
