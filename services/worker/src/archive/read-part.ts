import { on } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { createZstdDecompress } from 'node:zlib'
import { ArchiveManifest, type ArchivePart } from '@tollgate/contracts/values/log-archive'
import type { MediaStore } from '../media/media-store.ts'
import { Checksum } from '../streams/checksum.ts'
import type { ScanMessage } from './scan-thread.ts'

type ReadStore = Pick<MediaStore, 'get'>

/** Like `logs/2026/08/`. */
export const folderOf = (month: string): string => `logs/${month.replace('-', '/')}/`

export const manifestKey = (month: string): string => `${folderOf(month)}manifest.json`

/**
 * The lines of an object, of which only a few are in memory. Throws after the last line if the object is not the one that was written, so
 * what is made of the lines must wait for the end.
 */
export async function* readPartLines(store: ReadStore, part: ArchivePart, signal: AbortSignal): AsyncGenerator<string> {
  const body = await openPart(store, part, signal)
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
  check(part, { rows, sha256: checksum.sha256() })
}

/** Memory for blocks of a few hundred kilobytes, several of which wait to be collected. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

/**
 * The lines of an object that contain a text; without one, the object is only checked. A thread unpacks and searches it, because hundreds of
 * megabytes would occupy the event loop. Throws as `readPartLines` does.
 */
export async function* findInPart(store: ReadStore, part: ArchivePart, { text, signal }: Search): AsyncGenerator<string> {
  const body = await openPart(store, part, signal)
  const thread = new Worker(new URL('scan-thread.ts', import.meta.url), {
    name: 'archive',
    env: {},
    execArgv: [],
    workerData: { text },
    resourceLimits: THREAD_LIMITS,
  })
  try {
    // Without an encoding, chunks are bytes.
    const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    for await (const [message] of on(thread, 'message', { signal, close: ['exit'] })) {
      const from = message as ScanMessage // scan-thread.ts wrote it
      if (from.kind === 'line') yield from.line
      else if (from.kind === 'more') await sendNext(thread, chunks)
      else return check(part, from)
    }
    throw new Error(`The thread that read ${part.key} ended`)
  } finally {
    body.destroy()
    await thread.terminate()
  }
}

type Search = { readonly text: string | undefined; readonly signal: AbortSignal }

async function sendNext(thread: Worker, chunks: AsyncIterator<Buffer>): Promise<void> {
  const next = await chunks.next()
  if (next.done === true) return thread.postMessage(undefined)
  const copy = new Uint8Array(next.value)
  thread.postMessage(copy, [copy.buffer])
}

async function openPart(store: ReadStore, { key }: ArchivePart, signal: AbortSignal): Promise<Readable> {
  const body = await store.get(key, signal)
  if (body === undefined) throw new Error(`${key} is missing in the object store`)
  return body
}

function check(part: ArchivePart, read: { readonly rows: number; readonly sha256: string }): void {
  if (read.rows !== part.rows || read.sha256 !== part.sha256) throw new Error(`${part.key} is not as it was written`)
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
