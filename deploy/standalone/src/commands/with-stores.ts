import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { redisUrl } from '@tollgate/servers/redis'
import { lock } from '../processes/lock.ts'
import { readOrCreateKeys } from '../machine/keys.ts'
import { createLifecycle } from '../processes/lifecycle.ts'
import { createStateDir, type Paths } from '../machine/paths.ts'
import { findLive } from '../processes/pid-files.ts'
import type { Stores } from '../processes/service-env.ts'
import { bringUpStores } from './start.ts'
import { ownPostgresUrls } from '../stores/stores.ts'

/** Postgres as the role that owns the schema, and Redis. */
export type CommandStores = Pick<Stores, 'ownerUrl' | 'redisUrl'>

/**
 * Runs `work` on the stores of DATABASE_URL and REDIS_URL, on those of the running launcher, or on our own, started for it. Returns its
 * exit code, or `failed` if the stores could not be started or stopped.
 */
export async function withStores(
  { paths, env, failed = 1 }: { readonly paths: Paths; readonly env: LauncherEnv; readonly failed?: number },
  work: (stores: CommandStores) => Promise<number>,
): Promise<number> {
  if (env.DATABASE_URL !== '' && env.REDIS_URL !== '') return await work({ ownerUrl: env.DATABASE_URL, redisUrl: env.REDIS_URL })
  if ((await findLive(paths, 'launcher')) !== undefined) return await work(await findRunningStores(paths, env))
  return await withStartedStores({ paths, env, failed }, work)
}

/** The same on stores that are started for it; throws when a launcher runs. */
export async function withStartedStores(
  { paths, env, failed = 1 }: { readonly paths: Paths; readonly env: LauncherEnv; readonly failed?: number },
  work: (stores: CommandStores) => Promise<number>,
): Promise<number> {
  const lifecycle = createLifecycle()
  let code = failed
  const stopped = await lifecycle.run(async () => {
    await createStateDir(paths)
    const lockHandle = await lock(paths, env.PORT)
    lifecycle.add({ name: '', stop: lockHandle.release })
    const stores = await bringUpStores({ paths, env, keys: await readOrCreateKeys(paths), lifecycle })
    code = await work(stores)
    lifecycle.finish()
  })
  return stopped === 0 ? code : failed
}

export async function findRunningStores(paths: Paths, env: LauncherEnv): Promise<CommandStores> {
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
