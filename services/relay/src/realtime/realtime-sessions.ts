import { randomUUID } from 'node:crypto'
import { ServerResponse, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@tollgate/contracts/app-error'
import { REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { WebSocketServer, type WebSocket } from 'ws'
import type { RelayDeps } from '../deps.ts'
import { refuse } from '../response/refuse.ts'
import type { ClientApi } from '../request/client-api.ts'
import type { RequestContext } from '../request/context.ts'
import { ClientSocket, sendEvent } from './client-socket.ts'
import { sessionModelOf, transcriberOf } from '@tollgate/providers/operations/realtime'
import { connectVendor, unnamedOf, type Connected, type Unnamed } from './connect.ts'
import { connectLive, identifyLive, LIVE_PATH, type LiveConnected } from './live-connect.ts'
import { LiveSession } from './live-session.ts'
import { abandon, MAX_EVENT } from './open-session.ts'
import { createInnerCalls, type InnerCalls } from './inner-calls.ts'
import { ResponseSession } from './response-session.ts'
import { RealtimeSession } from './session.ts'
import { refuseByEvent, refuseByReason, SocketReply } from './socket-reply.ts'
import { UnnamedSession } from './unnamed-session.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../identity/caller.ts'
import { createRequestContext } from '../request/context.ts'

/** The WebSocket sessions of this process. */
export type RealtimeSessions = {
  /** True if this request asks for a WebSocket session. */
  accepts(incoming: IncomingMessage): boolean
  /** Answers the upgrade with a session, or with an HTTP error. */
  upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): ServerResponse
  /** Ends sessions that wait for their client, and others after their response: this process stops soon. */
  finishIdle(): void
  /** Ends all sessions, because the drain deadline has passed. */
  stopAll(): void
}

type Options = {
  readonly clientApi: ClientApi
  /** API of Google's sessions. */
  readonly liveApi: ClientApi
  /** Serves a request of this process to itself. */
  readonly handle: RequestListener
  /** The URL that a client meant by another spelling; undefined: it has no other. */
  canonicalUrl(incoming: IncomingMessage): string | undefined
}

export function createRealtimeSessions(deps: RelayDeps, { clientApi, liveApi, canonicalUrl, handle }: Options): RealtimeSessions {
  const sessions = new Set<Session>()
  const calls = createInnerCalls(handle)
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_EVENT,
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  })
  const ids = new WeakMap<IncomingMessage, string>()
  server.on('headers', (headers, incoming) => headers.push(`${REQUEST_ID_HEADER}: ${ids.get(incoming) ?? ''}`))
  return {
    accepts: (incoming) => {
      if (incoming.method !== 'GET' || incoming.headers.upgrade?.toLowerCase() !== 'websocket') return false
      incoming.url = canonicalUrl(incoming) ?? incoming.url ?? ''
      return /^\/v1\/(?:realtime|responses)(?:\?|$)/.test(incoming.url) || LIVE_PATH.test(incoming.url)
    },
    upgrade: (incoming, socket, head) => {
      const outgoing = new ServerResponse(incoming)
      outgoing.shouldKeepAlive = false
      outgoing.assignSocket(socket)
      outgoing.once('finish', () => socket.destroySoon())
      // The close event that follows carries everything that is needed.
      socket.on('error', () => undefined)
      const isLive = LIVE_PATH.test(incoming.url ?? '')
      const context = createRequestContext(incoming, outgoing, { deps, clientApi: isLive ? liveApi : clientApi })
      ids.set(incoming, context.id)
      const serving = { outgoing, socket, head, server, sessions, deps }
      void serveOf(incoming)(context, serving, calls)
      return outgoing
    },
    finishIdle: () => {
      for (const session of sessions) session.finish?.()
    },
    stopAll: () => {
      for (const session of sessions) session.stop()
    },
  }
}

const RESPONSES = '/v1/responses'

function serveOf(incoming: IncomingMessage): typeof serveResponses {
  const { url = '' } = incoming
  if (url.startsWith(RESPONSES)) return serveResponses
  if (LIVE_PATH.test(url)) return serveLive
  const unnamed = unnamedOf(incoming)
  return unnamed === undefined ? serve : (context, serving) => serveUnnamed(context, serving, unnamed)
}

type Session = { stop(): void; finish?(): void }

type Serving = {
  readonly outgoing: ServerResponse
  readonly socket: Socket
  readonly head: Buffer
  readonly server: WebSocketServer
  readonly sessions: Set<Session>
  readonly deps: RelayDeps
}

