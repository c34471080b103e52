import { setTimeout as sleep } from 'node:timers/promises'
import { Session, type SessionOptions } from './session.ts'

const LOOK_EVERY_MS = 5000
const WAIT_MS = 1000
const LIMITS = { answerWithinMs: 3000, idleInTransactionMs: 3000 } as const

/** A promoted standby continues in another timeline of the same system. Functions that a standby refuses. */
const IDENTITY = `select (pg_control_system()).system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as store`

/**
 * A connection to a primary that was replaced and lives on goes on writing there, without a sign. The returned function is called before
 * sessions are lent. Every few seconds it connects again, which leads to the server behind the address, and calls back when that is
 * another one. After a longer pause the caller waits for it.
 */
export function watchPrimary(options: SessionOptions, onChanged: (reason: string) => void): () => Promise<void> {
  let known: string | undefined
  let lookedAt = performance.now() - LOOK_EVERY_MS
  let running: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const probe = new Session({ ...options, limits: LIMITS, prepares: false }, { onReturned: () => undefined, onSilent: () => undefined })
    try {
      const { rows } = await probe.query<{ store: string }>(IDENTITY, [])
      const found = rows[0]?.store
      if (known !== undefined && known !== found) onChanged(`another Postgres is the primary now: ${found} instead of ${known}`)
      known = found
    } catch {
      // The statements of the pool report a Postgres that does not answer.
    } finally {
      lookedAt = performance.now()
      running = undefined
      probe.end().catch(() => undefined)
    }
  }
  return async () => {
    const age = performance.now() - lookedAt
    if (age < LOOK_EVERY_MS) return
    running ??= look()
    if (age > 2 * LOOK_EVERY_MS) await Promise.race([running, sleep(WAIT_MS, undefined, { ref: false })])
  }
}
