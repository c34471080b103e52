import { randomBytes } from 'node:crypto'

/** A UUID that sorts by time, so that lists are in the order in which their resources were made: https://www.rfc-editor.org/rfc/rfc9562#section-5.7 */
export function newId(nowMs: number): string {
  const random = randomBytes(10).toString('hex')
  const time = nowMs.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(8)}`
}
