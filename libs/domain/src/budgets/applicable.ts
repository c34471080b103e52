import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'

/**
 * The budgets that count a request: the token's, the user's, and those that the user's group gives to users for whom the operator set
 * none of that window. One that an organisation sets itself does not replace the operator's.
 */
export function budgetsFor<T extends Pick<BudgetRule, 'scope' | 'window' | 'is_by_member'>>(
  own: readonly T[],
  ofGroup: readonly T[],
): readonly T[] {
  if (ofGroup.length === 0) return own
  const windows = new Set(own.filter(({ scope, is_by_member }) => scope === 'user' && is_by_member !== true).map(({ window }) => window))
  return [...own, ...ofGroup.filter(({ window }) => !windows.has(window))]
}
