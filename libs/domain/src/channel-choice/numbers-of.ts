/**
 * The random numbers of one draw, in [0, 1): Mulberry32, whose state is a counter, so that each draw of a request starts where its number
 * says and can be repeated alone. A draw uses at most two: the channel and its key.
 */
export function numbersOf(seed: number, draw: number): () => number {
  let state = (seed + Math.imul(2 * draw, STEP)) | 0
  return () => {
    state = (state + STEP) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const STEP = 0x6d2b79f5

/** A seed of 32 bits. */
export const seedFrom = (random: () => number): number => Math.floor(random() * 2 ** 32)
