import { stringEnd } from './json-splice.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** Measured heap bytes of a V8 value beside its text, without pointer compression, rounded up. */
const OF_STRUCTURE = 64
const OF_STRING = 48
const OF_SCALAR = 24

/**
 * Estimates the heap bytes that the parsed values of a JSON text take beside the text itself. Stops once the estimate exceeds `limit`.
 * Strings are skipped, so large texts are cheap.
 */
export function estimateJsonHeapBytes(raw: Buffer, limit: number): number {
  let size = 0
  for (let at = 0; at < raw.length && size <= limit; at += 1) {
    const byte = raw[at]
    if (byte === QUOTE) {
      size += OF_STRING
      at = stringEnd(raw, at) - 1
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) size += OF_STRUCTURE
    else if (byte === COMMA) size += OF_SCALAR
  }
  return size
}
