import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { redisUrl } from '@tollgate/servers/redis'
import { lock } from './lock.ts'
import { readOrCreateKeys } from './keys.ts'
import { createLifecycle } from './lifecycle.ts'
import { findLive } from './pid-files.ts'
import { createStateDir, type Paths } from './paths.ts'
import type { Stores } from './service-env.ts'
import { bringUpStores } from './start.ts'
import { ownPostgresUrls } from './stores.ts'

/** Exit code of a check that could not run. */
const COULD_NOT_RUN = 2

type Command = { readonly paths: Paths; readonly env: LauncherEnv; readonly args: readonly string[] }

/**
 * `npm run verify:ledger`: runs the worker's verifier on the stores of this clone, which it starts if needed, or on those of
 * DATABASE_URL and REDIS_URL. Exits with the verifier's code.
 */
export async function verifyLedger({ paths, env, args }: Command): Promise<number> {
  const isRunning = (await findLive(paths, 'launcher')) !== undefined
  const isElsewhere = env.DATABASE_URL !== '' && env.REDIS_URL !== ''
  if (isElsewhere) return await runVerifier(paths, { ownerUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL }, args)
  if (isRunning) return await runVerifier(paths, await findRunningStores(paths, env), args)
  const lifecycle = createLifecycle()
  let code = COULD_NOT_RUN
  const stopped = await lifecycle.run(async () => {
    await createStateDir(paths)
    const lockHandle = await lock(paths, env.PORT)
    lifecycle.add({ name: '', stop: lockHandle.release })
    const stores = await bringUpStores(paths, env, await readOrCreateKeys(paths), lifecycle)
    code = await runVerifier(paths, stores, args)
    lifecycle.finish()
  })
  return stopped === 0 ? code : COULD_NOT_RUN
}

type VerifiedStores = Pick<Stores, 'ownerUrl' | 'redisUrl'>

export async function findRunningStores(paths: Paths, env: LauncherEnv): Promise<VerifiedStores> {
  const { postgres_password, redis_password } = await readOrCreateKeys(paths)
  const [postgres, redis] = await Promise.all([findLive(paths, 'postgres'), findLive(paths, 'redis')])
  if ((postgres === undefined && env.DATABASE_URL === '') || (redis === undefined && env.REDIS_URL === '')) {
    throw new Error('the running Tollgate uses stores that are not its own: set DATABASE_URL and REDIS_URL as it has them')
  }
  return {
    ownerUrl: postgres === undefined ? env.DATABASE_URL : ownPostgresUrls(postgres.port, { postgres_password }).ownerUrl,
    redisUrl: redis === undefined ? env.REDIS_URL : redisUrl({ port: redis.port, password: redis_password }),
  }
}

async function runVerifier(paths: Paths, { ownerUrl, redisUrl: redis }: VerifiedStores, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ['services/worker/src/verify-ledger.ts', ...args], {
    cwd: paths.root,
    env: inheritedEnv({ DATABASE_URL: ownerUrl, REDIS_URL: redis }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await once(child, 'exit')
  return child.exitCode ?? COULD_NOT_RUN
}
