import { AppError } from '@tollgate/contracts/app-error'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { factsOf } from '@tollgate/providers/chat/model-request'
import {
  decodeLiveClose,
  encodeSetup,
  geminiLive,
  liveRequest,
  readLiveClientMessage,
  readLiveServerMessage,
  resumedIn,
  withResumed,
} from '@tollgate/providers/operations/gemini-live'
import { textAt, type JsonObject } from '@tollgate/providers/json'
import type { SocketCall, UpstreamSocket } from '@tollgate/upstream/socket'
import type { RelayDeps } from '../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../identity/caller.ts'
import { withToken } from '../identity/client-secrets.ts'
import type { OpenedLiveToken } from '../identity/live-tokens.ts'
import type { Bound } from '../request/bound.ts'
import type { Caller } from '../request/caller.ts'
import type { RequestContext } from '../request/context.ts'
import { LocalContent } from '../request/local-content.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { refuseQuery } from '../transport/query.ts'
import { constrainedSetup } from './live-setup.ts'
import { openSession, type Greeting, type OpenedSession, type SocketCallParts } from './open-session.ts'

/** A live session with both connections, the hold for its first turn, and what the vendor has said so far. */
export type LiveConnected = OpenedSession & {
  readonly setup: JsonObject
  readonly greeting: string
  /** When its token ends, in Unix milliseconds; undefined: it has a key. */
  readonly expires_at: number | undefined
}

/** `/ws/google.ai.generativelanguage.{version}.GenerativeService.BidiGenerateContent`, as @google/genai 3.3 and google-genai 3.6 call it. */
export const LIVE_PATH =
  /^\/{1,2}ws\/google\.ai\.generativelanguage\.(v1(?:alpha|beta)?)\.GenerativeService\.BidiGenerateContent(Constrained)?(?:\?|$)/

/** Checks key or short-lived token before the first message. The latter has a path of its own, which takes nothing else. */
export async function identifyLive(context: RequestContext, deps: RelayDeps): Promise<OpenedLiveToken | undefined> {
  const token = deps.liveTokens.open(context.incoming)
  const isConstrained = LIVE_PATH.exec(context.incoming.url ?? '')?.[2] !== undefined
  if (token === undefined && isConstrained) throw new AppError('token.invalid')
  if (token !== undefined && token.expires_at <= deps.now()) throw new AppError('token.expired')
  // From here on the head is that of a client of the token behind it.
  if (token !== undefined) withToken(context.incoming, token)
  await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  return token
}

type Asked = { readonly first: string; readonly token: OpenedLiveToken | undefined }

/** Opens the session that the first message asks for. Undefined: the request was answered. */
export async function connectLive(context: RequestContext, { first, token }: Asked, deps: RelayDeps): Promise<LiveConnected | undefined> {
  const caller = await findCaller(context, deps)
  refuseQuery(context.incoming.url)
  const setup = readSetup(first, token)
  const request = readRequest(setup)
  const handle = resumedIn(setup)
  const { model } = request.chat
  const resumed = handle === undefined ? undefined : deps.liveHandles.open(caller.record.user_id, { handle, model })
  // Resuming a session is no use of its own.
  const used = resumed === undefined ? token : undefined
  if (used !== undefined) await deps.liveTokens.take(used)
  const opened = await open(context, { caller, request, setup, resumed }, deps).catch((error: unknown) => ({ error }))
  if (opened !== undefined && !('error' in opened)) return { ...opened, expires_at: token?.expires_at }
  if (used !== undefined) await deps.liveTokens.giveBack(used)
  if (opened !== undefined) throw opened.error
  return undefined
}

type Session = {
  readonly caller: Caller
  readonly request: ParsedRequest
  readonly setup: JsonObject
  readonly resumed: (Bound & { readonly handle: string }) | undefined
}

