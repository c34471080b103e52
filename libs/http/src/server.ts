import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Takes no new connections, lets running calls finish until the deadline, then cuts them. */
  stop(deadlineMs: number): Promise<void>
}

type ServeOptions = { readonly app: Hono; readonly host: string; readonly port: number }

/** Serves an app on a socket of its own; resolves when it listens, rejects when the port is taken. */
export async function serveApp({ app, host, port }: ServeOptions): Promise<RunningServer> {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => {
    // A kept-alive connection would hold a stopping server open for seconds after its last answer.
    outgoing.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
    void listener(incoming, outgoing)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return { url: `http://${host}:${actual}`, port: actual, stop: (deadlineMs) => stopServer(server, deadlineMs) }
}

async function stopServer(server: Server, deadlineMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), deadlineMs)
  await closed
  clearTimeout(timer)
}
