import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Db } from '../src/connect.ts'
import type { Database } from '../src/schema.ts'

/** The SQL that a query function sends, for review. Nothing is executed. */
export async function sqlOf(query: (db: Db) => Promise<unknown>): Promise<string> {
  const sent: string[] = []
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (on) => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void sent.push(query.sql),
  })
  // Functions that require a row fail on the empty result, after their text was sent.
  await query(db).catch(() => undefined)
  return sent.map((sql) => sql.replaceAll(/\s+/g, ' ').trim()).join('\n')
}
