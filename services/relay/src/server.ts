import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { followConnections } from '@tollgate/http/connections'
import { createApp } from './app.ts'
import { canonicalUrl } from './client-apis/canonical-path.ts'
import { geminiApi } from './client-apis/gemini/client-api.ts'
import { realtimeApi } from './client-apis/openai/client-api.ts'
import { createRealtimeSessions } from './realtime/realtime-sessions.ts'
import type { RelayDeps } from './deps.ts'
import type { Listener } from './processes/messages.ts'

export type RelayServer = {
  readonly port: number
  /** The listening socket, for the process that replaces this one. */
  listener(): Listener
  /**
   * Turns /readyz red and keeps serving for `graceMs`; if another process has the listening socket, it stops accepting at once instead.
   * Then it closes idle connections, lets streams finish until the deadline, and settles everything; what could not be settled is kept
   * on disk and counted in `left`.
   */
  drain(deadlineMs: number, options?: { graceMs: number; isReplaced: boolean }): Promise<{ readonly left: number }>
}

type Listening = {
  /** Other processes listen on the same port. */
  readonly isPortShared?: boolean
  /** The socket of the process that this one replaces. */
  readonly listener?: Listener | undefined
}

/** Length of the accept queue, up to the kernel's limit, so that a thousand simultaneous connections are not reset. */
const BACKLOG = 8192
/** Longer than the idle timeout of the load balancers in front. */
const KEEP_ALIVE_MS = 76_000
/** How often Node looks for requests that are late. */
const CHECK_MS = 1000
/** So much later than the relay's own answer to a late body comes Node's, which has no content. */
const LATE_MS = 10_000
const SETTLE_MS = 5000
/** How long stopped requests may take to settle. */
const STOP_MS = 1000

/** Starts the HTTP server with all routes of the relay. */
export async function startServer(deps: RelayDeps, { isPortShared = false, listener }: Listening = {}): Promise<RelayServer> {
  const { listener: handle, health } = createApp(deps)
  const sessions = createRealtimeSessions(deps, { clientApi: realtimeApi, liveApi: geminiApi, canonicalUrl, handle })
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: deps.env.RELAY_HEADERS_TIMEOUT * 1000,
    // For bodies that no handler reads. It ends with the request's last byte and never cuts a response.
    requestTimeout: (deps.env.RELAY_HEADERS_TIMEOUT + deps.env.RELAY_BODY_TIMEOUT) * 1000 + LATE_MS,
    connectionsCheckingInterval: CHECK_MS,
    noDelay: true,
    shouldUpgradeCallback: (incoming) => sessions.accepts(incoming),
  })
  const connections = followConnections(server)
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.note(incoming, outgoing)
    handle(incoming, outgoing)
  }
  server.on('request', serve)
  // A client that sends `Expect: 100-continue` gets its 100 only after its key was checked.
  server.on('checkContinue', serve)
  server.on('upgrade', (incoming, socket, head) => {
    // The `upgrade` event of an HTTP server passes the connection itself.
    connections.note(incoming, sessions.upgrade(incoming, socket as Socket, head))
  })
  if (listener === undefined)
    server.listen({ port: deps.env.RELAY_PORT, host: deps.env.RELAY_HOST, backlog: BACKLOG, reusePort: isPortShared })
  else server.listen(listener, BACKLOG)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.env.RELAY_PORT,
    // Node documents no other way to the socket of a server that must go on accepting.
    listener: () => (server as unknown as { _handle: Listener })._handle,
    drain: async (deadlineMs, { graceMs, isReplaced } = { graceMs: 0, isReplaced: false }) => {
      health.isDraining = !isReplaced
      const stopAll = () => {
        deps.open.stopAll()
        sessions.stopAll()
      }
      sessions.finishIdle()
      const deadline = performance.now() + graceMs + deadlineMs
      await connections.stop({ graceMs, deadlineMs, onDeadline: stopAll, isReplaced })
      // Upstream calls that are read on after their client disconnected have no connection.
      if (!(await deps.open.untilEmpty(deadline - performance.now()))) deps.open.stopAll()
      await deps.open.untilEmpty(STOP_MS)
      return await deps.settleQueue.drain(SETTLE_MS)
    },
  }
}
