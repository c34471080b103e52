import { BUDGET_WINDOWS, type BudgetAction, type BudgetWindow } from '@tollgate/contracts/pricing/budget-names'
import type { Budget, BudgetChange, NewBudget } from '@tollgate/contracts/resources/budgets'
import { fromCommaList } from '../form/pick-list.ts'

/** A budget as it is typed. */
export type BudgetForm = {
  readonly window: BudgetWindow
  readonly amount: string
  readonly timeZone: string
  readonly weekDay: string
  readonly monthDay: string
  readonly action: BudgetAction
  readonly alerts: string
}

export const emptyBudget = (timeZone: string): BudgetForm => ({
  window: 'month',
  amount: '',
  timeZone,
  weekDay: '1',
  monthDay: '1',
  action: 'refuse',
  alerts: '80, 100',
})

export const toBudgetForm = ({ window, amount, time_zone, start_day, action, alert_percents }: Budget): BudgetForm => ({
  window,
  amount: String(amount),
  timeZone: time_zone,
  weekDay: String(Math.min(start_day, 7)),
  monthDay: String(start_day),
  action,
  alerts: alert_percents.join(', '),
})

export type BudgetProblem = 'amount' | 'time-zone' | 'start-month' | 'alerts'

const MAX_ALERTS = 5
const hasCalendar = (window: BudgetWindow): boolean => window === 'day' || window === 'week' || window === 'month'
/** True if the window begins at a local midnight. */
export const needsTimeZone = hasCalendar

/** Problems that keep it from being saved, in order of the fields. */
export function problemOf({ window, amount, timeZone, monthDay, alerts }: BudgetForm): BudgetProblem | undefined {
  if (!/^\d{1,16}$/.test(amount.trim()) || Number(amount) < 1) return 'amount'
  if (hasCalendar(window) && timeZone === '') return 'time-zone'
  if (window === 'month' && !isDay(monthDay)) return 'start-month'
  const percents = alertsOf(alerts)
  return percents.length > MAX_ALERTS || percents.some((percent) => !Number.isInteger(percent) || percent < 1 || percent > 100)
    ? 'alerts'
    : undefined
}

const isDay = (text: string): boolean => /^\d{1,2}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 28
const alertsOf = (text: string): number[] => [
  ...new Set(fromCommaList(text.replaceAll('，', ',')).map((entry) => Number(entry.replace(/%$/, '')))),
]

export function toBudgetChange({ amount, action, alerts }: BudgetForm, seen_at?: number): BudgetChange {
  const shared = { amount: Number(amount), action, alert_percents: alertsOf(alerts).toSorted((a, b) => a - b) }
  return seen_at === undefined ? shared : { ...shared, seen_at }
}

type Owner = Pick<NewBudget, 'token_id' | 'user_id' | 'project_id' | 'member_id' | 'group'>

export function toNewBudget(form: BudgetForm, owner: Owner): NewBudget {
  const { window, timeZone, weekDay, monthDay } = form
  const start_day = window === 'week' ? Number(weekDay) : window === 'month' ? Number(monthDay) : 1
  return { ...owner, ...toBudgetChange(form), window, time_zone: hasCalendar(window) ? timeZone : 'UTC', start_day }
}

/** The windows that have no budget yet. */
export const freeWindows = (budgets: readonly Budget[]): readonly BudgetWindow[] =>
  BUDGET_WINDOWS.filter((window) => budgets.every((budget) => budget.window !== window))
