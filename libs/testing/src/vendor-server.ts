import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { answerCall } from './vendor-calls.ts'
import { serveSockets, type VendorSocket } from './vendor-sockets.ts'

/**
 * A scripted vendor in the OpenAI chat format. A channel's base URL names the scenario, which can be a fault:
 * `${vendor.url}/cut-mid-stream`, with numbers after `~`: `${vendor.url}/slow-first-byte~300`.
 */
export type VendorServer = {
  readonly url: string
  readonly port: number
  readonly calls: VendorCall[]
  /** Realtime sessions, in order. */
  readonly sockets: VendorSocket[]
  /** Calls of one scenario, in order. */
  callsOf(scenario: string): VendorCall[]
  /** Number of answers in progress. */
  open(): number
  stop(): Promise<void>
}

export type VendorCall = {
  readonly scenario: string
  readonly method: string
  /** Path and query after the scenario. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly bytes: Buffer
  /** Number of earlier calls on this connection. */
  readonly earlier_calls: number
  /** The caller disconnected before the answer was complete. */
  isAborted: boolean
  isComplete: boolean
  /** Bytes of the answer that are not sent yet. */
  readonly bytes_buffered: () => number
}

type Turn = {
  readonly call: VendorCall
  readonly body: ChatBody
  readonly numbers: readonly number[]
  readonly reply: ServerResponse
  /** 1 for the first call of this scenario. */
  readonly nth: number
  /** Time of this scenario's first call, from `performance.now()`. */
  readonly first_ms: number
}
type ChatBody = { readonly model: string; readonly isStream: boolean; readonly wantsUsage: boolean; readonly isValid: boolean }
type Scenario = (turn: Turn) => Promise<void> | void

const TEXT_PIECES = ['Hello', ' from', ' the', ' scripted', ' vendor', '.']
/** Usage that answers report, except in the scenario `usage~<prompt>~<completion>`. */
export const VENDOR_USAGE = { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 } as const

