import { AppError } from '@tollgate/contracts/app-error'
import { fieldAt } from '@tollgate/providers/chat/formats/gemini/fields'
import { secondsOf } from '@tollgate/providers/operations/gemini-caches'
import { textAt, type JsonObject } from '@tollgate/providers/json'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import { operations } from '../../operations.ts'
import { run } from '../../pipeline/run.ts'
import type { RequestContext } from '../../request/context.ts'
import { endOf, type Cache } from '../../response-state/caches.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { pageOf } from '../list-page.ts'
import { answerJson } from '../models.ts'
import { callKeepingVendor } from '../openai/vendor-kept.ts'

/** POST /v1beta/cachedContents. https://ai.google.dev/api/caching */
export function createCache(context: RequestContext, deps: RelayDeps): Promise<void> {
  if (deps.config.settings.response_state.ttl_s === 0)
    throw new AppError('request.field', { detail: 'cached contents are not offered by this gateway: it keeps nothing for later requests' })
  return run(context, { operation: operations.geminiCaches, route: { now: deps.now() } }, deps)
}

/** GET /v1beta/cachedContents/{id} */
export async function answerCache(context: RequestContext, deps: RelayDeps): Promise<void> {
  answerJson(context, (await lookUp(context, deps)).cache.content)
}

const PAGE = { size: 'pageSize', max: 1000, after: 'pageToken' } as const

/** GET /v1beta/cachedContents */
export async function listCaches(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const found = new Map((await deps.responses.caches.list(record.user_id)).map((cache) => [nameOf(cache), cache.content]))
  const { names, hasMore } = pageOf(context.incoming.url ?? '', [...found.keys()], PAGE)
  // A token is the last name of the page.
  answerJson(context, { cachedContents: names.map((name) => found.get(name)), ...(hasMore ? { nextPageToken: names.at(-1) } : {}) })
}

/** DELETE /v1beta/cachedContents/{id}. Its storage was paid for, and the vendor gives nothing back either. */
export async function deleteCache(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { user_id, cache } = await lookUp(context, deps)
  await call(cache, { method: 'DELETE' }, deps)
  await deps.responses.caches.remove(user_id, nameOf(cache))
  answerJson(context, {})
}

/** PATCH /v1beta/cachedContents/{id}: an earlier end. A later one would have to be paid for. */
export async function changeCache(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { user_id, cache } = await lookUp(context, deps)
  const body = await readSmallBody(context, user_id, deps)
  const seconds = secondsOf(body, deps.now())
  const named = ['ttl', 'expireTime'].map((name) => [name, fieldAt(body, name)] as const).filter(([, value]) => value !== undefined)
  if (named.length !== 1 || seconds === undefined || deps.now() + seconds * 1000 > endOf(cache))
    throw new AppError('request.field', {
      detail: 'ttl or expireTime must name a time before the present end, which was paid for: create the content again to keep it longer',
      field: 'ttl',
    })
  const { content } = cache
  const answer = await call(cache, { method: 'PATCH', body: JSON.stringify(Object.fromEntries(named)) }, deps)
  const changed = { ...content, expireTime: textAt(answer, 'expireTime'), updateTime: textAt(answer, 'updateTime') }
  await deps.responses.caches.keep(user_id, { ...cache, content: changed })
  answerJson(context, changed)
}

type Call = { readonly method: 'PATCH' | 'DELETE'; readonly body?: string }

async function call(cache: Cache, rest: Call, deps: RelayDeps): Promise<JsonObject> {
  const name = nameOf(cache)
  const id = name.slice('cachedContents/'.length)
  const missing = new AppError('cache.missing', { id: name })
  return await callKeepingVendor(cache, { ...rest, format: 'gemini-caches', response_id: id, missing }, deps)
}

const nameOf = ({ content }: Cache): string => textAt(content, 'name') ?? ''

async function lookUp(context: RequestContext, deps: RelayDeps) {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { user_id } = record
  const name = context.path.replace(/^\/v1(?:beta)?\//, '')
  return { user_id, cache: await deps.responses.caches.find(user_id, name) }
}
