import type { MiddlewareHandler } from 'hono'

/**
 * Headers for every answer of the control plane. No `Access-Control-*` here or anywhere on `/api`: the console is of one origin.
 */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('X-Frame-Options', 'SAMEORIGIN')
  c.header('Referrer-Policy', 'same-origin')
  c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
}
