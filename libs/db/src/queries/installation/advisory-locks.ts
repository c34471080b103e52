import { sql } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import { withStatements, type StatementKind } from '../../statement-limits.ts'

type Lock = (typeof ADVISORY_LOCKS)[keyof typeof ADVISORY_LOCKS]

/** Keys of advisory locks for work that only one process does at a time. */
export const ADVISORY_LOCKS = { recovery: 7_001, verifier: 7_002, imports: 7_003 } as const

/** Takes the lock until the transaction ends; false when another process holds it. */
export async function tryAdvisoryLock(tx: Tx, lock: Lock): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`select pg_try_advisory_xact_lock(${lock}::bigint) as is_ours`.execute(tx)
  return rows[0]?.is_ours === true
}

const SPEAK_EVERY_MS = 5000

/**
 * Does the work while no other process does, or returns `busy`. The lock is of a transaction that does nothing else: it ends with a killed
 * process, a transaction pooler does not share it, and Postgres ends it when nothing is heard for 10 s, or as `kind` says. Then `signal` says so.
 */
export function whileLocked<T>(
  db: Db,
  lock: Lock,
  work: (signal: AbortSignal) => Promise<T>,
  kind: StatementKind = 'call',
): Promise<T | 'busy'> {
  const lost = new AbortController()
  return withStatements(kind, () =>
    db.transaction().execute(async (tx) => {
      if (!(await tryAdvisoryLock(tx, lock))) return 'busy'
      const speaking = setInterval(() => {
        sql`select 1`.execute(tx).catch((cause: unknown) => lost.abort(cause))
      }, SPEAK_EVERY_MS)
      try {
        return await work(lost.signal)
      } finally {
        clearInterval(speaking)
      }
    }),
  )
}
