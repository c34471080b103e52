import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import { matches, parseFilter } from '@tollgate/domain/scim/filter'
import { listOfNames, project, type Wanted } from '@tollgate/domain/scim/project'
import { groupSchema, isRecord, MESSAGES, userSchema, type Resource, type Schema } from '@tollgate/domain/scim/schema'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { renderFailure } from '@tollgate/http/envelope'
import { readJson } from '@tollgate/http/parse'
import { createRequestId, REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { Hono, type Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { readClient } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { publicUrl } from '../../public-address.ts'
import { authenticateScim, type Provisioner } from './caller.ts'
import { listOf, MAX_RESULTS, providerConfig, resourceTypes, schemas } from './documents.ts'
import { createGroup, getGroup, listGroups, patchGroup, removeGroup, replaceGroup } from './groups.ts'
import { SCIM_PATH } from './path.ts'
import { createUserResource, getUser, listUsers, patchUser, removeUserResource, replaceUser, type Shown } from './users.ts'

const MAX_BODY = 4 * 1024 * 1024

type Env = { Variables: { by: Provisioner; base: string } }
type ScimContext = Context<Env>

/** SCIM 2.0 for identity providers: https://www.rfc-editor.org/rfc/rfc7644. Its answers have SCIM's own form, so it is not in the endpoint table. */
export function createScimApp(deps: Deps): Hono<Env> {
  const app = new Hono<Env>()
  app.use(async (c, next) => {
    const started = deps.now()
    const request_id = createRequestId(started)
    c.header(REQUEST_ID_HEADER, request_id)
    c.header('Cache-Control', 'no-store')
    await next()
    const call = { request_id, method: c.req.method, route: `${SCIM_PATH}/${partOf(c)}`, status: c.res.status }
    deps.log.info({ ...call, duration_ms: deps.now() - started, client_ip: readClient(deps, c).ip }, 'call')
  })
  app.onError((error, c) => renderError(deps, c, error))
  app.use(async (c, next) => {
    c.set('by', await authenticateScim(deps, c))
    c.set('base', await publicUrl(deps, SCIM_PATH))
    await next()
  })
  bindDocuments(app)
  bindKind(deps, app, USERS)
  bindKind(deps, app, GROUPS)
  app.post('/.search', async (c) => {
    const all = [...(await listed(deps, c.var, USERS)), ...(await listed(deps, c.var, GROUPS))]
    return answerPage(c, all, searchOf(await readBody(c)))
  })
  app.all('/Bulk', () => {
    throw new ScimError(501, 'Bulk is not supported')
  })
  app.all('/Me', () => {
    throw new ScimError(501, '/Me is not supported')
  })
  app.all('*', (c) => {
    throw new ScimError(404, `There is no ${c.req.path.slice(0, 200)}`)
  })
  return app
}

/** The first part of the path, without ids. */
const partOf = (c: Context): string => /^\/scim\/v2\/(\.?\w{1,30})/.exec(c.req.path)?.[1] ?? ''

function bindDocuments(app: Hono<Env>): void {
  const refuse = (c: ScimContext): never => {
    c.header('Allow', 'GET')
    throw new ScimError(405, 'This can only be read')
  }
  app.get('/ServiceProviderConfig', (c) => answer(c, providerConfig(c.var.base)))
  for (const [path, documents] of [
    ['/ResourceTypes', resourceTypes],
    ['/Schemas', schemas],
  ] as const) {
    app.get(path, (c) => {
      // Else a filter that is not applied would look like an answer.
      if (c.req.query('filter') !== undefined) throw new ScimError(403, 'There is no filter here')
      const all = documents(c.var.base)
      return answer(c, listOf(all, all.length, 1))
    })
    app.get(`${path}/:id`, (c) => {
      const found = documents(c.var.base).find((one) => one['id'] === c.req.param('id'))
      if (found === undefined) throw new ScimError(404, `There is no ${c.req.param('id').slice(0, 200)}`)
      return answer(c, found)
    })
    app.all(path, refuse)
    app.all(`${path}/:id`, refuse)
  }
  app.all('/ServiceProviderConfig', refuse)
}

type Kind = {
  readonly path: '/Users' | '/Groups'
  readonly schema: Schema
  readonly list: typeof listUsers
  readonly create: typeof createUserResource
  readonly get: typeof getUser
  readonly replace: typeof replaceUser
  readonly patch: typeof patchUser
  readonly remove: typeof removeUserResource
}

const USERS: Kind = {
  path: '/Users',
  schema: userSchema,
  list: listUsers,
  create: createUserResource,
  get: getUser,
  replace: replaceUser,
  patch: patchUser,
  remove: removeUserResource,
}

const GROUPS: Kind = {
  path: '/Groups',
  schema: groupSchema,
  list: listGroups,
  create: createGroup,
  get: getGroup,
  replace: replaceGroup,
  patch: patchGroup,
  remove: removeGroup,
}

async function listed(deps: Deps, { by, base }: Env['Variables'], { list, schema }: Kind): Promise<Listed[]> {
  return (await list(deps, by, base)).map((resource) => ({ schema, resource }))
}

function bindKind(deps: Deps, app: Hono<Env>, kind: Kind): void {
  const { path, schema } = kind
  const one = `${path}/:id` as const
  app.get(path, async (c) => answerPage(c, await listed(deps, c.var, kind), queryOf(c)))
  app.post(`${path}/.search`, async (c) => answerPage(c, await listed(deps, c.var, kind), searchOf(await readBody(c))))
  app.post(path, async (c) => answerShown(c, schema, await kind.create(deps, c.var.by, { body: await readBody(c), base: c.var.base }), 201))
  app.get(one, async (c) => answerShown(c, schema, await kind.get(deps, c.var.by, named(c))))
  app.put(one, async (c) => answerShown(c, schema, await kind.replace(deps, c.var.by, await changed(c))))
  app.patch(one, async (c) => answerShown(c, schema, await kind.patch(deps, c.var.by, await changed(c))))
  app.delete(one, async (c) => {
    await kind.remove(deps, c.var.by, { ...named(c), expected: c.req.header('if-match') })
    return c.body(null, 204)
  })
}

function named(c: ScimContext) {
  const id = c.req.param('id') ?? ''
  // Postgres text cannot hold it.
  if (id.includes('\0')) throw new ScimError(404, `There is no ${id.slice(0, 200)}`)
  return { id, base: c.var.base }
}
const changed = async (c: ScimContext) => ({ ...named(c), body: await readBody(c), expected: c.req.header('if-match') })

/** The body, whatever JSON type names it. */
async function readBody(c: Context): Promise<unknown> {
  try {
    return await readJson(c.req.raw, MAX_BODY)
  } catch (cause) {
    if (cause instanceof AppError && cause.code === 'params.too-large')
      throw new ScimError(413, 'The body is too large', undefined, { cause })
    throw new ScimError(400, 'The body is not JSON', 'invalidSyntax', { cause })
  }
}

type Search = Wanted & { readonly filter: string; readonly startIndex: number; readonly count: number }

function queryOf(c: Context): Search {
  const text = (name: string): string => c.req.query(name) ?? ''
  return {
    attributes: listOfNames(text('attributes')),
    excluded: listOfNames(text('excludedAttributes')),
    filter: text('filter'),
    ...pageOf(text('startIndex'), text('count')),
  }
}

/** The body of `/.search`. */
function searchOf(body: unknown): Search {
  const given = isRecord(body) ? body : {}
  const names = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
  const filter = given['filter']
  return {
    attributes: names(given['attributes']),
    excluded: names(given['excludedAttributes']),
    filter: typeof filter === 'string' ? filter : '',
    ...pageOf(given['startIndex'], given['count']),
  }
}

/** Values below one are the first, and a negative count is none: https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2.4 */
function pageOf(start: unknown, count: unknown): Pick<Search, 'startIndex' | 'count'> {
  const number = (value: unknown, otherwise: number): number => {
    if (value === '' || value === undefined || value === null) return otherwise
    const read = Math.trunc(Number(value))
    if (!Number.isSafeInteger(read)) throw new ScimError(400, 'startIndex and count are numbers', 'invalidValue')
    return read
  }
  return {
    startIndex: Math.max(1, number(start, 1)),
    count: Math.min(MAX_RESULTS, Math.max(0, number(count, MAX_RESULTS))),
  }
}

type Listed = { readonly schema: Schema; readonly resource: Resource }

function answerPage(c: ScimContext, all: readonly Listed[], { filter, startIndex, count, ...wanted }: Search): Response {
  const parsed = filter.trim() === '' ? undefined : parseFilter(filter)
  const found = parsed === undefined ? all : all.filter(({ schema, resource }) => matches(parsed, resource, schema))
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  return answer(
    c,
    listOf(
      page.map(({ schema, resource }) => project(schema, resource, wanted)),
      found.length,
      startIndex,
    ),
  )
}

function answerShown(c: ScimContext, schema: Schema, { resource, version }: Shown, status: 200 | 201 = 200): Response {
  c.header('ETag', version)
  const { meta } = resource
  if (isRecord(meta)) c.header('Location', String(meta['location']))
  if (
    c.req.method === 'GET' &&
    c.req
      .header('if-none-match')
      ?.split(',')
      .some((one) => one.trim() === version)
  )
    return c.body(null, 304)
  return answer(c, project(schema, resource, queryOf(c)), status)
}

const TYPE = { 'Content-Type': 'application/scim+json; charset=utf-8' }

function answer(c: Context, body: Resource, status: ContentfulStatusCode = 200): Response {
  return c.body(JSON.stringify(body), status, TYPE)
}

/** Identity providers come again after 429 and 503. */
function failureOf({ log }: Deps, c: Context, cause: unknown): ScimError {
  const { code, status, body } = renderFailure(cause, 'en')
  const { retry_after_s }: ErrorRow = errors[code]
  if (status >= 500) log.error({ method: c.req.method, route: SCIM_PATH, err: cause }, 'call failed')
  if (retry_after_s === undefined) return new ScimError(500, 'The server failed', undefined, { cause })
  c.header('Retry-After', String(retry_after_s))
  return new ScimError(status, body.message, undefined, { cause })
}

function renderError(deps: Deps, c: Context, cause: unknown): Response {
  const error = cause instanceof ScimError ? cause : failureOf(deps, c, cause)
  const { status, message: detail, scimType } = error
  const body = { schemas: [`${MESSAGES}Error`], status: String(status), ...(scimType === undefined ? {} : { scimType }), detail }
  return answer(c, body, status as ContentfulStatusCode) // statuses of SCIM errors all allow a body
}
