import { pipeline, Readable } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import type { ArchivePart, LogPosition } from '@tollgate/contracts/values/log-archive'
import type { Db } from '@tollgate/db/connect'
import { listLogLines } from '@tollgate/db/queries/logs/log-archives'
import type { Partition } from '@tollgate/db/queries/logs/partitions'
import type { MediaStore } from '../media/media-store.ts'
import { Checksum } from '../streams/checksum.ts'
import { findInPart } from './read-part.ts'

const ROWS_AT_ONCE = 1000

type Write = {
  readonly db: Db
  readonly store: MediaStore
  readonly partition: Partition
  readonly key: string
  readonly after: LogPosition
  /** The most rows of one object. */
  readonly limit: number
  readonly signal: AbortSignal
}

/** Counts of the rows that passed. */
type Count = { rows: number; quota: number; ids: bigint; first: LogPosition; last: LogPosition }

/** Stores the next rows of a month as one object and reads it back; undefined: there are no more rows. */
export async function writePart({ db, store, partition, key, after, limit, signal }: Write): Promise<ArchivePart | undefined> {
  const [first] = await listLogLines(db, partition, { after, limit: 1 })
  if (first === undefined) return undefined
  const { created_at, id } = first
  const count: Count = { rows: 0, quota: 0, ids: 0n, first: { created_at, id }, last: after }
  const body = new Checksum()
  // A failed read ends the upload through the stream.
  pipeline(Readable.from(readLines({ db, partition, limit }, count)), createZstdCompress(), body, () => undefined)
  await store.put(key, { body, type: 'application/zstd' }, signal)
  const part = { key, ...count, ids: String(count.ids), bytes: body.bytes, sha256: body.sha256() }
  for await (const _line of findInPart(store, part, { text: undefined, signal })) signal.throwIfAborted()
  return part
}

async function* readLines({ db, partition, limit }: Pick<Write, 'db' | 'partition' | 'limit'>, count: Count): AsyncGenerator<string> {
  while (count.rows < limit) {
    const lines = await listLogLines(db, partition, { after: count.last, limit: Math.min(ROWS_AT_ONCE, limit - count.rows) })
    for (const { created_at, id, quota, line } of lines) {
      count.rows += 1
      count.quota += quota
      count.ids += BigInt(id)
      count.last = { created_at, id }
      yield `${line}\n`
    }
    if (lines.length < ROWS_AT_ONCE) return
  }
}
