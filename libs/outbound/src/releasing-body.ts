import type { Dispatcher } from 'undici'

type Body = NonNullable<Dispatcher.DispatchOptions['body']>

/** Smaller bodies are kept for the duration of their call, which costs less than releasing them. */
const SMALL = 64 * 1024

/**
 * Wraps a body so that it is released once it is sent, although undici keeps a reference until the response ends. A small body is
 * copied out of the shared 64 KB block of Node's buffer pool, which it would otherwise retain.
 */
export function toReleasingBody(body: Buffer): Body {
  if (body.length < SMALL) return body.buffer.byteLength > 2 * body.length ? copyOf(body) : body
  // undici accepts any iterable, but its types omit it.
  return new ReleasingBody(body) as Iterable<Buffer> as Body & Iterable<Buffer>
}

/** Yields its bytes once and drops them. */
class ReleasingBody implements Iterable<Buffer> {
  readonly #pieces: Buffer[]

  constructor(body: Buffer) {
    this.#pieces = [body]
  }

  *[Symbol.iterator](): Generator<Buffer> {
    for (let piece = this.#pieces.pop(); piece !== undefined; piece = this.#pieces.pop()) yield piece
  }
}

/** A copy outside the buffer pool. */
function copyOf(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}
