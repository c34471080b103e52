import { collectBody } from '../transport/body/collect-body.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { Pace } from '../transport/body/pace.ts'
import type { RequestContext } from './context.ts'

type Deps = { readonly bodies: BodyBudget; readonly bodyPace: Pace }
type Reading = {
  readonly user_id: number
  readonly max: number
  /** A byte order mark at the start is dropped. */
  readonly isText: boolean
}

/** Collects a body of a call that takes no permit, and gives its bytes back to the budget once it is read. */
export async function withBody<T>(
  { incoming, ip, reply }: RequestContext,
  { user_id, max, isText }: Reading,
  { bodies, bodyPace }: Deps,
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
  try {
    return await read(body.bytes)
  } finally {
    body.release()
  }
}
