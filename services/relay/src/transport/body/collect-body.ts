import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { AppError } from '@tollgate/contracts/app-error'
import { ClientDisconnectedError } from '../../errors/client-disconnected-error.ts'
import type { BodyBudget } from './body-budget.ts'

/** A collected body; `release` forgets its bytes, gives them back to the budget, and may be called more than once. */
export type Body = { readonly bytes: Buffer; release(): void }

const NOTHING = Buffer.alloc(0)
const A_MOMENT = Promise.resolve()

type Limits = {
  readonly max: number
  readonly budget: BodyBudget
  /** Bodies over this many bytes come on memory that threads can share. */
  readonly sharedOver: number
  /** Called when the body is not here whole yet and has to be waited for. */
  readonly onWait: () => void
}

const DECODERS: Readonly<Record<string, () => Readable & NodeJS.WritableStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/**
 * Collects a request's body once. The cap counts bytes after decompression; the budget is taken before a declared length is read
 * and piece by piece otherwise. Refuses with 413, 503 or 400.
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
      // What came in one packet with its head lies here whole, once the parser has gone through that packet.
      await A_MOMENT
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

/** What one body has taken of the budget. */
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

function openSource(incoming: IncomingMessage): Readable {
  const encoding = incoming.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return incoming
  const createDecoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (createDecoder === undefined) throw new AppError('request.invalid', { detail: 'unsupported content-encoding' })
  const decoder = createDecoder()
  incoming.pipe(decoder)
  return decoder
}

type Reading = {
  readonly declared: number
  readonly sharedOver: number
  /** Why a body of this size is not taken. */
  refuse(size: number): AppError | undefined
}

/** Undefined: it is one of those that are collected piece by piece. */
function takeWhole(incoming: IncomingMessage, { refuse, sharedOver }: Pick<Reading, 'refuse' | 'sharedOver'>): Buffer | undefined {
  if (!incoming.complete || incoming.destroyed || incoming.readableLength > sharedOver) return undefined
  const refusal = refuse(incoming.readableLength)
  if (refusal !== undefined) throw refusal
  const bytes: Buffer | null = incoming.read()
  return bytes ?? NOTHING
}

function readAll(source: Readable, incoming: IncomingMessage, { declared, sharedOver, refuse }: Reading): Promise<Buffer> {
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
      const refusal = refuse(sink.size + chunk.length)
      if (refusal === undefined) sink.add(chunk)
      else stop(refusal)
    }
    const fail = (error: Error) => stop(source === incoming ? new ClientDisconnectedError({ cause: error }) : unreadable())
    source.on('data', onData)
    source.once('end', () => {
      // Listeners live as long as the request, and what they see with them: a stream must not keep its prompt.
      source.off('data', onData).off('error', fail)
      incoming.off('close', leave)
      resolve(sink.join())
    })
    source.once('error', fail)
    // A stream destroyed before its end emits nothing more, not even where the last byte had arrived.
    const leave = () => {
      if (!incoming.readableEnded) stop(new ClientDisconnectedError())
    }
    incoming.once('close', leave)
    if (incoming.destroyed) leave()
  })
}

/**
 * Where pieces become a body: each is copied once, as it comes, so that no long copy waits at its end. A list of them is kept only
 * where nobody has said how many bytes there will be.
 *
 * A class because V8 makes an old object for each literal with a getter, and that one keeps the body until the next full collection
 * (docs/performance.md).
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
    // What was not written to is not the client's: it may be anybody's.
    if (this.#chunks === undefined) return this.#bytes?.subarray(0, this.#size) ?? NOTHING
    const bytes = bufferOf(this.#size, this.#sharedOver)
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(bytes, at)
    return bytes
  }
}

/** Of that many bytes, which threads can share where they are many. */
function bufferOf(size: number, sharedOver: number): Buffer {
  return size > sharedOver ? Buffer.from(new SharedArrayBuffer(size)) : Buffer.allocUnsafeSlow(size)
}

function unreadable(): AppError {
  return new AppError('request.invalid', { detail: 'the compressed body cannot be read' })
}
