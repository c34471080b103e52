import type { Context } from 'hono'

/** The answer to a path that is none of ours, in the shape API clients know. */
export function renderUnknownPath(c: Context): Response {
  const message = `Invalid URL (${c.req.method} ${c.req.path})`
  return c.json({ error: { message, type: 'invalid_request_error', param: '', code: '' } }, 404)
}
