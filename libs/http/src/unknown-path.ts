import type { Context } from 'hono'

/** 404 for an unknown path, in the error format of API clients. */
export function renderUnknownPath(c: Context): Response {
  const message = `Invalid URL (${c.req.method} ${c.req.path})`
  return c.json({ error: { message, type: 'invalid_request_error', param: '', code: '' } }, 404)
}
