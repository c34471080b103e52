import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProviderRequest = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Reply = { readonly status?: number; readonly json?: unknown; readonly text?: string } | 'silence'

/** A server that answers as a sign-in provider does; a test sets the answer of each path. */
export type ProviderServer = {
  readonly url: string
  readonly requests: ProviderRequest[]
  on(path: string, reply: Reply | ((request: ProviderRequest) => Reply | Promise<Reply>)): void
  stop(): Promise<void>
}

export async function startProviderServer(): Promise<ProviderServer> {
  const replies = new Map<string, Reply | ((request: ProviderRequest) => Reply | Promise<Reply>)>()
  const requests: ProviderRequest[] = []
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer) // a stream without encoding gives buffers
    const url = new URL(incoming.url ?? '/', 'http://provider.example')
    const request = { method: incoming.method ?? '', url, headers: incoming.headers, body: Buffer.concat(chunks).toString() }
    requests.push(request)
    const found = replies.get(url.pathname) ?? { status: 404, json: { message: 'not found' } }
    const reply = typeof found === 'function' ? await found(request) : found
    if (reply === 'silence') return
    response.writeHead(reply.status ?? 200, { 'content-type': reply.text === undefined ? 'application/json' : 'text/html' })
    response.end(reply.text ?? JSON.stringify(reply.json))
  }
  const server = createServer((incoming, response) => void serve(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    on: (path, reply) => replies.set(path, reply),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
