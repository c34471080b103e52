import { createHash } from 'node:crypto'
import type { Db } from '@tollgate/db/connect'
import type { LogStore } from '@tollgate/db/log-store'
import { claimLogBatch, finishLogBatch, releaseLogBatch, renumberBatch, type LogBatch } from '@tollgate/db/queries/ledger/log-outbox'

type Deps = {
  readonly db: Db
  readonly store: LogStore
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A batch may be sent again by another worker after this time: more than the store may take to answer. */
const LEASE_MS = 120_000
const ROWS = 3000

/**
 * Brings waiting rows to the store, batch after batch, until none waits or another worker does it; returns how many rows. A batch whose
 * answer was lost is sent again as it was, and the store knows it by its number.
 */
export async function shipLogs({ db, store, now }: Deps): Promise<number> {
  let shipped = 0
  for (;;) {
    let batch = await claimLogBatch(db, { now: now(), lease_ms: LEASE_MS, limit: ROWS })
    if (batch === undefined) return shipped
    try {
      const digest = createHash('sha256').update(batch.lines).digest('base64url')
      batch = await withFreeNumber({ db, store }, batch, digest)
      await store.noteBatch({ batch: batch.batch, digest })
      await store.insert(batch.lines, `batch-${batch.batch}`, batch.batch)
    } catch (error) {
      await releaseLogBatch(db)
      throw error
    }
    await finishLogBatch(db, batch)
    shipped += batch.rows
  }
}

/**
 * The batch, with another number if the store has batches of its number or a later one: then Postgres is older than it was, and would give
 * numbers again by which the store knows other rows. Those rows are deleted, because what caused them is posted again or is forgotten.
 */
async function withFreeNumber({ db, store }: Pick<Deps, 'db' | 'store'>, batch: LogBatch, digest: string): Promise<LogBatch> {
  const number = await renumberBatch(db, batch.batch, async () => {
    const known = await store.listBatches(batch.batch)
    // The same rows as before: the answer was lost.
    if (known.every((one) => one.batch === batch.batch && one.digest === digest)) return batch.batch
    const last = Math.max(...known.map((one) => one.batch))
    await store.removeBatches(batch.batch, last)
    return last + 1
  })
  return { ...batch, batch: number }
}
