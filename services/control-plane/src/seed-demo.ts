import { randomBytes } from 'node:crypto'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { createSealer } from '@tollgate/config/sealing'
import { STATEMENT_LIMITS } from '@tollgate/db/statement-limits'
import { openLogStore } from '@tollgate/log-store/open'
import { connectDb } from '@tollgate/db/connect'
import { findUserIdByName } from '@tollgate/db/queries/users/usernames'
import { writeDemo } from './seed-demo/write.ts'
import { demoTraffic, seededRandom, USERS } from './seed-demo/traffic.ts'

/** `npm run seed:demo`: fills an installation with thirty days of made-up requests, for trying the console. */
const PER_DAY = 1500
const SEED = 20_260_101

const env = parseEnv(ControlPlaneEnv)
const db = connectDb({ url: env.DATABASE_URL, max: 1, name: 'tollgate-seed-demo', limits: STATEMENT_LIMITS.batch })
const logStore = await openLogStore({ url: env.LOG_STORE_URL, db, now: Date.now })
try {
  process.exitCode = await seed()
} finally {
  await logStore?.close()
  await db.destroy()
}

async function seed(): Promise<number> {
  const first = USERS[0]?.name ?? ''
  if ((await findUserIdByName(db, first)) !== undefined) {
    process.stderr.write(`seed: the demo data is there already (user ${first} exists)\n`)
    return 1
  }
  const now = Math.floor(Date.now() / 1000)
  const timezone = -60 * new Date().getTimezoneOffset()
  const requests = [...demoTraffic({ now, timezone, perDay: PER_DAY, random: seededRandom(SEED) })]
  const password = randomBytes(9).toString('base64url')
  const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
  await db.transaction().execute((tx) => writeDemo(tx, { sealers, shards: env.SHARDS, now }, requests, password))
  process.stdout.write(`seed: wrote ${requests.length} requests of ${USERS.length} users over 30 days\n`)
  process.stdout.write(`seed: sign in as one of them: ${first} ${password}\n`)
  return 0
}
