import { sql } from 'kysely'
import type { Tx } from './connect.ts'
import { selectWalPosition, toWalPosition, type WalPosition } from './queries/ledger/wal-position.ts'

/** Statements of this transaction that wait longer for a lock fail, see isLockTimeout of refused-lock.ts. */
export async function setLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

/**
 * Limits how long statements of this transaction wait for a lock; after that they fail, see isLockTimeout of refused-lock.ts. Returns the position of the
 * log of the server that this transaction is on, in the same round trip.
 */
export async function limitLockWait(tx: Tx, ms: number): Promise<WalPosition> {
  const { rows } = await sql<Parameters<typeof toWalPosition>[0]>`
    select w.*, set_config('lock_timeout', ${`${ms}ms`}, true) from (${selectWalPosition}) as w`.execute(tx)
  return toWalPosition(rows[0])
}
