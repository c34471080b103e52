import { describe, expect, it } from 'vitest'
import type { InjectedFault } from './fault-injector.ts'
import { PriceAudit, type PriceChange } from './prices.ts'
import { MODELS } from './script.ts'

const model = MODELS.perToken
/** Twice the price from 100 s on, and three times from 200 s on. */
const changes: PriceChange[] = [
  { model, factor: 2, sent: 100_000, confirmed: 100_100 },
  { model, factor: 3, sent: 200_000, confirmed: 200_100 },
]
const fault = (over: Partial<InjectedFault>): InjectedFault => ({ kind: 'redis-kill', target: 'redis', from: 0, to: 0, ...over })
const allowed = (from: number, to: number, injected: InjectedFault[] = [], made = changes) =>
  new PriceAudit(made, injected).factorsOf(model, { relay: 'relay-0', started_at: from, ended_at: to })

describe('the prices that a request may be charged by', () => {
  it.each<[string, number, number, number[]]>([
    ['before every change', 1000, 99_999, [1]],
    ['over a change', 99_000, 101_000, [2, 1]],
    ['right after a change', 100_200, 101_000, [2, 1]],
    ['once a change has spread', 103_200, 110_000, [2]],
    ['over two changes', 99_000, 201_000, [3, 2, 1]],
    ['after the last one', 210_000, 211_000, [3]],
  ])('are those in force %s', (_name, from, to, found) => {
    expect(allowed(from, to)).toEqual(found)
  })

  it('belong to one model', () => {
    const audit = new PriceAudit(changes, [])
    expect(audit.factorsOf(MODELS.perCall, { relay: 'relay-0', started_at: 210_000, ended_at: 211_000 })).toEqual([1])
  })

  it('include one whose change was not answered, beside the one before it', () => {
    const unclear = [{ model, factor: 2, sent: 100_000, confirmed: 0 }]
    expect(allowed(150_000, 151_000, [], unclear)).toEqual([2, 1])
  })

  it('include a replaced one while a fault delays the snapshot, and for its own relay only', () => {
    const redis = fault({ from: 101_000, to: 120_000 })
    expect(allowed(125_000, 126_000, [redis])).toEqual([2, 1])
    expect(allowed(129_000, 130_000, [redis])).toEqual([2])
    const frozen = fault({ kind: 'relay-stop', from: 101_000, to: 120_000 })
    expect(allowed(115_000, 126_000, [{ ...frozen, target: 'relay-0' }])).toEqual([2, 1])
    expect(allowed(115_000, 126_000, [{ ...frozen, target: 'relay-1' }])).toEqual([2])
  })

  it('are not those of before because of a fault that began after a change had spread', () => {
    expect(allowed(125_000, 126_000, [fault({ from: 110_000, to: 120_000 })])).toEqual([2])
  })

  it('include those that an older Postgres brought back, until the next change', () => {
    const older = fault({ kind: 'postgres-rollback', target: 'postgres', from: 90_000, to: 110_000 })
    expect(allowed(150_000, 151_000, [older])).toEqual([2, 1])
    expect(allowed(210_000, 211_000, [older])).toEqual([3])
  })

  it('tell how long ago a price was replaced', () => {
    const audit = new PriceAudit(changes, [])
    expect(audit.ageOf(model, 1, { relay: 'relay-0', started_at: 100_600, ended_at: 101_000 })).toBe(500)
    expect(audit.ageOf(model, 2, { relay: 'relay-0', started_at: 100_600, ended_at: 101_000 })).toBe(0)
  })
})
