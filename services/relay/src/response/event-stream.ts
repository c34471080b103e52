import type { AnswerStream } from '@tollgate/providers/chat/stream'
import type { ResponseType } from '@tollgate/providers/calls/response-type'
import type { ClientApi } from '../request/client-api.ts'
import type { Reply } from '../transport/reply.ts'

const HEADERS = {
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
} as const

/** Sends the head of an event stream, unless a ping has sent it. */
export function beginEventStream(reply: Reply, content_type: ResponseType): void {
  if (!reply.hasHead && !reply.isClosed) reply.head(200, { 'Content-Type': content_type, ...HEADERS })
}

export type Pinger = {
  /** Restarts the interval, because a piece was written. */
  note(piece: Uint8Array): void
  /** From now on the answer's own event keeps the stream open, where its format has one. */
  follow(stream: Pick<AnswerStream, 'keepAlive'>): void
  stop(): void
}

const LINE_FEED = 10

type Streaming = { readonly reply: Reply; readonly clientApi: Pick<ClientApi, 'ping' | 'streamType'> }

/**
 * Writes a ping into a silent event stream, never inside an event. It may run before upstream's head arrives, which commits status
 * 200: a later failure is sent inside the stream. Returns undefined when pings are disabled.
 */
export function startPinger({ reply, clientApi }: Streaming, silenceMs: number | undefined): Pinger | undefined {
  if (silenceMs === undefined) return undefined
  const { ping, streamType } = clientApi
  let isBetweenEvents = true
  let followed: Pick<AnswerStream, 'keepAlive'> = {}
  const timer = setInterval(() => {
    if (reply.isClosed || !isBetweenEvents) return
    beginEventStream(reply, streamType)
    const text = followed.keepAlive?.() ?? ping
    if (text !== '') reply.ping(text)
  }, silenceMs)
  return {
    note: (piece) => {
      isBetweenEvents = piece.at(-1) === LINE_FEED
      timer.refresh()
    },
    follow: (stream) => {
      followed = stream
    },
    stop: () => clearInterval(timer),
  }
}
