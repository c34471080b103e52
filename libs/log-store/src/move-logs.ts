import type { Db } from '@tollgate/db/connect'
import type { LogStore } from '@tollgate/db/log-store'
import { toStoredLine } from '@tollgate/db/queries/ledger/log-outbox'
import { dropMovedRows, listMovedKeys, listRowsToMove, readMoveState, saveMoveState } from '@tollgate/db/queries/ledger/move-logs'

type Deps = {
  readonly db: Db
  readonly store: LogStore
  /** Gets the number of rows so far. */
  readonly onProgress?: (rows: number) => void
}

const ROWS = 3000

/**
 * Copies the rows that Postgres has to the store, in the order of their keys, after those that an earlier run copied; returns how many all
 * runs copied. A page that was sent before its place was stored is sent again, and the store knows it by its ends.
 */
export async function moveLogs({ db, store, onProgress }: Deps): Promise<number> {
  let state = (await readMoveState(db)) ?? { created_at: 0, id: 0, moved: 0 }
  for (;;) {
    const rows = await listRowsToMove(db, state, ROWS)
    const last = rows.at(-1)
    if (last === undefined) return state.moved
    const token = `moved-${state.created_at}-${state.id}-${last.created_at}-${last.id}-${rows.length}`
    await store.insert(rows.map(toStoredLine).join('\n'), token)
    state = { created_at: last.created_at, id: last.id, moved: state.moved + rows.length }
    await saveMoveState(db, state)
    onProgress?.(state.moved)
  }
}

/** Deletes copied rows from Postgres, page after page, each only when the store has as many rows of its ids with the same sum. */
export async function dropMoved({ db, store, onProgress }: Deps): Promise<number> {
  const until = await readMoveState(db)
  let dropped = 0
  for (;;) {
    const rows = until === undefined ? [] : await listMovedKeys(db, until, ROWS)
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return dropped
    const filter = { from: first.created_at, to: last.created_at }
    const stored = await store.sum({ filter, ids: rows.map(({ id }) => id) })
    const quota = rows.reduce((sum, row) => sum + row.quota, 0)
    if (stored.rows !== rows.length || stored.quota !== quota) {
      const of = `from ${first.created_at}/${first.id} to ${last.created_at}/${last.id}`
      throw new Error(`The log store has ${stored.rows} rows with quota ${stored.quota} ${of}, Postgres ${rows.length} with ${quota}`)
    }
    await dropMovedRows(db, rows)
    dropped += rows.length
    onProgress?.(dropped)
  }
}
