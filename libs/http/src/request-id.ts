import { randomFillSync } from 'node:crypto'

export const REQUEST_ID_HEADER = 'X-Oneapi-Request-Id'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const TAIL = 8
const LOWEST_BITS = 63

/** Random bytes are drawn in advance: a draw costs more than all the rest. */
const pool = Buffer.alloc(4096)
let used = pool.length

let second = Number.NaN
let stampOfSecond = ''

/**
 * A new request id: UTC `yyyyMMddHHmmss`, nine digits of the second's fraction, eight random characters. Never taken from a
 * header: the day in it decides where the usage key is kept.
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

/** Whoever falls behind the last letter is drawn again, so that each letter is as likely as the others. */
function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 1
  return pool[used - 1] ?? 0
}
