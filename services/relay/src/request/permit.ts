import { AppError } from '@tollgate/contracts/app-error'
import type { AdmissionQueue, Permit } from '../admission/admission-queue.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { RequestContext } from './context.ts'

/** Releases the request's permit, so that the next queued request can start. Called before every wait for I/O. */
export function releasePermit(context: RequestContext): void {
  context.permit?.release()
  context.permit = undefined
}

/** Bytes that Node buffers of an unread body before it stops reading the connection (`stream.getDefaultHighWaterMark`). */
const MAX_UNREAD = 64 * 1024

type Deps = { readonly admissionQueue: AdmissionQueue; readonly bodies: BodyBudget }

/** Queues before the body is read, so a queued request retains almost no heap; its unread bytes count in the body budget. */
export async function waitForPermit({ incoming, reply }: RequestContext, { admissionQueue, bodies }: Deps): Promise<Permit> {
  const unread = Math.min(Number(incoming.headers['content-length'] ?? MAX_UNREAD), MAX_UNREAD)
  if (!bodies.take(unread)) throw new AppError('request.busy')
  try {
    return await admissionQueue.acquire(reply)
  } finally {
    bodies.give(unread)
  }
}
