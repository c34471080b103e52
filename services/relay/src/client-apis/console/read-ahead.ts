import type { IncomingMessage } from 'node:http'
import { AppError } from '@tollgate/contracts/app-error'
import type { Share } from '@tollgate/shares/budget'
import { ClientDisconnectedError } from '../../errors/client-disconnected-error.ts'
import { BodySink } from '../../transport/body/body-sink.ts'
import { watchPace, type Pace } from '../../transport/body/pace.ts'

type Limits = {
  /** Longer bodies are passed on as they come. */
  readonly max: number
  /** Grows with the bytes that are kept. */
  readonly share: Share
  readonly pace: Pace
}

const NO_SHARED_MEMORY = Number.POSITIVE_INFINITY

/**
 * The whole body, undecoded; undefined: it is longer than `max`, and the message still yields all of it. Throws an AppError when the
 * body is too slow or finds no room, and ClientDisconnectedError.
 */
export function readAhead(incoming: IncomingMessage, { max, share, pace }: Limits): Promise<Buffer | undefined> {
  const declared = Number(incoming.headers['content-length'] ?? 0)
  const sink = new BodySink(declared > max ? 0 : declared, NO_SHARED_MEMORY)
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      unwatch()
      incoming.off('data', onData).off('end', onEnd).off('close', onClose)
    }
    const fail = (error: Error): void => {
      stop()
      incoming.pause()
      reject(error)
    }
    const onData = (chunk: Buffer): void => {
      const covered = share.cover(sink.size + chunk.length)
      if (covered !== 'covered') return fail(new AppError(covered === 'full' ? 'console.busy' : 'console.share'))
      sink.add(chunk)
      if (sink.size <= max) return
      stop()
      incoming.pause()
      incoming.unshift(sink.join())
      resolve(undefined)
    }
    const onEnd = (): void => {
      stop()
      resolve(sink.join())
    }
    // A destroyed stream emits no `end`, even if its last byte had arrived.
    const onClose = (): void => fail(new ClientDisconnectedError())
    const unwatch = watchPace(sink, pace, () => fail(new AppError('request.slow')))
    incoming.on('data', onData).once('end', onEnd).once('close', onClose)
    if (incoming.destroyed) onClose()
  })
}
