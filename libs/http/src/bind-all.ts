import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import type { MemberRole, Right } from '@tollgate/contracts/rights'
import type { Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Actor, IdentifyAs, Identification } from './actor.ts'
import { admit, requireProof } from './admit.ts'
import { refuseCrossSite, refuseUntypedBody } from './cross-site.ts'
import { renderFailure, renderSuccess, ResultWithMessage } from './envelope.ts'
import type { Binding, Call } from './handle.ts'
import { languageOf, type Language } from './language.ts'
import { parseCall, readJson } from './parse.ts'
import { createRequestId, REQUEST_ID_HEADER } from './request-id.ts'
import { renderUnknownPath } from './unknown-path.ts'
import { unknownFieldsOf, warningsOf, type UnknownFields } from './unknown-fields.ts'

/** The rejection of a call over the rate limit. */
export type Limited = { readonly retry_after_s: number }

/** The right to run a heavy call. */
export type Turn = { release(): void }

/** A call that has started. */
export type StartedCall = {
  readonly endpoint: Endpoint
  readonly request_id: string
  /** The caller's `traceparent` header. */
  readonly traceparent: string | undefined
}

/** A finished call, for the log line, spans and metrics. */
export type FinishedCall = {
  readonly endpoint: Endpoint
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  readonly ip: string
  readonly actor: Actor | undefined
  readonly error: unknown
}

/** Observes one call. */
export type CallWatch = {
  /** The header that makes calls to other services part of this call's trace. */
  readonly traceparent?: string | undefined
  finished(call: FinishedCall): void
}

/** Hooks of the service for `bindAll`. Each runs once per call, in this order. */
export type BindOptions = {
  /** Every endpoint of the table; one without a binding answers a failure in the envelope. */
  readonly endpoints: readonly Endpoint[]
  readonly now: () => number
  /** Empty when a trusted proxy forwarded an address that cannot be read; the call is then refused. */
  readonly clientIp: (c: Context) => string
  /** True if a page of this origin may change state. */
  readonly isOwnOrigin: (c: Context, origin: URL) => Promise<boolean>
  /** Returns a rejection when the address or account has used up its rate limit. */
  readonly limit?: (ask: { endpoint: Endpoint; ip: string; c: Context }) => Promise<Limited | undefined>
  /** Throws when the call must not be served yet (first run). */
  readonly guard?: (endpoint: Endpoint) => Promise<void>
  /** Identifies the caller; skipped for public endpoints. */
  readonly authenticate: (c: Context, as: IdentifyAs) => Promise<Identification>
  /** True if the role of a member of an organisation has a right. */
  readonly hasRight: (role: MemberRole, right: Right) => boolean
  /** True if a member whose session the organisation does not accept may call it: the owner's way back. */
  readonly isEmergency: (role: MemberRole, right: Right) => boolean
  /** Throws unless the human check was passed; runs for endpoints with `humanCheck`. */
  readonly humanCheck?: (ask: { c: Context; ip: string }) => Promise<void>
  /** Takes the turn of a call that reads many rows; `Limited`: it does not come in time. */
  readonly turn?: (ask: { endpoint: Endpoint; actor: Actor | undefined; ip: string; c: Context }) => Promise<Turn | Limited>
  /** Runs an admitted call. */
  readonly around?: (<T>(call: { endpoint: Endpoint; actor: Actor | undefined }, run: () => Promise<T>) => Promise<T>) | undefined
  /** Runs when a call starts; the observer that it returns receives the end. */
  readonly watch?: (call: StartedCall) => CallWatch
}

/** Registers the whole endpoint table on the app: each path with and without a trailing slash, fixed segments before parameters. */
export function bindAll(app: Hono, bindings: readonly Binding[], options: BindOptions): void {
  const bound = new Map(bindings.map((binding) => [binding.endpoint, binding]))
  if (bound.size !== bindings.length) throw new Error('an endpoint is bound twice')
  for (const { endpoint } of bindings) {
    if (!options.endpoints.includes(endpoint)) throw new Error(`${endpoint.method} ${endpoint.path} is bound but not in the table`)
  }
  const unknownFields = unknownFieldsOf(options.endpoints)
  for (const endpoint of options.endpoints.toSorted((a, b) => compareText(rankOf(a.path), rankOf(b.path)))) {
    const binding = bound.get(endpoint)
    for (const path of spellingsOf(endpoint.path)) {
      app.on(endpoint.method, path, (c) => serveCall({ c, endpoint, binding, options, unknownFields }))
    }
  }
}

type Served = {
  readonly c: Context
  readonly endpoint: Endpoint
  readonly binding: Binding | undefined
  readonly options: BindOptions
  readonly unknownFields: UnknownFields
}

async function serveCall(served: Served): Promise<Response> {
  const { c, endpoint, options } = served
  const started = options.now()
  const request_id = createRequestId(started)
  const watch = options.watch?.({ endpoint, request_id, traceparent: c.req.header('traceparent') })
  const trace: Trace = {
    request_id,
    traceparent: watch?.traceparent,
    ip: options.clientIp(c),
    language: languageOf(c.req.header('accept-language')),
    actor: undefined,
  }
  c.header(REQUEST_ID_HEADER, trace.request_id)
  c.header('Cache-Control', 'no-store')
  let response: Response
  let failure: unknown
  try {
    response = await answerCall(served, trace)
  } catch (error) {
    failure = error
    response = failureOf(served, error, trace.language)
  }
  watch?.finished({
    endpoint,
    status: response.status,
    duration_ms: options.now() - started,
    request_id: trace.request_id,
    ip: trace.ip,
    actor: trace.actor,
    error: failure,
  })
  return response
}

