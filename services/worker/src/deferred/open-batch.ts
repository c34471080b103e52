import { randomBytes } from 'node:crypto'
import type { Db, Tx } from '@tollgate/db/connect'
import { lockBatch, updateBatch, type BatchRow } from '@tollgate/db/queries/batches'
import { createDeferred } from '@tollgate/db/queries/deferred-requests'
import { findFile, findFilePiece } from '@tollgate/db/queries/files'
import { readLines, type BatchLine, type ReadLines } from './read-lines.ts'

const AT_ONCE = 500

/** Checks the input of one new batch and adds its lines, in one transaction; false: there is no new batch. */
export function openBatch(db: Db, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const batch = await lockBatch(tx, 'validating')
    if (batch === undefined) return false
    const read = await readInput(tx, batch, now)
    if (read.kind === 'faults') await updateBatch(tx, batch.id, { status: 'failed', failed_at: now, errors: read.faults })
    else await start(tx, batch, read.lines, now)
    return true
  })
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
  return readLines(Buffer.concat(pieces).toString('utf8'), { endpoint })
}

async function start(tx: Tx, batch: BatchRow, lines: readonly BatchLine[], now: number): Promise<void> {
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
  await updateBatch(tx, batch_id, { status: 'in_progress', in_progress_at: now, total: lines.length })
}
