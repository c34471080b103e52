import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands between an agent and the relay and counts the requests that carry tools, which titles and summaries do not. */
export type CountingProxy = { readonly url: string; readonly requests: () => number; stop(): void }

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let requests = 0
  const server = createServer((incoming, reply) => {
    void forward(incoming, reply, target).then((hasTools) => {
      if (hasTools) requests += 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function forward(incoming: IncomingMessage, reply: ServerResponse, target: string): Promise<boolean> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  const { host: _host, ...headers } = incoming.headers
  const onward = request(`${target}${incoming.url ?? ''}`, { method: incoming.method, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => reply.destroy()).pipe(reply)
  })
  onward.on('error', () => reply.destroy())
  reply.on('close', () => onward.destroy())
  onward.end(body)
  return incoming.method === 'POST' && /"(?:tools|functionDeclarations)":\s*\[\s*\{/.test(body.toString())
}
