import { createConnection, type ConnectionOptions, type RowDataPacket } from 'mysql2/promise'
import { encryptionOf, readsOf, tablesIn, type Connect, type Quoting, type Row, type Store } from './store.ts'

const quoting: Quoting = { name: (name) => `\`${name.replaceAll('`', '``')}\``, parameter: () => '?' }

/** MariaDB or MySQL. Whole numbers and times arrive as texts; a zero date stays one. The server turns other character sets into UTF-8. */
export async function openMysql(url: string, connect?: Connect): Promise<Store> {
  const connection = await createConnection({
    ...(connect === undefined ? { uri: url.replace(/^mariadb:/i, 'mysql:') } : await guarded(url, connect)),
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

/** The account and the database of an address; its other parameters could name a socket or a file of this machine. */
async function guarded(url: string, connect: Connect): Promise<ConnectionOptions> {
  const address = new URL(url)
  const { hostname, port, username, password, pathname } = address
  const encryption = encryptionOf(address)
  return {
    stream: await connect(hostname, port === '' ? 3306 : Number(port)),
    host: hostname,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(encryption === 'none' ? {} : { ssl: { rejectUnauthorized: encryption === 'verified', verifyIdentity: encryption === 'verified' } }),
  }
}
