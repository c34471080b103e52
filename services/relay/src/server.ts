import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.ts'
import type { RelayDeps } from './deps.ts'

export type RelayServer = {
  readonly port: number
  /** Stops accepting, lets streams finish until the deadline, settles everything, keeps on disk what could not be settled. */
  drain(deadlineMs: number): Promise<{ readonly left: number }>
}

/** Longer than the idle time of the load balancers in front. */
const KEEP_ALIVE_MS = 76_000
const SETTLE_MS = 5000
const CLOSING_MS = 1000

/** Serves the relay's routes on a socket of its own. */
export async function startServer(deps: RelayDeps): Promise<RelayServer> {
  const { app, health } = createApp(deps)
  const listener = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, noDelay: true })
  const answers = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket) => {
    answers.set(socket, undefined)
    socket.once('close', () => answers.delete(socket))
  })
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answers.set(incoming.socket, outgoing)
    if (health.isDraining) outgoing.shouldKeepAlive = false
    void listener(incoming, outgoing)
  }
  server.on('request', serve)
  // Whoever asks before sending is told to go on only after its key was checked.
  server.on('checkContinue', serve)
  server.listen(deps.env.RELAY_PORT, deps.env.RELAY_HOST)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.env.RELAY_PORT,
    drain: async (deadlineMs) => {
      health.isDraining = true
      const closed = closeGently(server, answers)
      if (!(await Promise.race([closed.then(() => true), wait(deadlineMs, false)]))) {
        deps.open.stopAll()
        await Promise.race([closed, wait(CLOSING_MS)])
        server.closeAllConnections()
      }
      return await deps.settleQueue.drain(SETTLE_MS)
    },
  }
}

/**
 * Accepts no more connections and lets each open one go when its answer is out. Not by http's own `close`: it also destroys
 * connections whose answer is complete but not yet written, and a client would lose the end of its stream.
 */
function closeGently(server: Server, answers: ReadonlyMap<Socket, ServerResponse | undefined>): Promise<unknown> {
  const closed = once(server, 'close')
  TcpServer.prototype.close.call(server)
  for (const [socket, answer] of answers) {
    if (answer === undefined || answer.closed) socket.destroySoon()
    else answer.once('close', () => socket.destroySoon())
  }
  return closed
}
