import { randomInt } from 'node:crypto'

export const REQUEST_ID_HEADER = 'X-Oneapi-Request-Id'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * A new request id: UTC `yyyyMMddHHmmss`, nine digits of the second's fraction, eight random characters. Never taken from a
 * header: the day in it decides where the usage key is kept.
 */
export function createRequestId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/\D/g, '').slice(0, 17)
  const fraction = String(process.hrtime.bigint() % 1_000_000n).padStart(6, '0')
  let tail = ''
  for (let i = 0; i < 8; i += 1) tail += LETTERS.charAt(randomInt(LETTERS.length))
  return stamp + fraction + tail
}
