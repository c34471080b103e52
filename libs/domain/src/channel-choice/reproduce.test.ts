import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRun, resultsOf, run, runOf } from '../../test/a-recorded-request.ts'
import { numbersOf } from './numbers-of.ts'
import { reproduceChoice } from './reproduce.ts'

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
