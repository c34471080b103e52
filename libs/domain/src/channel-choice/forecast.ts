import type { CandidateResult } from '@tollgate/contracts/relay/usage-event'
import type { ForecastInput } from './choice.ts'
import { chancesOf } from './choose.ts'

/** Forecast for one candidate. */
export type ForecastRow = {
  /** At the first attempt; `chosen` if it can be chosen then. */
  readonly first: CandidateResult
  /** The probability of each attempt to go to this channel, given that all attempts before it failed. */
  readonly probabilities: readonly number[]
}

export type Forecast = {
  readonly rows: readonly ForecastRow[]
  /** Attempts that have a channel left. */
  readonly attempts: number
  /** Further attempts are possible but were not computed: too many channels could have been tried before. */
  readonly is_cut: boolean
  /** The keys that were tried when no channel was left; undefined: attempts ended before. */
  readonly exhausted: Tried | undefined
}

/** The combinations of tried channels that are followed; 60 equal channels have 1 770 before their third attempt. */
const MAX_STATES = 2000

type Tried = ForecastInput['tried']
type State = { readonly tried: Tried; readonly probability: number }

/**
 * Which channels a request would try and how probably, if every attempt failed in a way that is retried. Keys of a channel count as
 * equally healthy, and a failed attempt changes no channel's health. At most `attempts` attempts, after those of `tried`.
 */
export function forecastChoices(
  input: Omit<ForecastInput, 'tried' | 'retries_left'>,
  attempts: number,
  tried: Tried = new Map(),
): Forecast {
  const start = chancesOf({ ...input, tried, retries_left: attempts - 1 })
  const probabilities = start.map(({ probability }) => [probability])
  let states = nextStates({ tried, probability: 1 }, start)
  if (states.length === 0) return { rows: toRows(start, probabilities), attempts: 0, is_cut: false, exhausted: tried }
  let done = 1
  while (done < attempts && states.length <= MAX_STATES) {
    const reached: State[] = []
    const sums = start.map(() => 0)
    for (const state of states) {
      const chances = chancesOf({ ...input, tried: state.tried, retries_left: attempts - 1 - done })
      for (const [at, { probability }] of chances.entries()) sums[at] = (sums[at] ?? 0) + state.probability * probability
      reached.push(...nextStates(state, chances))
    }
    if (reached.length === 0) return { rows: toRows(start, probabilities), attempts: done, is_cut: false, exhausted: states[0]?.tried }
    for (const [at, sum] of sums.entries()) probabilities[at]?.push(sum)
    states = merged(reached)
    done += 1
  }
  const is_cut = done < attempts && states.length > MAX_STATES
  return { rows: toRows(start, probabilities), attempts: done, is_cut, exhausted: undefined }
}

const toRows = (start: ReturnType<typeof chancesOf>, probabilities: readonly (readonly number[])[]): ForecastRow[] =>
  start.map(({ candidate }, at) => ({ first: candidate, probabilities: probabilities[at] ?? [] }))

function nextStates({ tried, probability }: State, chances: ReturnType<typeof chancesOf>): State[] {
  return chances
    .filter((chance) => chance.probability > 0)
    .map(({ candidate: { channel_id }, key_id, probability: share }) => ({
      tried: new Map([...tried, [channel_id, new Set([...(tried.get(channel_id) ?? []), key_id])]]),
      probability: probability * share,
    }))
}

/** Two orders of the same channels leave the same ones. */
function merged(states: readonly State[]): State[] {
  const byTried = new Map<string, State>()
  for (const { tried, probability } of states) {
    const name = [...tried]
      .map(([id, keys]) => `${id}:${keys.size}`)
      .toSorted()
      .join()
    byTried.set(name, { tried, probability: probability + (byTried.get(name)?.probability ?? 0) })
  }
  return [...byTried.values()]
}
