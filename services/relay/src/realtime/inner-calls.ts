import { createServer, request, type ClientRequest, type IncomingMessage, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { readCredential } from '../identity/credentials.ts'

/** A call of this process to one of its own routes, as the client of a WebSocket would have made it. Nothing leaves the process. */
export type InnerCall = { readonly path: string; readonly body: Buffer; readonly client: IncomingMessage }
export type InnerCalls = (call: InnerCall) => ClientRequest

/** Headers of the handshake that have no meaning in a call. */
const NOT_SENT = /^(?:connection|upgrade|sec-websocket-.*|content-.*|transfer-encoding|accept-encoding|expect)$/

export function createInnerCalls(handle: RequestListener): InnerCalls {
  const server = createServer({ keepAliveTimeout: 1, requestTimeout: 0 }, handle)
  return ({ path, body, client }) => {
    const [near, far] = duplexPair()
    // The address and the forwarding headers are judged as those of any request.
    Object.defineProperty(far, 'remoteAddress', { value: client.socket.remoteAddress })
    server.emit('connection', far)
    const headers = Object.fromEntries(Object.entries(client.headers).filter(([name]) => !NOT_SENT.test(name)))
    const call = request({
      // A server and a client of HTTP take any stream in both directions.
      createConnection: () => near as unknown as Socket,
      method: 'POST',
      path,
      headers: {
        ...headers,
        authorization: `Bearer ${readCredential(client)}`,
        'content-type': 'application/json',
        'content-length': body.length,
        connection: 'close',
      },
    })
    call.end(body)
    return call
  }
}
