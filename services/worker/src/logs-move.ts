import { parseArgs } from 'node:util'
import { parseEnv, VerifierEnv } from '@tollgate/config/env'
import { connectDb } from '@tollgate/db/connect'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { dropMoved, moveLogs } from '@tollgate/log-store/move-logs'
import { openLogStore } from '@tollgate/log-store/open'
import { toLine } from '@tollgate/telemetry/error-line'

/**
 * `npm run logs:move [-- --drop]`: copies the log rows of Postgres to the log store while services run, from where it stopped before. With
 * `--drop` it then deletes them from Postgres, page after page, after comparing number and sum with the store.
 */
try {
  await run()
} catch (error) {
  process.stderr.write(`logs:move: ${toLine(error)}\n`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { drop: { type: 'boolean', default: false } } })
  const env = parseEnv(VerifierEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 2, name: 'tollgate-logs-move', limits: STATEMENT_LIMITS.batch })
  const store = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
  try {
    if (store === undefined) throw new Error('no log store is configured: set LOG_STORE_URL')
    const show = (word: string) => (rows: number) => void process.stdout.write(`${word} ${rows} rows\n`)
    const moved = await moveLogs({ db, store, onProgress: show('copied') })
    process.stdout.write(`${moved} rows of Postgres are in the log store\n`)
    if (!values.drop) return
    const dropped = await dropMoved({ db, store, onProgress: show('dropped') })
    process.stdout.write(`${dropped} rows deleted from Postgres\n`)
  } finally {
    await store?.close()
    await db.destroy()
  }
}
