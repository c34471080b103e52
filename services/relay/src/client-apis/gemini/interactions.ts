import { AppError } from '@tollgate/contracts/app-error'
import type { DeferredRecord } from '@tollgate/contracts/deferred/deferred'
import { isEndedTask } from '@tollgate/contracts/tasks/tasks'
import { isInteractionId, toInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { replayInteraction } from '@tollgate/providers/chat/formats/gemini-interactions/encoder'
import { isObject, objectAt, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { operations } from '../../operations.ts'
import type { DeferredBody } from '../../pipeline/route-spec.ts'
import type { Caller } from '../../request/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { beginEventStream } from '../../response/event-stream.ts'
import { queryOf } from '../../transport/query.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { findInteractionVideo, orderVideo, readVideoFields } from '../videos/interaction-videos.ts'
import { removeVideo } from '../videos/remove-video.ts'
import { cancelQueued, findQueued, LOST, newRecord, queue, removeBackground } from '../openai/background.ts'

/** GET /v1beta/interactions/{id}: one that is kept; with `stream`, as events. */
export async function answerInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { interaction, input, queued, video } = await lookUp(context, deps)
  const isOpen = (queued !== undefined && queued.state !== 'ended') || (video !== undefined && !isEndedTask(video.state))
  if (isOpen) return answerJson(context, interaction)
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const shown = query.get('include_input') === 'true' ? { ...interaction, input } : interaction
  if (query.get('stream') !== 'true') return answerJson(context, shown)
  beginEventStream(context.reply, 'text/event-stream')
  context.reply.end(replayInteraction(shown))
}

/** DELETE /v1beta/interactions/{id} */
export async function deleteInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, queued, video } = await lookUp(context, deps)
  if (video !== undefined) await removeVideo(video, deps)
  else if (queued === undefined) await deps.responses.remove(user_id, id)
  else if (!(await removeBackground({ id, user_id }, deps))) throw new AppError('response.missing', { id })
  answerJson(context, {})
}

/** POST /v1beta/interactions/{id}/cancel: only what runs in the background can be cancelled. */
export async function cancelInteraction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, queued, video } = await lookUp(context, deps)
  if (video !== undefined) throw new AppError('request.field', { detail: 'a video cannot be cancelled: its vendor has begun it' })
  if (queued === undefined)
    throw new AppError('request.field', { detail: `${id} does not run in the background, so it cannot be cancelled` })
  answerJson(context, renderQueued(await cancelQueued({ id, user_id }, deps)))
}

type Given = { readonly caller: Caller; readonly body: DeferredBody }

/** POST /v1beta/interactions with `background`: the worker runs it as an ordinary request of the same token. */
export async function queueInteraction(context: RequestContext, { caller, body }: Given, deps: RelayDeps): Promise<void> {
  const refuse = (detail: string, field: string) => new AppError('request.field', { detail, field })
  if (body.is_unstored) throw refuse('a background interaction is stored until it is fetched, so store must not be false', 'store')
  if (body.is_stream) throw refuse('a background interaction has no stream: read it with stream when it has ended', 'stream')
  const video = readVideoFields(body.bytes)
  if (video !== undefined) return await orderVideo(context, { caller, bytes: body.bytes, fields: video }, deps)
  const id = toInteractionId(context)
  await queue(context, { caller, body, id, operation: operations.interactions, endpoint: '/v1beta/interactions' }, deps)
  answerJson(context, renderQueued(newRecord({ id, facts: body.facts }, deps)))
}

/** A background interaction as Google shows it. The finished one is the answer under the id that the client knows. */
function renderQueued({ id, state, outcome, status, answer, facts, created_at }: DeferredRecord): JsonObject {
  const request = parseJson(facts)
  const created = new Date(created_at * 1000).toISOString()
  const head = { id, object: 'interaction', model: isObject(request) ? request['model'] : undefined, created, updated: created }
  if (state !== 'ended') return { ...head, status: state === 'pending' ? 'queued' : 'in_progress', steps: [] }
  if (outcome === 'cancelled') return { ...head, status: 'cancelled', steps: [] }
  const answered = parseJson(answer)
  if (outcome === 'answered' && status === 200 && isObject(answered)) return { ...answered, id, created }
  const error = isObject(answered) ? objectAt(answered, 'error') : {}
  const message = LOST[outcome] ?? textAt(error, 'message') ?? 'the request failed'
  return { ...head, status: 'failed', steps: [], errors: [{ code: textAt(error, 'status') ?? outcome, message }] }
}

async function lookUp(context: RequestContext, deps: RelayDeps) {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const id = decodePath(context.path.split('/')[3] ?? '')
  if (!isInteractionId(id)) throw new AppError('response.missing', { id })
  const found = await deps.responses.find(user_id, id)
  if (found?.answer.kind === 'kept') {
    const { response, output } = found.answer
    const head = parseJson(response)
    const interaction: JsonObject = { ...(isObject(head) ? head : {}), steps: stepsIn(output) }
    return { id, user_id, interaction, input: stepsIn(found.input ?? ''), queued: undefined, video: undefined }
  }
  const queued = await findQueued({ id, user_id }, deps)
  if (queued !== undefined) return { id, user_id, interaction: renderQueued(queued), input: [], queued, video: undefined }
  const made = await findInteractionVideo(context, { id, user_id }, deps)
  if (made === undefined) throw new AppError('response.missing', { id })
  return { id, user_id, interaction: made.interaction, input: [], queued: undefined, video: made.task }
}

function stepsIn(text: string): JsonObject[] {
  const steps = parseJson(`[${text}]`)
  return Array.isArray(steps) ? steps.filter(isObject) : []
}
