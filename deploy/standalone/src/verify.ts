import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { postgresUrl } from '@tollgate/servers/postgres'
import { redisUrl } from '@tollgate/servers/redis'
import { readOrCreateKeys } from './keys.ts'
import { findLive } from './pid-files.ts'
import type { Place } from './place.ts'

/** `npm run verify:ledger`: compares Redis and Postgres of the running installation, or of DATABASE_URL and REDIS_URL. */
export async function verify(place: Place, env: LauncherEnv): Promise<number> {
  const script = join(place.root, 'services/worker/src/verify-ledger.ts')
  const stores = { DATABASE_URL: env.DATABASE_URL, REDIS_URL: env.REDIS_URL }
  if (stores.DATABASE_URL === '' || stores.REDIS_URL === '') {
    const keys = await readOrCreateKeys(place)
    const { port: postgresPort } = await requireLive(place, 'postgres')
    const { port: redisPort } = await requireLive(place, 'redis')
    stores.DATABASE_URL ||= postgresUrl({ port: postgresPort, password: keys.postgres_password })
    stores.REDIS_URL ||= redisUrl({ port: redisPort, password: keys.redis_password })
  }
  const child = spawn(process.execPath, [script], { env: inheritedEnv(stores), stdio: ['ignore', 'inherit', 'inherit'] })
  await once(child, 'exit')
  return child.exitCode ?? 1
}

async function requireLive(place: Place, name: 'postgres' | 'redis') {
  const live = await findLive(place, name)
  if (live === undefined)
    throw new Error(`${name} of this installation is not running; start it with npm start, or set DATABASE_URL and REDIS_URL`)
  return live
}
