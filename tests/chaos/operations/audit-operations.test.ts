import { describe, expect, it } from 'vitest'
import type { InjectedFault } from '../fault-injector.ts'
import { auditOperations, type BookedEntry } from './audit-operations.ts'
import type { ExpectedEntry, OperationRecord, Outcome } from './operation.ts'

const EXPECTED: ExpectedEntry = { kind: 'top-up', key: 'order:T1', amount: 500, usernames: ['lin', 'ada'] }
const BOOKED: BookedEntry = { kind: 'top-up', key: 'order:T1', amount: 500, username: 'ada' }
const ROLLBACK: InjectedFault = { kind: 'postgres-rollback', target: 'postgres', from: 3000, to: 4000 }

const recordOf = (outcome: Outcome, entries = [EXPECTED]): OperationRecord => ({
  kind: 'purchase',
  outcome,
  entries,
  started_at: 1000,
  ended_at: 2000,
})
const audit = (outcome: Outcome, booked: readonly BookedEntry[], injected: readonly InjectedFault[] = []) =>
  auditOperations({ records: [recordOf(outcome)], booked, unequal: [], injected })

describe('the audit of operations', () => {
  it.each<[Outcome, BookedEntry[]]>([
    ['booked', [BOOKED]],
    ['refused', []],
    ['unanswered', []],
    ['unanswered', [BOOKED]],
  ])('accepts %s with %j', (outcome, booked) => {
    expect(audit(outcome, booked).wrong).toEqual([])
  })

  it.each<[string, Outcome, BookedEntry[]]>([
    ['missing', 'booked', []],
    ['booked twice', 'booked', [BOOKED, BOOKED]],
    ['booked twice', 'unanswered', [BOOKED, BOOKED]],
    ['booked although refused', 'refused', [BOOKED]],
    ['another amount or user', 'booked', [{ ...BOOKED, amount: 501 }]],
    ['another amount or user', 'booked', [{ ...BOOKED, username: 'eve' }]],
  ])('reports what is %s', (finding, outcome, booked) => {
    expect(audit(outcome, booked).wrong).toEqual([expect.stringContaining(`${outcome}: ${finding}`)])
  })

  it('reports an entry that no operation explains, and a wallet that differs from its entries', () => {
    const forged = { ...BOOKED, key: 'order:T2' }
    const { wrong } = auditOperations({
      records: [recordOf('refused', [])],
      booked: [forged],
      unequal: ['ada: credited 1, entries 0'],
      injected: [],
    })
    expect(wrong).toEqual(['ada: credited 1, entries 0', 'no operation explains top-up order:T2 500 of ada'])
  })

  it('excuses a missing entry only if Postgres came back older while it was booked', () => {
    const during = audit('booked', [], [{ ...ROLLBACK, from: 1500 }])
    expect([during.wrong, during.takenBack]).toEqual([[], 1])
    expect(audit('booked', [], [ROLLBACK]).wrong).toHaveLength(1)
    expect(audit('booked', [BOOKED, BOOKED], [{ ...ROLLBACK, from: 1500 }]).wrong).toHaveLength(1)
  })
})
