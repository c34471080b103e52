import postgres from 'postgres'
import { pageStatement, toBigInt, type Quoting, type Row, type Store } from './store.ts'

const quoting: Quoting = { name: (name) => `"${name.replaceAll('"', '""')}"`, parameter: (index) => `$${index}` }

/** Whole numbers arrive as texts, so that none is rounded; times as texts without a zone of this process. */
export async function openPostgres(url: string): Promise<Store> {
  const text = { to: 25, from: [20, 1700, 1082, 1114, 1184], serialize: String, parse: (value: string) => value }
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => undefined,
    connection: { application_name: 'tollgate-import', default_transaction_read_only: true },
    types: { text },
  })
  const all = async (statement: string, values: readonly (string | number)[] = []): Promise<Row[]> => [
    ...(await sql.unsafe(statement, values.map(String), { prepare: false })),
  ]
  const one = async (statement: string): Promise<unknown> => (await all(statement))[0]?.['value']
  await all('select 1')
  return {
    kind: 'postgres',
    tables: async () => {
      const rows = await all(
        `select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
      )
      const grouped = Map.groupBy(rows, (row) => String(row['table_name']))
      return new Map([...grouped].map(([table, columns]) => [table, columns.map((row) => String(row['column_name']))]))
    },
    page: async (query) => {
      const { text: statement, values } = pageStatement(query, quoting)
      return await all(statement, values)
    },
    count: async (table) => Number(await one(`select count(*) as value from ${quoting.name(table)}`)),
    sum: async (table, column) =>
      toBigInt(await one(`select coalesce(sum(${quoting.name(column)}::numeric), 0) as value from ${quoting.name(table)}`)),
    max: async (table, column) =>
      Number(await one(`select coalesce(max(${quoting.name(column)}), 0) as value from ${quoting.name(table)}`)),
    close: () => sql.end({ timeout: 5 }),
  }
}
