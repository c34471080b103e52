import { budgets, type BudgetOwnerQuery } from '@tollgate/contracts/resources/budgets'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { listBudgetDays, listOwnBudgets, listOwnerBudgets } from './read.ts'
import { changeBudget, createOwnerBudget, removeOwnerBudget } from './write.ts'

const namesNobody = ({ token_id, user_id, project_id, member_id, group }: BudgetOwnerQuery): boolean =>
  token_id + user_id + project_id + member_id === 0 && group === ''

export const budgetRoutes = (deps: Deps): Binding[] => [
  handle(budgets.list, ({ actor, query }) => (namesNobody(query) ? listOwnBudgets(deps, actor) : listOwnerBudgets(deps, actor, query))),
  handle(budgets.days, ({ actor, params }) => listBudgetDays(deps, actor, params.id)),
  handle(budgets.create, ({ actor, ip, body }) => createOwnerBudget(deps, { actor, ip }, body)),
  handle(budgets.update, ({ actor, ip, params, body }) => changeBudget(deps, { actor, ip }, params.id, body)),
  handle(budgets.remove, ({ actor, ip, params }) => removeOwnerBudget(deps, { actor, ip }, params.id)),
]
