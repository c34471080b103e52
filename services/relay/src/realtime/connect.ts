import type { IncomingMessage } from 'node:http'
import { AppError } from '@tollgate/contracts/app-error'
import { factsOf } from '@tollgate/providers/chat/model-request'
import { textAt } from '@tollgate/providers/json'
import { realtime } from '@tollgate/providers/operations/realtime'
import type { SocketCall } from '@tollgate/upstream/socket'
import { queryOf, refuseQuery } from '../transport/query.ts'
import type { RelayDeps } from '../deps.ts'
import { findCaller } from '../identity/caller.ts'
import { UPLOAD, withToken, type ClientSecret } from '../identity/client-secrets.ts'
import type { RequestContext } from '../request/context.ts'
import { LocalContent } from '../request/local-content.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { openSession, type OpenedSession, type SocketCallParts } from './open-session.ts'

const NO_BODY = { bytes: Buffer.alloc(0), release: () => undefined }

/** A session with both connections and the hold for its first response. */
export type Connected = OpenedSession & {
  readonly kind: 'connected'
  /** Events of the client that come before those it still sends. */
  readonly first: readonly string[]
  /** The client has its `session.created` already. */
  readonly is_greeted?: true
}

/**
 * Does everything that comes before the client's handshake is answered: identifies the caller, takes a hold, and connects to a vendor.
 * Failures until then are answered over HTTP; undefined: the request was answered. `named` is the model of a session whose address names
 * none.
 */
export async function connectVendor(context: RequestContext, deps: RelayDeps, named?: string): Promise<Connected | undefined> {
  const secret = deps.clientSecrets.open(context.incoming)
  if (secret?.session[UPLOAD] !== undefined) throw new AppError('token.invalid')
  if (secret !== undefined) withToken(context.incoming, secret)
  const caller = await findCaller(context, deps)
  refuseQuery(context.incoming.url)
  const request = readRequest(context, named ?? textAt(secret?.session, 'model'))
  const opened = await openSession({ context, caller, request }, { toCall: (call, key) => toSocketCall(context, call, key) }, deps)
  return opened === undefined ? undefined : { kind: 'connected', ...opened, first: firstEvents(secret) }
}

const firstEvents = (secret: ClientSecret | undefined): string[] =>
  secret === undefined ? [] : [JSON.stringify({ type: 'session.update', session: secret.session })]

function readRequest({ incoming }: RequestContext, usual = ''): ParsedRequest {
  const model = new URLSearchParams(queryOf(incoming.url ?? '')).get('model') ?? usual
  const decoded = realtime.readRequest({}, { model })
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return {
    body: NO_BODY,
    operation: realtime,
    content_type: '',
    chat: factsOf(decoded.request),
    content: new LocalContent(realtime, decoded.request),
  }
}

/**
 * Kinds of sessions whose address names no model; their first event does. A session that only transcribes, and one of OpenAI's agents
 * clients, which add nothing to an address that they are given (@openai/agents-realtime 0.20.0, openai-agents 0.24.0 for Python).
 */
export type Unnamed = 'transcription' | 'realtime'

export function unnamedOf({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Unnamed | undefined {
  const query = new URLSearchParams(queryOf(url))
  if (query.has('model') || query.has('call_id')) return undefined
  if (query.get('intent') === 'transcription') return 'transcription'
  return headers['x-openai-agents-sdk'] !== undefined || AGENTS.test(headers['sec-websocket-protocol'] ?? '') ? 'realtime' : undefined
}

/** As the clients name themselves in browsers. */
const AGENTS = /(?:^|[\s,])openai-agents-sdk\./

/** The vendor's path for such a session, which names no model either. */
function withoutModel(path: string): string {
  const query = new URLSearchParams(queryOf(path))
  query.delete('model')
  return `${path.slice(0, path.indexOf('?'))}?${query.toString()}`
}

const BETA = 'openai-beta.realtime-v1'
/** Headers of HTTP calls that have no meaning in a handshake. */
const NOT_SENT = new Set(['content-type', 'accept', 'accept-encoding'])
/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Authenticates the way the client does: by sub-protocols if it offers them, otherwise by headers. */
function toSocketCall({ incoming }: RequestContext, call: SocketCallParts, key: string): SocketCall {
  const headers = Array.from({ length: call.headers.length / 2 }, (_, at) => call.headers.slice(at * 2, at * 2 + 2)).filter(
    ([name = '']) => !NOT_SENT.has(name),
  )
  const offered = String(incoming.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((part) => part.trim())
  const { origin, proxy } = call
  const path = unnamedOf(incoming) === 'transcription' ? withoutModel(call.path) : call.path
  if (!offered.includes('realtime')) return { origin, path, proxy, headers: headers.flat(), protocols: [] }
  const beta = offered.includes(BETA) ? [BETA] : []
  const isBearer = headers.some(([name]) => name === 'authorization') && TOKEN.test(key)
  if (!isBearer) return { origin, path, proxy, headers: headers.flat(), protocols: ['realtime', ...beta] }
  const rest = headers.filter(([name]) => name !== 'authorization').flat()
  return { origin, path, proxy, headers: rest, protocols: ['realtime', `openai-insecure-api-key.${key}`, ...beta] }
}
