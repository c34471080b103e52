import type { Metrics } from './metrics.ts'

type BudgetView = {
  readonly limits: { readonly name: string; readonly total: number }
  readonly used: number
  readonly waiting: number
  readonly refused: Readonly<Record<string, number>>
}

/** Shows the budgets of a process (libs/shares): what is used of which total, what waits, and what was refused since the start. */
export function showBudgets(metrics: Metrics, budgets: readonly BudgetView[]): void {
  const gauge = (name: string, description: string, read: (budget: BudgetView) => number): void =>
    metrics.gauge(name, { description }, () => budgets.map((budget) => ({ labels: { budget: budget.limits.name }, value: read(budget) })))
  gauge('tollgate_budget_size', 'Units that a budget of this process has', ({ limits }) => limits.total)
  gauge('tollgate_budget_used', 'Units of a budget that are held', ({ used }) => used)
  gauge('tollgate_budget_waiting', 'Calls that wait for units of a budget', ({ waiting }) => waiting)
  metrics.gauge('tollgate_budget_refused', { description: 'Calls that got no units of a budget since the start, by reason' }, () =>
    budgets.flatMap(({ limits, refused }) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { budget: limits.name, reason }, value })),
    ),
  )
}
