import { Kysely, PostgresAdapter, PostgresDialect, type Transaction } from 'kysely'
import { createPool } from './pool.ts'
import type { Database } from './schema.ts'
import { STATEMENT_LIMITS, type StatementLimits } from './statement-limits.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

type ConnectOptions = {
  readonly url: string
  readonly max?: number
  readonly name?: string
  readonly prepares?: boolean
  readonly limits?: StatementLimits
  readonly followsPrimary?: boolean
  readonly isReplica?: boolean
}

/**
 * Opens a pool of at most `max` sessions. int8 values arrive as safe integers or throw. When a connection is lost, even between two
 * statements of a transaction, the next statement fails and the transaction is rolled back. With `prepares` a session prepares a statement
 * when its text comes a second time. A statement that is not answered within the limits fails, and its session is given up. With
 * `followsPrimary` connections to a primary that was replaced are found. With `isReplica` a standby is accepted.
 */
export function connectDb({
  url,
  max = 10,
  name = 'tollgate',
  prepares = false,
  limits = STATEMENT_LIMITS.call,
  followsPrimary = false,
  isReplica = false,
}: ConnectOptions): Db {
  const driver = new PostgresDialect({ pool: createPool({ url, max, name, prepares, limits, followsPrimary, isReplica }) })
  return new Kysely<Database>({ dialect: Object.assign(driver, { createAdapter: () => new Adapter() }) })
}

/** Migrations take a lock of their transaction (migrate.ts); Kysely's belongs to a session, and stays with it when a migration fails. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // Taken already.
  }
  override async releaseMigrationLock(): Promise<void> {
    // Ends with the transaction.
  }
}
