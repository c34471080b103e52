import { createServer, type Server, type Socket } from 'node:net'
import { MessageStream } from '../http/message-stream.ts'
import { formatOf, TEMPLATES, USAGE_FIELD, type ChatFormat } from './formats.ts'
import { frame, Pace, stampedText } from './pace.ts'
import { hasResponseSpec, parseResponseSpec, STREAM_DEFAULTS, type ResponseSpec } from './response-spec.ts'

type Call = {
  readonly spec: ResponseSpec
  readonly format: ChatFormat
  readonly pace: Pace
  readonly whole: Buffer
  /** Answers requests for a stream, where the path has no response spec. */
  readonly streamed?: Call
}

const JSON_HEAD = 'Content-Type: application/json\r\n'
const STREAM_HEAD = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n',
)
const END = Buffer.from('0\r\n\r\n')
const TOO_MANY = answer('429 Too Many Requests', '{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}')
/** A quote within a text is escaped, so that a prompt cannot match. */
const STREAM_WANTED = /"stream"\s*:\s*true/
const BLAST_TEXT = 16 * 1024
const BURST_TEXT = 512

/** Starts the simulated vendor; port 0 selects a free one. Several processes may listen on the same port. */
export function startVendor(port: number, host: string): Promise<{ port: number; server: Server }> {
  const calls = new Map<string, Call>()
  const find = (path: string): Call => {
    let call = calls.get(path)
    if (call === undefined) calls.set(path, (call = makeCall(path)))
    return call
  }
  const server = createServer({ noDelay: true }, (socket) => serve(socket, find))
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen({ port, host, backlog: 4096, reusePort: port !== 0 }, () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port, server })
    })
  })
}

function makeCall(path: string): Call {
  const format = formatOf(path)
  const call = callOf(parseResponseSpec(path), format)
  return hasResponseSpec(path) ? call : { ...call, streamed: callOf(STREAM_DEFAULTS, format) }
}

function callOf(spec: ResponseSpec, format: ChatFormat): Call {
  const text = 'word '.repeat(Math.ceil(spec.size / 5)).slice(0, spec.size)
  return { spec, format, pace: new Pace(spec, format), whole: answer('200 OK', TEMPLATES[format].whole(text)) }
}

function answer(status: string, body: string): Buffer {
  return Buffer.from(`HTTP/1.1 ${status}\r\n${JSON_HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

function serve(socket: Socket, find: (path: string) => Call): void {
  let call: Call | undefined
  let isStream = false
  let body: Buffer[] = []
  const requests = new MessageStream(
    {
      onHead: (head) => {
        const path = head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/'))
        call = find(path.split('?')[0] ?? path)
        isStream = path.includes(':streamGenerateContent')
      },
      onBody: (bytes, from, to) => {
        if (call?.streamed !== undefined) body.push(bytes.subarray(from, to))
      },
      onEnd: () => {
        if (call === undefined) return
        if (body.length > 0) isStream ||= STREAM_WANTED.test(Buffer.concat(body).toString('latin1'))
        body = []
        reply(socket, (isStream ? call.streamed : undefined) ?? call)
      },
    },
    'requests',
  )
  socket.on('data', (bytes) => requests.push(bytes))
  // Some scenarios abort.
  socket.on('error', () => socket.destroy())
}

function reply(socket: Socket, call: Call): void {
  const { spec } = call
  if (spec.delay === 0) return begin(socket, call)
  setTimeout(() => void (socket.destroyed || begin(socket, call)), spec.delay)
}

function begin(socket: Socket, call: Call): void {
  const { spec } = call
  if (spec.fault === '429') socket.write(TOO_MANY)
  else if (spec.fault === 'reset-before') socket.resetAndDestroy()
  else if (spec.fault === 'stall' && spec.kind === 'json') return
  else if (spec.kind === 'json') socket.write(call.whole)
  else if (spec.kind === 'blast') blast(socket, call)
  else stream(socket, call)
}

function stream(socket: Socket, { spec, format, pace }: Call): void {
  const templates = TEMPLATES[format]
  const opening = templates.opening + templates.chunk(stampedText(BURST_TEXT)).repeat(Math.ceil(spec.burst / BURST_TEXT))
  socket.cork()
  socket.write(STREAM_HEAD)
  if (opening !== '') socket.write(frame(opening))
  socket.uncork()
  const cut = Math.max(1, Math.floor(spec.n / 2))
  const remove = pace.add({
    left: spec.fault === 'reset-after' || spec.fault === 'stall' ? cut : spec.n,
    write: (chunk) => !socket.destroyed && !socket.writableNeedDrain && socket.write(chunk),
    finish: () => {
      socket.off('close', remove)
      if (spec.fault === 'reset-after') socket.resetAndDestroy()
      else if (spec.fault !== 'stall') close(socket, spec, format)
    },
  })
  socket.once('close', remove)
}

function close(socket: Socket, { n, fault }: ResponseSpec, format: ChatFormat): void {
  const closing = TEMPLATES[format].closing(n, fault !== 'no-usage')
  if (fault !== 'cut-usage') {
    socket.write(Buffer.concat([frame(closing), END]))
    return
  }
  const at = closing.indexOf(USAGE_FIELD[format]) + 3
  socket.write(frame(closing.slice(0, at)))
  setTimeout(() => socket.write(Buffer.concat([frame(closing.slice(at)), END])), 5)
}

/** Sends as fast as the client reads. */
function blast(socket: Socket, { spec, format }: Call): void {
  const templates = TEMPLATES[format]
  const chunk = frame(templates.chunk(stampedText(BLAST_TEXT)))
  let left = spec.size
  const write = (): void => {
    while (left > 0) {
      left -= chunk.length
      if (!socket.write(chunk)) return
    }
    socket.off('drain', write)
    socket.write(Buffer.concat([frame(templates.closing(Math.ceil(spec.size / 4), true)), END]))
  }
  socket.write(STREAM_HEAD)
  if (templates.opening !== '') socket.write(frame(templates.opening))
  socket.on('drain', write)
  write()
}
