import { describe, expect, it } from 'vitest'
import { applyPaymentEvent, type OrderState, type PaymentEvent } from './order.ts'

const fresh: OrderState = { trade_no: 'T1', status: 'pending', currency: 'cny', money: 700, quota: 1_000_001, refunded: 0 }
const events = {
  paid: { kind: 'paid', money: 700, currency: 'cny' },
  part: { kind: 'refunded', total: 210, currency: 'cny' },
  whole: { kind: 'refunded', total: 700, currency: 'cny' },
  failed: { kind: 'failed' },
  expired: { kind: 'expired' },
} as const satisfies Record<string, PaymentEvent>
type Name = keyof typeof events
const names = Object.keys(events) as Name[] // the keys of a literal

/** Books like the database: an entry is added once per kind and reference. */
function play(sequence: readonly Name[]): { order: OrderState; balance: number; entries: number } {
  const booked = new Map<string, number>()
  let order = fresh
  for (const name of sequence) {
    const transition = applyPaymentEvent(order, events[name])
    if (transition.kind !== 'changed') continue
    for (const { kind, reference, amount } of transition.entries) {
      expect(booked.has(`${kind} ${reference}`)).toBe(false)
      booked.set(`${kind} ${reference}`, amount)
    }
    order = { ...order, status: transition.status, refunded: transition.refunded }
  }
  return { order, balance: [...booked.values()].reduce((sum, amount) => sum + amount, 0), entries: booked.size }
}

function sequencesOf(length: number): Name[][] {
  return length === 0 ? [[]] : sequencesOf(length - 1).flatMap((head) => names.map((name) => [...head, name]))
}

describe('payment order', () => {
  it('ends with the same money in every order of up to five statements, repeated ones included', () => {
    const all = [1, 2, 3, 4, 5].flatMap(sequencesOf)
    expect(all).toHaveLength(3905)
    for (const sequence of all) {
      const { balance, order } = play(sequence)
      const refunded = sequence.includes('whole') ? 1_000_001 : sequence.includes('part') ? 300_000 : 0
      expect([sequence, balance]).toEqual([sequence, sequence.includes('paid') ? 1_000_001 - refunded : 0])
      if (sequence.includes('paid')) expect(order.status).toBe(sequence.includes('whole') ? 'refunded' : 'paid')
    }
  })

  it('credits a payment that arrives after the order expired', () => {
    expect(play(['expired', 'paid'])).toMatchObject({ balance: 1_000_001, order: { status: 'paid' } })
  })

  it.each<[string, PaymentEvent, string]>([
    ['one unit less', { kind: 'paid', money: 699, currency: 'cny' }, 'money'],
    ['one unit more, of a provider that fixes the sum', { kind: 'paid', money: 701, currency: 'cny' }, 'money'],
    ['nothing', { kind: 'paid', money: 0, currency: 'cny' }, 'money'],
    ['another currency', { kind: 'paid', money: 700, currency: 'usd' }, 'currency'],
    ['a refund of more than was paid', { kind: 'refunded', total: 701, currency: 'cny' }, 'money'],
    ['a negative refund', { kind: 'refunded', total: -1, currency: 'cny' }, 'money'],
    ['a refund in another currency', { kind: 'refunded', total: 1, currency: 'usd' }, 'currency'],
  ])('refuses %s', (_what, event, reason) => {
    expect(applyPaymentEvent(fresh, event)).toEqual({ kind: 'refused', reason })
    expect(applyPaymentEvent({ ...fresh, status: 'paid' }, event)).toEqual({ kind: 'refused', reason })
  })

  it('credits the order when more was paid, once, and says how much more', () => {
    const more: PaymentEvent = { kind: 'paid', money: 750, currency: 'cny', may_exceed: true }

    expect(applyPaymentEvent(fresh, more)).toMatchObject({
      kind: 'changed',
      status: 'paid',
      entries: [{ kind: 'top-up', amount: 1_000_001 }],
      overpaid: 50,
    })
    expect(applyPaymentEvent({ ...fresh, status: 'paid' }, more)).toEqual({ kind: 'known' })
  })
})
