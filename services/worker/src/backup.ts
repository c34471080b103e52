import { toLine } from '@tollgate/telemetry/error-line'
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { BackupEnv, parseEnv } from '@tollgate/config/env'
import { ledgerRedisUrl } from '@tollgate/config/ledger-redis-url'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { connectDb } from '@tollgate/db/connect'
import { PATIENT } from '@tollgate/redis/connect'
import { openLedger, waitUntilLedgerReady } from '@tollgate/redis/ledger-servers'
import { waitUntilPosted } from './backup/unposted.ts'
import { writeBackup } from './backup/write-backup.ts'

/**
 * `node services/worker/src/backup.ts DIR [--wait SECONDS] [--allow-unposted]`: writes the database into the new folder DIR. Keys are not
 * in it: `npm run backup` adds them. docs/guides/backup.md
 */
try {
  await run()
} catch (error) {
  process.stderr.write(`backup: ${toLine(error)}\n`)
  process.exit(1)
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { wait: { type: 'string', default: '60' }, 'allow-unposted': { type: 'boolean', default: false } },
  })
  const [dir] = positionals
  const seconds = Number(values.wait)
  if (dir === undefined || positionals.length > 1) throw new Error('name one new folder for the backup')
  if (!(seconds >= 0)) throw new Error('--wait takes a number of seconds')
  if (await isThere(dir)) throw new Error(`${dir} exists; name a new folder`)
  const env = parseEnv(BackupEnv)
  const unposted = await countUnposted(env, seconds)
  if (unposted > 0 && !values['allow-unposted']) {
    throw new Error(
      `${unposted} charges are not in Postgres yet, and would be missing. Start Tollgate, so that its worker posts them, and try again; or add --allow-unposted`,
    )
  }
  const facts = { created_at: new Date().toISOString(), shards: env.SHARDS, unposted }
  const onTable = ({ name, rows }: { name: string; rows: number }) => {
    if (rows > 0) process.stdout.write(`  ${name}: ${rows} rows\n`)
  }
  const { tables } = await writeBackup({ url: env.DATABASE_URL, dir, facts, onTable })
  const [rows, bytes] = [tables.reduce((sum, table) => sum + table.rows, 0), tables.reduce((sum, table) => sum + table.bytes, 0)]
  process.stdout.write(`${rows} rows of ${tables.length} tables, ${(bytes / 1e6).toFixed(1)} MB; charges not included: ${unposted}\n`)
}

async function countUnposted(env: BackupEnv, seconds: number): Promise<number> {
  const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-backup', limits: STATEMENT_LIMITS.batch })
  const { servers, close } = openLedger({ url: ledgerRedisUrl(env), homeUrl: env.REDIS_URL }, 'plain', PATIENT)
  try {
    await waitUntilLedgerReady(servers)
    return await waitUntilPosted({ db, redis: servers, shards: env.SHARDS }, seconds * 1000)
  } finally {
    close()
    await db.destroy()
  }
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}
