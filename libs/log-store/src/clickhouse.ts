import { AppError } from '@tollgate/contracts/app-error'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { LogStore } from '@tollgate/db/log-store'
import { createChecks } from './checks.ts'
import { parseLogStoreUrl, type LogStoreAddress } from './address.ts'
import { connect, isMissingDatabase, type Connection } from './connection.ts'
import { createReads } from './reads.ts'
import { MIGRATIONS, VERSIONS } from './schema.ts'

/** A log store on ClickHouse. */
export type ClickHouseStore = LogStore & {
  /** Brings the schema up to date. Fails if the store does not answer or is newer than this version; every other method calls it first. */
  prepare(): Promise<void>
}

type Options = {
  readonly url: string
  /** Runs work that no other process may do at the same time. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
}

/** Opens no connection before the first call. */
export function createClickHouseStore({ url, exclusively }: Options): ClickHouseStore {
  const address = parseLogStoreUrl(url)
  if (address === undefined)
    throw new Error('LOG_STORE_URL must be clickhouse://[user:password@]host[:port][/database], or clickhouse+https://')
  const connection = connect(address)
  let prepared: Promise<void> | undefined
  const prepare = async (): Promise<void> => {
    prepared ??= exclusively(() => migrate(connection, address))
    try {
      await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }
  const pause = createPause()
  const query: Connection['query'] = (...args) =>
    pause.read(async () => {
      await prepare()
      return await connection.query(...args)
    })
  return {
    prepare,
    insert: async (lines, token, batch = 0) => {
      await prepare()
      await connection.insert('logs', lines.replaceAll(/^\{/gm, `{"batch":"${batch}",`), insertSettings(token))
      pause.end()
    },
    noteBatch: async ({ batch, digest, months }) => {
      await prepare()
      await connection.insert('log_batches', JSON.stringify({ batch: String(batch), digest, months: months.join(' ') }), {
        async_insert: 0,
      })
    },
    listBatches: async (from) => {
      await prepare()
      const rows = await connection.query('SELECT DISTINCT batch, digest FROM log_batches WHERE batch >= {from:Int64}', { from })
      return rows.map(({ batch, digest }) => ({ batch: Number(batch), digest: String(digest) }))
    },
    removeBatches: async (from, to) => {
      await prepare()
      await spendTokens(connection, from, to)
      await connection.command(`DELETE FROM logs WHERE batch >= ${from} AND batch <= ${to} SETTINGS lightweight_deletes_sync = 2`)
    },
    ...createReads(query),
    ...createChecks(query),
    removeBefore: async (until) => {
      await prepare()
      await connection.command(removalOf(until))
    },
    ping: () => connection.ping(),
    close: () => connection.close(),
  }
}

/** The token by which the store knows the rows of a batch when they come again. */
export const batchToken = (batch: number): string => `batch-${batch}`

/** A batch is sent when the one before is in the store, so that only the last can be on its way. */
const ON_THE_WAY = 10

/**
 * Inserts a row by the token of each batch that may be on its way, in each month of its rows: what arrives later is taken for a repetition.
 * The caller deletes these rows with those of the batch.
 */
async function spendTokens(connection: Connection, from: number, to: number): Promise<void> {
  const noted = await connection.query(
    `SELECT batch, arrayStringConcat(groupUniqArray(months), ' ') AS months FROM log_batches
    WHERE batch >= {from:Int64} AND batch <= {to:Int64} GROUP BY batch ORDER BY batch DESC LIMIT ${ON_THE_WAY}`,
    { from, to },
  )
  for (const { batch, months } of noted) {
    const starts = new Set(String(months).split(' ').filter(Boolean))
    const lines = [...starts].map((created_at) => JSON.stringify({ batch: String(batch), id: '0', created_at }))
    if (lines.length > 0) await connection.insert('logs', lines.join('\n'), insertSettings(batchToken(Number(batch))))
  }
}

const PAUSE_MS = 2000

/** Refuses reads for two seconds after one that was not answered, so that not every list of a console waits for the same silence. */
function createPause(): { read<T>(work: () => Promise<T>): Promise<T>; end(): void } {
  let until = 0
  return {
    read: async (work) => {
      if (performance.now() < until) throw new AppError('logs.store-away')
      try {
        return await work()
      } catch (error) {
        if (error instanceof AppError && error.code === 'logs.store-away') until = performance.now() + PAUSE_MS
        throw error
      }
    },
    end: () => {
      until = 0
    },
  }
}

/** Rows may be of many months, each of which is a block with the same token. */
const insertSettings = (token: string) => ({
  insert_deduplication_token: token,
  insert_deduplicate: 1 as const,
  async_insert: 0 as const,
  max_partitions_per_insert_block: '0',
  input_format_skip_unknown_fields: 0 as const,
})

async function migrate(connection: Connection, address: LogStoreAddress): Promise<void> {
  await createDatabase(connection, address)
  await connection.command(VERSIONS)
  const [row] = await connection.query('SELECT max(version) AS version FROM log_store_versions')
  const version = Number(row?.['version'])
  if (version > MIGRATIONS.length) {
    throw new Error(`The log store has version ${version}, and this release knows ${MIGRATIONS.length}: install the newer release again`)
  }
  for (const [at, statement] of MIGRATIONS.entries()) {
    if (at < version) continue
    await connection.command(statement)
    await connection.command(`INSERT INTO log_store_versions VALUES (${at + 1})`)
  }
}

async function createDatabase(connection: Connection, address: LogStoreAddress): Promise<void> {
  try {
    await connection.query('SELECT 1')
  } catch (error) {
    if (!isMissingDatabase(error)) throw error
    const server = connect({ ...address, database: 'default' })
    try {
      await server.command(`CREATE DATABASE IF NOT EXISTS ${address.database}`)
    } finally {
      await server.close()
    }
  }
}

/** A month that has ended by then is dropped at once, as a partition; the caller clears month after month. */
function removalOf(until: UnixSeconds): string {
  const last = new Date((until - 1) * 1000).toISOString()
  const isWhole = new Date(until * 1000).toISOString().slice(0, 7) !== last.slice(0, 7)
  if (isWhole) return `ALTER TABLE logs DROP PARTITION ${last.slice(0, 7).replace('-', '')}`
  return `DELETE FROM logs WHERE created_at < ${until} SETTINGS lightweight_deletes_sync = 2`
}
