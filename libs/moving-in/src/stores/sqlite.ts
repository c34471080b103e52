import { DatabaseSync } from 'node:sqlite'
import { pageStatement, toBigInt, type Quoting, type Row, type Store } from './store.ts'

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
  const one = (text: string): unknown => all(text)[0]?.['value']
  return {
    kind: 'sqlite',
    tables: async () => {
      const names = all(`select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
      return new Map(names.map((row) => [String(row['name']), columnsOf(String(row['name']))]))
    },
    page: async (query) => {
      const { text, values } = pageStatement(query, quoting)
      return all(text, values)
    },
    count: async (table) => Number(one(`select count(*) as value from ${quoting.name(table)}`)),
    sum: async (table, column) =>
      toBigInt(one(`select coalesce(sum(cast(${quoting.name(column)} as integer)), 0) as value from ${quoting.name(table)}`)),
    max: async (table, column) => Number(one(`select coalesce(max(${quoting.name(column)}), 0) as value from ${quoting.name(table)}`)),
    close: async () => db.close(),
  }
}
