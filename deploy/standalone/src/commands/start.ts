import { flushCompileCache } from 'node:module'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { lock } from '../processes/lock.ts'
import { buildConsole } from '../processes/console-build.ts'
import { readOrCreateKeys, type Keys } from '../machine/keys.ts'
import { stopOrphans } from '../processes/orphans.ts'
import { createLifecycle, type Lifecycle } from '../processes/lifecycle.ts'
import { requirePostgres, requireRedis } from '../stores/outside-stores.ts'
import { createStateDir, type Paths } from '../machine/paths.ts'
import { portsFrom, requireFreePorts } from '../processes/ports.ts'
import { log } from '../machine/log.ts'
import { createTerminal, type Terminal } from '../machine/terminal.ts'
import { serviceEnvs, type ServiceName, type Stores } from '../processes/service-env.ts'
import { startArguments, startService } from '../processes/service.ts'
import { bringUpPostgres, bringUpRedis, ownPostgresUrls, preparePostgres } from '../stores/stores.ts'
import { requireRedisBinary } from '../machine/system-packages.ts'

export type StartOptions = { readonly paths: Paths; readonly env: LauncherEnv; readonly isDemo: boolean }

/** `npm start`: starts everything, prints one URL, waits for a signal and stops everything in order. */
export async function start(options: StartOptions): Promise<number> {
  const lifecycle = createLifecycle()
  return await lifecycle.run(() => begin(options, lifecycle))
}

async function begin({ paths, env, isDemo }: StartOptions, lifecycle: Lifecycle): Promise<void> {
  const started = Date.now()
  const ports = portsFrom(env.PORT)
  const terminal = createTerminal()
  await createStateDir(paths)
  const lockHandle = await lock(paths, ports.public)
  lifecycle.add({ name: '', stop: lockHandle.release })
  const left = await stopOrphans(paths, ['relay', 'worker', 'control-plane'])
  if (left.length > 0) log(`an earlier launcher was killed: stopped its ${left.join(', ')}`)
  await requireFreePorts(ports, isDemo)
  const keys = await readOrCreateKeys(paths)
  const [stores, consoleDir] = await Promise.all([
    bringUpStores({ paths, env, keys, lifecycle, terminal }),
    buildConsole(paths, lifecycle.signal),
  ])
  lifecycle.signal.throwIfAborted()
  await migrateDatabase((env.DATABASE_URL !== '' && env.MIGRATE_DATABASE_URL) || stores.ownerUrl)
  const services = serviceEnvs({ paths, env, ports, keys, stores, consoleDir, mode: 'production' })
  // Started before the relay, so that it stops after it: draining streams still need their vendor.
  const models = isDemo ? await (await import('../demo/model-server.ts')).startModelServer(ports.modelServer) : undefined
  if (models !== undefined) lifecycle.add({ name: 'model server', stop: models.stop })
  const shared = { paths, lifecycle, showLine: isDemo ? terminal.showProblem : terminal.showServiceLine }
  await bringUpService({ ...shared, name: 'control-plane', env: services['control-plane'], port: ports.controlPlane })
  await bringUpService({ ...shared, name: 'worker', env: services.worker, port: ports.worker })
  await bringUpService({ ...shared, name: 'relay', env: services.relay, port: ports.public })
  const origin = `http://localhost:${ports.public}`
  if (models !== undefined) await (await import('../demo/demo.ts')).seedDemo(paths, origin, models.url)
  log(`Tollgate is ready: ${origin}  (after ${((Date.now() - started) / 1000).toFixed(1)} s; Ctrl-C stops it)`)
  terminal.ready()
  // Also for a launcher that is killed.
  flushCompileCache()
}

type StoresOptions = {
  readonly paths: Paths
  readonly env: LauncherEnv
  readonly keys: Keys
  readonly lifecycle: Lifecycle
  readonly terminal?: Terminal
}

/** Postgres and Redis: the configured ones, or our own. Checks everything that can be wrong before it starts anything. */
export async function bringUpStores({ paths, env, keys, lifecycle, terminal = createTerminal() }: StoresOptions): Promise<Stores> {
  const keeping = { onAway: terminal.storeAway, onBack: terminal.storeBack, onGivenUp: lifecycle.giveUp }
  if (env.DATABASE_URL !== '') await requirePostgres(env.DATABASE_URL)
  if (env.REDIS_URL !== '') await requireRedis(env.REDIS_URL, 'REDIS_URL')
  if (env.LEDGER_REDIS_URL !== '') await requireRedis(env.LEDGER_REDIS_URL, 'LEDGER_REDIS_URL')
  const binary = env.REDIS_URL === '' ? await requireRedisBinary() : undefined
  lifecycle.signal.throwIfAborted()
  const postgres = env.DATABASE_URL === '' ? await bringUpPostgres(paths, keys, keeping) : undefined
  if (postgres !== undefined) {
    lifecycle.add({ name: 'Postgres', stop: postgres.stop })
    await preparePostgres(postgres.url, keys)
  }
  lifecycle.signal.throwIfAborted()
  const redis = binary === undefined ? undefined : await bringUpRedis(paths, keys, binary, keeping)
  if (redis !== undefined) lifecycle.add({ name: 'Redis', stop: redis.stop })
  const { DATABASE_URL } = env
  const urls = postgres === undefined ? { ownerUrl: DATABASE_URL, controlPlaneUrl: DATABASE_URL } : ownPostgresUrls(postgres.port, keys)
  return { ...urls, redisUrl: redis?.url ?? env.REDIS_URL }
}

/** Brings the schema up to date. */
export async function migrateDatabase(url: string): Promise<void> {
  const db = connectDb({ url, max: 1, name: 'tollgate-launcher' })
  try {
    const ran = await migrate(db)
    if (ran.length > 0) log(`migrated the database: ${ran.join(', ')}`)
  } finally {
    await db.destroy()
  }
}

type BringUp = {
  readonly paths: Paths
  readonly lifecycle: Lifecycle
  readonly name: ServiceName
  readonly env: NodeJS.ProcessEnv
  readonly port: number
  readonly showLine: (service: string, line: string) => void
}

async function bringUpService({ paths, lifecycle, name, env, port, showLine }: BringUp): Promise<void> {
  lifecycle.signal.throwIfAborted()
  const service = await startService({ paths, name, args: await startArguments(paths, name), env, port, showLine })
  lifecycle.add({ name, stop: service.stop })
  await service.untilReady(lifecycle.signal)
}
