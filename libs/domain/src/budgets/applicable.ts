import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'

/**
 * The budgets that count a request: the token's, the user's, and those that the user's group gives to users who have none of that window.
 */
export function budgetsFor<T extends Pick<BudgetRule, 'scope' | 'window'>>(own: readonly T[], ofGroup: readonly T[]): readonly T[] {
  if (ofGroup.length === 0) return own
  const windows = new Set(own.filter(({ scope }) => scope === 'user').map(({ window }) => window))
  return [...own, ...ofGroup.filter(({ window }) => !windows.has(window))]
}
