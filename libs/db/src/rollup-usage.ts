import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from './connect.ts'
import { rollupUnits, hasMarkedRollups, listFoldable, markRollups } from './queries/rollup-pending.ts'
import type { RollupUnit } from './spans.ts'

/** Usage is posted within seconds; what comes later opens its hour again. */
const SETTLED_AFTER_SECONDS = 600
const UNITS = ['hour', 'day'] as const satisfies readonly RollupUnit[]
/** Units per transaction: one change among them undoes all. */
const AT_ONCE = { hour: 24, day: 2 } as const satisfies Record<RollupUnit, number>

type Progress = { readonly folded: number; readonly isDone: boolean }

/**
 * Sums up the hours and days that ended and are not folded, oldest first, at most `limit` of each. Not done: there are more, or
 * transactions that were under way at the marking still are; ask again later. Safe to run twice and at once.
 */
export async function rollUpUsage(
  db: Db,
  { now, limit, signal }: { now: UnixSeconds; limit: number; signal: AbortSignal },
): Promise<Progress> {
  let folded = 0
  let isDone = true
  for (const unit of UNITS) {
    await markRollups(db, { unit, before: now - SETTLED_AFTER_SECONDS })
    const foldable = await listFoldable(db, { unit, limit })
    for (let at = 0; at < foldable.length; at += AT_ONCE[unit]) {
      if (signal.aborted) return { folded, isDone: false }
      const starts = foldable.slice(at, at + AT_ONCE[unit])
      if (await rollUpTogether(db, { unit, starts })) folded += starts.length
    }
    isDone &&= !(await hasMarkedRollups(db, unit))
  }
  return { folded, isDone }
}

async function rollUpTogether(db: Db, which: { unit: RollupUnit; starts: readonly UnixSeconds[] }): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    const isFolded = await rollupUnits(tx, which)
    await (isFolded ? tx.commit() : tx.rollback()).execute()
    return isFolded
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}
