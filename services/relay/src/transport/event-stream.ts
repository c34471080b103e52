import type { ResponseType } from '@tollgate/providers/operations/response-type'
import type { ClientApi } from '../client-apis/client-api.ts'
import type { Reply } from './reply.ts'

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
  stop(): void
}

const LINE_FEED = 10

type Streaming = { readonly reply: Reply; readonly clientApi: Pick<ClientApi, 'ping' | 'streamType'> }

/**
 * Writes a comment into a silent event stream, never inside an event. It may run before upstream's head arrives, which commits status
 * 200: a later failure is sent inside the stream. Returns undefined when pings are disabled.
 */
export function startPinger({ reply, clientApi }: Streaming, silenceMs: number | undefined): Pinger | undefined {
  if (silenceMs === undefined) return undefined
  const { ping, streamType } = clientApi
  let isBetweenEvents = true
  const timer = setInterval(() => {
    if (reply.isClosed || !isBetweenEvents) return
    beginEventStream(reply, streamType)
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
