import type { BodyInputOf, Endpoint, QueryInputOf, ResultOf } from '@tollgate/contracts/endpoint'
import { ApiError } from './api-error.ts'
import { session } from './session.ts'
import { storage, type StoredUser } from './storage.ts'
import { noteAway, watched } from './waits.ts'

type Params = Readonly<Record<string, string | number>>
type Optional<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : { readonly [K in Name]: Value }

export type CallInput<E extends Endpoint> = Optional<'query', QueryInputOf<E>> &
  Optional<'body', BodyInputOf<E>> & {
    readonly params?: Params
    readonly signal?: AbortSignal
    /** Sent as the body of a call that takes a file. */
    readonly file?: Blob
  }

type Listener = () => void
let onUnauthorized: Listener = () => undefined

/** Called when any call is answered with 401, except while the user leaves; set once, where the router is made. */
export function whenUnauthorized(listener: Listener): void {
  onUnauthorized = listener
}

function noteStatus({ status }: Response): void {
  if (status === 401 && !session.isLeaving) onUnauthorized()
}

/**
 * Makes one declared call and gives what the endpoint promises: the envelope's `data`, or the whole body where the endpoint says so.
 * Throws `ApiError` for everything else. The server validates; the answer's type is the contract's.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  onBody: (body: Record<string, unknown>) => void = () => undefined,
): Promise<ResultOf<E>> {
  const sent = send(endpoint, input)
  // A change may take its time; what a page reads is there at once while all stores are.
  const response = await (endpoint.method === 'GET' ? watched(sent) : sent)
  if (!response.ok) throw await httpError(response)
  const body = await readBody(response)
  if (isRecord(body) && body['success'] === false) throw refusalOf(body)
  if (isRecord(body)) onBody(body)
  const result: unknown = endpoint.answer === undefined ? (isRecord(body) ? body['data'] : undefined) : body
  // The border: our own server, which is tested against the same schema.
  return result as ResultOf<E>
}

/**
 * Makes a declared call and gives the response as it begins to arrive, refusals too: the reader of a stream shows those itself.
 */
export async function open<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
  const response = await send(endpoint, input)
  noteStatus(response)
  return response
}

/** As `call`, with what the server says beside the data. */
export async function callWithWarnings<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<{ readonly data: ResultOf<E>; readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = []
  const data = await call(endpoint, input, (body) => (warnings = warningsOf(body)))
  return { data, warnings }
}

const warningsOf = ({ warnings }: Record<string, unknown>): readonly string[] =>
  Array.isArray(warnings) ? warnings.filter((text) => typeof text === 'string') : []

/** As `call`, for the message beside the data. */
export async function callForMessage<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<{ readonly message: string; readonly data: unknown }> {
  const response = await send(endpoint, input)
  if (!response.ok) throw await httpError(response)
  const body = await readBody(response)
  if (!isRecord(body)) return { message: '', data: undefined }
  if (body['success'] === false) throw refusalOf(body)
  return { message: messageOf(body), data: body['data'] }
}

/** A call that answers with a redirect when it is done; the page stays. Throws `ApiError` for everything else. */
export async function callForRedirect<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<void> {
  const response = await send(endpoint, input, 'manual')
  // Browsers hide the redirect, programs show it.
  if (response.type === 'opaqueredirect' || response.status === 302) return
  if (!response.ok) throw await httpError(response)
  const body = await readBody(response)
  throw refusalOf(isRecord(body) ? body : {})
}

/** As `call`, for a file; it is taken as it arrives, and the browser keeps a large one on disk. */
export async function callForFile<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Blob> {
  const response = await send(endpoint, input)
  if (!response.ok) throw await httpError(response)
  // A refusal comes in the envelope, with status 200.
  if (isJson(response)) {
    const body = await readBody(response.clone())
    if (isRecord(body) && body['success'] === false) throw refusalOf(body)
  }
  return await response.blob()
}

const isJson = ({ headers }: Response): boolean => (headers.get('Content-Type') ?? '').startsWith('application/json')

