import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createZstdDecompress } from 'node:zlib'
import { Checksum } from '../streams/checksum.ts'

/** `more`: the next compressed bytes are wanted. `end`: what was read. */
export type ScanMessage =
  | { readonly kind: 'more' }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'end'; readonly rows: number; readonly sha256: string }

const BLOCK_BYTES = 262_144
const NEWLINE = 10

const { text } = workerData as { readonly text: string | undefined } // read-part.ts starts this thread
const send = (message: ScanMessage): void => parentPort?.postMessage(message)

const compressed = new Readable({ read: () => send({ kind: 'more' }) })
parentPort?.on('message', (chunk: Uint8Array | undefined) => void compressed.push(chunk ?? null))
const checksum = new Checksum()
const unpacked = createZstdDecompress({ chunkSize: BLOCK_BYTES })
const read = pipeline(compressed, checksum, unpacked)
// Its failure also ends `unpacked`; it is thrown below.
read.catch(() => undefined)
let rows = 0
for await (const block of wholeLinesOf(unpacked)) {
  rows += countLines(block)
  if (text !== undefined) for (const line of linesWith(block, text)) send({ kind: 'line', line })
}
await read
send({ kind: 'end', rows, sha256: checksum.sha256() })

/** The bytes of a stream, cut after the ends of lines; the last line may have none. */
async function* wholeLinesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const rest: Buffer[] = []
  for await (const chunk of stream) {
    const cut = chunk.lastIndexOf(NEWLINE) + 1
    if (cut > 0) yield Buffer.concat([...rest.splice(0), chunk.subarray(0, cut)])
    if (cut < chunk.length) rest.push(chunk.subarray(cut))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}

function countLines(block: Buffer): number {
  let lines = block.at(-1) === NEWLINE ? 0 : 1
  for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) lines += 1
  return lines
}

/** The lines with a text; only they are decoded. */
function* linesWith(block: Buffer, needle: string): Generator<string> {
  for (let at = block.indexOf(needle); at >= 0;) {
    const start = block.lastIndexOf(NEWLINE, at) + 1
    const next = block.indexOf(NEWLINE, at)
    const end = next < 0 ? block.length : next
    yield block.toString('utf8', start, end)
    at = block.indexOf(needle, end)
  }
}
