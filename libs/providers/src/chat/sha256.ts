/** Constants of FIPS 180-4: the fractional parts of the square and cube roots of the first primes. */
const PRIMES = Array.from({ length: 312 }, (_, index) => index).filter(
  (value) => value > 1 && !Array.from({ length: value - 2 }, (_, index) => index + 2).some((divisor) => value % divisor === 0),
)
const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)))

const turn = (value: number, by: number) => (value >>> by) | (value << (32 - by))

/** The SHA-256 of a text in hex, for short texts: this package has neither I/O nor Node's modules, and runs in the browser too. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  bytes.forEach((byte, index) => padded.setUint8(index, byte))
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  let state = START
  for (let offset = 0; offset < padded.byteLength; offset += 64) state = withBlock(state, padded, offset)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function withBlock(state: readonly number[], bytes: DataView, offset: number): number[] {
  const words: number[] = []
  const at = (index: number) => words[index] ?? 0
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let index = 0; index < 64; index += 1) {
    const [near, far] = [at(index - 2), at(index - 15)]
    const mixed = () =>
      (at(index - 16) + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) + at(index - 7) + (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10))) |
      0
    words.push(index < 16 ? bytes.getInt32(offset + index * 4) : mixed())
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[index] ?? 0) + at(index)) | 0
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + (state[index] ?? 0)) | 0)
}
