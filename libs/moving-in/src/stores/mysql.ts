import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { pageStatement, toBigInt, type Quoting, type Row, type Store } from './store.ts'

const quoting: Quoting = { name: (name) => `\`${name.replaceAll('`', '``')}\``, parameter: () => '?' }

/** MariaDB or MySQL. Whole numbers and times arrive as texts; a zero date stays one. The server turns other character sets into UTF-8. */
export async function openMysql(url: string): Promise<Store> {
  const connection = await createConnection({
    uri: url.replace(/^mariadb:/, 'mysql:'),
    charset: 'utf8mb4',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    connectTimeout: 10_000,
  })
  const all = async (text: string, values: readonly (string | number)[] = []): Promise<Row[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(text, [...values])
    return rows
  }
  const one = async (text: string): Promise<unknown> => (await all(text))[0]?.['value']
  await all('set session transaction read only')
  return {
    kind: 'mysql',
    tables: async () => {
      const rows = await all(
        `select table_name as t, column_name as c from information_schema.columns where table_schema = database() order by table_name, ordinal_position`,
      )
      const grouped = Map.groupBy(rows, (row) => String(row['t']))
      return new Map([...grouped].map(([table, columns]) => [table, columns.map((row) => String(row['c']))]))
    },
    page: async (query) => {
      const { text, values } = pageStatement(query, quoting)
      return await all(text, values)
    },
    count: async (table) => Number(await one(`select count(*) as value from ${quoting.name(table)}`)),
    sum: async (table, column) =>
      toBigInt(await one(`select coalesce(sum(${quoting.name(column)}), 0) as value from ${quoting.name(table)}`)),
    max: async (table, column) =>
      Number(await one(`select coalesce(max(${quoting.name(column)}), 0) as value from ${quoting.name(table)}`)),
    close: () => connection.end(),
  }
}
