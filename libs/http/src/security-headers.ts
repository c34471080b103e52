import type { MiddlewareHandler } from 'hono'

/**
 * What a page may load: our own scripts and those of the widgets that are on. Operators' texts may show any picture and frame,
 * chat pages live in frames, and a payment form is posted to the gateway.
 */
const contentPolicy = (scripts: readonly string[]): string =>
  [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    'img-src * data: blob:',
    "font-src 'self' data:",
    "connect-src 'self'",
    'frame-src *',
    'form-action *',
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'self'",
  ].join('; ')

/**
 * Headers for every answer of the control plane; `scripts` names the origins whose scripts pages may run besides our own, and is asked
 * for pages only. No `Access-Control-*` here or anywhere on `/api`: the console is of one origin.
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
