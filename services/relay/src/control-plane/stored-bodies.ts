import { Budget } from '@tollgate/shares/budget'

/** A user stores one long body after the other, since each takes part of the control plane's event loop while it passes. */
const LIMITS = {
  name: 'stored_bodies',
  total: 4,
  perUser: 1,
  queue: { maxWaitMs: 60_000, maxWaiting: 400, maxWaitingPerOwner: 20 },
} as const

export const createStoredBodies = (): Budget => new Budget(LIMITS)