/** A browser that opens a page lands where it would after a success; a script gets the envelope. */
function failureOf({ c, endpoint }: Served, error: unknown, language: Language): Response {
  const { status, body, code } = renderFailure(error, language)
  const { retry_after_s }: ErrorRow = errors[code]
  if (retry_after_s !== undefined) c.header('Retry-After', String(retry_after_s))
  if (endpoint.landing !== undefined && c.req.header('sec-fetch-mode') === 'navigate')
    return c.redirect(`${endpoint.landing}?failed=${encodeURIComponent(code)}`, 302)
  return c.json(body, status as ContentfulStatusCode) // statuses of the error table all allow a body
}

type Trace = {
  readonly request_id: string
  readonly traceparent: string | undefined
  readonly ip: string
  readonly language: Language
  actor: Actor | undefined
}

async function answerCall({ c, endpoint, binding, options, unknownFields }: Served, trace: Trace): Promise<Response> {
  if (trace.ip === '') throw new AppError('access.forwarded')
  const limited = await options.limit?.({ endpoint, ip: trace.ip, c })
  if (limited !== undefined) {
    c.header('Retry-After', String(Math.max(1, Math.ceil(limited.retry_after_s))))
    throw new AppError('rate.console')
  }
  await refuseCrossSite(c, endpoint, (origin) => options.isOwnOrigin(c, origin))
  await options.guard?.(endpoint)
  trace.actor = await admitCall(c, endpoint, options)
  if (trace.actor?.viewed_by !== undefined && endpoint.changes && !endpoint.isForViewers) throw new AppError('guard.view-only')
  if (endpoint.needsProof && trace.actor !== undefined) requireProof(trace.actor, options.now())
  if (binding === undefined) throw new AppError('route.unbound')
  if (endpoint.humanCheck) await options.humanCheck?.({ c, ip: trace.ip })
  if (namesNoRow(endpoint, c.req.param())) return renderUnknownPath(c)
  const body = await bodyOf(c, endpoint)
  const parsed = parseCall(endpoint, { params: c.req.param(), query: c.req.query(), body }, trace.language)
  const { language, ip, request_id, traceparent, actor } = trace
  const call = { c, language, ip, request_id, traceparent, actor, ...parsed }
  const run = async () => await binding.run(call as Call<Endpoint>) // parseCall and admit have validated its parts for this endpoint
  const { around } = options
  const result = await inTurn({ c, endpoint, options }, trace, () => (around === undefined ? run() : around({ endpoint, actor }, run)))
  if (result instanceof Response) return result
  if (endpoint.answer !== undefined) return c.json(result)
  const own = result instanceof ResultWithMessage ? result.warnings : []
  const warnings = [...own, ...warningsOf(unknownFields(endpoint, body), language)]
  return c.json({ ...renderSuccess(result).body, ...(warnings.length === 0 ? {} : { warnings }) })
}

/** True if a word stands where a path has a number: no such path exists. */
function namesNoRow({ params: schema }: Endpoint, params: Readonly<Record<string, string>>): boolean {
  if (schema === undefined || schema.safeParse(params).success) return false
  return Object.values(params).some((value) => !/^-?\d+$/.test(value))
}

async function inTurn<T>(
  { c, endpoint, options }: Pick<Served, 'c' | 'endpoint' | 'options'>,
  { actor, ip }: Trace,
  run: () => Promise<T>,
): Promise<T> {
  if (endpoint.load === 'light' || options.turn === undefined) return await run()
  const turn = await options.turn({ endpoint, actor, ip, c })
  if ('retry_after_s' in turn) {
    c.header('Retry-After', String(turn.retry_after_s))
    throw new AppError('rate.heavy')
  }
  try {
    return await run()
  } finally {
    turn.release()
  }
}

async function admitCall(c: Context, endpoint: Endpoint, options: BindOptions): Promise<Actor | undefined> {
  if (endpoint.access === 'public') return undefined
  const actor = admit({
    access: endpoint.access,
    found: await options.authenticate(c, identifyAs(endpoint)),
    idHeader: c.req.header('new-api-user'),
  })
  if (actor?.member === undefined) return actor
  if (endpoint.right === undefined) throw new AppError('guard.personal')
  const { role, needs_provider } = actor.member
  if (!options.hasRight(role, endpoint.right)) throw new AppError('guard.member-role')
  if (needs_provider !== undefined && !options.isEmergency(role, endpoint.right))
    throw new AppError('guard.provider', { provider: needs_provider })
  return actor
}

/** A call that works without a sign-in, or is made by a browser's navigation, never acts for an organisation unless it says so. */
function identifyAs({ access, right }: Endpoint): IdentifyAs {
  if (access === 'key') return 'key'
  return right === undefined && (access === 'optional' || access === 'session') ? 'person' : 'account'
}

async function bodyOf(c: Context, endpoint: Endpoint): Promise<unknown> {
  if (endpoint.body === undefined) return undefined
  refuseUntypedBody(c)
  return await readJson(c.req.raw, endpoint.bodyLimit)
}

/** `/api/token/` is also served as `/api/token`, `{id}` becomes the router's `:id`. */
export function spellingsOf(path: string): string[] {
  const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')
  return [pattern, `${pattern}/`]
}

/** Sorts fixed segments before parameters, so that `/disabled` is not parsed as an id. */
function rankOf(path: string): string {
  return path.replaceAll('{', '\u{ffff}')
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
