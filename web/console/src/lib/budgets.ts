import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { budgets, type BudgetChange, type BudgetOwnerQuery, type NewBudget } from '@tollgate/contracts/resources/budgets'
import { call, keyOf } from './api.ts'
import { refresh } from './query-client.ts'

/** Whose budgets: a token, a user, a group, a project or member of an organisation, or, with none of them, everything that counts the own requests. */
export type BudgetOwner = Partial<BudgetOwnerQuery>

const REFRESH_MS = 10_000

/** Budgets as they are now. */
export const budgetsOf = ({ token_id = 0, user_id = 0, project_id = 0, member_id = 0, group = '' }: BudgetOwner) =>
  queryOptions({
    queryKey: keyOf(budgets.list, token_id, user_id, project_id, member_id, group),
    queryFn: ({ signal }) => call(budgets.list, { query: { token_id, user_id, project_id, member_id, group }, signal }),
    refetchInterval: REFRESH_MS,
    meta: { quiet: true },
  })

const DAYS_FRESH_MS = 60_000

/** Spending of the last days that a budget counts. */
export const budgetDaysOf = (id: number) =>
  queryOptions({
    queryKey: keyOf(budgets.days, id),
    queryFn: ({ signal }) => call(budgets.days, { params: { id }, signal }),
    staleTime: DAYS_FRESH_MS,
    meta: { quiet: true },
  })

export function useBudgetChanges() {
  const client = useQueryClient()
  const onSuccess = () => refresh(client, budgets.list)
  return {
    create: useMutation({ mutationFn: (body: NewBudget) => call(budgets.create, { body }), onSuccess, meta: { quiet: true } }),
    update: useMutation({
      mutationFn: ({ id, body }: { readonly id: number; readonly body: BudgetChange }) => call(budgets.update, { params: { id }, body }),
      onSuccess,
      meta: { quiet: true },
    }),
    remove: useMutation({ mutationFn: (id: number) => call(budgets.remove, { params: { id } }), onSuccess }),
  }
}
