import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { Context } from 'hono'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
}

/** For files with a hash in their name. */
export const IMMUTABLE = 'public, max-age=31536000, immutable'
export const REVALIDATED = 'no-cache'

type File = { readonly path: string; readonly size: number; readonly tag: string; readonly encoding: 'br' | 'gzip' | undefined }

/** The file of a path below a folder, if there is one. */
export async function findFile(folder: string, path: string): Promise<File | undefined> {
  const wanted = normalize(join(folder, path))
  if (!wanted.startsWith(normalize(folder + sep)) || path.endsWith('/') || path.includes('\u0000')) return undefined
  const found = await stat(wanted).catch(() => undefined) // absent: the caller serves the page or a 404
  if (found?.isFile() !== true) return undefined
  return {
    path: wanted,
    size: found.size,
    // Weak, because the compressed forms share it.
    tag: `W/"${found.size.toString(36)}-${Math.floor(found.mtimeMs).toString(36)}"`,
    encoding: undefined,
  }
}

/** Sends a file, compressed where the build left a compressed one beside it. */
export async function sendFile(c: Context, file: File, caching: string, extra: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers: Record<string, string> = {
    'Content-Type': TYPES[extname(file.path)] ?? 'application/octet-stream',
    'Cache-Control': caching,
    ETag: file.tag,
    Vary: 'Accept-Encoding',
    ...extra,
  }
  if (c.req.header('if-none-match') === file.tag) return c.body(null, 304, headers)
  const sent = await findCompressed(c, file)
  if (sent.encoding !== undefined) headers['Content-Encoding'] = sent.encoding
  headers['Content-Length'] = String(sent.size)
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  // Readable.toWeb returns Node's own ReadableStream type, which is the same object at run time.
  return c.body(Readable.toWeb(createReadStream(sent.path)) as ReadableStream, 200, headers)
}

/** Prefers a `.br` or `.gz` file that the build left beside the file. */
async function findCompressed(c: Context, file: File): Promise<File> {
  const accepted = c.req.header('accept-encoding') ?? ''
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    if (!accepted.includes(encoding)) continue
    const found = await stat(file.path + ending).catch(() => undefined) // not compressed: the plain file is sent
    if (found?.isFile() === true) return { ...file, path: file.path + ending, size: found.size, encoding }
  }
  return file
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not a valid path: the start page is served.
    return '/'
  }
}
