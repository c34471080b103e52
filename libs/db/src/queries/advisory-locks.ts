import { sql } from 'kysely'
import type { Tx } from '../connect.ts'

/** Keys of advisory locks for work that only one process does at a time. */
export const ADVISORY_LOCKS = { recovery: 7_001, verifier: 7_002 } as const

/** Takes the lock until the transaction ends; false when another process holds it. */
export async function tryAdvisoryLock(tx: Tx, lock: (typeof ADVISORY_LOCKS)[keyof typeof ADVISORY_LOCKS]): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as is_ours`.execute(tx)
  return rows[0]?.is_ours === true
}
