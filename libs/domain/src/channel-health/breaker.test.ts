import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Breaker, type CallOutcome } from './breaker.ts'

const ok: CallOutcome = { kind: 'ok' }
const failed: CallOutcome = { kind: 'failed' }
const neutral: CallOutcome = { kind: 'neutral' }
const T0 = 1_000_000

function after(outcomes: readonly CallOutcome[], { at = T0, everyMs = 100 } = {}): { breaker: Breaker; now: number } {
  const breaker = new Breaker()
  for (const [index, outcome] of outcomes.entries()) breaker.record(outcome, at + index * everyMs)
  return { breaker, now: at + outcomes.length * everyMs }
}

describe('a breaker trips', () => {
  it.each([
    ['three failures in a row', [failed, failed, failed], 'open'],
    ['four failures of twelve', [failed, ok, ok, failed, ok, ok, failed, ok, ok, ok, ok, failed], 'open'],
    ['half of the calls', [ok, failed, ok, failed, failed, ok, failed], 'open'],
    ['one failure', [failed], 'closed'],
    ['one failure among many', [ok, ok, failed, ok, ok], 'closed'],
    ['two failures', [failed, failed], 'closed'],
    ['a success between failures', [failed, failed, ok, failed], 'closed'],
    ['a low failure rate', [...Array.from({ length: 40 }, () => ok), failed, ok, failed, ok, failed, ok, failed], 'closed'],
    ['neutral calls', Array.from({ length: 9 }, () => neutral), 'closed'],
  ] as const)('after %s: %s', (_, outcomes, kind) => {
    const { breaker, now } = after(outcomes)

    expect(breaker.stateAt(now).kind).toBe(kind)
  })

  it('not by sporadic failures that are followed by successes', () => {
    const { breaker, now } = after([failed, ok, failed, ok, failed, ok, failed, ok], { everyMs: 6000 })

    expect(breaker.stateAt(now).kind).toBe('closed')
  })

  it('reports it once', () => {
    const breaker = new Breaker()

    expect([failed, failed, failed, failed].map((outcome) => breaker.record(outcome, T0))).toEqual([false, false, true, false])
  })
})

describe('an open breaker', () => {
  it('admits one probe at a time after its pause', () => {
    const { breaker, now } = after([failed, failed, failed])
    expect(breaker.stateAt(now)).toMatchObject({ kind: 'open', cause: 'failures' })

    const later = now + 5000
    expect(breaker.stateAt(later)).toMatchObject({ kind: 'half-open', is_probing: false })
    breaker.beginProbe(later)
    expect(breaker.stateAt(later)).toMatchObject({ kind: 'half-open', is_probing: true })
  })

  it('resets after a successful probe, and trips on one failure shortly after', () => {
    const { breaker, now } = after([failed, failed, failed])
    breaker.beginProbe(now + 5000)

    breaker.record(ok, now + 5100)

    expect(breaker.stateAt(now + 5100)).toEqual({ kind: 'closed' })
    breaker.record(failed, now + 5200)
    expect(breaker.stateAt(now + 5200)).toMatchObject({ kind: 'open', remaining_ms: 10_000 })
  })

  it('doubles its pause after each failed probe, up to two minutes', () => {
    let { breaker, now } = after([failed, failed, failed])
    const pauses: number[] = []

    for (let round = 0; round < 7; round += 1) {
      const state = breaker.stateAt(now)
      if (state.kind !== 'open') throw new Error('it should be open')
      pauses.push(Math.round(state.remaining_ms / 1000))
      now += state.remaining_ms
      breaker.beginProbe(now)
      breaker.record(failed, now)
    }

    expect(pauses).toEqual([5, 10, 20, 40, 80, 120, 120])
  })

  it('forgets earlier trips after five minutes without one', () => {
    const { breaker, now } = after([failed, failed, failed])
    breaker.record(ok, now + 5000)
    const later = now + 400_000

    breaker.record(failed, later)

    expect(breaker.stateAt(later).kind).toBe('closed')
    for (let more = 0; more < 2; more += 1) breaker.record(failed, later)
    expect(breaker.stateAt(later)).toMatchObject({ kind: 'open', remaining_ms: 5000 })
  })

  it('admits another probe if the first one is neutral or takes too long', () => {
    const { breaker, now } = after([failed, failed, failed])
    breaker.beginProbe(now + 5000)
    breaker.record(neutral, now + 5001)
    expect(breaker.stateAt(now + 5001)).toMatchObject({ kind: 'half-open', is_probing: false })

    breaker.beginProbe(now + 5001)
    expect(breaker.stateAt(now + 10_002)).toMatchObject({ kind: 'half-open', is_probing: false })
  })
})

