import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { isObject, textAt, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import type { Conversation } from '../../response-state/conversations.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { binder, decodePath, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { readPage } from '../page.ts'
import { openAiApi } from './client-api.ts'

/** Conversations, kept here for the models of every vendor. https://developers.openai.com/api/reference/resources/conversations */
export function bindConversations(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => openAiApi)
  on('POST', '/v1/conversations', (context) => create(context, deps))
  on('GET', '/v1/conversations/:id', (context) => retrieve(context, deps))
  on('POST', '/v1/conversations/:id', (context) => update(context, deps))
  on('DELETE', '/v1/conversations/:id', (context) => remove(context, deps))
  on('GET', '/v1/conversations/:id/items', (context) => listItems(context, deps))
  on('POST', '/v1/conversations/:id/items', (context) => addItems(context, deps))
  on('GET', '/v1/conversations/:id/items/:item', (context) => retrieveItem(context, deps))
  on('DELETE', '/v1/conversations/:id/items/:item', (context) => removeItem(context, deps))
}

const MAX_ADDED = 20
const MAX_METADATA = 16
const refusal = (detail: string, field: string) => new AppError('request.field', { detail, field })

async function userOf(context: RequestContext, deps: RelayDeps): Promise<number> {
  return (await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)).record.user_id
}

async function create(context: RequestContext, deps: RelayDeps): Promise<void> {
  const user_id = await userOf(context, deps)
  const body = await readSmallBody(context, user_id, deps)
  const head = { id: `conv_${randomBytes(16).toString('hex')}`, created_at: Math.floor(deps.now() / 1000), metadata: metadataIn(body) }
  answerJson(context, render(await deps.responses.conversations.create(user_id, head, itemsIn(body))))
}

async function retrieve(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found } = await lookUp(context, deps)
  answerJson(context, render(found))
}

async function update(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found, user_id } = await lookUp(context, deps)
  const metadata = metadataIn(await readSmallBody(context, user_id, deps))
  answerJson(context, render(await deps.responses.conversations.change(user_id, { ...found, metadata })))
}

async function remove(context: RequestContext, deps: RelayDeps): Promise<void> {
  const user_id = await userOf(context, deps)
  const id = idOf(context)
  await deps.responses.conversations.remove(user_id, id)
  answerJson(context, { id, object: 'conversation.deleted', deleted: true })
}

async function listItems(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found } = await lookUp(context, deps)
  const { after, limit, order } = readPage(context, { max: 100, usual: 20 })
  const ordered = order === 'asc' ? found.items : found.items.toReversed()
  const from = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  answerJson(context, listOf(ordered.slice(from, from + limit), from + limit < ordered.length))
}

async function addItems(context: RequestContext, deps: RelayDeps): Promise<void> {
  const user_id = await userOf(context, deps)
  const items = itemsIn(await readSmallBody(context, user_id, deps))
  answerJson(context, listOf(await deps.responses.conversations.add(user_id, idOf(context), items), false))
}

async function retrieveItem(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found } = await lookUp(context, deps)
  answerJson(context, itemOf(found, context))
}

async function removeItem(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { found, user_id } = await lookUp(context, deps)
  const item = itemOf(found, context)
  const left = { ...found, items: found.items.filter((one) => one !== item) }
  answerJson(context, render(await deps.responses.conversations.change(user_id, left)))
}

const idOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '').slice(0, 100)

async function lookUp(context: RequestContext, deps: RelayDeps): Promise<{ readonly found: Conversation; readonly user_id: number }> {
  const user_id = await userOf(context, deps)
  return { user_id, found: await deps.responses.conversations.find(user_id, idOf(context)) }
}

function itemOf({ items }: Conversation, { path }: RequestContext): JsonObject {
  const id = decodePath(path.split('/')[5] ?? '')
  const item = items.find((one) => one['id'] === id)
  if (item === undefined) throw new AppError('conversation.item-missing', { id })
  return item
}

function itemsIn({ items }: JsonObject): readonly JsonObject[] {
  if (items === undefined || items === null) return []
  if (!Array.isArray(items) || !items.every(isObject)) throw refusal('items must be a list of objects', 'items')
  if (items.length > MAX_ADDED) throw refusal(`items has more than ${MAX_ADDED} entries`, 'items')
  const wrong = items.find((item) => (textAt(item, 'type') ?? 'message') === 'message' && textAt(item, 'role') === undefined)
  if (wrong !== undefined) throw refusal('an item of type message needs a role', 'items')
  return items
}

function metadataIn({ metadata }: JsonObject): JsonObject {
  if (metadata === undefined || metadata === null) return {}
  const isFit = isObject(metadata) && Object.entries(metadata).every(([name, text]) => name.length <= 64 && String(text).length <= 512)
  if (!isFit || Object.keys(metadata).length > MAX_METADATA)
    throw refusal(`metadata must be at most ${MAX_METADATA} texts of at most 512 characters`, 'metadata')
  return metadata
}

const render = ({ id, created_at, metadata }: Conversation) => ({ id, object: 'conversation', created_at, metadata })

function listOf(data: readonly JsonObject[], has_more: boolean) {
  return { object: 'list', data, first_id: data[0]?.['id'] ?? null, last_id: data.at(-1)?.['id'] ?? null, has_more }
}
