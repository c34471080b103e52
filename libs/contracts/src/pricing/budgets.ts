import { z } from 'zod'
import { BUDGET_ACTIONS, BUDGET_SCOPES, BUDGET_WINDOWS } from './budget-names.ts'
import { MAX_QUOTA, Quota, UnixSeconds } from '../units.ts'

/** Budgets of one token, user or group. */
export const MAX_BUDGETS = 5

/** A name of the time zone database, such as Asia/Shanghai: https://www.iana.org/time-zones */
export const TimeZone = z.string().max(64).refine(isTimeZone)

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // A RangeError is how Intl says that it does not know the name.
    return false
  }
}

/** The windows of a budget: days, weeks and months begin at midnight in its time zone. */
export const BudgetCalendar = z.object({
  window: z.enum(BUDGET_WINDOWS),
  time_zone: TimeZone,
  /** The first day of a week, 1 (Monday) to 7, or of a month, 1 to 28; other windows ignore it. */
  start_day: z.int().min(1).max(28),
  /** The first window of five hours begins here. */
  starts_at: UnixSeconds,
})
export type BudgetCalendar = z.infer<typeof BudgetCalendar>

/** A budget as relays read it. */
export const BudgetRule = BudgetCalendar.extend({
  id: z.int().positive(),
  scope: z.enum(BUDGET_SCOPES),
  /** The most that may be spent in a window. */
  amount: Quota,
  action: z.enum(BUDGET_ACTIONS),
  /** A member set it for the organisation; absent in records of earlier versions. */
  is_by_member: z.boolean().nullish(),
})
export type BudgetRule = z.infer<typeof BudgetRule>

/** Fields that a user types. */
export const BudgetInput = z.strictObject({
  amount: z.int().min(1).max(MAX_QUOTA),
  window: z.enum(BUDGET_WINDOWS),
  time_zone: TimeZone.default('UTC'),
  start_day: z.int().min(1).max(28).default(1),
  action: z.enum(BUDGET_ACTIONS).default('refuse'),
  /** Shares of the amount, in per cent, at which the owner gets an alert, once in each window. */
  alert_percents: z.array(z.int().min(1).max(100)).max(5).default([80, 100]),
})
export type BudgetInput = z.infer<typeof BudgetInput>

/** The state of a budget in a request's explanation. */
export const ExplainedBudget = z.object({
  id: z.int(),
  scope: z.enum(BUDGET_SCOPES),
  window: z.enum(BUDGET_WINDOWS),
  /** The window in which the request counts; `end` is absent for `total`. */
  start: UnixSeconds,
  end: UnixSeconds.optional(),
  amount: Quota,
  /** Spent in the window when the request was admitted. */
  spent: Quota,
  /** Held then by other open requests. */
  held: Quota,
  /** Held by this request. */
  took: Quota,
  action: z.enum(BUDGET_ACTIONS),
})
export type ExplainedBudget = z.infer<typeof ExplainedBudget>
