import { DatabaseSync } from 'node:sqlite'
import { DamagedSource } from './damaged-source.ts'
import { readsOf, type Quoting, type Row, type Store } from './store.ts'

const asNumber = (column: string): string => `cast(${column} as integer)`
const HALF = 2 ** 32

const quoting: Quoting = { name: (name) => `"${name.replaceAll('"', '""')}"`, parameter: () => '?' }

/** Bytes of one value; a schema can compute values that are in no file. */
const MAX_VALUE = 256 * 1024 * 1024

/**
 * A file that its program may have open. Integers arrive as big integers, texts that are no UTF-8 as bytes. Throws DamagedSource if its
 * pages do not fit together: SQLite reads them as other rows, or in an endless circle. https://sqlite.org/security.html#untrusted_sqlite_database_files
 */
export function openSqlite(path: string): Store {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000, limits: { length: MAX_VALUE } })
  try {
    requireIntact(db)
    return storeOf(db)
  } catch (error) {
    db.close()
    throw error
  }
}

function requireIntact(db: DatabaseSync): void {
  // Rules that a program has changed since its rows were written are no damage.
  db.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma ignore_check_constraints = on')
  const found = db.prepare('pragma quick_check(100)').all()
  const damage = found.map((row) => String(row['quick_check'])).find((text) => text !== 'ok' && !VALUE.test(text))
  if (damage !== undefined) throw new DamagedSource(`the database file is damaged: ${damage.slice(0, 200)}`)
}

/** Values that their column would not take today. */
const VALUE = /^(?:NULL|NUMERIC|TEXT|non-\w+) value in /

function storeOf(db: DatabaseSync): Store {
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
    ...readsOf({ quoting, all: async (text, values) => all(text, values), asNumber }),
    // A sum of SQLite's integers fails beyond 64 bits.
    sum: async (table, column) => {
      const number = asNumber(quoting.name(column))
      const parts = `coalesce(sum(${number} / ${HALF}), 0) as high, coalesce(sum(${number} % ${HALF}), 0) as low`
      const [row] = all(`select ${parts} from ${quoting.name(table)}`)
      return BigInt(row?.['high'] as bigint) * BigInt(HALF) + BigInt(row?.['low'] as bigint) // integers arrive as big integers
    },
    close: async () => db.close(),
  }
}
