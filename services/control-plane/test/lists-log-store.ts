import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { compareStoredHours } from '@tollgate/db/queries/ledger/verify-stored'
import { withStatements } from '@tollgate/db/statement-limits'
import { parseLogStoreUrl } from '@tollgate/log-store/address'
import { connect, type Connection } from '@tollgate/log-store/connection'
import { openLogStore } from '@tollgate/log-store/open'
import { startClickHouse } from '@tollgate/testing/clickhouse'
import { COMPLETE_ROWS, seedStoredLedger } from '@tollgate/testing/stored-ledger'

type Plan = Parameters<typeof seedStoredLedger>[1]
/** `kept`: folder of the store, for the next run too. */
type Places = { readonly postgres: string; readonly kept: string | undefined }

/** A ClickHouse with the log rows of a plan, which the queries of the connection use from now on. */
export async function startLogStore(db: Db, plan: Plan, { postgres, kept }: Places) {
  if (kept !== undefined) await mkdir(kept, { recursive: true })
  const clickhouse = await startClickHouse(kept)
  await migrate(db)
  const store = await openLogStore({ url: clickhouse.url, db, now: Date.now })
  const address = parseLogStoreUrl(clickhouse.url)
  if (store === undefined || address === undefined) throw new Error('no log store')
  const connection = connect(address)
  const noted = join(kept ?? '', 'insert-seconds')
  const isFilled = (await store.count({})) > 0
  const insert_s = isFilled ? Number(await readFile(noted, 'utf8')) : await seedStoredLedger({ postgres, store: clickhouse.url }, plan)
  if (kept !== undefined) await writeFile(noted, String(insert_s))
  await untilMerged(connection)
  return {
    pid: clickhouse.pid,
    /** The size of the rows, and whether the sums of hours are those of the rows. */
    describe: async () => {
      const began = Date.now()
      const { compared, differences } = await withStatements('batch', () => compareStoredHours(db, store, plan.until + HOUR_SECONDS))
      const check_s = (Date.now() - began) / 1000
      return { ...(await sizeOf(connection)), insert_s, isComplete: plan.rows <= COMPLETE_ROWS, compared, differences, check_s }
    },
    stop: async () => {
      await connection.close()
      await store.close()
      await clickhouse.stop()
    },
  }
}

/** A store at rest: parts that are being merged would be measured too. */
async function untilMerged(connection: Connection): Promise<void> {
  for (;;) {
    const [row] = await connection.query('SELECT count() AS merges FROM system.merges')
    if (row?.['merges'] === '0') return
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

async function sizeOf(connection: Connection) {
  const [row] = await connection.query(`
    SELECT sum(rows) AS stored_rows, sum(bytes_on_disk) AS bytes, sum(data_uncompressed_bytes) AS raw_bytes, count() AS parts
    FROM system.parts WHERE active AND database = currentDatabase() AND table = 'logs'`)
  const number = (name: string): number => Number(row?.[name])
  return { stored_rows: number('stored_rows'), bytes: number('bytes'), raw_bytes: number('raw_bytes'), parts: number('parts') }
}
