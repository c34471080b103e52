import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { ArchiveManifest, type ArchivePart } from '@tollgate/contracts/values/log-archive'
import type { MediaStore } from '../media/media-store.ts'
import { Checksum } from '../streams/checksum.ts'

type ReadStore = Pick<MediaStore, 'get'>

/** Like `logs/2026/08/`. */
export const folderOf = (month: string): string => `logs/${month.replace('-', '/')}/`

export const manifestKey = (month: string): string => `${folderOf(month)}manifest.json`

/**
 * The lines of an object, of which only a few are in memory. Throws after the last line if the object is not the one that was written, so
 * what is made of the lines must wait for the end.
 */
export async function* readPartLines(store: ReadStore, part: ArchivePart, signal: AbortSignal): AsyncGenerator<string> {
  const body = await store.get(part.key, signal)
  if (body === undefined) throw new Error(`${part.key} is missing in the object store`)
  const checksum = new Checksum()
  const text = createZstdDecompress()
  const read = pipeline(body, checksum, text, { signal })
  // Its failure also ends `text`; it is thrown below.
  read.catch(() => undefined)
  let rows = 0
  for await (const line of linesOf(text)) {
    rows += 1
    yield line
  }
  await read
  if (rows !== part.rows || checksum.sha256() !== part.sha256) throw new Error(`${part.key} is not as it was written`)
}

/** Unlike `node:readline`, which also ends lines at U+2028 and U+2029. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    // With an encoding, chunks are texts.
    const lines = (rest + (chunk as string)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** The manifest of a month; undefined: it has none. Throws if it is no manifest. */
export async function readManifest(store: ReadStore, month: string, signal: AbortSignal): Promise<ArchiveManifest | undefined> {
  const body = await store.get(manifestKey(month), signal)
  if (body === undefined) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return ArchiveManifest.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))
}
