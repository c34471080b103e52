import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { numberIn } from '../scripts/scripts.ts'

/** The account whose counters a budget has: a token's own, or the wallet for budgets of a user. */
export type BudgetAccount = 'wallet' | 'token'

/** A budget that counts a request, in the window in which the request is admitted. */
export type CountedBudget = {
  readonly id: number
  readonly account: BudgetAccount
  /** The window includes `start` and ends before `end`. */
  readonly start: UnixSeconds
  readonly end: UnixSeconds
  /** The most that may be spent in the window; undefined: it is counted only. */
  readonly cap: Quota | undefined
  readonly previous_start: UnixSeconds
  /** Start of the window before the previous one; its counters are removed. */
  readonly old_start: UnixSeconds
}

/** A budget's counters when a request was admitted, and the request's hold under it. */
export type BudgetTaken = { readonly spent: Quota; readonly held: Quota; readonly took: Quota }

const LETTERS = { wallet: 'w', token: 't' } as const

/** ARGV 23 of reserve. */
export function reserveBudgets(budgets: readonly CountedBudget[]): string {
  return budgets
    .map(
      ({ id, account, start, end, cap = -1, previous_start, old_start }) =>
        `${LETTERS[account]}${id}:${start}:${end * 1000}:${cap}:${previous_start}:${old_start}`,
    )
    .join(',')
}

/** ARGV 13 of settle: as in a hold's line. */
export function settleBudgets(budgets: readonly Pick<CountedBudget, 'id' | 'account' | 'start' | 'end'>[]): string {
  return budgets.map(({ id, account, start, end }) => `${LETTERS[account]}${id}:${start}:${end * 1000}:0`).join(',')
}

const TAKEN_SIZE = 3

/** Decodes what reserve appends to its answer for each budget. */
export function readTaken(reply: readonly unknown[], at: number, count: number): BudgetTaken[] {
  return Array.from({ length: count }, (_, index) => {
    const from = at + index * TAKEN_SIZE
    return { spent: numberIn(reply, from), held: numberIn(reply, from + 1), took: numberIn(reply, from + 2) }
  })
}

/** A window of a budget, as a hold or an event names it. */
export type BudgetPart = {
  readonly id: number
  readonly account: BudgetAccount
  readonly start: UnixSeconds
  readonly end: UnixSeconds
  /** 0 in an event. */
  readonly held: Quota
}

/** Decodes the windows of an event (`w12:1795824000:1795910400000`) or of a hold, where what is held follows. */
export function decodeBudgets(text: string): BudgetPart[] {
  return [...text.matchAll(/([wt])(\d+):(\d+):(\d+)(?::(\d+))?/g)].map(([, letter, id, start, end, held = '0']) => ({
    id: Number(id),
    account: letter === 'w' ? ('wallet' as const) : ('token' as const),
    start: Number(start),
    end: Number(end) / 1000,
    held: Number(held),
  }))
}

/** The counters of one window in Postgres. */
export type BudgetCounters = { readonly budget_id: number; readonly window_start: UnixSeconds; readonly base: Quota; readonly spent: Quota }

const field = (letter: 'b' | 's', { budget_id, window_start }: BudgetCounters): string => `b${letter}${budget_id}:${window_start}`

/** Pairs of field and value for the load scripts. */
export function loadedBudgets(counters: readonly BudgetCounters[]): (string | number)[] {
  return counters.flatMap((one) => [field('s', one), one.spent, field('b', one), one.base])
}

/** Pairs of field and value for the sync scripts, which change nothing that events change. */
export function syncedBudgets(counters: readonly BudgetCounters[]): (string | number)[] {
  return counters.flatMap((one) => [field('b', one), one.base])
}

/** Pairs of field and value for correct-balance. */
export function correctedBudgets(counters: readonly BudgetCounters[]): (string | number)[] {
  return counters.flatMap((one) => [field('s', one), one.spent])
}
