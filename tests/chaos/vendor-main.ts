import { createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { GROUPS, ID_IN_PROMPT, PIECE, PROMPT_TOKENS, refusalOf, scriptOf, WORDS_PER_PIECE, type Script } from './script.ts'
import type { VendorCall } from './vendor.ts'

/** A vendor that follows each request's script and appends one JSON line per call to the file in its first argument. */

const Body = z.object({
  model: z.string(),
  stream: z.boolean().default(false),
  stream_options: z.object({ include_usage: z.boolean().default(false) }).nullish(),
})

type Turn = {
  readonly script: Script
  readonly call: VendorCall
  readonly reply: ServerResponse
  readonly wants_usage: boolean
}

const out = createWriteStream(process.argv[2] ?? '/dev/stdout')
const open = new Set<VendorCall>()
const calls = new Map<string, number>()
let lines: string[] = []

const server = createServer((incoming, reply) => void answer(incoming, reply).catch(() => reply.destroy()))
server.keepAliveTimeout = 30_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  process.stdout.write(`${port}\n`)
})
setInterval(flush, 500)
process.on('SIGTERM', () => {
  for (const call of open) write(call)
  flush()
  out.end(() => process.exit(0))
})

function flush(): void {
  if (lines.length > 0) out.write(`${lines.join('\n')}\n`)
  lines = []
}

function write(call: VendorCall): void {
  open.delete(call)
  lines.push(JSON.stringify(call))
}

async function answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise<void>((resolve, reject) => incoming.on('end', resolve).on('error', reject))
  const text = Buffer.concat(chunks).toString()
  const body = Body.parse(JSON.parse(text))
  const id = ID_IN_PROMPT.exec(text)?.[1]
  if (id === undefined) return void reply.writeHead(400).end()
  const nth = (calls.get(id) ?? 0) + 1
  calls.set(id, nth)
  const call: VendorCall = {
    id,
    nth,
    at: Date.now(),
    is_stream: body.stream,
    model: body.model,
    group: GROUPS.find((group) => incoming.url?.startsWith(`/${group}/`)) ?? 'default',
    words: 0,
    isWhole: false,
    isRefused: false,
  }
  open.add(call)
  reply.once('close', () => {
    call.isWhole = reply.writableFinished
    // A stream counts what it sends until its current wait is over.
    setTimeout(() => open.has(call) && write(call), 250)
  })
  const script = scriptOf(id)
  if (script.first_ms > 0) await wait(script.first_ms)
  const turn = { script, call, reply, wants_usage: body.stream_options?.include_usage === true }
  if (refuse(turn)) return
  await (body.stream ? stream(turn) : whole(turn))
}

/** Sends the responses of acts that end before any content. */
function refuse({ script, call, reply }: Turn): boolean {
  const act = (call.group === 'shaky' ? refusalOf(call.id) : undefined) ?? script.act
  const status = act === '429' ? 429 : act === '500' || (act === 'flaky' && call.nth === 1) ? 500 : undefined
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
  countWords(call, script.pieces)
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
    countWords(call, 1)
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

function countWords(call: VendorCall, pieces: number): void {
  call.words += pieces * WORDS_PER_PIECE
}

function usageOf(pieces: number) {
  const completion_tokens = pieces * WORDS_PER_PIECE
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens, total_tokens: PROMPT_TOKENS + completion_tokens }
}

const base = (model: string) => ({ id: 'chatcmpl-chaos', object: 'chat.completion.chunk', created: 1_700_000_000, model })
