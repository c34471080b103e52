import { createHmac } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stopPid, type LocalServer } from '@tollgate/servers/local-process'
import { findFreePort } from '@tollgate/servers/free-port'
import { postgresUrl, startPostgres } from '@tollgate/servers/postgres'
import { redisUrl, startRedis } from '@tollgate/servers/redis'
import { connectDb } from '@tollgate/db/connect'
import { createRoles, ROLES } from '@tollgate/db/roles'
import type { Keys } from './keys.ts'
import { stopRules } from './orphans.ts'
import { findLive, removePidFile, writePidFile } from './pid-files.ts'
import type { Paths } from './paths.ts'

type Store = Pick<LocalServer, 'url' | 'port' | 'stop'>

/** Addresses of our own Postgres by role. Services never get the superuser. */
export function ownPostgresUrls(port: number, { postgres_password }: Pick<Keys, 'postgres_password'>) {
  const urlOf = (user: string): string => postgresUrl({ port, user, password: rolePassword(postgres_password, user) })
  return { ownerUrl: urlOf(ROLES.owner), controlPlaneUrl: urlOf(ROLES.rows) }
}

/** Creates the roles of the services, or sets their passwords. */
export async function preparePostgres(superuserUrl: string, { postgres_password }: Pick<Keys, 'postgres_password'>): Promise<void> {
  const db = connectDb({ url: superuserUrl, max: 1, name: 'tollgate-launcher' })
  try {
    await createRoles(db, (role) => rolePassword(postgres_password, role))
  } finally {
    await db.destroy()
  }
}

/** Derived, so that keys.json holds one password; a service cannot find that one from its own. */
function rolePassword(password: string, role: string): string {
  return createHmac('sha256', password).update(`postgres role ${role}`).digest('hex')
}

/** Our own Postgres: adopts the process that a killed launcher left running, or starts one on the same data. */
export async function bringUpPostgres(paths: Paths, { postgres_password: password }: Keys): Promise<Store> {
  const live = await findLive(paths, 'postgres')
  if (live !== undefined) return adopted(paths, 'postgres', live, postgresUrl({ port: live.port, password }))
  await mkdir(join(paths.stateDir, 'log'), { recursive: true })
  const server = await startPostgres({
    dataDir: join(paths.stateDir, 'postgres'),
    binDir: join(paths.stateDir, 'bin'),
    port: await findFreePort(),
    isDurable: true,
    password,
    logFile: join(paths.stateDir, 'log/postgres.log'),
  })
  return await noted(paths, 'postgres', server)
}

/** Our own Redis, with the append-only file and without eviction. */
export async function bringUpRedis(paths: Paths, { redis_password: password }: Keys, binary: string): Promise<Store> {
  const live = await findLive(paths, 'redis')
  if (live !== undefined) return adopted(paths, 'redis', live, redisUrl({ port: live.port, password }))
  const server = await startRedis({
    binary,
    dataDir: join(paths.stateDir, 'redis'),
    port: await findFreePort(),
    isDurable: true,
    password,
    logFile: join(paths.stateDir, 'log/redis.log'),
  })
  return await noted(paths, 'redis', server)
}

async function noted(paths: Paths, name: 'postgres' | 'redis', server: LocalServer): Promise<Store> {
  await writePidFile(paths, name, { pid: server.pid, port: server.port })
  const stop = async (): Promise<void> => {
    await server.stop()
    await removePidFile(paths, name)
  }
  return { url: server.url, port: server.port, stop }
}

function adopted(paths: Paths, name: 'postgres' | 'redis', { pid, port }: { pid: number; port: number }, url: string): Store {
  const { signal, patienceMs } = stopRules[name]
  const stop = async (): Promise<void> => {
    await stopPid(pid, signal, patienceMs)
    await removePidFile(paths, name)
  }
  return { url, port, stop }
}