async function serve(context: RequestContext, { outgoing, socket, head, server, sessions, deps }: Serving): Promise<void> {
  try {
    checkHandshake(context)
    const connected = await connectVendor(context, deps)
    if (connected === undefined) return
    outgoing.detachSocket(socket)
    const accepted: WebSocket[] = []
    // Calls back synchronously, or never if the connection has just closed.
    server.handleUpgrade(context.incoming, socket, head, (made) => accepted.push(made))
    const [made] = accepted
    if (made === undefined) return await abandon(connected, deps)
    beginSession(connected, made, { sessions, deps })
  } catch (error) {
    refuse(context, error, deps)
  }
}

function beginSession(connected: Connected, socket: WebSocket, { sessions, deps }: Pick<Serving, 'sessions' | 'deps'>): void {
  const client = new ClientSocket(socket, { stallMs: deps.env.WRITE_STALL_TIMEOUT * 1000 })
  const session: RealtimeSession = new RealtimeSession(connected, { client, deps, onOver: () => void sessions.delete(session) })
  sessions.add(session)
}

/**
 * Model, rights and money are checked once the first event names the model. A client that only transcribes is greeted at once, because some
 * wait for it; agents clients answer the greeting, and would do so before they name the model.
 */
function serveUnnamed(context: RequestContext, serving: Serving, kind: Unnamed): Promise<void> {
  const { deps } = serving
  const isGreeted = kind === 'transcription'
  return serveAtOnce(context, serving, (socket, onOver) => {
    const session = new UnnamedSession<Connected>({
      socket,
      context,
      deps,
      refuseBy: refuseByEvent,
      connect: async (named, first) => {
        const model = isGreeted ? transcriberOf(first) : sessionModelOf(first)
        if (model === undefined) throw new AppError('model.missing')
        return await connectVendor(named, deps, model)
      },
      onConnected: (connected, waiting) =>
        beginSession({ ...connected, first: waiting, ...(isGreeted ? { is_greeted: true } : {}) }, socket, serving),
      onOver,
    })
    if (!isGreeted) return session
    // https://platform.openai.com/docs/guides/realtime-transcription
    const id = `sess_${randomUUID().replaceAll('-', '')}`
    sendEvent(socket, { type: 'session.created', session: { id, type: 'transcription', object: 'realtime.transcription_session' } })
    return session
  })
}

/** Google's clients read a refusal from the close of their session only, so the handshake comes first. */
async function serveLive(context: RequestContext, { outgoing, socket, head, server, sessions, deps }: Serving): Promise<void> {
  try {
    checkHandshake(context)
  } catch (error) {
    return refuse(context, error, deps)
  }
  const identified = await identifyLive(context, deps).then(
    (token) => ({ token }),
    (refusal: unknown) => ({ refusal }),
  )
  outgoing.detachSocket(socket)
  server.handleUpgrade(context.incoming, socket, head, (made) => {
    if ('refusal' in identified) return refuse({ ...context, reply: new SocketReply(made, refuseByReason) }, identified.refusal, deps)
    const { token } = identified
    const session: Session = new UnnamedSession({
      socket: made,
      context,
      deps,
      refuseBy: refuseByReason,
      connect: (named, first) => connectLive(named, { first, token }, deps),
      onConnected: (connected, [, ...waiting]) => beginLive(connected, { made, waiting }, { sessions, deps }),
      onOver: () => void sessions.delete(session),
    })
    sessions.add(session)
  })
}

type Met = { readonly made: WebSocket; readonly waiting: readonly string[] }

function beginLive(connected: LiveConnected, { made, waiting }: Met, { sessions, deps }: Pick<Serving, 'sessions' | 'deps'>): void {
  const client = new ClientSocket(made, { stallMs: deps.env.WRITE_STALL_TIMEOUT * 1000 })
  const session: LiveSession = new LiveSession(connected, { client, waiting, deps, onOver: () => void sessions.delete(session) })
  sessions.add(session)
}

/** Each of the calls that follow is checked by itself. */
function serveResponses(context: RequestContext, serving: Serving, calls: InnerCalls): Promise<void> {
  return serveAtOnce(context, serving, (socket, onOver) => {
    return new ResponseSession({ socket, client: context.incoming, calls, onOver })
  })
}

/** Answers the handshake once the key is checked. */
async function serveAtOnce(
  context: RequestContext,
  { outgoing, socket, head, server, sessions, deps }: Serving,
  open: (socket: WebSocket, onOver: () => void) => Session,
): Promise<void> {
  try {
    checkHandshake(context)
    await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
    outgoing.detachSocket(socket)
    server.handleUpgrade(context.incoming, socket, head, (made) => {
      const session: Session = open(made, () => void sessions.delete(session))
      sessions.add(session)
    })
  } catch (error) {
    refuse(context, error, deps)
  }
}

/** https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1 */
function checkHandshake({ incoming: { headers } }: RequestContext): void {
  const isComplete = headers['sec-websocket-version'] === '13' && /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
  if (!isComplete) throw new AppError('request.invalid', { detail: 'the WebSocket handshake is not that of version 13' })
}
