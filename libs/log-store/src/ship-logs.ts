import type { Db } from '@tollgate/db/connect'
import type { LogStore } from '@tollgate/db/log-store'
import { claimLogBatch, finishLogBatch, releaseLogBatch } from '@tollgate/db/queries/ledger/log-outbox'

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
    const batch = await claimLogBatch(db, { now: now(), lease_ms: LEASE_MS, limit: ROWS })
    if (batch === undefined) return shipped
    try {
      await store.insert(batch.lines, `batch-${batch.batch}`)
    } catch (error) {
      await releaseLogBatch(db)
      throw error
    }
    await finishLogBatch(db, batch)
    shipped += batch.rows
  }
}
