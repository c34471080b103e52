import postgres from 'postgres'
import { sql } from 'kysely'
import type { Tx } from './connect.ts'

/** Limits how long statements of this transaction wait for a lock; after that they fail, see isLockTimeout. */
export async function limitLockWait(tx: Tx, ms: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${ms}ms`}, true)`.execute(tx)
}

/** Whether a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '55P03'
}
