import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'

type Column = { readonly name: string; readonly kind: string; readonly isNullable: boolean; readonly hasDefault: boolean }

/** The TypeScript text that schema.ts uses for a Postgres type. */
const KINDS: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  numeric: 'string',
  text: 'string',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  jsonb: 'json',
  bytea: 'Buffer',
  // The driver is not told to parse arrays of this kind: they come as literals.
  ARRAY: 'string',
}

/** `schema.ts` is written by hand; this test keeps it equal to the database. */
describe('schema.ts against the migrated database', () => {
  let test: TestDatabase
  let written: Map<string, Column[]>

  beforeAll(async () => {
    test = await createTestDatabase()
    written = readSchema(await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8'))
  })
  afterAll(() => test.drop())

  const migrated = async (): Promise<Map<string, Column[]>> => {
    const { rows } = await sql<{ table_name: string; column_name: string; data_type: string; is_nullable: string; has_default: boolean }>`
      select c.table_name, c.column_name, c.data_type, c.is_nullable,
        (c.column_default is not null or c.is_identity = 'YES') as has_default
      from information_schema.columns c
      join pg_class p on p.relname = c.table_name and p.relnamespace = 'public'::regnamespace and not p.relispartition
      where c.table_schema = 'public' and c.table_name not like 'kysely_%'
      order by c.table_name, c.ordinal_position`.execute(test.db)
    const tables = new Map<string, Column[]>()
    for (const row of rows) {
      const kind = KINDS[row.data_type] ?? row.data_type
      const column = { name: row.column_name, kind, isNullable: row.is_nullable === 'YES', hasDefault: row.has_default }
      tables.set(row.table_name, [...(tables.get(row.table_name) ?? []), column])
    }
    return tables
  }

  it('declares exactly the tables of the database', async () => {
    expect([...written.keys()].sort()).toEqual([...(await migrated()).keys()].sort())
  })

  it('declares every column with its type, nullability and default', async () => {
    const found = await migrated()

    for (const [table, columns] of written) expect({ [table]: columns }).toEqual({ [table]: found.get(table) })
  })
})

function readSchema(text: string): Map<string, Column[]> {
  const typeOf = new Map([...text.matchAll(/^ {2}(\w+): (\w+)$/gm)].map(([, table = '', type = '']) => [type, table]))
  const tables = new Map<string, Column[]>()
  for (const [, type = '', block = ''] of text.matchAll(/^type (\w+) = \{([^}]*)\}/gm)) {
    const table = typeOf.get(type)
    if (table !== undefined)
      tables.set(
        table,
        block
          .split(/[\n;]/)
          .map(readColumn)
          .filter((column) => column !== undefined),
      )
  }
  return tables
}

function readColumn(line: string): Column | undefined {
  const [, name, type] = /^\s*(\w+): (.+)$/.exec(line.trimEnd()) ?? []
  if (name === undefined || type === undefined) return undefined
  const isJson = /^(Json|JSONColumnType)</.test(type)
  const inner = /^(?:D|GeneratedAlways)<(.+)>$/.exec(type)?.[1] ?? type
  const words = inner
    .replace(/^ColumnType<([^,]+),.*$/, '$1')
    .split('|')
    .map((word) => word.trim())
  const kind = isJson ? 'json' : words[0]?.startsWith("'") === true ? 'string' : (words[0] ?? '')
  return {
    name,
    kind,
    isNullable: isJson ? type.startsWith('Json<') : words.includes('null'),
    hasDefault: type.startsWith('D<') || (isJson && type.includes('undefined')),
  }
}