async function open(context: RequestContext, { caller, request, setup, resumed }: Session, deps: RelayDeps) {
  const sent = resumed === undefined ? setup : withResumed(setup, resumed.handle)
  const conversation = resumed === undefined ? {} : { conversation: { is_stored: false, chain: [], bound: resumed } }
  let greeting = ''
  const greet = async (socket: UpstreamSocket, options: Greeting): Promise<UpstreamFailure | undefined> => {
    socket.send(encodeSetup(sent, options.upstream_model))
    const answer = await firstMessage(socket, options)
    if (typeof answer !== 'string') return answer
    greeting = answer
    return undefined
  }
  const toCall = (call: SocketCallParts) => toSocketCall(context, call)
  const opened = await openSession({ context, caller, request: { ...request, ...conversation } }, { toCall, greet }, deps)
  return opened === undefined ? undefined : { ...opened, setup, greeting }
}

/** The vendor's first message, `setupComplete` or the reason of its close. */
function firstMessage(socket: UpstreamSocket, { timeout_ms, signal }: Greeting): Promise<string | UpstreamFailure> {
  return new Promise((resolve) => {
    const end = (answer: string | UpstreamFailure) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      if (typeof answer !== 'string') socket.close()
      // Later messages wait for the session.
      else socket.readWith(undefined)
      resolve(answer)
    }
    const onAbort = () => end({ kind: 'aborted', message: 'aborted' })
    const timer = setTimeout(() => end({ kind: 'timeout', message: 'no answer to the setup in time' }), timeout_ms)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.readWith({
      onMessage: (text) => {
        const isReady = readLiveServerMessage(text, '').is_ready
        end(isReady ? text : { kind: 'malformed', message: 'the vendor did not answer the setup' })
      },
      onClose: ({ code, reason, error }) =>
        end(error === undefined ? decodeLiveClose({ code, reason }) : { kind: 'network', message: error.message }),
    })
  })
}

function readSetup(first: string, token: OpenedLiveToken | undefined): JsonObject {
  const message = readLiveClientMessage(first)
  const refuse = (detail: string) => new AppError('request.invalid', { detail })
  if (message.kind === 'unreadable') throw refuse('the first message is no JSON object with unique keys')
  if (message.setup === undefined) throw refuse('the first message must be setup')
  return token === undefined ? message.setup : constrainedSetup(message.setup, token)
}

const NO_BODY = { bytes: Buffer.alloc(0), release: () => undefined }

function readRequest(setup: JsonObject): ParsedRequest {
  const decoded = geminiLive.readRequest(setup, { model: textAt(setup, 'model') ?? '' })
  if (decoded.kind === 'invalid') throw new AppError(decoded.code, { detail: decoded.detail })
  return toParsed(decoded.request)
}

/** The request of a turn after `context` tokens. */
export function turnRequest(model: string, turn: Parameters<typeof liveRequest>[1]): ParsedRequest {
  return toParsed(liveRequest(model, turn))
}

const toParsed = (request: ReturnType<typeof liveRequest>): ParsedRequest => ({
  body: NO_BODY,
  operation: geminiLive,
  content_type: '',
  chat: factsOf(request),
  content: new LocalContent(geminiLive, request),
})

/** Headers of HTTP calls that have no meaning in a handshake. */
const NOT_SENT = new Set(['content-type', 'accept', 'accept-encoding'])

/** Features that are in test are at the version that the client names. */
function toSocketCall({ incoming }: RequestContext, { origin, path, headers, proxy }: SocketCallParts): SocketCall {
  const version = LIVE_PATH.exec(incoming.url ?? '')?.[1]
  const kept = headers.flatMap((name, at) => (at % 2 === 0 && !NOT_SENT.has(name) ? [name, headers[at + 1] ?? ''] : []))
  return { origin, path: version === 'v1alpha' ? path.replace(/\.v1(?:beta)?\./, '.v1alpha.') : path, headers: kept, proxy, protocols: [] }
}
