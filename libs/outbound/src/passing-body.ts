import type { Dispatcher } from 'undici'

type Body = NonNullable<Dispatcher.DispatchOptions['body']>

/** Below this a body may live as long as its call: letting it go would cost more than keeping it. */
const SMALL = 64 * 1024

/**
 * The body as undici is to send it, which keeps a buffer until the answer has ended: a large one is handed over piece by piece, a small
 * one must not keep a block that it shares with others (Node's pool, 64 KB).
 */
export function toPassingBody(body: Buffer): Body {
  if (body.length < SMALL) return body.buffer.byteLength > 2 * body.length ? copyOf(body) : body
  // undici takes any iterable (docs/api/Dispatcher.md); its types leave it out.
  return new PassingBody(body) as Iterable<Buffer> as Body & Iterable<Buffer>
}

/** Gives its bytes away to the first who asks for them. */
class PassingBody implements Iterable<Buffer> {
  readonly #pieces: Buffer[]

  constructor(body: Buffer) {
    this.#pieces = [body]
  }

  *[Symbol.iterator](): Generator<Buffer> {
    for (let piece = this.#pieces.pop(); piece !== undefined; piece = this.#pieces.pop()) yield piece
  }
}

/** In memory of its own. */
function copyOf(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}
