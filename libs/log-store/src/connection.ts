import { ClickHouseError, ClickHouseLogLevel, createClient, type ClickHouseClient, type ClickHouseSettings } from '@clickhouse/client'
import { AppError } from '@tollgate/contracts/app-error'
import type { LogStoreAddress } from './address.ts'

export type Params = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Statements of one ClickHouse. What is not answered fails with `logs.store-away`, what takes too long with `store.too-long`. */
export type Connection = {
  /** Rows as the server writes them: 64-bit numbers are text. `isLong`: it may take a minute. */
  query(statement: string, params?: Params, options?: { readonly isLong?: boolean }): Promise<Record<string, unknown>[]>
  command(statement: string): Promise<void>
  /** Rows as one JSON object per line. */
  insert(table: string, lines: string, settings: ClickHouseSettings): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

const READ_MS = 10_000
/** A read that takes so long goes on only if the server answers a ping within the same time. */
const DOUBT_MS = 1500
/** Inserts, deletions, changes of the schema, and checks of all rows. */
const LONG_MS = 60_000

/** Errors have a status only if the whole answer is known before it begins. */
const SETTINGS = { wait_end_of_query: 1, output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 } as const

/** Codes of TIMEOUT_EXCEEDED and TOO_SLOW. */
const TOO_LONG = new Set(['159', '160'])

export function connect({ url, username, password, database }: LogStoreAddress): Connection {
  const open = (timeout_ms: number): ClickHouseClient =>
    createClient({
      url,
      username,
      password,
      database,
      request_timeout: timeout_ms,
      application: 'tollgate',
      clickhouse_settings: SETTINGS,
      // Its lines would contain rows; errors reach the caller.
      log: { level: ClickHouseLogLevel.OFF },
    })
  const reads = open(READ_MS)
  const long = open(LONG_MS)
  const pings = open(DOUBT_MS)
  return {
    query: (query, query_params = {}, { isLong = false } = {}) =>
      answered(async () => {
        const clickhouse_settings = { max_execution_time: (isLong ? LONG_MS : READ_MS) / 1000 }
        const text = await whileAlive(pings, async (abort_signal) => {
          const answer = await (isLong ? long : reads).query({
            query,
            query_params,
            format: 'JSONEachRow',
            clickhouse_settings,
            abort_signal,
          })
          // Not as a stream, which can block this process when an error ends it.
          return await answer.text()
        })
        return toRows(text)
      }),
    command: (query) => answered(async () => void (await long.command({ query }))),
    insert: (table, lines, clickhouse_settings) =>
      // The client's `insert` would parse and write each row again.
      answered(async () => void (await long.command({ query: `INSERT INTO ${table} FORMAT JSONEachRow\n${lines}`, clickhouse_settings }))),
    ping: () =>
      answered(async () => {
        const answer = await reads.ping({ select: true })
        if (!answer.success) throw answer.error
      }),
    close: async () => {
      await Promise.all([reads.close(), long.close(), pings.close()])
    },
  }
}

/** Aborts work when the server turns out not to answer, instead of waiting for it as long as for one that needs the time. */
async function whileAlive<T>(pings: ClickHouseClient, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const given = new AbortController()
  const doubt = setTimeout(() => {
    void pings.ping().then((answer) => (answer.success ? undefined : given.abort()))
  }, DOUBT_MS)
  try {
    return await work(given.signal)
  } finally {
    clearTimeout(doubt)
  }
}

// The server writes one object per line.
const toRows = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))

/** Code of UNKNOWN_DATABASE. */
export const isMissingDatabase = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof ClickHouseError && error.cause.code === '81'

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const isTooLong = cause instanceof ClickHouseError && TOO_LONG.has(cause.code)
    throw new AppError(isTooLong ? 'store.too-long' : 'logs.store-away', {}, { cause })
  }
}
