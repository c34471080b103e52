import { randomFillSync } from 'node:crypto'

export const REQUEST_ID_HEADER = 'X-Oneapi-Request-Id'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const TAIL = 8
const LOWEST_BITS = 63

/** Random bytes are drawn in bulk: one draw costs more than the rest of the function. */
const pool = Buffer.alloc(4096)
let used = pool.length

let second = Number.NaN
let stampOfSecond = ''

/**
 * A new request id: UTC `yyyyMMddHHmmss`, nine digits of the second's fraction, eight random characters. It is never taken from a
 * header, because its day selects the partition of the usage key.
 */
export function createRequestId(nowMs: number): string {
  const at = Math.floor(nowMs / 1000)
  if (at !== second) {
    second = at
    stampOfSecond = new Date(at * 1000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  }
  const fraction = Math.floor(nowMs - at * 1000) * 1_000_000 + (process.hrtime()[1] % 1_000_000)
  return stampOfSecond + String(fraction).padStart(9, '0') + randomTail()
}

function randomTail(): string {
  let tail = ''
  while (tail.length < TAIL) tail += LETTERS.charAt(nextByte() & LOWEST_BITS)
  return tail
}

/** `LETTERS.charAt` is empty for 62 and 63; those bytes are drawn again, so that all letters are equally likely. */
function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 1
  return pool[used - 1] ?? 0
}
