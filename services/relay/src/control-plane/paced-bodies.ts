import { AppError } from '@tollgate/contracts/app-error'
import { Budget, type Share } from '@tollgate/shares/budget'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'

/** Long bodies of one user follow each other at a pace, whether they are stored or refused: reading them takes most of the work. */
const LIMITS = {
  name: 'paced_bodies',
  total: 1024,
  perUser: 1,
  queue: { maxWaitMs: 60_000, maxWaiting: 2000, maxWaitingPerOwner: 40 },
} as const

export const createPacedBodies = (): Budget => new Budget(LIMITS)

type Asking = { readonly user: number; readonly reply: { onDisconnect(leave: () => void): void } }

/** Waits for a place in a budget of bodies. */
export async function takePlace(bodies: Budget, { user, reply }: Asking): Promise<Share> {
  const gone = new AbortController()
  reply.onDisconnect(() => gone.abort())
  const place = await bodies.take({ user }, { signal: gone.signal })
  if (place === 'aborted') throw new ClientDisconnectedError()
  if (typeof place === 'string') throw new AppError(place === 'share' ? 'request.share' : 'request.busy')
  return place
}

const MEGABYTE = 1024 * 1024
/**
 * Bytes a second of one user. The worker sends requests on, so that they are work twice; stored files that a request names are read,
 * encoded, converted and sent.
 */
export const PACES = { requests: 2 * MEGABYTE, files: 16 * MEGABYTE, named: 8 * MEGABYTE } as const

type Passed = {
  readonly bytes: number
  readonly pace: number
  /** Since the body took its place. Milliseconds. */ readonly elapsed: number
}

/** Gives the place of a body to the user's next one, at that pace. */
export function releaseAtPace(place: Share, { bytes, pace, elapsed }: Passed): void {
  const left = (bytes / pace) * 1000 - elapsed
  if (left <= 0) place.release()
  else setTimeout(() => place.release(), left).unref()
}
