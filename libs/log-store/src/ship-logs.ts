import { createHash } from 'node:crypto'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import type { LogStore } from '@tollgate/db/log-store'
import { claimLogBatch, finishLogBatch, releaseLogBatch, renumberBatch, type LogBatch } from '@tollgate/db/queries/ledger/log-outbox'
import { logPartition } from '@tollgate/db/queries/logs/partitions'
import { batchToken } from './clickhouse.ts'

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
    const claimed = await claimLogBatch(db, { now: now(), lease_ms: LEASE_MS, limit: ROWS })
    if (claimed === undefined) return shipped
    let batch: LogBatch | undefined = claimed
    try {
      batch = await withFreeNumber({ db, store }, claimed)
      // Another worker has it by now.
      if (batch === undefined) return shipped
      await store.insert(batch.lines, batchToken(batch.batch), batch.batch)
    } catch (error) {
      await releaseLogBatch(db, batch ?? claimed)
      throw error
    }
    await finishLogBatch(db, batch)
    shipped += batch.rows
  }
}

/**
 * The batch, with another number if the store has batches of its number or a later one: then Postgres is older than it was, and would give
 * numbers again by which the store knows other rows. Those rows are deleted, because what caused them is posted again or is forgotten.
 * Undefined: the claim was lost.
 */
async function withFreeNumber({ db, store }: Pick<Deps, 'db' | 'store'>, batch: LogBatch): Promise<LogBatch | undefined> {
  const number = await renumberBatch(db, batch, () => chooseNumber(store, batch))
  return number === undefined ? undefined : { ...batch, batch: number }
}

/** Noted before it looks: of two workers on two states of Postgres at least one sees the other. */
async function chooseNumber(store: LogStore, { batch, lines }: LogBatch): Promise<number> {
  const digest = createHash('sha256').update(lines).digest('base64url')
  const months = monthsOf(lines)
  for (let number = batch; ;) {
    await store.noteBatch({ batch: number, digest, months })
    const known = await store.listBatches(number)
    // The same rows as before: the answer was lost.
    if (known.every((one) => one.batch === number && one.digest === digest)) return number
    const last = Math.max(...known.map((one) => one.batch))
    await store.removeBatches(number, last)
    number = last + 1
  }
}

/** `created_at` within a text of a row is written with escaped quotation marks. */
function monthsOf(lines: string): UnixSeconds[] {
  const times = lines.matchAll(/"created_at":"(\d+)"/g)
  return [...new Set(times.map(([, seconds]) => logPartition(new Date(Number(seconds) * 1000)).from))]
}
