import postgres from 'postgres'
import { sql } from 'kysely'
import type { Tx } from './connect.ts'
import { selectWalPosition, toWalPosition, type WalPosition } from './queries/ledger/wal-position.ts'

/**
 * Limits how long statements of this transaction wait for a lock; after that they fail, see isLockTimeout. Returns the position of the
 * log of the server that this transaction is on, in the same round trip.
 */
export async function limitLockWait(tx: Tx, ms: number): Promise<WalPosition> {
  const { rows } = await sql<Parameters<typeof toWalPosition>[0]>`
    select w.*, set_config('lock_timeout', ${`${ms}ms`}, true) from (${selectWalPosition}) as w`.execute(tx)
  return toWalPosition(rows[0])
}

/** True if a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
