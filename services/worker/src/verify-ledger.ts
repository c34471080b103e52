import { parseEnv, VerifierEnv } from '@tollgate/config/env'
import { connectDb } from '@tollgate/db/connect'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { verifyLedger } from './verify/verify.ts'

/** `npm run verify:ledger`: prints a short table and the first differences; exit code 1 when there are any. */
try {
  const env = parseEnv(VerifierEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 2, name: 'tollgate-verify' })
  const redis = connectRedis(env.REDIS_URL, 'plain')
  await waitUntilReady(redis)
  const verdict = await verifyLedger({ db, redis, shards: env.SHARDS, maxHoldAgeMs: env.MAX_HOLD_AGE * 1000 })
  process.stdout.write(verdict.text)
  redis.disconnect()
  await db.destroy()
  process.exit(verdict.isSound ? 0 : 1)
} catch (error) {
  process.stderr.write(`verify: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
