import { createHash, randomBytes } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { cookieAttributes } from './cookie-sessions.ts'

const COOKIE = 'sign_in_browser'
/** Longer than any record that is bound to it. */
const LIFETIME_S = 600

/** The hash of this browser's secret, which is made here when it has none: what one browser began, no other can finish. */
export async function bindBrowser(deps: Pick<Deps, 'options' | 'env'>, c: Context): Promise<string> {
  const secret = getCookie(c, COOKIE) ?? randomBytes(32).toString('base64url')
  setCookie(c, COOKIE, secret, { ...(await cookieAttributes(deps)), maxAge: LIFETIME_S })
  return hashOf(secret)
}

export function isSameBrowser(c: Context, hash: string): boolean {
  const secret = getCookie(c, COOKIE)
  return secret !== undefined && hashOf(secret) === hash
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
