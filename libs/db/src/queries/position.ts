import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/**
 * Where the write-ahead log stands that survives a crash, and whose log it is: a promoted replica goes on in another timeline, a
 * restored dump is another system. https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CONTROLDATA
 */
export async function readPosition(db: Db): Promise<{ readonly store: string; readonly at: bigint }> {
  const { rows } = await sql<{ system: string; timeline: string; at: string }>`
    select (pg_control_system()).system_identifier::text as system, left(pg_walfile_name(lsn), 8) as timeline,
      pg_wal_lsn_diff(lsn, '0/0')::text as at
    from pg_current_wal_flush_lsn() as lsn`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('Postgres did not say where its log stands')
  return { store: `${row.system}/${row.timeline}`, at: BigInt(row.at) }
}
