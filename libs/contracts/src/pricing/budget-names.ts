/** How long a budget counts before it starts again; `total` never does. */
export const BUDGET_WINDOWS = ['5h', 'day', 'week', 'month', 'total'] as const
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number]

/**
 * Scope of a budget: one token, one account over all tokens, or each user of a group who has no own budget of that window; of an
 * organisation also one project, and one member over the tokens that the member made.
 */
export const BUDGET_SCOPES = ['token', 'user', 'group', 'project', 'member'] as const
export type BudgetScope = (typeof BUDGET_SCOPES)[number]

/** Action on a request that does not fit: it is refused, or it runs and an alert is sent. */
export const BUDGET_ACTIONS = ['refuse', 'warn'] as const
export type BudgetAction = (typeof BUDGET_ACTIONS)[number]
