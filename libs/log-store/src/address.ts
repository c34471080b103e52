/** Where a ClickHouse answers over HTTP. */
export type LogStoreAddress = {
  /** Without user and database. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly database: string
}

const SCHEMES: ReadonlyMap<string, readonly [scheme: string, port: string]> = new Map([
  ['clickhouse:', ['http', '8123']],
  ['clickhouse+https:', ['https', '8443']],
])

/** Reads LOG_STORE_URL; undefined: it is no address of a log store. */
export function parseLogStoreUrl(text: string): LogStoreAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const known = SCHEMES.get(protocol)
  const database = decodeURIComponent(pathname.slice(1)) || 'tollgate'
  if (known === undefined || hostname === '' || search !== '' || hash !== '' || !/^\w+$/.test(database)) return undefined
  const [scheme, standard] = known
  return {
    url: `${scheme}://${hostname}:${port || standard}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
    database,
  }
}
