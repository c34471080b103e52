import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ClientFormat } from '@tollgate/domain/clients/client'

/** Values of a request for a model, as a client sent them. */
export type Recorded = { readonly path: string; readonly key: string; readonly model: string }

export type Recorder = {
  readonly url: string
  /** The first request for a model since the last call of `forget`. */
  first(): Recorded | undefined
  forget(): void
  stop(): Promise<void>
}

/** A server that keeps what it is asked, and refuses every request for a model in a way that no client repeats for long. */
export async function startRecorder(): Promise<Recorder> {
  const seen: Recorded[] = []
  const server = createServer((incoming, reply) => {
    void text(incoming).then((body) => {
      const recorded = incoming.method === 'POST' ? recordedOf(incoming, body) : undefined
      if (recorded !== undefined) seen.push(recorded)
      const isList = incoming.method === 'GET'
      reply.writeHead(isList ? 200 : 400, { 'content-type': 'application/json', 'x-should-retry': 'false' })
      reply.end(
        isList ? '{"object":"list","data":[]}' : '{"error":{"message":"recorded","type":"invalid_request_error","code":"recorded"}}',
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    first: () => seen[0],
    forget: () => void seen.splice(0),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Paths of the formats; Gemini's holds the model. */
export const PATHS: Readonly<Record<ClientFormat, RegExp>> = {
  'openai-chat': /^\/v1\/chat\/completions$/,
  'openai-responses': /^\/v1\/responses$/,
  'anthropic-messages': /^\/v1\/messages$/,
  gemini: /^\/v1(?:beta)?\/models\/(.+):(?:streamGenerateContent|generateContent)$/,
}

function recordedOf({ url = '', headers }: IncomingMessage, body: string): Recorded | undefined {
  const [path = ''] = url.split('?', 1)
  const key = [headers.authorization?.replace(/^Bearer /, ''), headers['x-api-key'], headers['x-goog-api-key']]
    .flat()
    .find((one) => one !== undefined)
  const inPath = PATHS.gemini.exec(path)?.[1]
  if (inPath !== undefined) return { path, key: key ?? '', model: decodeURIComponent(inPath) }
  const { model } = readModel(body)
  return model === undefined ? undefined : { path, key: key ?? '', model }
}

function readModel(body: string): { readonly model?: string } {
  try {
    return JSON.parse(body) as { readonly model?: string } // a body without a model is no request for one
  } catch {
    // Telemetry of a client, for example.
    return {}
  }
}
