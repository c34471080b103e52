import { PLAYGROUND_PATHS } from '@tollgate/contracts/resources/playground-paths'
import { Budget, type BudgetLimits } from '@tollgate/shares/budget'

/**
 * Budgets of the calls that are passed on to the control plane. Each purpose has connections of its own, so that short calls never wait
 * behind long ones; an address may stand for many users.
 */
export type PassedCalls = {
  /** Bytes of bodies that are read before their call gets a connection. */
  readonly bytes: Budget
  readonly calls: Readonly<Record<Purpose, Budget>>
}

/** `playground`: streams that last as long as a model writes; `uploads`: bodies that are passed on as they come. */
export type Purpose = 'console' | 'uploads' | 'playground'

const MIB = 1024 * 1024
/** Longer bodies are uploads. */
export const SMALL_BODY = MIB
const BYTES: BudgetLimits = { name: 'passed_bytes', total: 128 * MIB, perAddress: 32 * MIB }

const queue = { maxWaitMs: 10_000, maxWaiting: 4096, maxWaitingPerOwner: 1024 } as const
const CALLS: Readonly<Record<Purpose, BudgetLimits>> = {
  console: { name: 'passed_calls', total: 256, perAddress: 128, queue },
  uploads: { name: 'passed_uploads', total: 64, perAddress: 16, queue },
  playground: { name: 'passed_playground', total: 1024, perAddress: 256, queue },
}

export function createPassedCalls(): PassedCalls {
  const bytes = new Budget(BYTES)
  const calls = { console: new Budget(CALLS.console), uploads: new Budget(CALLS.uploads), playground: new Budget(CALLS.playground) }
  return { bytes, calls }
}

export function purposeOf(path: string, isSmall: boolean): Purpose {
  if (path.startsWith(PLAYGROUND_PATHS)) return 'playground'
  return isSmall ? 'console' : 'uploads'
}