describe('a pause that upstream requests', () => {
  it('lasts as long as requested, does not grow when repeated, and ends with a probe', () => {
    const { breaker } = after(
      Array.from({ length: 8 }, () => ({ kind: 'limited', pause_ms: 3000 })),
      { everyMs: 10 },
    )

    expect(breaker.stateAt(T0 + 3069)).toMatchObject({ kind: 'open', cause: 'limited', remaining_ms: 1 })
    expect(breaker.stateAt(T0 + 3070)).toMatchObject({ kind: 'half-open' })
    breaker.record(ok, T0 + 3100)
    expect(breaker.stateAt(T0 + 3100)).toEqual({ kind: 'closed' })
    breaker.record(failed, T0 + 3200)
    expect(breaker.stateAt(T0 + 3200)).toEqual({ kind: 'closed' })
  })

  it('ranks an invalid key above a rate limit, and that above half of the calls failing', () => {
    const severity = (outcomes: readonly CallOutcome[]) => {
      const { breaker, now } = after(outcomes)
      const state = breaker.stateAt(now)
      return state.kind === 'closed' ? 0 : state.severity
    }

    const [dead, limited, half] = [
      severity([{ kind: 'dead', pause_ms: 60_000 }]),
      severity([{ kind: 'limited', pause_ms: 60_000 }]),
      severity([ok, failed, ok, failed, ok, failed, ok, failed]),
    ]
    expect(dead).toBeGreaterThan(limited)
    expect(limited).toBeGreaterThan(half)
  })
})

describe('updates between relays', () => {
  it('trip the other relay’s breaker, and reset it after a probe', () => {
    const { breaker: mine, now } = after([failed, failed, failed])
    const theirs = new Breaker()

    const update = mine.takeUpdate(now)
    expect(update).toEqual({ ok: 0, failed: 3 })
    expect(theirs.merge(update ?? { ok: 0, failed: 0 }, now)).toBe(true)
    expect(theirs.stateAt(now).kind).toBe('open')
    expect(theirs.takeUpdate(now)).toBeUndefined()

    mine.record(ok, now + 5000)
    theirs.merge(mine.takeUpdate(now + 5000) ?? { ok: 0, failed: 0 }, now + 5500)
    expect(theirs.stateAt(now + 5500)).toEqual({ kind: 'closed' })
  })

  it('are sent once, with the remaining duration of a pause', () => {
    const { breaker, now } = after([{ kind: 'limited', pause_ms: 3000 }])

    expect(breaker.takeUpdate(now)).toEqual({ ok: 0, failed: 0, pause: { ms: 2900, cause: 'limited' } })
    expect(breaker.takeUpdate(now)).toBeUndefined()
    const theirs = new Breaker()
    theirs.merge({ ok: 0, failed: 0, pause: { ms: 2900, cause: 'limited' } }, 5)
    expect(theirs.stateAt(2904)).toMatchObject({ kind: 'open', cause: 'limited' })
  })
})

it('is disposable once it behaves like a new one', () => {
  const { breaker, now } = after([failed])
  expect(breaker.isDisposable(now)).toBe(false)
  expect(breaker.isDisposable(now + 400_000)).toBe(true)

  const well = after([failed, ok])
  expect(well.breaker.isDisposable(well.now + 11_000)).toBe(true)
  const tripped = after([failed, failed, failed])
  expect(tripped.breaker.isDisposable(tripped.now + 400_000)).toBe(false)
})

it('never trips on one failure, and is never open for longer than the longest pause', () => {
  const outcome = fc.constantFrom<CallOutcome>(ok, failed, neutral, { kind: 'limited', pause_ms: 4000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(outcome, fc.integer({ min: 0, max: 20_000 })), { maxLength: 60 }), (calls) => {
      const breaker = new Breaker()
      let now = T0
      let bad = 0
      for (const [call, waited] of calls) {
        now += waited
        if (call.kind === 'failed' || call.kind === 'limited') bad += 1
        if (call.kind === 'limited') bad += 9
        breaker.record(call, now)
        const state = breaker.stateAt(now)
        if (bad < 3) expect(state.kind).toBe('closed')
        if (state.kind === 'open') expect(state.remaining_ms).toBeLessThanOrEqual(120_000)
        expect(breaker.stateAt(now + 120_000).kind).not.toBe('open')
      }
    }),
  )
})
