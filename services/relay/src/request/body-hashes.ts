import { createHash, type Hash } from 'node:crypto'
import type { HashedBodies } from '@tollgate/contracts/relay/usage-event'
import type { Reply } from '../transport/reply.ts'

/** SHA-256 of a request's body and of its answer, where the token asks for it: of the bytes as they arrive and are sent, piece by piece. */
export class BodyHashes {
  #request: BytesHash | undefined
  #answer: BytesHash | undefined
  #bodies: HashedBodies | undefined

  /** Begins before the first byte of either. Returns the listener for the bytes of the request. */
  start(reply: Reply): (piece: Uint8Array) => void {
    const request = new BytesHash()
    this.#request = request
    this.#answer = new BytesHash()
    reply.onSent((piece) => this.#answer?.add(piece))
    return (piece) => request.add(piece)
  }

  /** Ends with the bytes that are sent after the settlement; undefined: nothing more is sent, and the answer is incomplete. */
  end(last: Uint8Array | string | undefined): void {
    if (this.#request === undefined || this.#answer === undefined) return
    if (last !== undefined) this.#answer.add(last)
    this.#bodies = { request: this.#request.end(), answer: { ...this.#answer.end(), is_cut: last === undefined } }
    this.#request = undefined
    this.#answer = undefined
  }

  /** Undefined: the token does not ask for hashes, or the request has not ended. */
  get bodies(): HashedBodies | undefined {
    return this.#bodies
  }
}

class BytesHash {
  readonly #hash: Hash = createHash('sha256')
  #bytes = 0

  add(piece: Uint8Array | string): void {
    this.#hash.update(piece)
    this.#bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
  }

  end(): { readonly sha256: string; readonly bytes: number } {
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes }
  }
}
