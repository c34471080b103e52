import { AppError } from '@tollgate/contracts/app-error'
import type { AdmissionQueue, Permit } from '../admission/admission-queue.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { RequestContext } from './context.ts'

/** The permit of one request while it uses the CPU; empty while it waits, and on routes that need none. */
export class PermitSlot {
  #permit: Permit | undefined

  get isEmpty(): boolean {
    return this.#permit === undefined
  }

  fill(permit: Permit): void {
    this.#permit = permit
  }

  /** Lets the next queued request start. Called before every wait for I/O; may be called more than once. */
  release(): void {
    this.#permit?.release()
    this.#permit = undefined
  }
}

type Deps = { readonly admissionQueue: AdmissionQueue; readonly bodies: BodyBudget }

/**
 * Queues before the body is read, so a queued request retains almost no heap. What has arrived of its body counts in the budget; Node
 * stops reading the connection after 64 KB.
 */
export async function waitForPermit({ incoming, reply, ip, permit }: RequestContext, { admissionQueue, bodies }: Deps): Promise<void> {
  // A body in the same packet as its head is there once the parser has finished that packet.
  await Promise.resolve()
  const account = bodies.open({ ip })
  const covered = account.cover(incoming.readableLength)
  if (covered !== 'covered') throw new AppError(covered === 'full' ? 'request.busy' : 'request.share')
  try {
    permit.fill(await admissionQueue.acquire(reply))
  } finally {
    account.close()
  }
}
