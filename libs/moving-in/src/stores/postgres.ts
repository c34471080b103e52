import postgres from 'postgres'
import { readsOf, tablesIn, type Quoting, type Row, type Store } from './store.ts'

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
  await all('select 1')
  return {
    kind: 'postgres',
    tables: async () =>
      tablesIn(
        await all(
          `select c.table_name, c.column_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
           where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
        ),
      ),
    ...readsOf({ quoting, all, asNumber: (column) => `${column}::numeric` }),
    close: () => sql.end({ timeout: 5 }),
  }
}
