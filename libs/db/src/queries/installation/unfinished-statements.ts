import { sql } from 'kysely'
import type { Db } from '../../connect.ts'

/** A process that runs sends the rest of a statement at once. */
const SILENT_MS = 15_000

/**
 * Ends the server's side of connections whose process ended, or lost the network, between two parts of a statement: a process
 * that is gone cannot end it itself, and a pooler in between answers the server's keep-alive. Copies wait for their client as often as it
 * likes. Safe to run beside another one. Returns the number of connections.
 */
export async function endUnfinishedStatements(db: Db, { name = 'tollgate', silentMs = SILENT_MS } = {}): Promise<number> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${name}) and pg_has_role(usesysid, 'usage')
      and state = 'active' and wait_event = 'ClientRead' and query !~* '^\\s*copy'
      and query_start < clock_timestamp() - make_interval(secs => ${silentMs / 1000}::float8)`.execute(db)
  return rows.length
}
