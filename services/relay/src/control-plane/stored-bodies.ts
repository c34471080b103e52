import { Budget, type Share } from '@tollgate/shares/budget'

/** A user stores one long body after the other, since each takes part of the control plane's event loop while it passes. */
const LIMITS = {
  name: 'stored_bodies',
  total: 4,
  perUser: 1,
  queue: { maxWaitMs: 60_000, maxWaiting: 400, maxWaitingPerOwner: 20 },
} as const

/** Bytes a second of one user's long bodies, whether they are stored or refused: reading them takes most of the work. */
export const LONG_BODY_PACE = 4 * 1024 * 1024

type Passed = { readonly bytes: number; /** Since the body took its place. Milliseconds. */ readonly elapsed: number }

/** Gives the place of a body to the user's next one, at that pace. */
export function releaseAtPace(place: Share, { bytes, elapsed }: Passed): void {
  const left = (bytes / LONG_BODY_PACE) * 1000 - elapsed
  if (left <= 0) place.release()
  else setTimeout(() => place.release(), left).unref()
}

export const createStoredBodies = (): Budget => new Budget(LIMITS)
