import { AppError } from '@tollgate/contracts/app-error'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import type { Context } from 'hono'

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/**
 * Refuses a call that changes state and that a page of another origin makes. A browser says which page it is: Sec-Fetch-Site where the
 * connection is trustworthy, else Origin. Programs send neither.
 */
export async function refuseCrossSite(c: Context, endpoint: Endpoint, isOwnOrigin: (origin: URL) => Promise<boolean>): Promise<void> {
  if (!endpoint.changes) return
  const site = c.req.header('sec-fetch-site')
  if (site === 'same-origin') return
  // A typed address and a link of another program look the same.
  if (endpoint.method === 'GET' && isNavigation(c)) throw new AppError('guard.cross-site')
  if (site === 'none') return
  const origin = c.req.header('origin')
  if (site === undefined && origin === undefined) return
  const url = URL.parse(origin ?? '')
  if (site === 'cross-site' || url === null || !(await isOwnOrigin(url))) throw new AppError('guard.cross-site')
}

/** True if a browser opens a page: without Sec-Fetch-Mode, by what it accepts. */
function isNavigation(c: Context): boolean {
  const mode = c.req.header('sec-fetch-mode')
  return mode === undefined ? /\btext\/html\b/i.test(c.req.header('accept') ?? '') : mode === 'navigate'
}

/**
 * True if a script of our own pages, or a program, made the call: a browser says so, or a header is there that a page of another origin
 * cannot set and that every console sends.
 */
export const isOwnScript = (c: Context): boolean =>
  c.req.header('sec-fetch-site') === 'same-origin' || (c.req.header('new-api-user') ?? '') !== ''

/**
 * Refuses a body that a form or a page of another origin can send without asking first: text/plain, a form, or no type. A call with an
 * Authorization header may send any type: `curl -d` names none, and a page of another origin cannot set that header.
 */
export function refuseUntypedBody(c: Context): void {
  if (JSON_TYPE.test(c.req.header('content-type') ?? '') || c.req.header('authorization') !== undefined) return
  const isEmpty = c.req.raw.body === null || c.req.header('content-length') === '0'
  if (!isEmpty) throw new AppError('guard.content-type')
}
