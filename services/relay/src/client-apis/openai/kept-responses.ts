import { AppError } from '@tollgate/contracts/app-error'
import { isObject, parseJson, textAt, type JsonObject } from '@tollgate/providers/json'
import { idBase } from '@tollgate/providers/formats/openai-responses/own-ids'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import type { Kept } from '../../response-state/records.ts'
import { findBackground, removeBackground } from './background.ts'
import { decodePath } from '../bind-routes.ts'
import { answerJson } from '../models.ts'

/** GET /v1/responses/{id}: an answer that this gateway keeps. Vendors' own answers are not read through the gateway. */
export async function answerResponse(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found, id } = await lookUp(context, deps)
  const background = found === undefined ? await findBackground(context, id, deps) : undefined
  if (background !== undefined) return answerJson(context, background)
  const { answer } = await findKept(context, deps)
  const response = parseJson(answer.response)
  answerJson(context, { ...(isObject(response) ? response : {}), output: outputOf(answer) })
}

/** GET /v1/responses/{id}/input_items. https://platform.openai.com/docs/api-reference/responses/input-items */
export async function answerInputItems(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, input = '' } = await findKept(context, deps)
  const base = idBase({ id: id.replace(/^resp_/, '') })
  const items = itemsIn(input).map((item, at) => ({ id: textAt(item, 'id') ?? `item_${base}_${INPUT_FROM + at}`, ...item }))
  const { order, after, limit } = readPage(context)
  const ordered = order === 'asc' ? items : items.toReversed()
  const from = after === null ? 0 : ordered.findIndex((item) => item.id === after) + 1
  const data = ordered.slice(from, from + limit)
  answerJson(context, {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  })
}

/** DELETE /v1/responses/{id}. */
export async function deleteResponse(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { id, user_id, found } = await lookUp(context, deps)
  if (found !== undefined) await deps.responses.remove(user_id, id)
  else if (!(await removeBackground(context, id, deps))) throw new AppError('response.missing', { id })
  answerJson(context, { id, object: 'response', deleted: true })
}

/** Positions of input items begin here, so that no id of one is that of an output item. */
const INPUT_FROM = 1_000_000

type Found = { readonly id: string; readonly user_id: number; readonly answer: Kept; readonly input: string | undefined }

async function findKept(context: RequestContext, deps: RelayDeps): Promise<Found> {
  const { id, found } = await lookUp(context, deps)
  if (found === undefined) throw new AppError('response.missing', { id })
  return found
}

async function lookUp(context: RequestContext, deps: RelayDeps) {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = decodePath(context.path.split('/')[3] ?? '')
  const { user_id } = record
  const kept = await deps.responses.find(user_id, id)
  const found: Found | undefined = kept?.answer.kind === 'kept' ? { id, user_id, answer: kept.answer, input: kept.input } : undefined
  return { id, user_id, found }
}

function outputOf({ output, item_ids }: Kept): JsonObject[] {
  return itemsIn(output).map((item, at) => ({ id: item_ids[at], ...item }))
}

function itemsIn(text: string): JsonObject[] {
  const items = parseJson(`[${text}]`)
  return Array.isArray(items) ? items.filter(isObject) : []
}

const MAX_PAGE = 100
const DEFAULT_PAGE = 20

function readPage({ incoming }: RequestContext) {
  const query = new URLSearchParams(incoming.url?.split('?')[1])
  const asked = Number(query.get('limit') ?? DEFAULT_PAGE)
  const limit = Number.isInteger(asked) && asked >= 1 && asked <= MAX_PAGE ? asked : DEFAULT_PAGE
  return { order: query.get('order'), after: query.get('after'), limit }
}
