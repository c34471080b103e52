import { Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import postgres from 'postgres'
import type { Transaction } from 'kysely'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

type ConnectOptions = { readonly url: string; readonly max?: number; readonly name?: string }

/** Opens a pool. int8 and numeric sums arrive as safe integers or throw; nothing is silently rounded. */
export function connectDb({ url, max = 10, name = 'tollgate' }: ConnectOptions): Db {
  const sql = postgres(url, {
    max,
    onnotice: () => undefined,
    connection: { application_name: name },
    types: { bigint: { to: 20, from: [20], serialize: String, parse: parseSafeInteger } },
  })
  return new Kysely<Database>({ dialect: new PostgresJSDialect({ postgres: sql }) })
}

/** Text of an int8 to a number; throws past 2^53 rather than losing a unit. */
export function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer ${text} is beyond what can be held exactly`)
  return value
}