const scenarios: Readonly<Record<string, Scenario>> = {
  ok: (turn) => (call(turn) ? undefined : answer(turn, {})),
  usage: (turn) => answer(turn, { usage: usageOf(turn.numbers) }),
  'no-usage': (turn) => (call(turn, { hasUsage: false }) ? undefined : answer(turn, { usage: undefined })),
  tools: (turn) => answerTools(turn),
  paced: (turn) => answer(turn, { paceMs: turn.numbers[0] ?? 20, chunks: turn.numbers[1] ?? TEXT_PIECES.length }),
  'slow-first-byte': async (turn) => {
    await wait(turn.numbers[0] ?? 300)
    await answer(turn, {})
  },
  silent: () => undefined,
  /** Sends a comment and no event. */
  'comment-only': (turn) => void startStream(turn.reply).write(': PROCESSING\n\n'),
  /** Reports usage in its first event only, as Anthropic does for the prompt. */
  'early-usage': async (turn) => {
    const usage = { prompt_tokens: turn.numbers[0] ?? 900, completion_tokens: 1, total_tokens: (turn.numbers[0] ?? 900) + 1 }
    await send(startStream(turn.reply), event({ ...JSON.parse(roleOf(turn.body.model).slice(6)), usage }))
    for (const word of TEXT_PIECES) await send(turn.reply, event(deltaOf(turn.body.model, word)))
  },
  stall: (turn) => {
    startStream(turn.reply)
    turn.reply.write(event(deltaOf(turn.body.model, 'Hello')))
  },
  'cut-mid-stream': async (turn) => {
    if (call(turn, { isCut: true })) return
    startStream(turn.reply)
    for (const word of TEXT_PIECES.slice(0, 3)) await send(turn.reply, event(deltaOf(turn.body.model, word)))
    await wait(20)
    turn.reply.socket?.destroy()
  },
  'end-without-done': async (turn) => {
    startStream(turn.reply)
    for (const word of TEXT_PIECES.slice(0, 3)) await send(turn.reply, event(deltaOf(turn.body.model, word)))
    turn.reply.end()
  },
  '429-then-ok': (turn) => (turn.nth === 1 ? refuse(turn, 429, 'rate_limit_exceeded', 'slow down') : answer(turn, {})),
  status: (turn) => refuse(turn, turn.numbers[0] ?? 500, 'scripted_error', `scripted status ${turn.numbers[0] ?? 500}`),
  /** Fails with a long text. */
  wordy: (turn) => refuse(turn, turn.numbers[0] ?? 500, 'scripted_error', 'the reason is long '.repeat(15)),
  /** Answers 429 with Retry-After until this many seconds after its first call. */
  limited: (turn) => {
    const seconds = turn.numbers[0] ?? 1
    const rest = seconds * 1000 - (performance.now() - turn.first_ms)
    if (rest > 0) turn.reply.setHeader('retry-after', String(Math.ceil(rest / 100) / 10))
    return rest <= 0 ? answer(turn, {}) : refuse(turn, 429, 'rate_limit_exceeded', 'slow down')
  },
  /** Fails half of its calls, in a fixed irregular order. */
  flaky: (turn) =>
    Math.imul(turn.nth, 0x9e3779b1) >>> 31 === 1 ? refuse(turn, 500, 'scripted_error', 'scripted trouble') : answer(turn, {}),
  /** Fails the call of this number. */
  'one-500': (turn) => (turn.nth === turn.numbers[0] ? refuse(turn, 500, 'scripted_error', 'scripted trouble') : answer(turn, {})),
  /** Rejects keys that contain `revoked`. */
  keyed: (turn) =>
    String(turn.call.headers.authorization).includes('revoked')
      ? refuse(turn, 401, 'invalid_api_key', 'Incorrect API key provided')
      : answer(turn, {}),
  'bad-key': (turn) => refuse(turn, 401, 'invalid_api_key', 'Incorrect API key provided'),
  /** Quotes the credential that it refuses. */
  'echo-key': (turn) => refuse(turn, 401, 'invalid_api_key', `not allowed: ${String(turn.call.headers.authorization)}`),
  'html-error': (turn) => {
    turn.reply.writeHead(turn.numbers[0] ?? 502, { 'content-type': 'text/html' }).end('<html>bad gateway at http://10.1.2.3/</html>')
  },
  garbage: (turn) => {
    if (turn.body.isStream) startStream(turn.reply).end('data: {"broken\n\ndata: [DONE]\n\n')
    else turn.reply.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "x", "choi')
  },
  'error-in-200': async (turn) => {
    const error = { error: { message: 'scripted failure inside 200', type: 'server_error', code: 'scripted' } }
    if (!turn.body.isStream) return void turn.reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(error))
    startStream(turn.reply)
    await send(turn.reply, event(deltaOf(turn.body.model, 'Hello')))
    turn.reply.end(event(error))
  },
  /** Streams even when no stream was requested. */
  'always-streams': (turn) => answer({ ...turn, body: { ...turn.body, isStream: true } }, {}),
  /** Sends a whole answer even when a stream was requested. */
  'never-streams': (turn) => answer({ ...turn, body: { ...turn.body, isStream: false } }, {}),
  /** A JSON body with the content type of an event stream: an error, or with `~1` the whole answer. */
  'json-as-stream': (turn) => {
    const error = { error: { message: 'scripted failure as JSON', type: 'server_error', code: 'scripted' } }
    const whole = answerOf(turn.body.model, VENDOR_USAGE)
    startStream(turn.reply).end(JSON.stringify(turn.numbers[0] === 1 ? whole : error, undefined, 2))
  },
  /** A whole answer of this size in KB. */
  large: ({ body, numbers, reply }) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'x'.repeat((numbers[0] ?? 64) * 1024) }, finish_reason: 'stop' }]
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(JSON.stringify({ ...base(body.model), object: 'chat.completion', choices, usage: VENDOR_USAGE }))
  },
  'error-first': (turn) => {
    startStream(turn.reply).end(event({ error: { message: 'scripted failure before anything', type: 'server_error', code: 'scripted' } }))
  },
  'slow-error': async (turn) => {
    startStream(turn.reply)
    await wait(turn.numbers[0] ?? 300)
    turn.reply.end(event({ error: { message: 'scripted failure after a while', type: 'server_error', code: 'scripted' } }))
  },
  'empty-stream': (turn) => void startStream(turn.reply).end(),
  reset: (turn) => void turn.reply.socket?.resetAndDestroy(),
  'reset-when-reused': (turn) => (turn.call.earlier_calls > 0 ? void turn.reply.socket?.resetAndDestroy() : answer(turn, {})),
  flood: async (turn) => {
    startStream(turn.reply)
    const piece = event(deltaOf(turn.body.model, 'x'.repeat(16_384)))
    for (let sent = 0; sent < (turn.numbers[0] ?? 20) * 64 && !turn.reply.destroyed; sent += 1) await send(turn.reply, piece)
    turn.reply.end('data: [DONE]\n\n')
  },
}

