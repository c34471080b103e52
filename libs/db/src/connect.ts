import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { createPool } from './pool.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

type ConnectOptions = { readonly url: string; readonly max?: number; readonly name?: string; readonly prepares?: boolean }

/**
 * Opens a pool of at most `max` sessions. int8 arrives as safe integers or throws; nothing is silently rounded. A connection that is
 * lost, also between two statements of a transaction, makes the next statement fail; nothing of the transaction stays. `prepares`: for
 * who says the same again and again; statements are prepared when they come a second time in a session.
 */
export function connectDb({ url, max = 10, name = 'tollgate', prepares = false }: ConnectOptions): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: createPool({ url, max, name, prepares }) }) })
}
