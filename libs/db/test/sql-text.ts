import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Db } from '../src/connect.ts'
import type { Database } from '../src/schema.ts'

/** The SQL that a query function sends, as text for people to review. Nothing is executed. */
export async function sqlOf(ask: (db: Db) => Promise<unknown>): Promise<string> {
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
  // Functions that insist on a row fail on the empty answer, after their text was sent.
  await ask(db).catch(() => undefined)
  return sent.map((sql) => sql.replaceAll(/\s+/g, ' ').trim()).join('\n')
}
