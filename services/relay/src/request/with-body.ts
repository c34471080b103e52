import { collectBody } from '../transport/body/collect-body.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { Pace } from '../transport/body/pace.ts'
import type { Budget } from '@tollgate/shares/budget'
import { atPace, PACES } from '../control-plane/paced-bodies.ts'
import type { RequestContext } from './context.ts'

type Deps = { readonly bodies: BodyBudget; readonly bodyPace: Pace; readonly pacedBodies: Budget }
/** Bodies over this many bytes follow each other at a pace. */
const LONG = 1024 * 1024
type Reading = {
  readonly user_id: number
  readonly max: number
  /** A byte order mark at the start is dropped. */
  readonly isText: boolean
}

/** Collects a body of a call that takes no permit, and gives its bytes back to the budget once it is read. */
export async function withBody<T>(
  { incoming, ip, reply, clock }: RequestContext,
  { user_id, max, isText }: Reading,
  { bodies, bodyPace, pacedBodies }: Deps,
  read: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  reply.proceed()
  const body = await collectBody(incoming, {
    max,
    account: bodies.open({ user_id, ip }),
    pace: bodyPace,
    isText,
    sharedOver: Number.POSITIVE_INFINITY,
    onWait: () => undefined,
  })
  const bytes = body.bytes.length
  try {
    if (bytes <= LONG) return await read(body.bytes)
    return await atPace(pacedBodies, { user: user_id, reply, clock, bytes, pace: PACES.files }, () => read(body.bytes))
  } finally {
    body.release()
  }
}
