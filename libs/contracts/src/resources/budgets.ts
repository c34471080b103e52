import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { BUDGET_ACTIONS, BUDGET_SCOPES, BUDGET_WINDOWS } from '../pricing/budget-names.ts'
import { BudgetInput } from '../pricing/budgets.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { IdParams, IsManaged, QueryInt } from '../values/common-schemas.ts'

export const BudgetPast = z.object({ start: UnixSeconds, end: UnixSeconds, spent: Quota })
export type BudgetPast = z.infer<typeof BudgetPast>

/** A budget as it is now. */
export const Budget = z.object({
  id: z.int(),
  scope: z.enum(BUDGET_SCOPES),
  user_id: z.int(),
  token_id: z.int(),
  /** The project or member of an organisation; 0: the budget is not of one. */
  project_id: z.int(),
  member_id: z.int(),
  /** The name of the token, project or member; empty: the budget is of an account or group. */
  token_name: z.string(),
  group: z.string(),
  amount: Quota,
  window: z.enum(BUDGET_WINDOWS),
  time_zone: z.string(),
  start_day: z.int(),
  action: z.enum(BUDGET_ACTIONS),
  alert_percents: z.array(z.int()),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  /** The running window; `end` is 0 for `total`. */
  start: UnixSeconds,
  end: UnixSeconds,
  /** In the running window; 0 for a group's budget, which counts for each of its users. */
  spent: Quota,
  /** The quota that open requests hold. */
  held: Quota,
  /** When the amount is used up if it is spent as fast as in this window so far; 0: not before the window ends, or not known. */
  ends_at: UnixSeconds,
  /** Windows before the running one, the newest first. */
  past: z.array(BudgetPast),
  /** True if the caller may change it. */
  is_own: z.boolean(),
  is_managed: IsManaged,
})
export type Budget = z.infer<typeof Budget>

/** Quota spent on a day in the time zone of the budget. */
export const BudgetDay = z.object({ day: UnixSeconds, spent: Quota })
export type BudgetDay = z.infer<typeof BudgetDay>

/** Days of spending that a budget shows, today among them. */
export const BUDGET_DAYS = 35

/** Whose budgets: one of these. Without any, everything that counts the caller's requests. */
const OwnerQuery = z.object({
  token_id: QueryInt,
  user_id: QueryInt,
  project_id: QueryInt,
  member_id: QueryInt,
  group: z.string().max(64).default(''),
})
export type BudgetOwnerQuery = z.infer<typeof OwnerQuery>

export const NewBudget = BudgetInput.extend({
  token_id: z.int().min(0).default(0),
  user_id: z.int().min(0).default(0),
  project_id: z.int().min(0).default(0),
  member_id: z.int().min(0).default(0),
  group: z.string().max(64).default(''),
})
export type NewBudget = z.infer<typeof NewBudget>

/** The calendar of a budget cannot be changed: its windows would lose their meaning. */
export const BudgetChange = BudgetInput.pick({ amount: true, action: true, alert_percents: true }).extend({
  /** `updated_at` of the budget that the form showed: a budget that was changed since is not overwritten. */
  seen_at: UnixSeconds.optional(),
})
export type BudgetChange = z.infer<typeof BudgetChange>

export const budgets = {
  list: endpoint({
    method: 'GET',
    path: '/api/budgets/',
    access: 'user',
    right: 'budgets.read',
    summary: 'Budgets of a token, user, group, project or member as they are now; without one, all that count the own requests (ours)',
    query: OwnerQuery,
    data: z.array(Budget),
  }),
  days: endpoint({
    method: 'GET',
    path: '/api/budgets/{id}/days',
    access: 'user',
    right: 'budgets.read',
    summary: 'What a budget has counted on each of the last 35 days with spending, by the hourly sums (ours)',
    params: IdParams,
    data: z.array(BudgetDay),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/budgets/',
    access: 'user',
    right: 'budgets.write',
    summary:
      'Sets a budget: of an own token, as an administrator of a user or token, as root of a group, for an organisation of itself, a project or a member (ours)',
    body: NewBudget,
    data: z.object({ id: z.int() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/budgets/{id}',
    access: 'user',
    right: 'budgets.write',
    summary: 'Changes amount, action and alerts of a budget; within a second it counts everywhere (ours)',
    params: IdParams,
    body: BudgetChange,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/budgets/{id}',
    access: 'user',
    right: 'budgets.write',
    summary: 'Removes a budget (ours)',
    params: IdParams,
  }),
}
