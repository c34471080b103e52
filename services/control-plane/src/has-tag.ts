import type { Context } from 'hono'

/** True if the caller has the answer with this ETag already (If-None-Match). */
export function hasTag(c: Context, tag: string): boolean {
  const known = (c.req.header('if-none-match') ?? '').split(',').map((part) => part.trim())
  return known.includes(tag) || known.includes('*')
}
