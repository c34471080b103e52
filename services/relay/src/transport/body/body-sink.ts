/** Bodies of at most this declared size get their memory with the first piece. */
const EAGER = 64 * 1024
/** A larger body gets its memory when this part of it has arrived, because a declared length costs the client nothing. */
const ARRIVED_PART = 1 / 4
const MIN_BLOCK = 16 * 1024
const MAX_BLOCK = 1024 * 1024

const NOTHING = Buffer.alloc(0)

/**
 * Collects the pieces of a body in memory of about the size that has arrived. Small pieces are copied into blocks, because a list of
 * pieces of one byte takes a hundred times their bytes.
 *
 * A class, because V8 allocates an object literal with a getter in old space, which keeps the body until the next full collection.
 */
export class BodySink {
  /** 0: the length is not declared. */
  readonly #declared: number
  readonly #sharedOver: number
  #whole: Buffer | undefined
  #blocks: Buffer[] | undefined
  /** Bytes used of the last block. */
  #filled = 0
  #size = 0

  constructor(declared: number, sharedOver: number) {
    this.#declared = declared
    this.#sharedOver = sharedOver
  }

  get size(): number {
    return this.#size
  }

  add(chunk: Buffer): void {
    if (this.#size === 0 && chunk.length === this.#declared && chunk.length <= this.#sharedOver) this.#whole = chunk
    else {
      if (this.#whole === undefined && this.#isWorthAll(this.#size + chunk.length)) this.#gather(this.#declared)
      if (this.#whole === undefined) this.#addToBlocks(chunk)
      else chunk.copy(this.#whole, this.#size)
    }
    this.#size += chunk.length
  }

  join(): Buffer {
    if (this.#blocks !== undefined) this.#gather(this.#size)
    // Trim to the bytes received; the rest of the buffer is uninitialised memory.
    return this.#whole?.subarray(0, this.#size) ?? NOTHING
  }

  #isWorthAll(arrived: number): boolean {
    return this.#declared > 0 && (this.#declared <= EAGER || arrived >= this.#declared * ARRIVED_PART)
  }

  /** Allocates the whole body and moves the blocks into it. */
  #gather(size: number): void {
    const whole = bufferOf(size, this.#sharedOver)
    let at = 0
    const last = (this.#blocks?.length ?? 0) - 1
    for (const [index, block] of (this.#blocks ?? []).entries())
      at += block.copy(whole, at, 0, index === last ? this.#filled : block.length)
    this.#blocks = undefined
    this.#whole = whole
  }

  #addToBlocks(chunk: Buffer): void {
    this.#blocks ??= []
    for (let rest = chunk; rest.length > 0;) {
      let block = this.#blocks.at(-1)
      if (block === undefined || this.#filled === block.length) {
        block = Buffer.allocUnsafeSlow(Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, this.#size)))
        this.#blocks.push(block)
        this.#filled = 0
      }
      const copied = rest.copy(block, this.#filled)
      this.#filled += copied
      rest = rest.subarray(copied)
    }
  }
}

/** Allocates shared memory for large bodies, which body workers read without a copy. */
function bufferOf(size: number, sharedOver: number): Buffer {
  return size > sharedOver ? Buffer.from(new SharedArrayBuffer(size)) : Buffer.allocUnsafeSlow(size)
}
