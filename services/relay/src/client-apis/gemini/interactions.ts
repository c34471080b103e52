import { AppError } from '@tollgate/contracts/app-error'
import { isInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { replayInteraction } from '@tollgate/providers/chat/formats/gemini-interactions/encoder'
import { isObject, parseJson, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { beginEventStream } from '../../response/event-stream.ts'
import { queryOf } from '../../transport/query.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'

/** GET /v1beta/interactions/{id}: one that is kept; with `stream`, as events. */
export async function answerInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { interaction, input } = await lookUp(context, deps)
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const shown = query.get('include_input') === 'true' ? { ...interaction, input } : interaction
  if (query.get('stream') !== 'true') return answerJson(context, shown)
  beginEventStream(context.reply, 'text/event-stream')
  context.reply.end(replayInteraction(shown))
}

/** DELETE /v1beta/interactions/{id} */
export async function deleteInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id } = await lookUp(context, deps)
  await deps.responses.remove(user_id, id)
  answerJson(context, {})
}

/** POST /v1beta/interactions/{id}/cancel: none of them runs in the background. */
export async function cancelInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id } = await lookUp(context, deps)
  throw new AppError('request.field', { detail: `${id} does not run in the background, so it cannot be cancelled` })
}

async function lookUp(context: RequestContext, deps: RelayDeps) {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const id = decodePath(context.path.split('/')[3] ?? '')
  const found = isInteractionId(id) ? await deps.responses.find(user_id, id) : undefined
  if (found?.answer.kind !== 'kept') throw new AppError('response.missing', { id })
  const { response, output } = found.answer
  const head = parseJson(response)
  const interaction: JsonObject = { ...(isObject(head) ? head : {}), steps: stepsIn(output) }
  return { id, user_id, interaction, input: stepsIn(found.input ?? '') }
}

function stepsIn(text: string): JsonObject[] {
  const steps = parseJson(`[${text}]`)
  return Array.isArray(steps) ? steps.filter(isObject) : []
}
