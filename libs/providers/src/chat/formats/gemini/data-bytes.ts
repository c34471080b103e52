const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const FIELD = Buffer.from('data:')

/**
 * Extracts the bytes of an event's `data` from any pieces: field names, other fields and line ends are dropped. JSON text needs no line
 * ends.
 */
export class DataBytes {
  /** How much of `data:` was matched on this line; -1: another field; 5: what follows is data. */
  #seen = 0
  #isAfterField = false

  push(part: Buffer): Buffer {
    const pieces: Buffer[] = []
    let at = 0
    while (at < part.length) {
      if (this.#seen >= 0 && this.#seen < FIELD.length) at = this.#readName(part, at)
      else at = this.#readLine(part, at, pieces)
    }
    const [only] = pieces
    return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
  }

  #readName(part: Buffer, at: number): number {
    const byte = part[at]
    if (byte === LF || byte === CR) this.#seen = 0
    else if (byte === FIELD[this.#seen]) {
      this.#seen += 1
      this.#isAfterField = this.#seen === FIELD.length
    } else this.#seen = -1
    return at + 1
  }

  #readLine(part: Buffer, at: number, pieces: Buffer[]): number {
    const from = this.#isAfterField && part[at] === SPACE ? at + 1 : at
    this.#isAfterField = false
    const end = lineEnd(part, from)
    if (this.#seen === FIELD.length && end > from) pieces.push(part.subarray(from, end))
    if (end < part.length) this.#seen = 0
    return end + 1
  }
}

function lineEnd(part: Buffer, from: number): number {
  const lf = part.indexOf(LF, from)
  const cr = part.indexOf(CR, from)
  if (lf === -1 && cr === -1) return part.length
  if (lf === -1 || cr === -1) return Math.max(lf, cr)
  return Math.min(lf, cr)
}