/** The query key of a call: resource first, so that a change can drop everything of its resource. */
export function keyOf(endpoint: Endpoint, ...parts: readonly unknown[]): readonly unknown[] {
  return [resourceOf(endpoint), `${endpoint.method} ${endpoint.path}`, ...parts]
}

/** `/api/channel/search` belongs to `channel`. */
export function resourceOf(endpoint: Endpoint): string {
  return endpoint.path.split('/')[2] ?? endpoint.path
}

async function send(
  endpoint: Endpoint,
  input: {
    readonly params?: Params
    readonly query?: unknown
    readonly body?: unknown
    readonly file?: Blob
    readonly signal?: AbortSignal
  },
  redirect: RequestRedirect = 'follow',
) {
  const headers: Record<string, string> = {
    'New-API-User': String(callerOf(endpoint)?.id ?? -1),
    'Cache-Control': 'no-store',
    'Accept-Language': document.documentElement.lang,
  }
  if (input.body !== undefined) headers['Content-Type'] = 'application/json'
  const init: RequestInit = { method: endpoint.method, headers, cache: 'no-store', credentials: 'same-origin', redirect }
  if (input.body !== undefined) init.body = JSON.stringify(input.body)
  if (input.file !== undefined) {
    headers['Content-Type'] = input.file.type === '' ? 'application/octet-stream' : input.file.type
    init.body = input.file
  }
  if (input.signal !== undefined) init.signal = input.signal
  try {
    return await fetch(addressOf(endpoint, input.params, input.query), init)
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause
    noteAway(true)
    throw new ApiError({ kind: 'network', message: cause instanceof Error ? cause.message : String(cause) }, { cause })
  }
}

/** The chosen account; a call that is not for organisations is made by the person. */
function callerOf({ right }: Endpoint): Pick<StoredUser, 'id'> | undefined {
  const user = storage.get('user')
  return right === undefined ? (user?.member?.user ?? user) : user
}

/** The path with its parameters and query filled in; parts that are undefined are left out. */
export function addressOf(endpoint: Endpoint, params: Params | undefined, query: unknown): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(isRecord(query) ? query : {})) {
    if (value !== undefined && value !== null) search.set(name, textOf(value))
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`
}

/** Seconds until a refused call may be repeated, where the server says so. */
function retryAfterOf({ headers }: Response): { readonly retryAfterS?: number } {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterS: seconds } : {}
}

async function httpError(response: Response): Promise<ApiError> {
  const body = await readBody(response).catch(() => undefined)
  // After the body: leaving the page aborts the calls it made.
  noteStatus(response)
  if (response.status >= 502 && response.status <= 504) noteAway(true)
  // Refused values of some settings have status 400, for other consoles of the same API.
  if ((response.status === 400 || response.status === 409) && isRecord(body) && body['success'] === false) return refusalOf(body)
  // A limit of what one field names is said at that field.
  if (response.status === 429 && isRecord(body) && typeof body['field'] === 'string') return refusalOf(body)
  const nested = isRecord(body) && isRecord(body['error']) ? body['error']['message'] : undefined
  const message = isRecord(body) && typeof body['message'] === 'string' && body['message'] !== '' ? body['message'] : nested
  return new ApiError({
    kind: 'http',
    status: response.status,
    message: typeof message === 'string' ? message : `${response.status} ${response.statusText}`.trim(),
    ...retryAfterOf(response),
  })
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    throw new ApiError({ kind: 'http', status: response.status, message: `${response.status} ${response.statusText}`.trim() }, { cause })
  }
}

function refusalOf(body: Record<string, unknown>): ApiError {
  const field = body['field']
  return new ApiError({
    kind: 'refused',
    message: messageOf(body),
    ...(typeof field === 'string' ? { field } : {}),
    ...(body['data'] === undefined ? {} : { data: body['data'] }),
  })
}

/** The payment calls write `error` there and the text into `data`. */
function messageOf(body: Record<string, unknown>): string {
  if (body['message'] === 'error' && typeof body['data'] === 'string') return body['data']
  return typeof body['message'] === 'string' ? body['message'] : ''
}

/** Queries hold texts, numbers and switches. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
