import { setTimeout as sleep } from 'node:timers/promises'
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
