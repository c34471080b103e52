import { DatabaseSync } from 'node:sqlite'
import { readsOf, type Quoting, type Row, type Store } from './store.ts'

const quoting: Quoting = { name: (name) => `"${name.replaceAll('"', '""')}"`, parameter: () => '?' }

/** A file that its program may have open. Integers arrive as big integers, texts that are no UTF-8 as bytes. */
export function openSqlite(path: string): Store {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  const all = (text: string, values: readonly (string | number)[] = []): Row[] => {
    const statement = db.prepare(text)
    statement.setReadBigInts(true)
    return statement.all(...values)
  }
  const columnsOf = (table: string): string[] => all(`pragma table_info(${quoting.name(table)})`).map((row) => String(row['name']))
  return {
    kind: 'sqlite',
    tables: async () => {
      const names = all(`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
      return new Map(names.map((row) => [String(row['name']), columnsOf(String(row['name']))]))
    },
    ...readsOf({ quoting, all: async (text, values) => all(text, values), asNumber: (column) => `cast(${column} as integer)` }),
    close: async () => db.close(),
  }
}
