import { randomInt } from 'node:crypto'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A new invite code: eight letters, so that a collision is not a matter of luck. */
export function createInviteCode(): string {
  return Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
}
