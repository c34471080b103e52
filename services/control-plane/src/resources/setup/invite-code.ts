import { randomInt } from 'node:crypto'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A new invite code: eight letters, long enough that collisions are negligible. */
export function createInviteCode(): string {
  return Array.from({ length: 8 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
}
