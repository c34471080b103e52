import type { Reply } from './reply.ts'

const HEADERS = {
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
  'X-Accel-Buffering': 'no',
} as const

/** Sends the head of an event stream at once, unless a ping did. */
export function beginEventStream(reply: Reply, content_type: string): void {
  if (!reply.hasHead && !reply.isClosed) reply.head(200, { 'Content-Type': content_type, ...HEADERS })
}

export type Pinger = {
  /** A piece went out: the silence starts anew. */
  note(piece: Uint8Array): void
  stop(): void
}

const LINE_FEED = 10

type PingerInput = { readonly ping: string; readonly content_type: string; readonly silenceMs: number }

/**
 * Writes a comment into a silent event stream, also while upstream's head is still awaited; then the status is committed and a
 * later failure is told inside the stream. Never between the halves of an event.
 */
export function startPinger(reply: Reply, { ping, content_type, silenceMs }: PingerInput): Pinger {
  let isBetweenEvents = true
  const timer = setInterval(() => {
    if (reply.isClosed || !isBetweenEvents) return
    beginEventStream(reply, content_type)
    reply.ping(ping)
  }, silenceMs)
  return {
    note: (piece) => {
      isBetweenEvents = piece.at(-1) === LINE_FEED
      timer.refresh()
    },
    stop: () => clearInterval(timer),
  }
}
