import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'

export type StopOptions = {
  /**
   * New connections are still accepted for this long, because load balancers notice late; each response closes its connection. Up to
   * as long again while connections keep coming: the kernel resets those that are made at the instant the socket closes.
   */
  readonly graceMs: number
  /** How long running responses may take after the grace. */
  readonly deadlineMs: number
  /** Another process accepts on the same socket: this one stops accepting at once, and nothing in the kernel's queue is lost. */
  readonly isReplaced?: boolean
  /** Runs at the deadline if connections are still open; they are cut one second later. */
  readonly onDeadline?: () => void
}

/** Tracks a server's open connections and closes them without losing a response. */
export type Connections = {
  /** Must be called with every request, before it is served. */
  note(incoming: IncomingMessage, outgoing: ServerResponse): void
  stop(options: StopOptions): Promise<void>
}

const LAST_MESSAGE_MS = 1000
const UNUSED_MS = 500
/** Without a new connection for this long, load balancers have stopped sending requests. */
const QUIET_MS = 200
/** After this many event loop turns without a new connection, the kernel's queue is empty: libuv may accept only one per turn. */
const EMPTY_TURNS = 3
const MAX_TURNS = 1000

/**
 * How long the rest of an answered request is read and dropped: between two pieces, and in all. As nginx does:
 * https://nginx.org/en/docs/http/ngx_http_core_module.html#lingering_close (2026-11-26)
 */
export const LINGER_GAP_MS = 5000
export const LINGER_MS = 30_000

/**
 * The response that a connection is sending, or that it sent before all of the request arrived; `idle`: it waits for its next request;
 * undefined: it waits for its first.
 */
type Answers = Map<Socket, ServerResponse | 'idle' | undefined>

const isOpen = (answer: ServerResponse | 'idle' | undefined): answer is ServerResponse => answer !== undefined && answer !== 'idle'

/** Tracks the connections of a server that does not listen yet. */
export function followConnections(server: Server): Connections {
  const answers: Answers = new Map()
  function forget(this: ServerResponse): void {
    const { socket } = this.req
    if (answers.get(socket) !== this) return
    if (this.req.complete) answers.set(socket, 'idle')
    else this.req.once('close', () => forget.call(this))
  }
  /** Node calls this instead of the socket's own `destroySoon`. */
  function closeSoon(this: Socket): void {
    const answer = answers.get(this)
    if (isOpen(answer) && !answer.req.complete) linger(this, answer.req)
    else destroySoon(this)
  }
  let isEnding = false
  let accepted = 0
  let acceptedAt = 0
  server.on('connection', (socket) => {
    accepted += 1
    acceptedAt = performance.now()
    answers.set(socket, undefined)
    socket.destroySoon = closeSoon
    socket.once('close', () => answers.delete(socket))
  })
  server.on('clientError', (error, socket) => refuse(error, socket, answers))
  return {
    note: (incoming, outgoing) => {
      answers.set(incoming.socket, outgoing)
      // An idle connection must not retain its last request.
      outgoing.on('close', forget)
      if (isEnding) outgoing.shouldKeepAlive = false
    },
    stop: async ({ graceMs, deadlineMs, onDeadline, isReplaced = false }) => {
      isEnding = true
      for (const answer of answers.values()) if (isOpen(answer) && !answer.headersSent) answer.shouldKeepAlive = false
      const closed = once(server, 'close')
      if (isReplaced) stopAccepting(server)
      if (graceMs > 0) await wait(graceMs)
      const last = performance.now() + graceMs
      for (let left = 1; left > 0;) {
        const now = performance.now()
        left = Math.min(acceptedAt + QUIET_MS, last) - now
        if (left > 0) await wait(left)
      }
      if (!isReplaced) {
        await acceptPending(() => accepted)
        stopAccepting(server)
      }
      closeAnswered(answers)
      if (await isWithin(closed, deadlineMs)) return
      if (onDeadline !== undefined) {
        onDeadline()
        if (await isWithin(closed, LAST_MESSAGE_MS)) return
      }
      server.closeAllConnections()
      await closed
    },
  }
}

function destroySoon(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket)
}

/**
 * Closes a connection whose client is still sending a request that was answered: sends the end, and reads and drops the rest, within
 * limits. Closing with unread bytes would reset the connection, and the client would lose the response.
 */
function linger(socket: Socket, incoming?: IncomingMessage): void {
  if (socket.writableEnded) return
  socket.end()
  // Node destroys a connection that is silent for so long.
  socket.setTimeout(LINGER_GAP_MS)
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  incoming?.once('close', () => destroySoon(socket))
  incoming?.resume()
}

/** Clients that send too slowly are not read on. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Answers that Node gives by itself. https://nodejs.org/api/http.html#event-clienterror (2026-11-24) */
const REFUSALS: Readonly<Record<string, string>> = {
  [LATE]: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

/**
 * Answers a request that cannot be read. A connection that has sent nothing is closed in silence: a load balancer or browser that opened
 * it in advance would take an answer for that of its next request.
 */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, answers: Answers): void {
  if (!(socket instanceof Socket)) return void socket.destroy()
  // The rest of a request that was answered arrives.
  if (socket.writableEnded) return
  const answer = answers.get(socket)
  if (socket.bytesRead === 0 || !socket.writable || (isOpen(answer) && answer.headersSent)) return void socket.destroy()
  socket.write(`HTTP/1.1 ${REFUSALS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
  if (error.code === LATE) destroySoon(socket)
  else linger(socket)
}

/** Accepts the connections that the kernel has queued: the kernel resets those still queued when the listener closes. */
async function acceptPending(accepted: () => number): Promise<void> {
  for (let turn = 0, empty = 0; turn < MAX_TURNS && empty < EMPTY_TURNS; turn += 1) {
    const before = accepted()
    await immediate()
    empty = accepted() === before ? empty + 1 : 0
  }
}

/**
 * http's own `close` is not used: it also destroys connections whose response is complete but not yet written, so a client would lose
 * the end of it.
 */
function stopAccepting(server: Server): void {
  TcpServer.prototype.close.call(server)
}

/** Closes each connection when its response is sent. */
function closeAnswered(answers: Answers): void {
  for (const [socket, answer] of answers) {
    if (answer === undefined) closeUnused(socket, answers)
    else if (!isOpen(answer) || answer.closed) socket.destroySoon()
    else answer.once('close', () => socket.destroySoon())
  }
}

/** Closes a new connection unless its first request arrives within `UNUSED_MS`. */
function closeUnused(socket: Socket, answers: Answers): void {
  const timer = setTimeout(() => {
    if (answers.get(socket) === undefined) socket.destroySoon()
  }, UNUSED_MS)
  socket.once('close', () => clearTimeout(timer))
}

async function isWithin(closed: Promise<unknown>, ms: number): Promise<boolean> {
  const stop = new AbortController()
  try {
    return await Promise.race([closed.then(() => true), wait(ms, false, { signal: stop.signal })])
  } finally {
    stop.abort()
  }
}
