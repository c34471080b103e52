import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagesFormat } from './format-scripts/messages.ts'
import { chatFormat } from './format-scripts/chat.ts'
import { embeddingsAt } from './format-scripts/embeddings.ts'
import { geminiFormat } from './format-scripts/gemini.ts'
import { responsesFormat } from './format-scripts/responses.ts'
import type { ErrorReply, FormatCall, Script, ChatFormat, ScriptedFormat } from './format-scripts/script.ts'
import { refusalOf } from './format-scripts/strict.ts'

/**
 * A scripted vendor that serves every chat format at its own path; one script answers in all of them. It shares no code with
 * libs/providers, so that it does not repeat a mistake made there.
 */
export type FormatVendor = {
  readonly url: string
  readonly calls: readonly FormatCall[]
  /** Refusals of a strict vendor, in its words. */
  readonly refusals: readonly string[]
  stop(): Promise<void>
}

const SCRIPTED_FORMATS: Readonly<Record<ChatFormat, ScriptedFormat>> = {
  chat: chatFormat,
  responses: responsesFormat,
  messages: messagesFormat,
  gemini: geminiFormat,
}
const CHAT_FORMATS: readonly ChatFormat[] = ['chat', 'responses', 'messages', 'gemini']

/** A strict vendor refuses with 400 what the real one refuses. */
export async function startFormatVendor(script: Script, { isStrict = false } = {}): Promise<FormatVendor> {
  const calls: FormatCall[] = []
  const refusals: string[] = []
  const server = createServer((incoming, reply) => void answer(incoming, reply, { script, calls, refusals, isStrict }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    refusals,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type VendorState = { readonly script: Script; readonly calls: FormatCall[]; readonly refusals: string[]; readonly isStrict: boolean }

async function answer(incoming: IncomingMessage, reply: ServerResponse, { script, calls, refusals, isStrict }: VendorState): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  const body: unknown = text === '' ? {} : JSON.parse(text)
  const fields = typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
  const embeddings = embeddingsAt(incoming.url ?? '', fields)
  if (embeddings !== undefined) return void reply.writeHead(200, JSON_TYPE).end(JSON.stringify(embeddings))
  const found = readCall(incoming, fields, text)
  if (found === undefined)
    return void reply.writeHead(404, JSON_TYPE).end(JSON.stringify({ error: { message: `nothing at ${incoming.url}` } }))
  calls.push(found)
  const words = SCRIPTED_FORMATS[found.format]
  const refusal = isStrict ? refusalOf(found) : undefined
  if (refusal !== undefined) refusals.push(refusal)
  const said = refusal === undefined ? script(found) : ({ kind: 'error', status: 400, message: refusal } satisfies ErrorReply)
  if (said.kind === 'error')
    return void reply
      .writeHead(said.status, { ...JSON_TYPE, ...said.headers })
      .end(JSON.stringify(said.body ?? words.error(said.status, said.message)))
  const model = typeof found.body['model'] === 'string' ? found.body['model'] : 'scripted'
  if (found.is_stream) reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(words.stream(said, model))
  else reply.writeHead(200, JSON_TYPE).end(JSON.stringify(words.whole(said, model)))
}

const JSON_TYPE = { 'content-type': 'application/json' }

function readCall({ url: path = '', headers }: IncomingMessage, body: Record<string, unknown>, text: string): FormatCall | undefined {
  for (const format of CHAT_FORMATS) {
    const read = SCRIPTED_FORMATS[format].read(path, body)
    if (read !== undefined) return { format, body, text, path, headers, ...read }
  }
  return undefined
}
