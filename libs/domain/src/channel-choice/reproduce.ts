import type { Attempt, CandidateResult, Explanation, RecordedDraw } from '@tollgate/contracts/relay/usage-event'
import { chancesOf, chooseChannel, type Chance } from './choose.ts'
import type { CostFigure } from './preference.ts'
import { numbersOf } from './numbers-of.ts'
import { recordedChannels, recordedInput } from './recorded-input.ts'

/** One draw that was made again. */
export type ReproducedDraw = {
  readonly group: string | undefined
  /** Outcome of each candidate; none is `chosen` if no channel was left. */
  readonly candidates: readonly CandidateResult[]
  readonly key_id: string
  /** The probability of each candidate at that moment. */
  readonly chances: readonly Chance[]
  /** The drawn number, which was compared with the probabilities; undefined: another rule decided. */
  readonly number: number | undefined
  /** The cost that the strategy compared, of the chosen channel; undefined: another strategy decided. */
  readonly cost: CostFigure | undefined
  /** The recorded attempt goes to the same channel and key; undefined: no attempt followed. */
  readonly is_same: boolean | undefined
}

export type Reproduction =
  /** `choice`: nothing was recorded to reproduce it from. `cut`: it was left out to keep the row small. */
  | { readonly kind: 'missing'; readonly fact: 'choice' | 'cut' }
  /** `key_count`: the keys of a channel were too many to record them, so its key was not compared. */
  | { readonly kind: 'exact' | 'differs'; readonly draws: readonly ReproducedDraw[]; readonly key_count: number | undefined }

type Recorded = Pick<Explanation, 'attempts' | 'candidates' | 'choice' | 'is_cut'>

/** Makes the choices of a recorded request again, by the relay's own functions and from nothing but the record. */
export function reproduceChoice({ attempts, candidates, choice, is_cut }: Recorded): Reproduction {
  if (choice === undefined) return { kind: 'missing', fact: is_cut ? 'cut' : 'choice' }
  const channels = recordedChannels(candidates, choice)
  const called = attempts.filter((_, at) => attempts[at - 1]?.retry !== 'same-channel')
  const triedBy = new Map<string, Map<number, Set<string>>>()
  let chosen = 0
  const draws = choice.draws.map((draw, at): ReproducedDraw => {
    // A key that failed for one model can serve another.
    const tried = triedBy.get(draw.model ?? '') ?? new Map<number, Set<string>>()
    triedBy.set(draw.model ?? '', tried)
    const input = recordedInput(draw, { channels, choice, tried })
    const n = draw.n ?? at
    const { channel, key_id, candidates: results } = chooseChannel({ ...input, random: numbersOf(choice.seed, n) })
    const chances = chancesOf(input)
    const isDrawn = chances.filter(({ probability }) => probability > 0).length > 1
    const number = isDrawn ? numbersOf(choice.seed, n)() : undefined
    const { id } = channel ?? {}
    const is_same = id === undefined ? undefined : isSame(called[chosen], { id, key_id, has_unknown_keys: draw.key_count !== undefined })
    if (id !== undefined) {
      chosen += 1
      tried.set(id, (tried.get(id) ?? new Set()).add(key_id))
    }
    return { group: draw.group, candidates: results, key_id, chances, number, cost: costOf(draw, results), is_same }
  })
  const isExact = called.length <= chosen && draws.every(({ is_same }) => is_same !== false)
  return { kind: isExact ? 'exact' : 'differs', draws, key_count: choice.draws.find(({ key_count }) => key_count !== undefined)?.key_count }
}

function costOf({ states, figures, bases }: RecordedDraw, results: readonly CandidateResult[]): CostFigure | undefined {
  const at = results.findIndex(({ result }) => result === 'chosen')
  if (bases === undefined || at < 0) return undefined
  const place = states.slice(0, at).replaceAll(/[^up]/g, '').length
  const usd = figures?.[place]
  return usd === undefined || usd === null ? undefined : { usd, is_measured: bases[place] === 'm' }
}

type Drawn = { readonly id: number; readonly key_id: string; readonly has_unknown_keys: boolean }

function isSame(attempt: Attempt | undefined, { id, key_id, has_unknown_keys }: Drawn): boolean | undefined {
  if (attempt === undefined) return undefined
  return attempt.channel_id === id && (has_unknown_keys || (attempt.key ?? '') === key_id)
}
