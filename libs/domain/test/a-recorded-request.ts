import {
  RecordedChoice,
  type Attempt,
  type CandidateResult,
  type Explanation,
  type RecordedDraw,
} from '@tollgate/contracts/relay/usage-event'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { chooseChannel } from '../src/channel-choice/choose.ts'
import { numbersOf } from '../src/channel-choice/numbers-of.ts'
import { recordDraw, restOf } from '../src/channel-choice/record-choice.ts'
import { aSituation } from './a-situation.ts'

type Made = { readonly channel_id: number | undefined; readonly key_id: string; readonly results: readonly (string | undefined)[][] }
type Recorded = Pick<Explanation, 'attempts' | 'candidates' | 'choice' | 'is_cut'>

const anAttempt = (channel_id: number, key_id: string): Attempt => ({
  channel_id,
  channel_name: `c${channel_id}`,
  channel_type: 1,
  upstream_model: 'm',
  started_ms: 0,
  ended_ms: 1,
  outcome: 'refused',
  ...(key_id === '' ? {} : { key: key_id }),
})

export const resultsOf = (rows: readonly CandidateResult[]) =>
  rows.map(({ channel_id, result, chosen_by }) => [String(channel_id), result, chosen_by])

export const aRun = fc.record({
  situation: aSituation,
  seed: fc.nat(2 ** 32 - 1),
  retries: fc.nat(4),
  /** Draws that were given up because the channel's limits were full meanwhile. */
  wasted: fc.array(fc.nat(2), { minLength: 16, maxLength: 16 }),
  /** Channels of the second group; none: the request stays in its group. */
  next: fc.option(fc.array(fc.nat(6)), { freq: 2 }),
  turn: fc.nat(50),
  /** The second group is one of another model of a chain, for which no key was tried. */
  isOtherModel: fc.boolean(),
})
export type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never

/** A relay's choices and record when all attempts fail; circuit breakers, latencies and limits change before each. */
export function run({ situation, seed, retries, wasted, next, turn, isOtherModel }: Run): {
  readonly made: readonly Made[]
  readonly record: Recorded
} {
  const { at: _, ...facts } = situation
  const all = situation.channels
  const groups = next === null ? [all] : [all.slice(0, 4), all.filter(({ id }) => next.includes(id))]
  let tried = new Map<number, Set<string>>()
  const made: Made[] = []
  const draws: RecordedDraw[] = []
  const attempts: Attempt[] = []
  let n = 0
  let moment = 0
  let group = 0
  let needs_usable = groups.length > 1
  for (let left = retries; left >= 0;) {
    n += wasted[moment] ?? 0
    const channels = groups[group] ?? []
    const input = { ...facts, ...situation.at(moment), channels, tried, retries_left: left, needs_usable, turnOf: () => turn + n }
    const choice = chooseChannel({ ...input, random: numbersOf(seed, n) })
    draws.push(
      recordDraw(
        choice,
        { ...input, random: Math.random },
        { n, at: draws.length, group: groups.length > 1 ? `g${group}` : undefined, model: isOtherModel && group > 0 ? 'other' : undefined },
      ),
    )
    made.push({ channel_id: choice.channel?.id, key_id: choice.key_id, results: resultsOf(choice.candidates) })
    n += 1
    moment += 1
    if (choice.channel === undefined) {
      if (!needs_usable) break
      if (group < groups.length - 1) {
        group += 1
        if (isOtherModel) tried = new Map()
      } else needs_usable = false
      continue
    }
    tried.set(choice.channel.id, (tried.get(choice.channel.id) ?? new Set()).add(choice.key_id))
    attempts.push(anAttempt(choice.channel.id, choice.key_id))
    left -= 1
  }
  const rows = all.map(({ id, name, priority, weight }) => ({
    channel_id: id,
    channel_name: name,
    priority,
    weight,
    result: 'not-drawn' as const,
  }))
  const { affinity_key, region } = situation
  const choice = {
    seed,
    draws,
    rest: restOf(rows.slice(3)),
    ...(affinity_key === undefined ? {} : { affinity_key }),
    ...(region === '' ? {} : { region }),
  }
  return {
    made,
    record: { attempts, candidates: rows.slice(0, 3), choice: RecordedChoice.parse(JSON.parse(JSON.stringify(choice))), is_cut: false },
  }
}

/** Some equal channels. */
export const runOf = (count: number): Run => ({
  situation: {
    region: '',
    channels: Array.from({ length: count }, (_, id) => aChannel({ id })),
    affinity_key: undefined,
    strategy: 'weight',
    now: 0,
    keysOf: () => [''],
    latencyOf: () => undefined,
    costOf: () => ({ usd: 1, is_measured: false }),
    healthOf: () => undefined,
    skip: () => undefined,
    at: () => ({
      latencyOf: () => undefined,
      costOf: () => ({ usd: 1, is_measured: false }),
      healthOf: () => undefined,
      skip: () => undefined,
    }),
  },
  seed: 1,
  retries: 0,
  wasted: [],
  next: null,
  turn: 0,
  isOtherModel: false,
})
