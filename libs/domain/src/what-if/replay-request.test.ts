import type { ChangedChannel, WhatIfCandidate } from '@tollgate/contracts/resources/what-if'
import { ROUTING_STRATEGIES } from '@tollgate/contracts/relay/routing-strategies'
import { aChannel } from '@tollgate/testing/a-channel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRun, run, runOf } from '../../test/a-recorded-request.ts'
import { changesOf } from './changed-draw.ts'
import type { RecordedRequest, WhatIfFacts } from './facts.ts'
import { replayRequest, type ReplayedRequest } from './replay-request.ts'

const UNCHANGED: WhatIfCandidate = { channels: [] }

const facts: WhatIfFacts = {
  failureRateOf: (id) => [undefined, 0, 0.5, 1][id % 4],
  latencyOf: (id) => 100 + id,
  costRatioOf: (id) => 1 + id / 10,
  costOf: (id) => ({ usd: 3 + id, is_measured: true }),
  channelsOf: () => [],
  fallbacks: {},
}

/** A request as a log row has it; `answeredAt`: the attempt that was answered, if it was made. */
function recorded(given: Parameters<typeof run>[0], answeredAt = Infinity): RecordedRequest {
  const { record } = run(given)
  const { choice } = record
  const attempts = record.attempts
    .slice(0, answeredAt + 1)
    .map((attempt, at) => (at === answeredAt ? { ...attempt, outcome: 'answered' as const } : attempt))
  const draws = choice?.draws ?? []
  let chosen = -1
  const end = draws.findIndex(({ states, pauses, left }, at) => {
    const next = draws[at + 1]
    // A draw without a channel is followed by one with as many attempts left.
    if ((/[up]/.test(states) || pauses !== undefined) && next?.left !== left) chosen += 1
    return chosen === answeredAt
  })
  const kept = answeredAt < record.attempts.length && end >= 0 ? draws.slice(0, end + 1) : draws
  return {
    group: 'g0',
    model: 'm',
    path: '/v1/chat/completions',
    explanation: { ...record, attempts, choice: choice && { ...choice, draws: [...kept] } },
  }
}

const aRequest = fc
  .record({ given: aRun, answeredAt: fc.constantFrom(0, 0, 1, 2, Infinity) })
  .map(({ given, answeredAt }) => recorded(given, answeredAt))

const replay = (request: RecordedRequest, candidate: WhatIfCandidate, known = facts): ReplayedRequest =>
  replayRequest(request, changesOf(candidate), known)

const callsOf = (found: ReplayedRequest) => {
  if (found.kind === 'missing') throw new Error(`${found.fact} is missing`)
  return found.calls
}

describe('an unchanged configuration', () => {
  it('leads 10 000 random requests to their recorded channels, with their recorded outcomes', () => {
    fc.assert(
      fc.property(aRequest, (request) => {
        const found = replay(request, UNCHANGED)

        expect(found).toMatchObject({ kind: 'replayed', is_same: true })
        expect(callsOf(found).map(({ attempt }) => attempt)).toEqual(request.explanation.attempts)
        expect(callsOf(found).every(({ basis }) => basis === 'recorded')).toBe(true)
      }),
      { numRuns: 10_000 },
    )
  })

  it('is also one that states what was recorded', () => {
    fc.assert(
      fc.property(aRequest, (request) => {
        const { candidates } = request.explanation
        const channels = candidates.map(({ channel_id, weight, priority }) => ({ id: channel_id, weight, priority }))

        expect(replay(request, { channels })).toEqual(replay(request, UNCHANGED))
      }),
      { numRuns: 2000 },
    )
  })
})

const aChange: fc.Arbitrary<ChangedChannel> = fc.record(
  {
    id: fc.nat(6),
    is_enabled: fc.boolean(),
    weight: fc.nat(60),
    priority: fc.nat(3),
    cost_ratio: fc.constantFrom(0.2, 1, 3),
  },
  { requiredKeys: ['id'] },
)
const aCandidate: fc.Arbitrary<WhatIfCandidate> = fc.record(
  {
    channels: fc.uniqueArray(aChange, { selector: ({ id }) => id, maxLength: 4 }),
    strategies: fc.record({ '*': fc.constantFrom(...ROUTING_STRATEGIES) }),
    fallbacks: fc.constantFrom({}, { '*': { m: ['n'] } }),
  },
  { requiredKeys: ['channels'] },
)

const withModelN: WhatIfFacts = { ...facts, channelsOf: () => [aChannel({ id: 50, priority: 1 }), aChannel({ id: 51, status: 2 })] }

