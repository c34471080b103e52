import { budgets } from '@tollgate/contracts/resources/budgets'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { listOwnBudgets, listOwnerBudgets } from './read.ts'
import { changeBudget, createOwnerBudget, removeOwnerBudget } from './write.ts'

export const budgetRoutes = (deps: Deps): Binding[] => [
  handle(budgets.list, ({ actor, query }) =>
    query.token_id === 0 && query.user_id === 0 && query.group === '' ? listOwnBudgets(deps, actor) : listOwnerBudgets(deps, actor, query),
  ),
  handle(budgets.create, ({ actor, ip, body }) => createOwnerBudget(deps, { actor, ip }, body)),
  handle(budgets.update, ({ actor, ip, params, body }) => changeBudget(deps, { actor, ip }, params.id, body)),
  handle(budgets.remove, ({ actor, ip, params }) => removeOwnerBudget(deps, { actor, ip }, params.id)),
]
