/** Parses the framing of a chunked body (RFC 9112 section 7.1) without copying it. */
export class ChunkedBody {
  #state: 'size' | 'data' | 'after-data' | 'trailer' = 'size'
  #line = ''
  #left = 0

  /** Returns the offset at which the body ends in this buffer, or −1 if it continues. */
  push(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const step = Math.min(this.#left, bytes.length - at)
        at += step
        this.#left -= step
        if (this.#left === 0) this.#state = 'after-data'
        continue
      }
      const end = bytes.indexOf(10, at)
      this.#line += bytes.toString('latin1', at, end === -1 ? bytes.length : end)
      if (end === -1) return -1
      at = end + 1
      const line = this.#line.trimEnd()
      this.#line = ''
      if (this.#state === 'after-data') this.#state = 'size'
      else if (this.#state === 'size') {
        this.#left = Number.parseInt(line, 16)
        this.#state = this.#left === 0 ? 'trailer' : 'data'
      } else if (line === '') {
        this.#state = 'size'
        return at
      }
    }
    return -1
  }
}
