import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { listen, vendorOrigin } from './listen.ts'

/**
 * The floor: the minimum of a correct gateway on node:http and undici. Reads the body, forwards it, streams the response with
 * back-pressure, and aborts the call when the client disconnects. No routing, keys or money.
 */
const pool = new Pool(vendorOrigin, { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

const server = createServer({ noDelay: true }, (incoming, outgoing) => {
  const parts: Buffer[] = []
  incoming.on('data', (part: Buffer) => parts.push(part))
  incoming.on('end', () => forward(incoming, outgoing, parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)))
})

function forward(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer): void {
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      outgoing.on('close', () => controller.abort(new Error('the client disconnected')))
      outgoing.on('drain', () => controller.resume())
    },
    onResponseStart: (_controller, status, headers) => {
      const length = headers['content-length']
      outgoing.writeHead(status, {
        'Content-Type': headers['content-type'] ?? 'application/json',
        ...(length === undefined ? {} : { 'Content-Length': length }),
      })
      if (length === undefined) outgoing.flushHeaders()
    },
    onResponseData: (controller, chunk) => {
      if (!outgoing.write(chunk)) controller.pause()
    },
    onResponseEnd: () => void outgoing.end(),
    onResponseError: () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    },
  }
  pool.dispatch(
    {
      path: incoming.url ?? '/',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: String(incoming.headers.authorization ?? '') },
      body,
    },
    handler,
  )
}

listen(server)