export async function startVendorServer(): Promise<VendorServer> {
  const calls: VendorCall[] = []
  const served = new WeakMap<object, number>()
  const counts = new Map<string, number>()
  const firsts = new Map<string, number>()
  let open = 0
  const server = createServer((incoming, reply) => {
    open += 1
    reply.once('close', () => {
      open -= 1
    })
    const earlier = served.get(incoming.socket) ?? 0
    served.set(incoming.socket, earlier + 1)
    void run(incoming, reply, { calls, counts, firsts, earlier })
  })
  const { sockets, cutAll } = serveSockets(server)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    sockets,
    callsOf: (scenario) => calls.filter((call) => call.scenario === scenario),
    open: () => open,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        cutAll()
      }),
  }
}

type VendorState = {
  readonly calls: VendorCall[]
  readonly counts: Map<string, number>
  readonly firsts: Map<string, number>
  readonly earlier: number
}

async function run(incoming: IncomingMessage, reply: ServerResponse, { calls, counts, firsts, earlier }: VendorState): Promise<void> {
  const [, first = '', ...rest] = (incoming.url ?? '').split('/')
  const [name = '', ...numbers] = first.split('~')
  const bytes = await collect(incoming)
  const text = bytes.toString('utf8')
  const call: VendorCall = {
    scenario: name,
    method: incoming.method ?? '',
    path: `/${rest.join('/')}`,
    headers: incoming.headers,
    text,
    bytes,
    earlier_calls: earlier,
    isAborted: false,
    isComplete: false,
    bytes_buffered: () => reply.writableLength,
  }
  calls.push(call)
  reply.once('close', () => {
    call.isComplete = reply.writableFinished
    call.isAborted = !reply.writableFinished
  })
  const nth = (counts.get(first) ?? 0) + 1
  counts.set(first, nth)
  const first_ms = firsts.get(first) ?? performance.now()
  firsts.set(first, first_ms)
  const scenario = scenarios[name]
  if (scenario === undefined) return void reply.writeHead(404).end(`no scenario ${name}`)
  if (call.path === '/v1/models') return listModels(reply)
  await scenario({ call, body: readBody(text), numbers: numbers.map(Number), reply, nth, first_ms })
}

function listModels(reply: ServerResponse): void {
  const data = ['vendor-large', 'vendor-small'].map((id) => ({ id, object: 'model', created: 1, owned_by: 'vendor' }))
  reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
}

/** Answers a call that is not a chat request; returns false for a chat request. */
function call({ call: { path, text }, reply }: Turn, fault: { hasUsage?: boolean; isCut?: boolean } = {}): boolean {
  return answerCall({ path, text, reply, hasUsage: true, isCut: false, ...fault })
}

type Shape = { readonly usage?: object | undefined; readonly paceMs?: number; readonly chunks?: number }

