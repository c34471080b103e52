import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** Where a Postgres' log stands: `at` rises while `store` is the same. */
export type WalPosition = { readonly store: string; readonly at: bigint }

/**
 * Rows, and where the log stood when they had been read: every commit they show lies before it. Both come from one connection, so
 * from one server, even if another one takes its place meanwhile.
 */
export function readWithWalPosition<T>(
  db: Db,
  read: (own: Db) => Promise<T>,
): Promise<{ readonly rows: T; readonly position: WalPosition }> {
  return db.connection().execute(async (own) => ({ rows: await read(own), position: await readWalPosition(own) }))
}

/**
 * Where the write-ahead log stands that survives a crash, and whose log it is: a promoted replica goes on in another timeline, a
 * restored dump is another system. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA
 */
export async function readWalPosition(db: Db): Promise<WalPosition> {
  const { rows } = await sql<{ system: string; timeline: string; at: string }>`
    select (pg_control_system()).system_identifier::text as system, left(pg_walfile_name(lsn), 8) as timeline,
      pg_wal_lsn_diff(lsn, '0/0')::text as at
    from pg_current_wal_flush_lsn() as lsn`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('Postgres did not say where its log stands')
  return { store: `${row.system}/${row.timeline}`, at: BigInt(row.at) }
}
