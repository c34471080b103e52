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

/**
 * Headers of every response of the control plane. `scripts` returns the origins of additional scripts and is called for pages only.
 * There is no `Access-Control-*` header on `/api`: the console has the same origin.
 */
export function securityHeaders({ scripts }: { readonly scripts: () => Promise<readonly string[]> }): MiddlewareHandler {
  return async (c, next) => {
    await next()
    c.header('X-Content-Type-Options', 'nosniff')
    c.header('X-Frame-Options', 'SAMEORIGIN')
    const isPage = c.res.headers.get('Content-Type')?.startsWith('text/html') === true
    c.header('Content-Security-Policy', contentPolicy(isPage ? await scripts() : []))
    c.header('Referrer-Policy', 'same-origin')
    c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
  }
}
