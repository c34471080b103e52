import type { Db } from '@tollgate/db/connect'
import { findDueWork, type DueWork } from '@tollgate/db/queries/installation/due-work'

export type DueWorkReader = () => Promise<DueWork>

type Options = {
  readonly db: Db
  /** Unix milliseconds. */
  readonly now: () => number
  readonly monotonic: () => number
}

/** Loops that look at about the same time share one statement. */
const SHARED_MS = 200

export function createDueWorkReader({ db, now, monotonic }: Options): DueWorkReader {
  let last: { readonly at: number; readonly answer: Promise<DueWork> } | undefined
  return () => {
    const at = monotonic()
    if (last === undefined || at - last.at > SHARED_MS) last = { at, answer: findDueWork(db, now()) }
    return last.answer
  }
}
