import type { IncomingMessage } from 'node:http'
import type { Permit } from '../admission/admission-queue.ts'
import type { Reply } from '../transport/reply.ts'
import type { StepClock } from './step-clock.ts'
import type { ClientApi } from '../client-apis/client-api.ts'

/** The client's own trace, as its header says it. */
export function traceparentIn(incoming: IncomingMessage): string | undefined {
  const value = incoming.headers['traceparent']
  return typeof value === 'string' ? value : undefined
}

/** One client request on its way through the pipeline. */
export type RequestContext = {
  /** Made here, never taken from a header; the answer carries it. */
  readonly id: string
  readonly incoming: IncomingMessage
  readonly reply: Reply
  readonly ip: string
  readonly path: string
  readonly clientApi: ClientApi
  readonly clock: StepClock
  /** While it is at work; undefined before, after, and for those that need none. */
  permit: Permit | undefined
}

/** Lets the next one to its work: this one is done with it, or has to wait for somebody else. */
export function releasePermit(context: RequestContext): void {
  context.permit?.leave()
  context.permit = undefined
}
