import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'
import type { ReplyHeaders } from '../transport/reply.ts'

/**
 * Sends a body after its head, at the pace of the client. A body that breaks off cuts the connection, so that the client cannot take a
 * part for the whole; a client that disconnects ends the body.
 */
export async function pipeBody(body: Readable, { reply, id }: RequestContext, { log }: Pick<RelayDeps, 'log'>): Promise<void> {
  let next: (() => void) | undefined
  const sink = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      if (reply.write(piece)) done()
      else next = done
    },
    final: (done) => {
      reply.end()
      done()
    },
  })
  reply.onDrain(() => {
    const resume = next
    next = undefined
    resume?.()
  })
  reply.onDisconnect(() => body.destroy())
  if (reply.isClosed) body.destroy()
  try {
    await pipeline(body, sink)
  } catch (err) {
    if (!reply.isClosed) log.warn({ err, request_id: id }, 'A streamed body broke off')
    reply.cut()
  }
}

/** Sends pieces after a head that waits for the first of them: what cannot be read is an error of the API, not a cut answer. */
export async function pipePieces(
  pieces: AsyncGenerator<Buffer | string>,
  headers: ReplyHeaders,
  context: RequestContext,
  deps: Pick<RelayDeps, 'log'>,
): Promise<void> {
  const first = await pieces.next()
  async function* all() {
    if (first.done === true) return
    yield first.value
    yield* pieces
  }
  context.reply.head(200, { ...headers, 'Cache-Control': 'no-store' })
  await pipeBody(Readable.from(all()), context, deps)
}
