import type { JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'
import { withBody } from '../request/with-body.ts'
import { parseJsonObject } from '../transport/body/parse-json.ts'

const MAX_BODY = 1024 * 1024

/** The JSON object in the body of a call that asks about tasks. */
export async function readSmallBody(context: RequestContext, user_id: number, deps: RelayDeps): Promise<JsonObject> {
  return await withBody(context, { user_id, max: MAX_BODY, isText: true }, deps, parseJsonObject)
}
