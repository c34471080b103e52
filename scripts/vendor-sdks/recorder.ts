import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { comparableHeaders } from '../../libs/upstream/test/vendor-sdks/headers.ts'
import type { RecordedRequest } from '../../libs/upstream/test/vendor-sdks/recording.ts'

/** The server's answer: JSON, lines of a stream, or bytes in base64. */
type Answer = { readonly type?: string; readonly body: unknown; readonly isBase64?: boolean }
type Next = { readonly conversation: string; readonly answers: readonly Answer[] }

export type Recorder = {
  readonly url: string
  readonly conversations: ReadonlyMap<string, readonly RecordedRequest[]>
  close(): Promise<void>
}

/** Where a program says which conversation begins. */
const NEXT = '/__next'
/** Programs send requests here instead of the vendor and name the vendor in this header. */
const ORIGIN = 'x-recorded-origin'

/** A server that notes each request and gives the answer that the program asked for. */
export async function startRecorder(): Promise<Recorder> {
  const conversations = new Map<string, RecordedRequest[]>()
  let next: Next = { conversation: 'none', answers: [] }
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => void chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      if (incoming.url === NEXT) {
        next = JSON.parse(text) as Next // of our own programs
        outgoing.writeHead(204).end()
        return
      }
      const { conversation, answers } = next
      const requests = conversations.get(conversation) ?? []
      conversations.set(conversation, [...requests, toRequest(incoming.method ?? '', incoming.url ?? '', incoming.headers, text)])
      const { type = 'application/json', body, isBase64 = false } = answers[Math.min(requests.length, answers.length - 1)] ?? { body: {} }
      const bytes = typeof body === 'string' ? Buffer.from(body, isBase64 ? 'base64' : 'utf8') : Buffer.from(JSON.stringify(body))
      outgoing.writeHead(200, { 'content-type': type }).end(bytes)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    conversations,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function toRequest(method: string, path: string, headers: IncomingHttpHeaders, text: string): RecordedRequest {
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  return {
    method,
    url: `${String(headers[ORIGIN] ?? '')}${path}`,
    headers: comparableHeaders(named),
    ...(text === '' ? {} : { body: parsed(text) }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
