import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OutboundError } from '@tollgate/outbound/errors'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import type { PreparedCall } from './call.ts'
import { send } from './send.ts'

/** A call over a WebSocket, seen from its sink as a call over HTTP. */
let server: Server
let sockets: WebSocketServer
let outbound: Outbound
let origin = ''
const REFUSAL = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{"message":"bad"}'
/** The vendor's behaviour for a request. */
let react: (socket: WebSocket, request: string) => void = () => undefined

beforeAll(async () => {
  server = createServer()
  sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/refused') socket.end(REFUSAL)
    else
      sockets.handleUpgrade(request, socket, head, (opened) => opened.on('message', (message: Buffer) => react(opened, message.toString())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  origin = `http://127.0.0.1:${port}`
  outbound = createOutbound({ guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: [] }) })
})
afterAll(async () => {
  for (const client of sockets.clients) client.terminate()
  await outbound.close()
  await new Promise((resolve) => server.close(resolve))
})

type Answer = { readonly head: number; readonly text: string; readonly error?: OutboundError }

function begin(path = '/chat') {
  const call: PreparedCall = {
    method: 'POST',
    origin,
    path,
    headers: [],
    body: Buffer.from('{"q":1}'),
    proxy: undefined,
    poolKey: 'p',
    upstream_model: 'm',
    webSocket: { isLast: ({ last }) => last === true },
  }
  const { promise: answer, resolve } = Promise.withResolvers<Answer>()
  const { promise: firstData, resolve: hasData } = Promise.withResolvers<void>()
  let [head, text] = [0, '']
  const sink = {
    onHead: (status: number) => void (head = status),
    onData: (chunk: Buffer) => {
      text += chunk.toString()
      hasData()
    },
    onEnd: () => resolve({ head, text }),
    onError: (error: OutboundError) => resolve({ head, text, error }),
  }
  return { sending: send(outbound, call, sink, { first_byte_ms: 5000, idle_ms: 5000 }), answer, firstData }
}

it('sends the body as the first message and gives each message as an event, until the last', async () => {
  react = (socket, request) => {
    for (const message of [request, '{\n"a":1}', '{"last":true}', '{"after":1}']) socket.send(message)
  }

  expect(await begin().answer).toEqual({ head: 200, text: 'data: {"q":1}\n\ndata: {\ndata: "a":1}\n\ndata: {"last":true}\n\n' })
})

it('gives the status and body of a refused handshake', async () => {
  expect(await begin('/refused').answer).toEqual({ head: 401, text: '{"message":"bad"}' })
})

it('fails when the connection breaks in the middle', async () => {
  react = (socket) => socket.send('{"a":1}', () => socket.terminate())

  expect(await begin().answer).toMatchObject({ head: 200, text: 'data: {"a":1}\n\n', error: { failure: 'reset' } })
})

it('ends when the vendor closes early, which the format knows as cut', async () => {
  react = (socket) => socket.send('{"a":1}', () => socket.close(1000))

  expect(await begin().answer).toEqual({ head: 200, text: 'data: {"a":1}\n\n' })
})

it('closes the connection when the call is aborted, so that the vendor stops', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  react = (socket) => {
    socket.on('close', () => resolve())
    socket.send('{"a":1}')
  }
  const { sending, answer, firstData } = begin()
  await firstData
  sending.abort()

  expect(await answer).toMatchObject({ error: { failure: 'aborted' } })
  await closed
})

it('can be aborted before the connection is open', async () => {
  const { sending, answer } = begin()
  sending.abort()

  expect(await answer).toMatchObject({ head: 0, error: { failure: 'aborted' } })
})
