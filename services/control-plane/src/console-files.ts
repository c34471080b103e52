import { renderUnknownPath } from '@tollgate/http/unknown-path'
import type { Context } from 'hono'
import { decodePath, findFile, IMMUTABLE, REVALIDATED, sendFile } from './static-files.ts'

/**
 * Serves the built console. Assets with a hash in their name are cached indefinitely, other files are revalidated, and every other path
 * gets index.html, because the console routes in the browser. A missing asset is a 404, never the page.
 */
export function consoleFiles(folder: string): (c: Context) => Promise<Response> {
  return async (c) => {
    const path = decodePath(c.req.path)
    const isAsset = path.startsWith('/assets/')
    const file = folder === '' ? undefined : await findFile(folder, path)
    if (file !== undefined) return sendFile(c, file, isAsset ? IMMUTABLE : REVALIDATED)
    if (isAsset || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return c.notFound()
    if (isForProgram(c)) return renderUnknownPath(c)
    const page = folder === '' ? undefined : await findFile(folder, '/index.html')
    if (page === undefined) return c.text('The console is not built. Run: npm run build', 503)
    return sendFile(c, page, REVALIDATED)
  }
}

/** Programs that look for the API of another gateway; a browser that opens a page sends neither. */
function isForProgram(c: Context): boolean {
  const accept = c.req.header('accept') ?? ''
  return c.req.header('authorization') !== undefined || (accept.includes('application/json') && !accept.includes('text/html'))
}
