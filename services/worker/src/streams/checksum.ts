import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

/** Passes bytes on; after the last one it knows their number and SHA-256. */
export class Checksum extends Transform {
  readonly #hash = createHash('sha256')
  bytes = 0

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    this.bytes += chunk.length
    done(null, chunk)
  }

  /** In hexadecimal; to be asked for once. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
