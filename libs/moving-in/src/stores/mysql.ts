import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { readsOf, tablesIn, type Quoting, type Row, type Store } from './store.ts'

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
  await all('set session transaction read only')
  return {
    kind: 'mysql',
    tables: async () =>
      tablesIn(
        await all(
          `select table_name as table_name, column_name as column_name from information_schema.columns where table_schema = database()
           order by table_name, ordinal_position`,
        ),
      ),
    ...readsOf({ quoting, all, asNumber: (column) => column }),
    close: () => connection.end(),
  }
}
