import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { Env } from './fleet.ts'

/** Runs in the folder of the old version, whose modules write rows as it does. */
const PROGRAM = `
  const { connectDb } = await import('@tollgate/db/connect')
  const { migrate } = await import('@tollgate/db/migrate')
  const { seedLedger } = await import('@tollgate/testing/ledger-rows')
  const { seedChannels } = await import('@tollgate/testing/list-rows')
  const { url, plan, channels } = JSON.parse(process.env.PLAN)
  const db = connectDb({ url, max: 1 })
  await migrate(db)
  await db.destroy()
  await seedLedger(url, plan)
  await seedChannels(url, channels)`

const DAYS = 31
const ROWS_PER_USER = 500
/** Default of SHARDS. */
const SHARDS = 64
const CHANNELS = 12

/** Makes the old schema in an empty database and fills it with a consistent ledger of its rows, over the last month. */
export async function fillDatabase(root: string, env: Env, rows: number): Promise<{ readonly users: number }> {
  const users = Math.max(20, Math.floor(rows / ROWS_PER_USER))
  const plan = { rows, users, shards: SHARDS, until: Math.floor(Date.now() / 1000) - 3600, hours: DAYS * 24, isSkewed: true }
  const variables = inheritedEnv({ PLAN: JSON.stringify({ url: env['DATABASE_URL'], plan, channels: CHANNELS }) })
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: root, env: variables, maxBuffer: 1e8 })
  return { users }
}
