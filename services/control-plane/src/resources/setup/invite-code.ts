import { randomInt } from 'node:crypto'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A new invite code: eight letters, long enough that collisions are negligible. */
export const createInviteCode = (): string => randomLetters(LETTERS)

/** Eight of these letters. */
export function randomLetters(letters: string): string {
  return Array.from({ length: 8 }, () => letters.charAt(randomInt(letters.length))).join('')
}
