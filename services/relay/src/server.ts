import { createServer, type Server } from 'node:http'
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
const SWEEP_MS = 50

/** Serves the relay's routes on a socket of its own. */
export async function startServer(deps: RelayDeps): Promise<RelayServer> {
  const { app, health } = createApp(deps)
  const listener = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false, autoCleanupIncoming: false })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0, noDelay: true })
  const serve: typeof listener = async (incoming, outgoing) => {
    if (health.isDraining && 'shouldKeepAlive' in outgoing) outgoing.shouldKeepAlive = false
    await listener(incoming, outgoing)
  }
  server.on('request', (incoming, outgoing) => void serve(incoming, outgoing))
  // Whoever asks before sending is told to go on only after its key was checked.
  server.on('checkContinue', (incoming, outgoing) => void serve(incoming, outgoing))
  server.listen(deps.env.RELAY_PORT, deps.env.RELAY_HOST)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : deps.env.RELAY_PORT,
    drain: async (deadlineMs) => {
      health.isDraining = true
      return await drain(server, deps, deadlineMs)
    },
  }
}

async function drain(server: Server, deps: RelayDeps, deadlineMs: number): Promise<{ left: number }> {
  const closed = once(server, 'close')
  server.close()
  // A kept connection whose last answer is out would hold the server open until its client lets go.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const isClosed = await Promise.race([closed.then(() => true), wait(deadlineMs, false)])
  clearInterval(sweep)
  if (!isClosed) {
    deps.open.stopAll()
    await Promise.race([closed, wait(CLOSING_MS)])
    server.closeAllConnections()
  }
  return await deps.settleQueue.drain(SETTLE_MS)
}
