import type { MiddlewareHandler } from 'hono'
import { decodePath, findFile, IMMUTABLE, REVALIDATED, sendFile } from './static-files.ts'

const BASE = '/docs'

/** The search of the pages compiles WebAssembly; scripts are files of the site. Diagrams and coloured code have styles in the page. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
}

/** Serves the documentation that `npm run docs:build` made. Without it the paths belong to the console. */
export function docsFiles(folder: string): MiddlewareHandler {
  return async (c, next) => {
    if (folder === '' || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return await next()
    const path = decodePath(c.req.path).slice(BASE.length)
    const file = await findFile(folder, path.endsWith('/') ? `${path}index.html` : path)
    if (file !== undefined) return await sendFile(c, file, path.startsWith('/_astro/') ? IMMUTABLE : REVALIDATED, HEADERS)
    if ((await findFile(folder, `${path}/index.html`)) !== undefined) return c.redirect(`${BASE}${encodeURI(path)}/`, 301)
    const missing = await findFile(folder, '/404.html')
    if (missing === undefined) return await next()
    const { body, headers } = await sendFile(c, missing, REVALIDATED, HEADERS)
    return new Response(body, { status: 404, headers })
  }
}
