import { parseArgs } from 'node:util'
import { parseEnv, VerifierEnv } from '@tollgate/config/env'
import { ledgerRedisUrl } from '@tollgate/config/ledger-redis-url'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { openLogStore } from '@tollgate/log-store/open'
import { connectDb } from '@tollgate/db/connect'
import { createLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { PATIENT } from '@tollgate/redis/connect'
import { openLedger, waitUntilLedgerReady } from '@tollgate/redis/ledger-servers'
import { limitsOf, verifyLedger } from './verify/verify.ts'
import { toLine } from '@tollgate/telemetry/error-line'

/**
 * `npm run verify:ledger [-- --sample N]`: prints a short table and the first differences, and stores the report. Exit code 0: no
 * difference, 1: differences, 2: the check could not run, or could not compare Redis.
 */
const COULD_NOT_RUN = 2

try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`verify: ${toLine(error)}\n`)
  process.exit(COULD_NOT_RUN)
}

async function run(): Promise<number> {
  const sample = readSample()
  const env = parseEnv(VerifierEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 2, name: 'tollgate-verify', limits: STATEMENT_LIMITS.long })
  const logStore = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
  const { servers, close } = openLedger({ url: ledgerRedisUrl(env), homeUrl: env.REDIS_URL }, 'plain', PATIENT)
  await waitUntilLedgerReady(servers)
  const { text, is_sound, verdict } = await verifyLedger({ db, redis: servers, limits: limitsOf(env), sample })
  process.stdout.write(text)
  await createLedgerReport(db, { source: 'command', is_sound, verdict })
  close()
  await logStore?.close()
  await db.destroy()
  if (verdict.differences > 0) return 1
  return is_sound ? 0 : COULD_NOT_RUN
}

function readSample(): number | undefined {
  const { values } = parseArgs({ options: { sample: { type: 'string' } } })
  if (values.sample === undefined || values.sample === 'all') return undefined
  const size = Number(values.sample)
  if (!Number.isSafeInteger(size) || size < 1) throw new Error('--sample takes a number of charges, or all')
  return size
}
