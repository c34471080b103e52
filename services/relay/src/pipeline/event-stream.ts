import type { Reply } from '../reply.ts'

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
} as const

/** Sends the head of an event stream at once, unless a ping did. */
export function beginEventStream(reply: Reply): void {
  if (!reply.hasHead && !reply.isClosed) reply.head(200, HEADERS)
}

export type Pinger = {
  /** A piece went out: the silence starts anew. */
  note(piece: Uint8Array): void
  stop(): void
}

const PING = ': PING\n\n'
const LINE_FEED = 10

/**
 * Writes a comment into a silent event stream, also while upstream's head is still awaited; then the status is committed and a
 * later failure is told inside the stream. Never between the halves of an event.
 */
export function startPinger(reply: Reply, silenceMs: number): Pinger {
  let isBetweenEvents = true
  const timer = setInterval(() => {
    if (reply.isClosed || !isBetweenEvents) return
    beginEventStream(reply)
    reply.write(PING)
  }, silenceMs)
  return {
    note: (piece) => {
      isBetweenEvents = piece.at(-1) === LINE_FEED
      timer.refresh()
    },
    stop: () => clearInterval(timer),
  }
}
