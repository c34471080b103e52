import type { Quota, UnixSeconds } from '@tollgate/contracts/units'

type Spending = {
  readonly amount: Quota
  readonly spent: Quota
  readonly start: UnixSeconds
  /** 0: the window never ends. */
  readonly end: UnixSeconds
  readonly now: UnixSeconds
}

/** A shorter past says nothing of the pace. */
const LEAST_PAST_S = 600

/** When a budget is used up at the pace of its window so far; 0: not before the window ends, or the window has just begun. */
export function usedUpAt({ amount, spent, start, end, now }: Spending): UnixSeconds {
  if (spent >= amount) return now
  const past = now - start
  if (past < LEAST_PAST_S || spent <= 0) return 0
  const at = now + Math.ceil(((amount - spent) * past) / spent)
  return end === 0 || at < end ? at : 0
}
