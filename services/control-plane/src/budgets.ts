import { Budget } from '@tollgate/shares/budget'

/** What this process does at the same time for its callers: a total, and a share of it per user. */
export type Budgets = {
  /** Calls that read many rows. */
  readonly heavyReads: Budget
}

/** Connections for lists and sums. Some stay free for the small ones while heavy reads run. */
export const READ_CONNECTIONS = 8

export function createBudgets(): Budgets {
  return {
    heavyReads: new Budget({
      name: 'heavy_reads',
      total: READ_CONNECTIONS - 3,
      perUser: 2,
      queue: { maxWaitMs: 10_000, maxWaiting: 500, maxWaitingPerOwner: 10 },
    }),
  }
}

export const listBudgets = (budgets: Budgets): Budget[] => Object.values(budgets)
