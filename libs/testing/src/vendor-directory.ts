import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Fields } from './format-scripts/reading.ts'
import { BAIDU_TOKEN } from './vendor-scripts/own-formats.ts'
import { Refusal, type VendorScript } from './vendor-scripts/script.ts'

/**
 * Scripted vendors in one server, each below its name. They follow the vendors' public references, refuse what those do not allow, and
 * share no code with libs/providers.
 */
export type VendorDirectory = {
  readonly url: string
  /** Why calls were refused. */
  readonly refusals: readonly string[]
  /** How often an access token was granted. */
  readonly granted: () => number
  stop(): Promise<void>
}

export async function startVendorDirectory(scripts: Readonly<Record<string, VendorScript>>): Promise<VendorDirectory> {
  const refusals: string[] = []
  let granted = 0
  const server = createServer((incoming, reply) => {
    if (incoming.url?.startsWith(TOKEN_PATH) === true) {
      granted += 1
      return sendJson(reply, 200, { access_token: BAIDU_TOKEN, expires_in: 2_592_000 })
    }
    void answer(incoming, reply, { scripts, refusals })
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, incoming) => {
    socket.once('message', (message: Buffer) => answerSocket(socket, incoming, { raw: message, scripts, refusals }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    refusals,
    granted: () => granted,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Baidu's tokens are at its host, not below the base URL. */
const TOKEN_PATH = '/oauth/2.0/token?grant_type=client_credentials&client_id=api-key&client_secret=secret-key'

type State = { readonly scripts: Readonly<Record<string, VendorScript>>; readonly refusals: string[] }

async function answer(incoming: IncomingMessage, reply: ServerResponse, { scripts, refusals }: State): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const raw = Buffer.concat(chunks)
  const { url = '', method = '', headers } = incoming
  const [, name = ''] = url.split('/')
  const isJson = headers['content-type']?.includes('json') === true && raw.length > 0
  const body = (isJson ? JSON.parse(raw.toString()) : {}) as Fields // the scripts check what they read
  const base = `http://${headers.host}/${name}`
  try {
    const script = scripts[name]
    if (script === undefined) throw new Refusal(`no vendor at ${url}`)
    const said = script({ method, path: url.slice(name.length + 1), signedPath: url, headers, body, raw, base })
    if (said.type === undefined) return sendJson(reply, 200, said.body)
    reply.writeHead(200, { 'content-type': said.type }).end(said.body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusals.push(`${name}: ${error.message}`)
    sendJson(reply, 400, { error: { message: error.message, type: 'invalid_request_error' } })
  }
}

/** Each element of what the script says is one message. The client closes the connection. */
function answerSocket(
  socket: WebSocket,
  { url = '', headers }: IncomingMessage,
  { raw, scripts, refusals }: State & { readonly raw: Buffer },
) {
  const [, name = ''] = url.split('/')
  const body = JSON.parse(raw.toString()) as Fields // the scripts check what they read
  try {
    const script = scripts[name]
    if (script === undefined) throw new Refusal(`no vendor at ${url}`)
    const base = `http://${headers.host}/${name}`
    const said = script({ method: 'SOCKET', path: url.slice(name.length + 1), signedPath: url, headers, body, raw, base })
    for (const message of Array.isArray(said.body) ? said.body : [said.body]) socket.send(JSON.stringify(message))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusals.push(`${name}: ${error.message}`)
    socket.send(JSON.stringify({ header: { code: 10_005, message: error.message } }))
  }
}

function sendJson(reply: ServerResponse, status: number, body: object | string | Buffer): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
