import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '@tollgate/contracts/app-error'
import {
  contentCodingOf,
  createContentDecoder,
  isOverExpanded,
  MAX_EXPANSION,
  type ContentDecoder,
} from '@tollgate/outbound/content-coding'
import { ClientDisconnectedError } from '../../errors/client-disconnected-error.ts'
import type { BodyAccount } from './body-budget.ts'
import { BodySink } from './body-sink.ts'
import { watchPace, type Pace } from './pace.ts'

/** A collected body. `release` frees its bytes and their share of the budget; it may be called more than once. */
export type Body = { readonly bytes: Buffer; release(): void }

const NOTHING = Buffer.alloc(0)
const NEXT_TICK = Promise.resolve()

type Limits = {
  readonly max: number
  /** The body's bytes in the budget; closed with the body. */
  readonly account: BodyAccount
  readonly pace: Pace
  /** A byte order mark at the start is dropped. */
  readonly isText: boolean
  /** Bodies over this many bytes are collected in shared memory, for body workers. */
  readonly sharedOver: number
  /** Called when the body is incomplete and must be waited for. */
  readonly onWait: () => void
  /** Called with the bytes as they arrive, before decompression. */
  readonly onBytes?: ((piece: Buffer) => void) | undefined
}

/**
 * Collects a request's body. `max` and the budget count bytes after decompression, as they arrive, because a client that declares a
 * length has sent nothing yet. Throws errors with status 413, 429, 503, 408 or 400.
 */
export async function collectBody(
  incoming: IncomingMessage,
  { max, account, pace, isText, sharedOver, onWait, onBytes }: Limits,
): Promise<Body> {
  const source = openSource(incoming)
  const declared = source === incoming ? Number(incoming.headers['content-length'] ?? 0) : 0
  if (declared > max) throw new AppError('request.too-large', { limit: max })
  const refuse = (size: number) => {
    if (size > max) return new AppError('request.too-large', { limit: max })
    const covered = account.cover(size)
    if (covered === 'covered') return undefined
    return new AppError(covered === 'full' ? 'request.busy' : 'request.share')
  }
  try {
    if (source !== incoming && onBytes !== undefined) incoming.on('data', onBytes)
    const reading = { declared, sharedOver, refuse, pace, onBytes: source === incoming ? onBytes : undefined }
    if (source === incoming) {
      // A body in the same packet as its head is complete once the parser has finished that packet.
      await NEXT_TICK
      const whole = takeWhole(incoming, reading)
      if (whole !== undefined) onBytes?.(whole)
      if (whole !== undefined) return new CollectedBody(isText ? withoutMark(whole) : whole, account)
    }
    onWait()
    const bytes = await readAll(source, incoming, reading)
    return new CollectedBody(isText ? withoutMark(bytes) : bytes, account)
  } catch (error) {
    account.close()
    throw error
  }
}

/** Drops the UTF-8 byte order mark that some clients write before JSON. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

class CollectedBody implements Body {
  #bytes: Buffer
  readonly #account: BodyAccount

  constructor(bytes: Buffer, account: BodyAccount) {
    this.#bytes = bytes
    this.#account = account
  }

  get bytes(): Buffer {
    return this.#bytes
  }

  release(): void {
    this.#bytes = NOTHING
    this.#account.close()
  }
}

/** Clients send `deflate` with the header that the standard requires. */
const ZLIB_HEADER = 0x78

function openSource(incoming: IncomingMessage): Readable | ContentDecoder {
  const coding = contentCodingOf(incoming.headers['content-encoding'])
  if (coding === '') return incoming
  const decoder = createContentDecoder(coding, ZLIB_HEADER)
  if (decoder === undefined) throw new AppError('request.invalid', { detail: 'unsupported content-encoding' })
  incoming.pipe(decoder)
  return decoder
}

type Reading = {
  readonly declared: number
  readonly sharedOver: number
  readonly pace: Pace
  readonly onBytes: ((piece: Buffer) => void) | undefined
  /** The error for a body of this size, if it is too large or over the budget. */
  refuse(size: number): AppError | undefined
}

/** Undefined: the body is incomplete or large, and is collected piece by piece. */
function takeWhole(incoming: IncomingMessage, { refuse, sharedOver }: Pick<Reading, 'refuse' | 'sharedOver'>): Buffer | undefined {
  if (!incoming.complete || incoming.destroyed || incoming.readableLength > sharedOver) return undefined
  const refusal = refuse(incoming.readableLength)
  if (refusal !== undefined) throw refusal
  const bytes: Buffer | null = incoming.read()
  return bytes ?? NOTHING
}

function readAll(
  source: Readable | ContentDecoder,
  incoming: IncomingMessage,
  { declared, sharedOver, refuse, pace, onBytes }: Reading,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sink = new BodySink(declared, sharedOver)
    const unwatch = watchPace(sink, pace, () => stop(new AppError('request.slow')))
    const stop = (error: Error) => {
      unwatch()
      source.off('data', onData)
      if (source !== incoming) {
        incoming.unpipe()
        source.destroy()
      }
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      const size = sink.size + chunk.length
      const refusal = 'bytesWritten' in source && isOverExpanded(source, size) ? overExpanded() : refuse(size)
      onBytes?.(chunk)
      if (refusal === undefined) sink.add(chunk)
      else stop(refusal)
    }
    const fail = (error: Error) => stop(source === incoming ? new ClientDisconnectedError({ cause: error }) : unreadable())
    source.on('data', onData)
    source.once('end', () => {
      unwatch()
      // Listeners keep their closures until the request ends; removing them lets a stream drop its prompt.
      source.off('data', onData).off('error', fail)
      incoming.off('close', onClose)
      resolve(sink.join())
    })
    source.once('error', fail)
    // A destroyed stream emits no `end`, even if its last byte had arrived.
    const onClose = () => {
      if (!incoming.readableEnded) stop(new ClientDisconnectedError())
    }
    incoming.once('close', onClose)
    if (incoming.destroyed) onClose()
  })
}

function overExpanded(): AppError {
  return new AppError('request.invalid', { detail: `the compressed body expands to over ${MAX_EXPANSION} times its size` })
}

function unreadable(): AppError {
  return new AppError('request.invalid', { detail: 'the compressed body cannot be read' })
}
