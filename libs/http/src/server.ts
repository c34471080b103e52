import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { followConnections } from './connections.ts'

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Serves during the grace, then accepts no connections, lets running calls finish until the deadline and cuts the rest. */
  stop(deadlineMs: number, graceMs?: number): Promise<void>
}

/** Answers a call without the app, or returns false and leaves it. */
export type DirectListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

type ServeOptions = {
  readonly app: Hono
  readonly host: string
  readonly port: number
  /** Sees each call before the app. */
  readonly direct?: DirectListener
}

/**
 * Longer than the idle timeout of relays and load balancers, so that these close a connection first. Otherwise a call can arrive while the
 * connection is being closed, and fails.
 */
const KEEP_ALIVE_MS = 76_000

/**
 * Reads and drops what a client still sends of an answered request, within the limits of `followConnections`: one that writes all before it
 * reads would never see the answer. The body's stream would pause the request with each piece that its reader no longer takes.
 */
function readOn(incoming: IncomingMessage): void {
  if (incoming.complete) return
  incoming.removeAllListeners('data')
  incoming.resume()
}

/** Serves an app; resolves when it listens, rejects when the port is taken. */
export async function serveApp({ app, host, port, direct = () => false }: ServeOptions): Promise<RunningServer> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, outgoing) => {
    connections.note(incoming, outgoing)
    outgoing.once('finish', () => readOn(incoming))
    if (!direct(incoming, outgoing)) void listener(incoming, outgoing)
  })
  const connections = followConnections(server)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return { url: `http://${host}:${actual}`, port: actual, stop: (deadlineMs, graceMs = 0) => connections.stop({ deadlineMs, graceMs }) }
}
