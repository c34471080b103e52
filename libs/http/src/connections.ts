import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, type Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises'

export type StopOptions = {
  /** For this long new connections are still accepted; every answer already ends its connection. For those who did not hear yet. */
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

/** Follows the connections of a server that does not listen yet. */
export function followConnections(server: Server): Connections {
  const answers = new Map<Socket, ServerResponse | undefined>()
  let isEnding = false
  server.on('connection', (socket) => {
    answers.set(socket, undefined)
    socket.once('close', () => answers.delete(socket))
  })
  return {
    note: (incoming, outgoing) => {
      answers.set(incoming.socket, outgoing)
      if (isEnding) outgoing.shouldKeepAlive = false
    },
    stop: async ({ graceMs, deadlineMs, onDeadline }) => {
      isEnding = true
      for (const answer of answers.values()) if (answer?.headersSent === false) answer.shouldKeepAlive = false
      if (graceMs > 0) await wait(graceMs)
      // A turn of the loop ends with this phase: what had arrived before it is accepted, not thrown away with the listener.
      await immediate()
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

/**
 * Accepts no more connections and lets each open one go when its answer is out. Not by http's own `close`: it also destroys
 * connections whose answer is complete but not yet written, and a client would lose the end of it.
 */
function closeGently(server: Server, answers: ReadonlyMap<Socket, ServerResponse | undefined>): Promise<unknown> {
  const closed = once(server, 'close')
  TcpServer.prototype.close.call(server)
  for (const [socket, answer] of answers) {
    if (answer === undefined) closeUnused(socket, answers)
    else if (answer.closed) socket.destroySoon()
    else answer.once('close', () => socket.destroySoon())
  }
  return closed
}

/** A connection that has just been made: its request is on its way. */
function closeUnused(socket: Socket, answers: ReadonlyMap<Socket, ServerResponse | undefined>): void {
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