async function answer(turn: Turn, shape: Shape): Promise<void> {
  const { body, reply } = turn
  const usage = 'usage' in shape ? shape.usage : VENDOR_USAGE
  if (!body.isValid) return refuse(turn, 400, 'invalid_json', 'the body is not JSON')
  if (!body.isStream) {
    reply.writeHead(200, { 'content-type': 'application/json', 'x-vendor-id': 'scripted' }).end(JSON.stringify(answerOf(body.model, usage)))
    return
  }
  startStream(reply)
  await send(reply, roleOf(body.model))
  for (let at = 0; at < (shape.chunks ?? TEXT_PIECES.length) && !reply.destroyed; at += 1) {
    if (shape.paceMs !== undefined) await wait(shape.paceMs)
    await send(reply, event(deltaOf(body.model, TEXT_PIECES[at % TEXT_PIECES.length] ?? '')))
  }
  await send(reply, event({ ...base(body.model), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  if (usage !== undefined && body.wantsUsage) await send(reply, event({ ...base(body.model), choices: [], usage }))
  reply.end('data: [DONE]\n\n')
}

const CITIES = ['Bonn', 'Kyoto']

/** Answers with two parallel tool calls; a stream sends their arguments in pieces. */
async function answerTools({ body, reply }: Turn): Promise<void> {
  const calls = CITIES.map((city, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: 'weather', arguments: `{"city":"${city}"}` },
  }))
  if (!body.isStream) {
    const message = { role: 'assistant', content: null, tool_calls: calls }
    const whole = {
      ...base(body.model),
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage: VENDOR_USAGE,
    }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
    return
  }
  startStream(reply)
  await send(reply, roleOf(body.model))
  const delta = (tool_call: object) =>
    event({ ...base(body.model), choices: [{ index: 0, delta: { tool_calls: [tool_call] }, finish_reason: null }] })
  for (const [index, call] of calls.entries())
    await send(reply, delta({ ...call, index, function: { name: call.function.name, arguments: '' } }))
  for (const [index, { function: called }] of calls.entries()) {
    for (const piece of [called.arguments.slice(0, 5), called.arguments.slice(5)])
      await send(reply, delta({ index, function: { arguments: piece } }))
  }
  await send(reply, event({ ...base(body.model), choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }))
  if (body.wantsUsage) await send(reply, event({ ...base(body.model), choices: [], usage: VENDOR_USAGE }))
  reply.end('data: [DONE]\n\n')
}

function refuse({ reply }: Turn, status: number, code: string, message: string): void {
  reply
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type: 'scripted', param: null, code } }))
}

function startStream(reply: ServerResponse): ServerResponse {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.flushHeaders()
  return reply
}

/** Writes, and waits for the reader to catch up or disconnect. */
async function send(reply: ServerResponse, text: string): Promise<void> {
  if (reply.destroyed || reply.write(text)) return
  await new Promise<void>((resolve) => {
    const go = () => {
      reply.off('drain', go)
      reply.off('close', go)
      resolve()
    }
    reply.on('drain', go)
    reply.on('close', go)
  })
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const base = (model: string) => ({ id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_700_000_000, model })
const deltaOf = (model: string, content: string) => ({ ...base(model), choices: [{ index: 0, delta: { content }, finish_reason: null }] })
const roleOf = (model: string) =>
  event({ ...base(model), choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] })
const answerOf = (model: string, usage: object | undefined) => ({
  ...base(model),
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: TEXT_PIECES.join('') }, finish_reason: 'stop' }],
  ...(usage === undefined ? {} : { usage }),
})

function usageOf([prompt = 1, completion = 1]: readonly number[]): object {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function readBody(text: string): ChatBody {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return { model: '', isStream: false, wantsUsage: false, isValid: false }
    const options: unknown = 'stream_options' in body ? body.stream_options : undefined
    return {
      model: 'model' in body ? String(body.model) : '',
      isStream: 'stream' in body && body.stream === true,
      wantsUsage: typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true,
      isValid: true,
    }
  } catch {
    // Not JSON: the scenario answers 400, as vendors do.
    return { model: '', isStream: false, wantsUsage: false, isValid: false }
  }
}
