import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '@tollgate/db/connect'
import { takeNewBatch, updateBatch, type BatchRow } from '@tollgate/db/queries/deferred/batches'
import { createDeferred } from '@tollgate/db/queries/deferred/deferred-requests'
import { findFile, findFilePiece } from '@tollgate/db/queries/deferred/files'
import { readLines, type BatchLine, type ReadLines } from './read-lines.ts'

const AT_ONCE = 500

export type Opening = {
  /** The user whose batch was taken; undefined: there is no new batch. */
  readonly user_id: Promise<number | undefined>
  readonly done: Promise<void>
}

/** Rolls back what was added of a batch that its owner has cancelled meanwhile. */
class CancelledMeanwhile extends Error {}

/** Checks the input of one new batch and adds its lines, in one transaction. Those of some users are left for later. */
export function openBatch(db: Db, { now, except }: { readonly now: number; readonly except: readonly number[] }): Opening {
  const taken = Promise.withResolvers<number | undefined>()
  const done = db
    .transaction()
    .execute(async (tx) => {
      const batch = await takeNewBatch(tx, except)
      taken.resolve(batch?.user_id)
      if (batch === undefined) return
      const read = await readInput(tx, batch, now)
      const target = { id: batch.id, from: ['validating'] } as const
      if (read.kind === 'faults') await updateBatch(tx, target, { status: 'failed', failed_at: now, errors: read.faults })
      else {
        await addLines(tx, batch, read.lines, now)
        const isOpen = await updateBatch(tx, target, { status: 'in_progress', in_progress_at: now, total: read.lines.length })
        if (!isOpen) throw new CancelledMeanwhile()
      }
    })
    .catch((error: unknown) => {
      taken.resolve(undefined)
      if (!(error instanceof CancelledMeanwhile)) throw error
    })
  return { user_id: taken.promise, done }
}

async function readInput(tx: Tx, { input_file_id: id, user_id, endpoint }: BatchRow, now: number): Promise<ReadLines> {
  const missing: ReadLines = {
    kind: 'faults',
    faults: [{ code: 'invalid_file', line: null, message: 'the input file was deleted or has expired', param: 'input_file_id' }],
  }
  if ((await findFile(tx, { id, user_id, now })) === undefined) return missing
  const pieces: Buffer[] = []
  for (let n = 0; ; n += 1) {
    const piece = await findFilePiece(tx, { file_id: id, n })
    if (piece === undefined) break
    pieces.push(piece)
  }
  return await readLines(Buffer.concat(pieces).toString('utf8'), { endpoint })
}

async function addLines(tx: Tx, batch: BatchRow, lines: readonly BatchLine[], now: number): Promise<void> {
  const { id: batch_id, user_id, token_id, ip, endpoint, expires_at } = batch
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const rows = lines.slice(at, at + AT_ONCE).map(({ custom_id, body }) => ({
      id: `batch_req_${randomBytes(16).toString('hex')}`,
      batch_id,
      custom_id,
      user_id,
      token_id,
      ip,
      endpoint,
      body: body.replaceAll('\0', ''),
      next_at: now,
      created_at: now,
      expires_at,
    }))
    await createDeferred(tx, rows)
  }
}
