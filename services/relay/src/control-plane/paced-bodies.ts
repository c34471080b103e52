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

type Paced = Asking & {
  readonly clock: { elapsed(): number }
  readonly bytes: number
  /** Bytes a second. */
  readonly pace: number
}

/** Handles a long body once the user's one before has had its time; the next one waits until this one has had its own. */
export async function atPace<T>(bodies: Budget, { user, reply, clock, bytes, pace }: Paced, handle: () => T | Promise<T>): Promise<T> {
  const place = await takePlace(bodies, { user, reply })
  const began = clock.elapsed()
  try {
    return await handle()
  } finally {
    const left = (bytes / pace) * 1000 - (clock.elapsed() - began)
    if (left <= 0) place.release()
    else setTimeout(() => place.release(), left).unref()
  }
}
