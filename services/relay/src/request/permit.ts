import { AppError } from '@tollgate/contracts/app-error'
import type { AdmissionQueue, Permit } from '../admission/admission-queue.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { RequestContext } from './context.ts'

/** Releases the request's permit, so that the next queued request can start. Called before every wait for I/O. */
export function releasePermit(context: RequestContext): void {
  context.permit?.release()
  context.permit = undefined
}

type Deps = { readonly admissionQueue: AdmissionQueue; readonly bodies: BodyBudget }

/**
 * Queues before the body is read, so a queued request retains almost no heap. What has arrived of its body counts in the budget; Node
 * stops reading the connection after 64 KB.
 */
export async function waitForPermit({ incoming, reply, ip }: RequestContext, { admissionQueue, bodies }: Deps): Promise<Permit> {
  // A body in the same packet as its head is there once the parser has finished that packet.
  await Promise.resolve()
  const account = bodies.open({ ip })
  const covered = account.cover(incoming.readableLength)
  if (covered !== 'covered') throw new AppError(covered === 'full' ? 'request.busy' : 'request.share')
  try {
    return await admissionQueue.acquire(reply)
  } finally {
    account.close()
  }
}
