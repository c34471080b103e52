import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from './connect.ts'
import { rollupPeriods, hasMarkedPeriods, listReadyPeriods, markPeriods } from './queries/usage/usage-rollup.ts'
import type { RollupUnit } from './spans.ts'

/** Usage is posted within seconds; an event that arrives later reopens its hour. */
const SETTLED_AFTER_SECONDS = 600
const UNITS = ['hour', 'day', 'week'] as const satisfies readonly RollupUnit[]
/** Periods per transaction: a change in one of them rolls back all. */
const PERIODS_PER_TRANSACTION = { hour: 24, day: 2, week: 1 } as const satisfies Record<RollupUnit, number>

type Progress = { readonly rolledUp: number; readonly isDone: boolean }

/**
 * Sums up finished hours, days and weeks that are not rolled up yet, oldest first, at most `limit` of each. `isDone` is false when more are
 * left or wait for a transaction that was running when they were marked: call again later. Safe to run concurrently.
 */
export async function rollupUsage(
  db: Db,
  { now, limit, signal }: { now: UnixSeconds; limit: number; signal: AbortSignal },
): Promise<Progress> {
  let rolledUp = 0
  let isDone = true
  for (const unit of UNITS) {
    await markPeriods(db, { unit, before: now - SETTLED_AFTER_SECONDS })
    const ready = await listReadyPeriods(db, { unit, limit })
    for (let at = 0; at < ready.length; at += PERIODS_PER_TRANSACTION[unit]) {
      if (signal.aborted) return { rolledUp, isDone: false }
      const starts = ready.slice(at, at + PERIODS_PER_TRANSACTION[unit])
      if (await rollupInTransaction(db, { unit, starts })) rolledUp += starts.length
    }
    isDone &&= !(await hasMarkedPeriods(db, unit))
  }
  return { rolledUp, isDone }
}

async function rollupInTransaction(db: Db, which: { unit: RollupUnit; starts: readonly UnixSeconds[] }): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    const isRolledUp = await rollupPeriods(tx, which)
    await (isRolledUp ? tx.commit() : tx.rollback()).execute()
    return isRolledUp
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}
