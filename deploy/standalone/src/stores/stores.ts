import { createHmac } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stopPid, untilPidEnded, type LocalServer } from '@tollgate/servers/local-process'
import { findFreePort } from '@tollgate/servers/free-port'
import { postgresUrl, startPostgres } from '@tollgate/servers/postgres'
import { redisUrl, startRedis } from '@tollgate/servers/redis'
import { connectDb } from '@tollgate/db/connect'
import { createRoles, ROLES } from '@tollgate/db/roles'
import { keepStore, type KeepOptions } from './keep-store.ts'
import type { Keys } from '../machine/keys.ts'
import { stopRules } from '../processes/orphans.ts'
import { findLive, removePidFile, writePidFile } from '../processes/pid-files.ts'
import type { Paths } from '../machine/paths.ts'

type StoreName = 'postgres' | 'redis'
type KeptStore = Pick<LocalServer, 'url' | 'port' | 'stop'>
/** Receivers of the reports on a store's end and return. */
type Keeping = Pick<KeepOptions, 'onAway' | 'onBack' | 'onGivenUp'>

const LABELS = { postgres: 'Postgres', redis: 'Redis' } as const

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

/** Our own Postgres: adopts the process that a killed launcher left running, or starts one on the same data; starts it again when it ends. */
export async function bringUpPostgres(paths: Paths, { postgres_password: password }: Keys, keeping: Keeping): Promise<KeptStore> {
  const start = async (port: number): Promise<LocalServer> => {
    await mkdir(join(paths.stateDir, 'log'), { recursive: true })
    return await startPostgres({
      dataDir: join(paths.stateDir, 'postgres'),
      binDir: join(paths.stateDir, 'bin'),
      port,
      isDurable: true,
      password,
      logFile: logFileOf(paths, 'postgres'),
    })
  }
  return await bringUp({ paths, name: 'postgres', start, urlOf: (port) => postgresUrl({ port, password }), keeping })
}

/** Our own Redis, with the append-only file and without eviction; starts it again when it ends. */
export async function bringUpRedis(paths: Paths, { redis_password: password }: Keys, binary: string, keeping: Keeping): Promise<KeptStore> {
  const start = async (port: number): Promise<LocalServer> =>
    await startRedis({
      binary,
      dataDir: join(paths.stateDir, 'redis'),
      port,
      isDurable: true,
      password,
      logFile: logFileOf(paths, 'redis'),
    })
  return await bringUp({ paths, name: 'redis', start, urlOf: (port) => redisUrl({ port, password }), keeping })
}

type BringUp = {
  readonly paths: Paths
  readonly name: StoreName
  readonly start: (port: number) => Promise<LocalServer>
  readonly urlOf: (port: number) => string
  readonly keeping: Keeping
}

async function bringUp({ paths, name, start, urlOf, keeping }: BringUp): Promise<KeptStore> {
  const startNoted = async (port: number): Promise<LocalServer> => {
    const server = await start(port)
    await writePidFile(paths, name, { pid: server.pid, port })
    return server
  }
  const live = await findLive(paths, name)
  const first = live === undefined ? await startNoted(await findFreePort()) : adopted(name, live, urlOf(live.port))
  const label = LABELS[name]
  // The services know its address, so it comes back at the same port.
  const kept = keepStore({ name: label, logFile: logFileOf(paths, name), first, start: () => startNoted(first.port), ...keeping })
  const stop = async (): Promise<void> => {
    await kept.stop()
    await removePidFile(paths, name)
  }
  return { url: first.url, port: first.port, stop }
}

function adopted(name: StoreName, { pid, port }: { pid: number; port: number }, url: string): LocalServer {
  const { signal, patienceMs } = stopRules[name]
  return { url, port, pid, untilEnded: () => untilPidEnded(pid), stop: () => stopPid(pid, signal, patienceMs) }
}

function logFileOf(paths: Paths, name: StoreName): string {
  return join(paths.stateDir, `log/${name}.log`)
}
