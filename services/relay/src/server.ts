import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { followConnections } from '@tollgate/http/connections'
import { createApp } from './app.ts'
import { createRealtimeSessions } from './realtime/sessions.ts'
import type { RelayDeps } from './deps.ts'

export type RelayServer = {
  readonly port: number
  /**
   * Not ready from now on (unless others on the same port are), but serving for the grace; then stops accepting, lets streams finish
   * until the deadline, settles everything, keeps on disk what could not be settled.
   */
  drain(deadlineMs: number, options?: { graceMs: number; isReplaced: boolean }): Promise<{ readonly left: number }>
}

/** Connections that wait to be accepted, as far as the kernel allows: when a thousand come at once, none shall be reset. */
const BACKLOG = 8192
/** Longer than the idle time of the load balancers in front. */
const KEEP_ALIVE_MS = 76_000
const SETTLE_MS = 5000
/** For requests that were stopped to come to their settlement. */
const FAREWELL_MS = 1000

/** Serves the relay's routes on a socket of its own. */
export async function startServer(deps: RelayDeps): Promise<RelayServer> {
  const { app, health } = createApp(deps)
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  })
  const sessions = createRealtimeSessions(deps)
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0,
    noDelay: true,
    shouldUpgradeCallback: (incoming) => sessions.accepts(incoming),
  })
  const connections = followConnections(server)
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    connections.note(incoming, outgoing)
    void listener(incoming, outgoing)
  }
  server.on('request', serve)
  // Whoever asks before sending is told to go on only after its key was checked.
  server.on('checkContinue', serve)
  server.on('upgrade', (incoming, socket, head) => {
    // Of an HTTP server, it is the connection itself.
    connections.note(incoming, sessions.upgrade(incoming, socket as Socket, head))
  })
  server.listen({ port: deps.env.RELAY_PORT, host: deps.env.RELAY_HOST, backlog: BACKLOG })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.env.RELAY_PORT,
    drain: async (deadlineMs, { graceMs, isReplaced } = { graceMs: 0, isReplaced: false }) => {
      health.isDraining = !isReplaced
      const stopAll = () => {
        deps.open.stopAll()
        sessions.stopAll()
      }
      const deadline = performance.now() + graceMs + deadlineMs
      await connections.stop({ graceMs, deadlineMs, onDeadline: stopAll })
      // Calls that are read on for clients that left have no connection any more.
      if (!(await deps.open.untilEmpty(deadline - performance.now()))) deps.open.stopAll()
      await deps.open.untilEmpty(FAREWELL_MS)
      return await deps.settleQueue.drain(SETTLE_MS)
    },
  }
}
