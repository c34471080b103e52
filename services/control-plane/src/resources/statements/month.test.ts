import { describe, expect, it } from 'vitest'
import type { WalletEntry } from '@tollgate/contracts/resources/statements'
import { linesOf, monthOf } from './month.ts'

describe('a month', () => {
  it.each([
    ['2026-12', Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)],
    ['2028-02', Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1)],
  ])('%s is whole', (text, from, until) => {
    expect(monthOf(text, 0)).toEqual({ month: text, from: from / 1000, until: until / 1000 })
  })

  it('is the current one without a text', () => {
    expect(monthOf('', Date.UTC(2026, 10, 30, 23, 59, 59) / 1000).month).toBe('2026-11')
  })

  it.each(['2026-13', '2026-00', '26-01', '2026-1', 'x', '1999-01'])('refuses %s', (text) => {
    expect(() => monthOf(text, 0)).toThrow('Invalid parameters')
  })
})

describe('the lines of a statement', () => {
  it('stand in the order of time and carry the balance', () => {
    const entry: WalletEntry = { id: 1, created_at: 86_400 * 2 + 5, kind: 'admin', amount: 50, reference: 'user:1:x', note: 'gift' }
    expect(linesOf(100, [entry], [{ day: 86_400, quota: 30, requests: 3 }])).toEqual([
      { at: 86_400 * 2 - 1, kind: 'usage', amount: -30, reference: '1970-01-02', note: '', requests: 3, balance: 70 },
      { at: 86_400 * 2 + 5, kind: 'admin', amount: 50, reference: 'user:1:x', note: 'gift', requests: 0, balance: 120 },
    ])
  })
})
