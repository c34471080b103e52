import { AsyncLocalStorage } from 'node:async_hooks'

/** How long Postgres may take, by what a statement is for. A server that fell silent sends no error, so without a limit it is never left. */
export type StatementLimits = {
  /** A statement without an answer for this long fails, and its session is given up. */
  readonly answerWithinMs: number
  /** Postgres ends a transaction whose process says nothing for this long: its locks would stay when the process lost the connection. */
  readonly idleInTransactionMs: number
  /** Postgres ends a statement of a transaction after this long; absent: a second after its session was given up. */
  readonly statementMs?: number
}

export const STATEMENT_LIMITS = {
  /** Reads one row by its key before a call begins. */
  lookup: { answerWithinMs: 2500, idleInTransactionMs: 10_000 },
  /** A caller waits, or it is repeated soon. */
  call: { answerWithinMs: 8000, idleInTransactionMs: 10_000 },
  /** Reads many rows for a caller who waits: Postgres ends it, so that the connection is kept. */
  read: { answerWithinMs: 11_000, idleInTransactionMs: 10_000, statementMs: 8000 },
  /** For posting, which reads from Redis in its transactions. Another worker goes on with the shards of one that vanished after that. */
  posting: { answerWithinMs: 8000, idleInTransactionMs: 4000 },
  /** For recovery, whose transactions wait for Redis. The ledger is closed for as long as a lost one keeps its locks. */
  repair: { answerWithinMs: 8000, idleInTransactionMs: 20_000 },
  /** Works on many rows. */
  batch: { answerWithinMs: 60_000, idleInTransactionMs: 60_000 },
  /** Reads or changes whole tables. */
  long: { answerWithinMs: 3_600_000, idleInTransactionMs: 3_600_000 },
} as const satisfies Readonly<Record<string, StatementLimits>>

export type StatementKind = keyof typeof STATEMENT_LIMITS

const current = new AsyncLocalStorage<StatementLimits>()

/** All statements that `work` sends have the limits of this kind instead of those of their pool. */
export function withStatements<T>(kind: StatementKind, work: () => Promise<T>): Promise<T> {
  return current.run(STATEMENT_LIMITS[kind], work)
}

export const currentLimits = (): StatementLimits | undefined => current.getStore()
