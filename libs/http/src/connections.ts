import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'

export type StopOptions = {
  /**
   * For this long new connections are still accepted, for those who did not hear yet; every answer already ends its connection. As
   * much again while connections go on coming: the kernel resets those that are made in the instant the socket closes.
   */
  readonly graceMs: number
  /** After the grace, how long running answers may take. */
  readonly deadlineMs: number
  /** What can be said to those who are still here at the deadline; they have a second to hear it. */
  readonly onDeadline?: () => void
}

/** A server's open connections, and how to let them go without losing an answer. */
export type Connections = {
  /** To be called with every request, before it is served. */
  note(incoming: IncomingMessage, outgoing: ServerResponse): void
  stop(options: StopOptions): Promise<void>
}

const FAREWELL_MS = 1000
const UNUSED_MS = 500
/** No new connection for this long: whoever sends us requests has looked elsewhere. */
const QUIET_MS = 200
/** Turns of the loop without a new connection after which none waits in the kernel any more: libuv may accept one a turn. */
const EMPTY_TURNS = 3
const MAX_TURNS = 1000

/** The answer that a connection is at; `given`: it waits for its next request; undefined: for its first. */
type Answers = Map<Socket, ServerResponse | 'given' | undefined>

const isOpen = (answer: ServerResponse | 'given' | undefined): answer is ServerResponse => answer !== undefined && answer !== 'given'

/** Follows the connections of a server that does not listen yet. */
export function followConnections(server: Server): Connections {
  const answers: Answers = new Map()
  function forget(this: ServerResponse): void {
    const { socket } = this.req
    if (answers.get(socket) === this) answers.set(socket, 'given')
  }
  let isEnding = false
  let accepted = 0
  let acceptedAt = 0
  server.on('connection', (socket) => {
    accepted += 1
    acceptedAt = performance.now()
    answers.set(socket, undefined)
    socket.once('close', () => answers.delete(socket))
  })
  return {
    note: (incoming, outgoing) => {
      answers.set(incoming.socket, outgoing)
      // An idle connection must not keep all of its last request.
      outgoing.on('close', forget)
      if (isEnding) outgoing.shouldKeepAlive = false
    },
    stop: async ({ graceMs, deadlineMs, onDeadline }) => {
      isEnding = true
      for (const answer of answers.values()) if (isOpen(answer) && !answer.headersSent) answer.shouldKeepAlive = false
      if (graceMs > 0) await wait(graceMs)
      const last = performance.now() + graceMs
      for (let left = 1; left > 0;) {
        const now = performance.now()
        left = Math.min(acceptedAt + QUIET_MS, last) - now
        if (left > 0) await wait(left)
      }
      await emptyQueue(() => accepted)
      const closed = closeGently(server, answers)
      if (await isWithin(closed, deadlineMs)) return
      if (onDeadline !== undefined) {
        onDeadline()
        if (await isWithin(closed, FAREWELL_MS)) return
      }
      server.closeAllConnections()
      await closed
    },
  }
}

/** Lets the loop accept what the kernel holds ready: what is not accepted when the listener closes is reset. */
async function emptyQueue(accepted: () => number): Promise<void> {
  for (let turn = 0, empty = 0; turn < MAX_TURNS && empty < EMPTY_TURNS; turn += 1) {
    const before = accepted()
    await immediate()
    empty = accepted() === before ? empty + 1 : 0
  }
}

/**
 * Accepts no more connections and lets each open one go when its answer is out. Not by http's own `close`: it also destroys
 * connections whose answer is complete but not yet written, and a client would lose the end of it.
 */
function closeGently(server: Server, answers: Answers): Promise<unknown> {
  const closed = once(server, 'close')
  TcpServer.prototype.close.call(server)
  for (const [socket, answer] of answers) {
    if (answer === undefined) closeUnused(socket, answers)
    else if (!isOpen(answer) || answer.closed) socket.destroySoon()
    else answer.once('close', () => socket.destroySoon())
  }
  return closed
}

/** A connection that has just been made: its request is on its way. */
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
