import type { MiddlewareHandler } from 'hono'

/**
 * Allows our own scripts and those of enabled widgets. Images and frames of any origin are allowed, because operators' texts and
 * chat pages use them; forms may post anywhere, because a payment form posts to the payment gateway.
 */
const contentPolicy = (scripts: readonly string[]): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    'img-src * data: blob:',
    // Speech that the playground has just received; music and video of tasks, at the vendors' addresses.
    "media-src 'self' blob: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    'frame-src *',
    'form-action *',
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'self'",
  ].join('; ')

type Inputs = { readonly scripts: () => Promise<readonly string[]>; readonly isHttps: () => Promise<boolean> }

/** https://www.rfc-editor.org/rfc/rfc6797 */
const YEAR_S = 31_536_000

/**
 * Headers of every response of the control plane. `scripts` returns the origins of additional scripts and is called for pages only.
 * `isHttps`: a page tells browsers to use https only, for this host and no other.
 * There is no `Access-Control-*` header on `/api`: the console has the same origin.
 */
export function securityHeaders({ scripts, isHttps }: Inputs): MiddlewareHandler {
  return async (c, next) => {
    await next()
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('X-Frame-Options', 'SAMEORIGIN')
    const isPage = c.res.headers.get('Content-Type')?.startsWith('text/html') === true
    c.header('Content-Security-Policy', contentPolicy(isPage ? await scripts() : []))
    c.header('Referrer-Policy', 'same-origin')
    if (isPage && (await isHttps())) c.header('Strict-Transport-Security', `max-age=${YEAR_S}`)
    c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  }
}
