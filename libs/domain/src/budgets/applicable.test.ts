import type { BudgetRule } from '@tollgate/contracts/pricing/budgets'
import { describe, expect, it } from 'vitest'
import { budgetsFor } from './applicable.ts'

const rule = (id: number, scope: BudgetRule['scope'], window: BudgetRule['window']): BudgetRule => ({
  id,
  scope,
  window,
  amount: 100,
  action: 'refuse',
  time_zone: 'UTC',
  start_day: 1,
  starts_at: 0,
})

describe('the budgets of a request', () => {
  it('are those of token and user, and of the group where the user has none of that window', () => {
    const own = [rule(1, 'token', 'month'), rule(2, 'user', 'day')]
    const group = [rule(3, 'group', 'day'), rule(4, 'group', 'month')]

    expect(budgetsFor(own, group).map(({ id }) => id)).toEqual([1, 2, 4])
    expect(budgetsFor([], group).map(({ id }) => id)).toEqual([3, 4])
    expect(budgetsFor(own, []).map(({ id }) => id)).toEqual([1, 2])
    const byMember = [{ ...rule(5, 'user', 'day'), is_by_member: true }]
    expect(budgetsFor(byMember, group).map(({ id }) => id)).toEqual([5, 3, 4])
  })
})
