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
import type { BodyBudget } from './body-budget.ts'

/** A collected body. `release` frees its bytes and their share of the budget; it may be called more than once. */
export type Body = { readonly bytes: Buffer; release(): void }

const NOTHING = Buffer.alloc(0)
const NEXT_TICK = Promise.resolve()

type Limits = {
  readonly max: number
  readonly budget: BodyBudget
  /** Bodies over this many bytes are collected in shared memory, for body workers. */
  readonly sharedOver: number
  /** Called when the body is incomplete and must be waited for. */
  readonly onWait: () => void
}

/**
 * Collects a request's body. `max` and the budget count bytes after decompression. The budget is taken before the first read if the length is declared,
 * otherwise piece by piece. Throws errors with status 413, 503 or 400.
 */
export async function collectBody(incoming: IncomingMessage, { max, budget, sharedOver, onWait }: Limits): Promise<Body> {
  const source = openSource(incoming)
  const declared = source === incoming ? Number(incoming.headers['content-length'] ?? 0) : 0
  if (declared > max) throw new AppError('request.too-large', { limit: max })
  const account = new Account(budget)
  const refuse = (size: number) => {
    if (size > max) return new AppError('request.too-large', { limit: max })
    return account.cover(size) ? undefined : new AppError('request.busy')
  }
  try {
    const busy = refuse(declared)
    if (busy !== undefined) throw busy
    const reading = { declared, sharedOver, refuse }
    if (source === incoming) {
      // A body in the same packet as its head is complete once the parser has finished that packet.
      await NEXT_TICK
      const whole = takeWhole(incoming, reading)
      if (whole !== undefined) return new CollectedBody(whole, account)
    }
    onWait()
    return new CollectedBody(await readAll(source, incoming, reading), account)
  } catch (error) {
    account.close()
    throw error
  }
}

class CollectedBody implements Body {
  #bytes: Buffer
  readonly #account: Account

  constructor(bytes: Buffer, account: Account) {
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

/** One body's share of the budget. */
class Account {
  readonly #budget: BodyBudget
  #taken = 0

  constructor(budget: BodyBudget) {
    this.#budget = budget
  }

  cover(size: number): boolean {
    if (size <= this.#taken) return true
    if (!this.#budget.take(size - this.#taken)) return false
    this.#taken = size
    return true
  }

  close(): void {
    this.#budget.give(this.#taken)
    this.#taken = 0
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

function readAll(source: Readable | ContentDecoder, incoming: IncomingMessage, { declared, sharedOver, refuse }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sink = new Sink(declared, sharedOver)
    const stop = (error: Error) => {
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
      if (refusal === undefined) sink.add(chunk)
      else stop(refusal)
    }
    const fail = (error: Error) => stop(source === incoming ? new ClientDisconnectedError({ cause: error }) : unreadable())
    source.on('data', onData)
    source.once('end', () => {
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

/**
 * Copies each piece as it arrives, so that there is no long copy at the end. Pieces are kept in a list only when the length is not
 * declared.
 *
 * A class, because V8 allocates an object literal with a getter in old space, which keeps the body until the next full collection.
 */
class Sink {
  readonly #declared: number
  readonly #sharedOver: number
  #bytes: Buffer | undefined
  #chunks: Buffer[] | undefined
  #size = 0

  constructor(declared: number, sharedOver: number) {
    this.#declared = declared
    this.#sharedOver = sharedOver
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    if (this.#declared === 0) (this.#chunks ??= []).push(chunk)
    else if (chunk.length === this.#declared && chunk.length <= this.#sharedOver) this.#bytes = chunk
    else chunk.copy((this.#bytes ??= bufferOf(this.#declared, this.#sharedOver)), this.#size)
    this.#size += chunk.length
  }

  join(): Buffer {
    // Trim to the bytes received; the rest of the buffer is uninitialised memory.
    if (this.#chunks === undefined) return this.#bytes?.subarray(0, this.#size) ?? NOTHING
    const bytes = bufferOf(this.#size, this.#sharedOver)
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(bytes, at)
    return bytes
  }
}

/** Allocates shared memory for large bodies, which body workers read without a copy. */
function bufferOf(size: number, sharedOver: number): Buffer {
  return size > sharedOver ? Buffer.from(new SharedArrayBuffer(size)) : Buffer.allocUnsafeSlow(size)
}

function overExpanded(): AppError {
  return new AppError('request.invalid', { detail: `the compressed body expands to over ${MAX_EXPANSION} times its size` })
}

function unreadable(): AppError {
  return new AppError('request.invalid', { detail: 'the compressed body cannot be read' })
}
