import { toLine } from '@tollgate/telemetry/error-line'
import { parseEnv, ResealEnv } from '@tollgate/config/env'
import { createSealer } from '@tollgate/config/sealing'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { connectDb } from '@tollgate/db/connect'
import { resealAll } from './key-rotation/reseal-all.ts'

/** `node services/worker/src/reseal.ts`: seals every secret in Postgres with the first of KEY_CHANNELS and KEY_OPTIONS. docs/guides/keys.md */
try {
  const env = parseEnv(ResealEnv)
  const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-reseal', limits: STATEMENT_LIMITS.batch })
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  const resealed = await resealAll(db, sealers)
  await db.destroy()
  const counts = Object.entries(resealed).map(([what, count]) => `${what} ${count}`)
  process.stdout.write(`sealed with the new keys: ${counts.join(', ')}\n`)
} catch (error) {
  process.stderr.write(`reseal: ${toLine(error)}\n`)
  process.exit(1)
}
