import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** A position in a Postgres write-ahead log: `at` grows as long as `store` is the same. */
export type WalPosition = { readonly store: string; readonly at: bigint }

/**
 * Rows and the log position after they were read: every commit that the rows show lies before it. Both come from one connection and
 * therefore from one server, even during a failover.
 */
export function readWithWalPosition<T>(
  db: Db,
  read: (own: Db) => Promise<T>,
): Promise<{ readonly rows: T; readonly position: WalPosition }> {
  return db.connection().execute(async (own) => ({ rows: await read(own), position: await readWalPosition(own) }))
}

/**
 * The flushed position of the write-ahead log, which survives a crash, and the identity of that log: a promoted replica continues in
 * another timeline, a restored dump is another system. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA
 */
export async function readWalPosition(db: Db): Promise<WalPosition> {
  const { rows } = await selectWalPosition.execute(db)
  return toWalPosition(rows[0])
}

type PositionRow = { readonly system: string; readonly timeline: string; readonly at: string }

export const selectWalPosition = sql<PositionRow>`
  select (pg_control_system()).system_identifier::text as system, left(pg_walfile_name(lsn), 8) as timeline,
    pg_wal_lsn_diff(lsn, '0/0')::text as at
  from pg_current_wal_flush_lsn() as lsn`

export function toWalPosition(row: PositionRow | undefined): WalPosition {
  if (row === undefined) throw new Error('Postgres did not say where its log stands')
  return { store: `${row.system}/${row.timeline}`, at: BigInt(row.at) }
}
