import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { postgresUrl } from '@tollgate/servers/postgres'
import { redisUrl } from '@tollgate/servers/redis'
import { claim } from './claim.ts'
import { readOrCreateKeys } from './keys.ts'
import { createLifecycle } from './lifecycle.ts'
import { findLive } from './pid-files.ts'
import { makePlace, type Place } from './place.ts'
import { bringUpStores } from './start.ts'

/** Exit code of a check that could not run. */
const COULD_NOT_RUN = 2

type Command = { readonly place: Place; readonly env: LauncherEnv; readonly args: readonly string[] }

/**
 * `npm run verify:ledger`: the worker's verifier on the stores of this clone, running or brought up for it, or on those that
 * DATABASE_URL and REDIS_URL name. Its exit code is ours.
 */
export async function verifyLedger({ place, env, args }: Command): Promise<number> {
  const isRunning = (await findLive(place, 'launcher')) !== undefined
  const isElsewhere = env.DATABASE_URL !== '' && env.REDIS_URL !== ''
  if (isElsewhere) return await runVerifier(place, { databaseUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL }, args)
  if (isRunning) return await runVerifier(place, await findRunningStores(place, env), args)
  const lifecycle = createLifecycle()
  let code = COULD_NOT_RUN
  const stopped = await lifecycle.run(async () => {
    await makePlace(place)
    const claimed = await claim(place, env.PORT)
    lifecycle.add({ name: '', stop: claimed.release })
    const stores = await bringUpStores(place, env, await readOrCreateKeys(place), lifecycle)
    code = await runVerifier(place, stores, args)
    lifecycle.finish()
  })
  return stopped === 0 ? code : COULD_NOT_RUN
}

type Stores = { readonly databaseUrl: string; readonly redisUrl: string }

async function findRunningStores(place: Place, env: LauncherEnv): Promise<Stores> {
  const { postgres_password, redis_password } = await readOrCreateKeys(place)
  const [postgres, redis] = await Promise.all([findLive(place, 'postgres'), findLive(place, 'redis')])
  if ((postgres === undefined && env.DATABASE_URL === '') || (redis === undefined && env.REDIS_URL === '')) {
    throw new Error('the running Tollgate uses stores that are not its own: set DATABASE_URL and REDIS_URL as it has them')
  }
  return {
    databaseUrl: postgres === undefined ? env.DATABASE_URL : postgresUrl({ port: postgres.port, password: postgres_password }),
    redisUrl: redis === undefined ? env.REDIS_URL : redisUrl({ port: redis.port, password: redis_password }),
  }
}

async function runVerifier(place: Place, { databaseUrl, redisUrl: redis }: Stores, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['services/worker/src/verify-ledger.ts', ...args], {
    cwd: place.root,
    env: inheritedEnv({ DATABASE_URL: databaseUrl, REDIS_URL: redis }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
  return child.exitCode ?? COULD_NOT_RUN
}
