import { Budget } from '@tollgate/shares/budget'

/** Bounds of the work that this process does at the same time: a total, and a share of it per user. */
export type Budgets = {
  /** Calls that read many rows. */
  readonly heavyReads: Budget
  /** Files that are sent while they are read: each has a connection for as long as a page takes to read. */
  readonly exports: Budget
  /** Answers of the playground: each lasts as long as a model writes. */
  readonly playgroundCalls: Budget
  /** Pieces of files and background responses that are read or written. */
  readonly storedPieces: Budget
  /** Changes of organisations, each a user of it: one change of an organisation after another. */
  readonly organisationChanges: Budget
}

/** Connections for pieces. */
export const BULK_CONNECTIONS = 4

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
    exports: new Budget({ name: 'exports', total: 6, perUser: 2 }),
    storedPieces: new Budget({
      name: 'stored_pieces',
      total: BULK_CONNECTIONS,
      perUser: 2,
      queue: { maxWaitMs: 5000, maxWaiting: 1000, maxWaitingPerOwner: 100 },
    }),
    // Some of the ten connections stay free for other calls.
    organisationChanges: new Budget({
      name: 'organisation_changes',
      total: 5,
      perUser: 1,
      queue: { maxWaitMs: 10_000, maxWaiting: 500, maxWaitingPerOwner: 50 },
    }),
    // A user has a few windows open.
    playgroundCalls: new Budget({ name: 'playground_calls', total: 1024, perUser: 16 }),
  }
}

export const listBudgets = (budgets: Budgets): Budget[] => Object.values(budgets)
