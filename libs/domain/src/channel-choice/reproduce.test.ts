import {
  RecordedChoice,
  type Attempt,
  type CandidateResult,
  type Explanation,
  type RecordedDraw,
} from '@tollgate/contracts/relay/usage-event'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aSituation } from '../../test/a-situation.ts'
import { chooseChannel } from './choose.ts'
import { numbersOf } from './numbers-of.ts'
import { recordDraw, restOf } from './record-choice.ts'
import { reproduceChoice } from './reproduce.ts'

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

const resultsOf = (rows: readonly CandidateResult[]) =>
  rows.map(({ channel_id, result, chosen_by }) => [String(channel_id), result, chosen_by])

const aRun = fc.record({
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
type Run = typeof aRun extends fc.Arbitrary<infer T> ? T : never

/** What a relay does and writes down when all attempts fail; circuit breakers, latencies and limits change before each. */
function run({ situation, seed, retries, wasted, next, turn, isOtherModel }: Run): {
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

describe('a recorded choice', () => {
  it('is reproduced exactly from the record of 10 000 random requests', () => {
    fc.assert(
      fc.property(aRun, (given) => {
        const { made, record } = run(given)

        const reproduced = reproduceChoice(record)

        if (reproduced.kind === 'missing') throw new Error('nothing was recorded')
        expect(reproduced.kind).toBe('exact')
        expect(reproduced.draws.map(({ candidates }) => resultsOf(candidates))).toEqual(made.map(({ results }) => results))
        const keys = reproduced.draws.map(({ key_id }) => (key_id.startsWith('?') ? undefined : key_id))
        expect(keys).toEqual(made.map(({ key_id }, at) => (keys[at] === undefined ? undefined : key_id)))
        if (reproduced.key_count === undefined) expect(keys).not.toContain(undefined)
      }),
      { numRuns: 10_000 },
    )
  })

  it('differs when an attempt went elsewhere than the recorded facts lead to', () => {
    const given = { ...runOf(3), retries: 1 }
    const { record } = run(given)
    const [first, second] = record.attempts
    if (first === undefined || second === undefined) throw new Error('two attempts are needed')

    expect(reproduceChoice(record).kind).toBe('exact')
    expect(reproduceChoice({ ...record, attempts: [second, first] }).kind).toBe('differs')
    expect(reproduceChoice({ ...record, attempts: [first, second, first] }).kind).toBe('differs')
  })

  it('counts a repetition on the same channel as one attempt', () => {
    const { record } = run({ ...runOf(3), retries: 1 })
    const [first, second] = record.attempts
    if (first === undefined || second === undefined) throw new Error('two attempts are needed')

    const attempts = [{ ...first, retry: 'same-channel' as const }, first, second]

    expect(reproduceChoice({ ...record, attempts }).kind).toBe('exact')
  })

  it('says which fact a record lacks', () => {
    const { record } = run(runOf(2))
    const { choice: _, ...older } = record

    expect(reproduceChoice(older)).toEqual({ kind: 'missing', fact: 'choice' })
    expect(reproduceChoice({ ...older, is_cut: true })).toEqual({ kind: 'missing', fact: 'cut' })
  })

  it('has the number that was drawn beside the probabilities', () => {
    const { record } = run({ ...runOf(2), seed: 5 })

    const reproduced = reproduceChoice(record)

    const [draw] = reproduced.kind === 'missing' ? [] : reproduced.draws
    expect(draw?.number).toBe(numbersOf(5, 0)())
    expect(draw?.chances.map(({ probability }) => probability)).toEqual([0.5, 0.5])
  })
})

/** Some equal channels. */
const runOf = (count: number): Run => ({
  situation: {
    region: '',
    channels: Array.from({ length: count }, (_, id) => aChannel({ id })),
    affinity_key: undefined,
    strategy: 'weight',
    now: 0,
    keysOf: () => [''],
    latencyOf: () => undefined,
    healthOf: () => undefined,
    skip: () => undefined,
    at: () => ({ latencyOf: () => undefined, healthOf: () => undefined, skip: () => undefined }),
  },
  seed: 1,
  retries: 0,
  wasted: [],
  next: null,
  turn: 0,
  isOtherModel: false,
})

describe('the numbers of a draw', () => {
  it('are spread evenly over seeds and draws', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let seed = 0; seed < 2000; seed += 1)
      for (let draw = 0; draw < 10; draw += 1) {
        const next = numbersOf(seed * 2_654_435 + 1, draw)
        for (const number of [next(), next()]) counts[Math.floor(number * 10)] = (counts[Math.floor(number * 10)] ?? 0) + 1
      }

    for (const count of counts) expect(Math.abs(count - 4000)).toBeLessThan(5 * Math.sqrt(4000 * 0.9))
  })
})