describe('a changed configuration', () => {
  it('gives equal results for equal requests, ends every request, and never calls a channel that is off', () => {
    fc.assert(
      fc.property(aRequest, aCandidate, (request, candidate) => {
        const found = replay(request, candidate, withModelN)

        expect(replay(request, candidate, withModelN)).toEqual(found)
        if (found.kind === 'missing') {
          expect(found.fact).toBe('groups')
          return
        }
        const off = candidate.channels.flatMap(({ id, is_enabled }) => (is_enabled === false ? [id] : []))
        expect(found.calls.filter(({ channel_id }) => off.includes(channel_id) || channel_id === 51)).toEqual([])
        expect(found.calls.slice(0, -1).filter(({ is_answered }) => is_answered)).toEqual([])
        const keys = found.calls.flatMap(({ channel_id, model, basis }) => (basis === 'recorded' ? [] : [`${channel_id} ${model}`]))
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: 10_000 },
    )
  })

  const plain = (count: number, retries: number) => ({ ...runOf(count), retries })

  it('moves a request to the channel that is left, and takes that channel’s rate', () => {
    const request = recorded(plain(2, 0), 0)
    const [first] = request.explanation.attempts
    const used = first?.channel_id ?? 0
    const candidate = { channels: [{ id: used, is_enabled: false }] }

    const answering = callsOf(replay(request, candidate, { ...facts, failureRateOf: () => 0 }))
    const failing = callsOf(replay(request, candidate, { ...facts, failureRateOf: () => 1 }))
    const unknown = callsOf(replay(request, candidate, { ...facts, failureRateOf: () => undefined }))

    expect(answering).toMatchObject([{ channel_id: 1 - used, is_answered: true, basis: 'rate' }])
    expect(failing).toMatchObject([{ channel_id: 1 - used, is_answered: false, basis: 'rate' }])
    expect(unknown).toMatchObject([{ channel_id: 1 - used, is_answered: true, basis: 'unmeasured' }])
  })

  it('keeps the recorded outcome of a channel that was called later in the record', () => {
    const request = recorded(plain(2, 1), 1)
    const [first, second] = request.explanation.attempts.map(({ channel_id }) => channel_id)
    if (first === undefined || second === undefined) throw new Error('two attempts are needed')

    const found = replay(request, { channels: [{ id: second, priority: 9 }] })

    expect(found).toMatchObject({ is_same: false, calls: [{ channel_id: second, is_answered: true, basis: 'recorded' }] })
  })

  it('goes by another strategy with the present figures', () => {
    const request = recorded(plain(3, 0), 0)

    const cheapest = callsOf(
      replay(
        request,
        { channels: [{ id: 2, cost_ratio: 0.1 }], strategies: { '*': 'price' } },
        { ...facts, costRatioOf: (id) => (id === 1 ? 0.5 : 1) },
      ),
    )
    const fastest = callsOf(
      replay(request, { channels: [], strategies: { g0: 'latency' } }, { ...facts, latencyOf: (id) => (id === 1 ? 10 : 100) }),
    )

    expect(cheapest.at(-1)?.channel_id).toBe(2)
    expect(fastest.at(-1)?.channel_id).toBe(1)
  })

  it('has another model answer after the attempts of the first', () => {
    const request = recorded(plain(1, 0))
    const candidate = { channels: [], fallbacks: { '*': { m: ['n'] } } }

    expect(callsOf(replay(request, UNCHANGED, withModelN))).toMatchObject([{ model: 'm', is_answered: false }])
    expect(callsOf(replay(request, candidate, { ...withModelN, failureRateOf: () => 0 }))).toMatchObject([
      { channel_id: 0, model: 'm', is_answered: false, basis: 'recorded' },
      { channel_id: 50, model: 'n', is_answered: true, basis: 'rate' },
    ])
    const switched = {
      ...candidate,
      channels: [
        { id: 50, is_enabled: false },
        { id: 51, is_enabled: true },
      ],
    }
    expect(callsOf(replay(request, switched, { ...withModelN, failureRateOf: () => 0 })).at(-1)).toMatchObject({
      channel_id: 51,
      is_answered: true,
    })
    expect(callsOf(replay({ ...request, path: '/v1/embeddings' }, candidate, withModelN))).toHaveLength(1)
  })

  it('leaves a refusal of the request itself as it is, wherever the request goes', () => {
    const request = recorded(plain(2, 1))
    const [first] = request.explanation.attempts
    if (first === undefined) throw new Error('an attempt is needed')
    const [draw] = request.explanation.choice?.draws ?? []
    const refused = {
      ...request,
      explanation: {
        ...request.explanation,
        attempts: [{ ...first, retry: 'no' as const }],
        choice: request.explanation.choice && { ...request.explanation.choice, draws: draw === undefined ? [] : [draw] },
      },
    }

    const moved = callsOf(
      replay(refused, { channels: [{ id: first.channel_id, is_enabled: false }] }, { ...facts, failureRateOf: () => 0 }),
    )

    expect(moved).toMatchObject([{ channel_id: 1 - first.channel_id, is_answered: false, basis: 'recorded' }])
  })

  it('says which fact a request lacks', () => {
    const { explanation, ...request } = recorded(plain(2, 0), 0)
    const { choice: _, ...without } = explanation

    expect(replay({ ...request, explanation: without }, UNCHANGED)).toEqual({ kind: 'missing', fact: 'choice' })
    expect(replay({ ...request, explanation: { ...without, is_cut: true } }, UNCHANGED)).toEqual({ kind: 'missing', fact: 'cut' })
    const [attempt] = explanation.attempts
    if (attempt === undefined) throw new Error('an attempt is needed')
    const other = { ...attempt, channel_id: 1 - attempt.channel_id }
    expect(replay({ ...request, explanation: { ...explanation, attempts: [other] } }, UNCHANGED)).toEqual({
      kind: 'missing',
      fact: 'differs',
    })
  })
})
