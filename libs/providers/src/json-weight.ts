import { stringEnd } from './json-splice.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** What V8 makes of a value beside its text, in bytes of a heap without compressed pointers: measured, rounded up. */
const OF_STRUCTURE = 64
const OF_STRING = 48
const OF_SCALAR = 24

/**
 * Roughly the bytes of heap that the values of a JSON text will take beside the text itself; what is no JSON weighs something too.
 * Stops counting beyond `most`: then the result says only that it is more. Strings are leapt over, so a large text costs little.
 */
export function weighJson(raw: Buffer, most: number): number {
  let weight = 0
  for (let at = 0; at < raw.length && weight <= most; at += 1) {
    const byte = raw[at]
    if (byte === QUOTE) {
      weight += OF_STRING
      at = stringEnd(raw, at) - 1
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) weight += OF_STRUCTURE
    else if (byte === COMMA) weight += OF_SCALAR
  }
  return weight
}
