import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Transaction } from 'kysely'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

type ConnectOptions = { readonly url: string; readonly max?: number; readonly name?: string }

const INT8 = 20
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Opens a pool. int8 arrives as safe integers or throws; nothing is silently rounded. A connection that is lost, also between two
 * statements of a transaction, makes the next statement fail and is never used again.
 */
export function connectDb({ url, max = 10, name = 'tollgate' }: ConnectOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? parseSafeInteger : pg.types.getTypeParser(oid, format)) },
  })
  // Without listeners a lost connection ends the process; whoever uses it hears of it from the statement that fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** Text of an int8 to a number; throws past 2^53 rather than losing a unit. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond what can be held exactly`)
  return value
}
