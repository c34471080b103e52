import type { Dispatcher } from 'undici'

type Body = NonNullable<Dispatcher.DispatchOptions['body']>

/** Below this a body may live as long as its call: letting it go would cost more than keeping it. */
const SMALL = 64 * 1024

/** The body as undici is to send it: a large one is handed over piece by piece, because undici keeps a buffer until the answer has ended. */
export function toPassingBody(body: Buffer): Body {
  if (body.length < SMALL) return body
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
