import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { ACTS, PIECE, PROMPT_TOKENS, WORDS_PER_PIECE, type Script } from './script.ts'

/** One call as the vendor saw it: the truth. */
export type VendorCall = {
  readonly at: number
  readonly is_stream: boolean
  readonly model: string
  words: number
  first_word_at?: number
  last_word_at?: number
  usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
  /** The last byte was handed to the socket and the socket was still there. */
  isWhole: boolean
  isRefused: boolean
}

export type Vendor = {
  readonly url: string
  /** By the client's request id, in the order of arrival. */
  readonly journal: ReadonlyMap<string, readonly VendorCall[]>
  open(): number
  stop(): Promise<void>
}

const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().default(false) }).nullish(),
  user: z.string(),
})
const ScriptText = z.object({ id: z.string(), act: z.enum(ACTS), pieces: z.int(), pace_ms: z.int(), first_ms: z.int() })

type Turn = {
  readonly script: Script
  readonly call: VendorCall
  readonly reply: ServerResponse
  readonly wants_usage: boolean
  readonly nth: number
}

/** A vendor that does what each request's script says and writes down what it did. */
export async function startVendor(): Promise<Vendor> {
  const journal = new Map<string, VendorCall[]>()
  let open = 0
  const server = createServer((incoming, reply) => {
    open += 1
    reply.once('close', () => {
      open -= 1
    })
    void answer(incoming, reply, journal).catch(() => reply.destroy())
  })
  server.keepAliveTimeout = 30_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    open: () => open,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(incoming: IncomingMessage, reply: ServerResponse, journal: Map<string, VendorCall[]>): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const body = Body.parse(JSON.parse(Buffer.concat(chunks).toString()))
  const script = ScriptText.parse(JSON.parse(body.user))
  const call: VendorCall = { at: Date.now(), is_stream: body.stream, model: body.model, words: 0, isWhole: false, isRefused: false }
  const calls = journal.get(script.id) ?? []
  calls.push(call)
  journal.set(script.id, calls)
  reply.once('close', () => {
    call.isWhole = reply.writableFinished
  })
  await wait(script.first_ms)
  const turn = { script, call, reply, wants_usage: body.stream_options?.include_usage === true, nth: calls.length }
  if (refuses(turn)) return
  await (body.stream ? stream(turn) : whole(turn))
}

/** Acts that end before any content. */
function refuses({ script: { act }, call, reply, nth }: Turn): boolean {
  const status = act === '429' ? 429 : act === '500' || (act === 'flaky' && nth === 1) ? 500 : undefined
  if (status === undefined && act !== 'reset') return false
  call.isRefused = true
  if (status === undefined) reply.socket?.resetAndDestroy()
  else
    reply
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `scripted ${status}`, type: 'scripted', code: 'scripted' } }))
  return true
}

async function whole({ script, call, reply }: Turn): Promise<void> {
  await wait(Math.min(2000, script.pieces * script.pace_ms))
  if (script.act === 'stall') await wait(4000)
  if (script.act === 'garbage') return void reply.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "x", "choi')
  if (script.act === 'error-in-200') {
    return void reply
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: 'scripted', type: 'server_error', code: 'scripted' } }))
  }
  const usage = usageOf(script.pieces)
  const message = { role: 'assistant', content: PIECE.repeat(script.pieces) }
  const text = JSON.stringify({
    ...base(call.model),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    ...(script.act === 'no-usage' ? {} : { usage }),
  })
  reply.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (script.act === 'cut') {
    reply.write(text.slice(0, text.length / 2))
    await wait(10)
    return void reply.socket?.destroy()
  }
  if (script.act !== 'no-usage') call.usage = usage
  note(call, script.pieces)
  reply.end(text)
}

async function stream({ script, call, reply, wants_usage }: Turn): Promise<void> {
  reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  const send = (value: object): boolean => !reply.destroyed && reply.write(`data: ${JSON.stringify(value)}\n\n`)
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    ...base(call.model),
    choices: [{ index: 0, delta, finish_reason }],
  })
  send(chunk({ role: 'assistant', content: '' }))
  const isShort = script.act === 'cut' || script.act === 'stall' || script.act === 'error-in-200'
  const pieces = isShort ? Math.ceil(script.pieces / 2) : script.pieces
  if (script.act === 'garbage') return void reply.end('data: {"broken\n\ndata: [DONE]\n\n')
  for (let at = 0; at < pieces && !reply.destroyed; at += 1) {
    if (script.pace_ms > 0) await wait(script.pace_ms)
    if (reply.destroyed) return
    send(chunk({ content: PIECE }))
    note(call, 1)
  }
  if (script.act === 'stall') await wait(20_000)
  if (script.act === 'error-in-200')
    return void reply.end(`data: ${JSON.stringify({ error: { message: 'scripted', type: 'server_error', code: 'scripted' } })}\n\n`)
  if (isShort) {
    await wait(10)
    return void reply.socket?.destroy()
  }
  if (reply.destroyed) return
  const usage = usageOf(script.pieces)
  send(chunk({}, 'stop'))
  if (wants_usage && script.act !== 'no-usage') {
    for (let times = script.act === 'usage-twice' ? 2 : 1; times > 0; times -= 1) send({ ...base(call.model), choices: [], usage })
    call.usage = usage
  }
  reply.end('data: [DONE]\n\n')
}

function note(call: VendorCall, pieces: number): void {
  call.words += pieces * WORDS_PER_PIECE
  call.first_word_at ??= Date.now()
  call.last_word_at = Date.now()
}

function usageOf(pieces: number) {
  const completion_tokens = pieces * WORDS_PER_PIECE
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens, total_tokens: PROMPT_TOKENS + completion_tokens }
}

const base = (model: string) => ({ id: 'chatcmpl-chaos', object: 'chat.completion.chunk', created: 1_700_000_000, model })
