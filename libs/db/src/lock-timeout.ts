import postgres from 'postgres'
import { sql } from 'kysely'
import type { Tx } from './connect.ts'

/** Statements of this transaction wait at most so long for any lock, then they fail: see isLockTimeout. */
export async function limitLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

/** Whether a statement failed because somebody else held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
