import type { Socket } from 'node:net'
import postgres from 'postgres'
import { encryptionOf, readsOf, tablesIn, type Connect, type Encryption, type Quoting, type Row, type Store } from './store.ts'

const quoting: Quoting = { name: (name) => `"${name.replaceAll('"', '""')}"`, parameter: (index) => `$${index}` }

/** Whole numbers arrive as texts, so that none is rounded; times as texts without a zone of this process. */
export async function openPostgres(url: string, connect?: Connect): Promise<Store> {
  const text = { to: 25, from: [20, 1700, 1082, 1114, 1184], serialize: String, parse: (value: string) => value }
  const sql = postgres(connect === undefined ? url : '', {
    ...(connect === undefined ? {} : guarded(url, connect)),
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
  try {
    await all('select 1')
  } catch (error) {
    // The driver would try to connect again.
    await sql.end({ timeout: 0 })
    throw error
  }
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

const SSL = { none: false, unverified: 'require', verified: 'verify-full' } as const satisfies Record<Encryption, unknown>

/** The account and the database of an address; the driver would complete it from the environment, and from parameters of the address. */
function guarded(url: string, connect: Connect): postgres.Options<Record<string, never>> & { readonly socket: () => Promise<Socket> } {
  const address = new URL(url)
  const { hostname, port, username, password, pathname } = address
  const [host, portNumber] = [hostname.replace(/^\[|\]$/g, ''), port === '' ? 5432 : Number(port)]
  return {
    host,
    port: portNumber,
    user: decodeURIComponent(username),
    pass: () => decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username),
    ssl: SSL[encryptionOf(address)],
    // The driver takes the name of the certificate from the socket.
    socket: async () => Object.assign(await connect(host, portNumber), { host }),
  }
}
