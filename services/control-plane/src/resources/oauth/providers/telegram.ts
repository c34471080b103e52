import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { TelegramQuery } from '@tollgate/contracts/resources/oauth'

/** The fields that Telegram signs; others, such as `lang`, are not part of the text. */
const SIGNED = ['auth_date', 'first_name', 'id', 'last_name', 'photo_url', 'username'] as const
const MAX_AGE_S = 300
/** A clock that is this much ahead of ours is accepted. */
const MAX_AHEAD_S = 60

/** True if Telegram signed these fields with the bot's token, within the last five minutes. */
export function isTelegramLogin(query: TelegramQuery, { token, now }: { readonly token: string; readonly now: number }): boolean {
  if (token === '' || !/^[1-9]\d{0,18}$/.test(query.id) || !/^\d{1,12}$/.test(query.auth_date)) return false
  const age = now - Number(query.auth_date)
  return age <= MAX_AGE_S && age >= -MAX_AHEAD_S && isSame(signatureOf(query, token), query.hash)
}

/** The hash that Telegram's widget sends for these fields. */
export function signatureOf(query: TelegramQuery, token: string): string {
  const lines = SIGNED.flatMap((field) => (query[field] === undefined ? [] : [`${field}=${query[field]}`]))
  const key = createHash('sha256').update(token).digest()
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}

function isSame(expected: string, given: string): boolean {
  return /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}
