import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { Session, type Abandoned, type SessionOptions } from './session.ts'

const LIMITS = { answerWithinMs: 2000, idleInTransactionMs: 2000 } as const
const TRIES = 30
const TRY_EVERY_MS = 1000

/** Behind a transaction pooler the number is the pooler's own, so the text must be the same too. */
const END = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where pid = $1 and application_name = $2 and usename = current_user and state <> 'idle' and left(query, 200) = left($3, 200)`

/**
 * Ends the server's side of a connection that fell silent. A server that has read a statement in part waits for the rest and keeps the
 * transaction's locks: none of its time limits applies then, and it ignores a request to cancel.
 */
export async function endBackend(options: SessionOptions, { pid, text }: Abandoned): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const own = new Session({ ...options, limits: LIMITS, prepares: false }, { onReturned: () => undefined, onSilent: () => undefined })
    try {
      await own.query(END, [pid, options.name, text])
      return
    } catch {
      await sleep(TRY_EVERY_MS, undefined, { ref: false })
    } finally {
      own.end().catch(() => undefined)
    }
  }
}

/** A process that runs sends the rest of a statement at once. */
const SILENT_MS = 15_000

/**
 * Ends the server's side of connections whose process ended, or lost the network, between two parts of a statement: `endBackend` is not
 * called by a process that is gone, and a pooler in between answers the server's keep-alive. Copies wait for their client as often as it
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
