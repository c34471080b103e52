import type { MiddlewareHandler } from 'hono'

/** Origins that a page may load from, besides its own. */
export type PageSources = { readonly scripts: readonly string[]; readonly images: readonly string[] }

/**
 * Allows our own scripts and those of enabled widgets, and our own images and those of hosts that the operator names: a model's answer
 * could send a conversation away by the address of an image. Frames of any origin are allowed, because chat pages are framed; forms may
 * post anywhere, because a payment form posts to the payment gateway.
 */
const contentPolicy = ({ scripts, images }: PageSources): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...images].join(' '),
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

type Inputs = { readonly sources: () => Promise<PageSources>; readonly isHttps: () => Promise<boolean> }

const NO_SOURCES: PageSources = { scripts: [], images: [] }

/** https://www.rfc-editor.org/rfc/rfc6797 */
const YEAR_S = 31_536_000

/**
 * Headers of every response of the control plane. `sources` is called for pages only. A handler may set a narrower policy itself.
 * `isHttps`: a page tells browsers to use https only, for this host and no other.
 * There is no `Access-Control-*` header on `/api`: the console has the same origin.
 */
export function securityHeaders({ sources, isHttps }: Inputs): MiddlewareHandler {
  return async (c, next) => {
    await next()
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('X-Frame-Options', 'SAMEORIGIN')
    const isPage = c.res.headers.get('Content-Type')?.startsWith('text/html') === true
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.header('Content-Security-Policy', contentPolicy(isPage ? await sources() : NO_SOURCES))
    }
    c.header('Referrer-Policy', 'same-origin')
    if (isPage && (await isHttps())) c.header('Strict-Transport-Security', `max-age=${YEAR_S}`)
    c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  }
}
