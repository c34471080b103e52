import { AppError } from '@tollgate/contracts/app-error'
import { isObject, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { isInteractionId } from '@tollgate/providers/chat/formats/gemini-interactions/own-ids'
import { idBase } from '@tollgate/providers/chat/formats/openai-responses/own-ids'
import { inputItemsOf } from '@tollgate/providers/chat/formats/openai-responses/state'
import { replayOf, writeEvents } from '@tollgate/providers/chat/formats/openai-responses/replay'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import type { Kept, VendorKept } from '../../response-state/records.ts'
import { beginEventStream } from '../../response/event-stream.ts'
import { cancelBackground, findBackground, findBackgroundInput, removeBackground } from './background.ts'
import { followBackground } from './follow-background.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { callKeepingVendor } from './vendor-kept.ts'

/** GET /v1/responses/{id}: an answer that is kept here or by its vendor, or a background response; with `stream`, its events. */
export async function answerResponse(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, found } = await lookUp(context, deps)
  const starting_after = readReplay(context)
  if (found === undefined) {
    const find = () => findBackground({ id, user_id }, deps)
    if (starting_after !== undefined) return await followBackground(context, { id, user_id, starting_after, find })
    const background = await find()
    if (background === undefined) throw new AppError('response.missing', { id })
    return answerJson(context, background)
  }
  const { answer } = found
  const query = vendorQuery(context, ['include', 'include[]'])
  const response = answer.kind === 'kept' ? responseOf(answer) : await readAtVendor(answer, { id, query }, deps)
  if (starting_after === undefined) return answerJson(context, response)
  const { reply } = context
  beginEventStream(reply, 'text/event-stream')
  reply.end(writeEvents(replayOf(response), starting_after))
}

/** GET /v1/responses/{id}/input_items. https://platform.openai.com/docs/api-reference/responses/input-items */
export async function answerInputItems(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, found } = await lookUp(context, deps)
  if (found === undefined) {
    const background = await findBackgroundInput({ id, user_id }, deps)
    if (background === undefined) throw new AppError('response.missing', { id })
    if ('body' in background) return answerJson(context, pageOf(context, { id, input: inputItemsOf(background.body) ?? '' }))
    const { kept_as } = background
    const kept = kept_as === '' ? undefined : await deps.responses.find(user_id, kept_as)
    if (kept === undefined) throw new AppError('response.missing', { id })
    return answerJson(context, await inputOf(context, { id: kept_as, found: kept }, deps))
  }
  answerJson(context, await inputOf(context, { id, found }, deps))
}

type FoundResponse = { readonly id: string; readonly found: NonNullable<Awaited<ReturnType<RelayDeps['responses']['find']>>> }

/** A page of the input of a response that is kept here or by its vendor. */
async function inputOf(
  context: RequestContext,
  { id, found: { answer, input = '' } }: FoundResponse,
  deps: RelayDeps,
): Promise<JsonObject> {
  if (answer.kind !== 'vendor') return pageOf(context, { id, input })
  const query = vendorQuery(context, ['include', 'include[]', 'limit', 'order', 'after', 'before'])
  return await callKeepingVendor(answer, { method: 'GET', response_id: id, path: '/input_items', query }, deps)
}

/** A page of the items of an input, which is JSON without brackets. */
function pageOf(context: RequestContext, { id, input }: { readonly id: string; readonly input: string }): JsonObject {
  const base = idBase({ id: id.replace(/^resp_/, '') })
  const items = itemsIn(input).map((item, at) => ({ id: textAt(item, 'id') ?? `item_${base}_${INPUT_FROM + at}`, ...item }))
  const { order, after, limit } = readPage(context)
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1
  const data = ordered.slice(from, from + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  }
}

/** POST /v1/responses/{id}/cancel; only background responses can be cancelled. */
export async function cancelResponse(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, found } = await lookUp(context, deps)
  if (found === undefined) return answerJson(context, await cancelBackground({ id, user_id }, deps))
  if (found.answer.kind === 'kept') throw new AppError('request.field', { detail: 'Cannot cancel a synchronous response.' })
  answerJson(context, await callKeepingVendor(found.answer, { method: 'POST', response_id: id, path: '/cancel' }, deps))
}

/** DELETE /v1/responses/{id}; one that the vendor has deleted already is deleted here too. */
export async function deleteResponse(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, found } = await lookUp(context, deps)
  if (found === undefined) {
    if (!(await removeBackground({ id, user_id }, deps))) throw new AppError('response.missing', { id })
  } else {
    if (found.answer.kind === 'vendor')
      await callKeepingVendor(found.answer, { method: 'DELETE', response_id: id }, deps).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'response.missing')) throw error
      })
    await deps.responses.remove(user_id, id)
  }
  answerJson(context, { id, object: 'response', deleted: true })
}

/** Positions of input items begin here, so that no id of one is that of an output item. */
const INPUT_FROM = 1_000_000

async function lookUp(context: RequestContext, deps: RelayDeps) {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = decodePath(context.path.split('/')[3] ?? '')
  const { user_id } = record
  if (isInteractionId(id)) throw new AppError('response.missing', { id })
  return { id, user_id, found: await deps.responses.find(user_id, id) }
}

/** The vendor's response, with the name that its model has in the client's answer. */
async function readAtVendor(
  kept: VendorKept,
  { id, query }: { readonly id: string; readonly query: string },
  deps: RelayDeps,
): Promise<JsonObject> {
  const response = await callKeepingVendor(kept, { method: 'GET', response_id: id, query }, deps)
  return kept.model === undefined ? response : { ...response, model: kept.model }
}

function responseOf(kept: Kept): JsonObject {
  const response = parseJson(kept.response)
  const output = itemsIn(kept.output).map((item, at) => ({ id: kept.item_ids[at], ...item }))
  return { ...(isObject(response) ? response : {}), output }
}

function itemsIn(text: string): JsonObject[] {
  const items = parseJson(`[${text}]`)
  return Array.isArray(items) ? items.filter(isObject) : []
}

const MAX_PAGE = 100
const DEFAULT_PAGE = 20

const queryOf = ({ incoming }: RequestContext) => new URLSearchParams(incoming.url?.split('?')[1])

function readPage(context: RequestContext) {
  const query = queryOf(context)
  const asked = Number(query.get('limit') ?? DEFAULT_PAGE)
  const limit = Number.isInteger(asked) && asked >= 1 && asked <= MAX_PAGE ? asked : DEFAULT_PAGE
  return { order: query.get('order'), after: query.get('after'), limit }
}

/** The number of the last event that the client has, -1 for none; undefined: it wants no events. */
function readReplay(context: RequestContext): number | undefined {
  const query = queryOf(context)
  if (query.get('stream') !== 'true') return undefined
  const after = query.get('starting_after')
  if (after === null || after === '') return -1
  if (!/^\d{1,9}$/.test(after)) throw new AppError('request.field', { detail: 'starting_after must be the number of an event' })
  return Number(after)
}

/** The query for the vendor. */
function vendorQuery(context: RequestContext, names: readonly string[]): string {
  return new URLSearchParams([...queryOf(context)].filter(([name]) => names.includes(name))).toString()
}
