import type { JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'
import { collectBody } from '../transport/body/collect-body.ts'
import { parseJsonObject } from '../transport/body/parse-json.ts'

const MAX_BODY = 1024 * 1024

/** The JSON object in the body of a call that asks about tasks. */
export async function readSmallBody(context: RequestContext, user_id: number, deps: RelayDeps): Promise<JsonObject> {
  context.reply.proceed()
  const body = await collectBody(context.incoming, {
    max: MAX_BODY,
    account: deps.bodies.open({ user_id, ip: context.ip }),
    pace: deps.bodyPace,
    isText: true,
    sharedOver: Number.POSITIVE_INFINITY,
    onWait: () => undefined,
  })
  try {
    return parseJsonObject(body.bytes)
  } finally {
    body.release()
  }
}
