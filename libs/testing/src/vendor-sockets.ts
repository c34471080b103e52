import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { serveLive } from './vendor-live.ts'

/** The scripted vendor's end of a realtime session. */
export type VendorSocket = {
  readonly scenario: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Messages of the client, in order. */
  readonly received: string[]
  /** Close code; undefined while it is open. */
  closed: number | undefined
  send(event: object): void
  /** Without a code: a close that states none. */
  close(code: number | undefined): void
  /** Breaks the connection off. */
  cut(): void
}

/** Usage that a response of these sessions reports. */
export const REALTIME_USAGE = {
  total_tokens: 253,
  input_tokens: 132,
  output_tokens: 121,
  input_token_details: {
    text_tokens: 119,
    audio_tokens: 13,
    image_tokens: 0,
    cached_tokens: 68,
    cached_tokens_details: { text_tokens: 64, audio_tokens: 4, image_tokens: 0 },
  },
  output_token_details: { text_tokens: 30, audio_tokens: 91 },
}

type Script = { readonly socket: WebSocket; readonly send: (event: object) => void; nth: number }

/** Serves WebSocket upgrades for `/{scenario}/v1/realtime`, Azure's path, and Google's live sessions. */
export function serveSockets(server: Server): { readonly sockets: VendorSocket[]; cutAll(): void } {
  const connections = new Set<Duplex>()
  const sockets: VendorSocket[] = []
  const wss = new WebSocketServer({ noServer: true, handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false) })
  server.on('upgrade', (incoming: IncomingMessage, connection: Duplex, head) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
    const [, scenario = '', ...rest] = (incoming.url ?? '').split('/')
    const [name = '', number] = scenario.split('~')
    if (name === 'silent') return
    if (name === 'status') return refuse(connection, Number(number))
    wss.handleUpgrade(incoming, connection, head, (socket) => {
      const send = (event: object) => socket.send(JSON.stringify({ event_id: 'event_1', ...event }))
      const one: VendorSocket = {
        scenario: name,
        path: `/${rest.join('/')}`,
        headers: incoming.headers,
        received: [],
        closed: undefined,
        send,
        close: (code) => (code === undefined ? socket.close() : socket.close(code)),
        cut: () => socket.terminate(),
      }
      sockets.push(one)
      socket.on('close', (code) => (one.closed = code))
      if (one.path.startsWith('/ws/')) {
        socket.on('message', (data: Buffer) => one.received.push(data.toString()))
        return serveLive(name, socket)
      }
      const script: Script = { socket, send, nth: 0 }
      send({ type: 'session.created', session: { model: 'vendor', output_audio_format: 'pcm16' } })
      socket.on('message', (data: Buffer) => {
        one.received.push(data.toString())
        answer(name, script, JSON.parse(data.toString()) as { type: string; response_id?: string }) // the relay forwards JSON events
      })
    })
  })
  return { sockets, cutAll: () => connections.forEach((connection) => connection.destroy()) }
}

function refuse(connection: Duplex, status: number): void {
  const body = JSON.stringify({ error: { message: `scripted status ${status}`, type: 'scripted', param: null, code: 'scripted_error' } })
  connection.end(
    `HTTP/1.1 ${status} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function answer(name: string, script: Script, event: { type: string; response_id?: string }): void {
  const { send, socket } = script
  if (event.type === 'session.update') return send({ type: 'session.updated', session: { model: 'vendor', output_audio_format: 'pcm16' } })
  if (event.type === 'response.cancel') {
    if (name !== 'deaf') send({ type: 'response.done', response: { id: event.response_id, status: 'cancelled', usage: REALTIME_USAGE } })
    return
  }
  if (event.type !== 'response.create') return
  script.nth += 1
  const id = `resp_${script.nth}`
  send({ type: 'response.created', response: { id, status: 'in_progress' } })
  // One second of sound at 24 kHz, 16 bits.
  send({ type: 'response.output_audio.delta', response_id: id, delta: Buffer.alloc(48_000).toString('base64') })
  send({ type: 'response.output_audio_transcript.delta', response_id: id, delta: 'Hello there' })
  if (name === 'hang' || name === 'deaf') return
  if (name === 'cut-mid-stream') return socket.terminate()
  const failed = {
    status: 'failed',
    status_details: { error: { type: 'server_error', code: 'scripted', message: 'scripted failure' } },
    usage: null,
  }
  const done = name === 'failing' ? failed : { status: 'completed', ...(name === 'no-usage' ? {} : { usage: REALTIME_USAGE }) }
  send({ type: 'response.done', response: { id, ...done } })
}
