import { createWriteStream } from 'node:fs'
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@tollgate/contracts/app-error'
import { IMPORT_SOURCE_HOURS, MAX_IMPORT_FILE } from '@tollgate/contracts/resources/imports'

const PREFIX = 'tollgate-import-'
const KEPT_MS = IMPORT_SOURCE_HOURS * 3_600_000
const SQLITE = 'SQLite format 3\0'
/** A configuration is parsed as a whole. */
const MAX_YAML = 4 * 1024 * 1024

export type UploadedFile = { readonly path: string; readonly bytes: number }

/** Writes a file as it arrives to a folder of its own that only this account can read. It is removed after a day at the latest. */
export async function receiveFile(body: ReadableStream<Uint8Array> | null, name: string, limit = MAX_IMPORT_FILE): Promise<UploadedFile> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  try {
    const path = join(folder, /\.ya?ml$/i.test(name) ? 'source.yaml' : 'source.db')
    const max = path.endsWith('.yaml') ? Math.min(limit, MAX_YAML) : limit
    let bytes = 0
    await pipeline(
      body === null ? Readable.from([]) : Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), // the same stream by another name
      async function* count(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          if (bytes > max) throw new AppError('import.file-large', { limit: `${max / 1024 / 1024} MB` })
          yield chunk
        }
      },
      createWriteStream(path, { mode: 0o600, flags: 'wx' }),
    )
    if (path.endsWith('.db') && !(await isSqlite(path))) throw new AppError('import.file-kind')
    setTimeout(() => void removeFile(path), KEPT_MS).unref()
    return { path, bytes }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    // A caller that leaves while it sends is not a fault of this service.
    throw error instanceof AppError ? error : new AppError('params.invalid', {}, { cause: error })
  }
}

async function isSqlite(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0)
    return bytesRead === SQLITE.length && buffer.toString('latin1') === SQLITE
  } finally {
    await file.close()
  }
}

/** Removes an uploaded file with its folder. */
export async function removeFile(path: string): Promise<void> {
  if (dirname(path).startsWith(join(tmpdir(), PREFIX))) await rm(dirname(path), { recursive: true, force: true })
}

/** Removes what processes that have ended left behind, after a day. */
export async function sweepFiles(now: number): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX))
  for (const name of names) {
    const folder = join(tmpdir(), name)
    const facts = await stat(folder).catch(() => undefined)
    if (facts !== undefined && facts.uid === process.getuid?.() && facts.mtimeMs < now - KEPT_MS)
      await rm(folder, { recursive: true, force: true })
  }
}
