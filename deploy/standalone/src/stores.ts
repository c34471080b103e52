import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stopPid, type LocalServer } from '@tollgate/servers/local-process'
import { findFreePort } from '@tollgate/servers/free-port'
import { postgresUrl, startPostgres } from '@tollgate/servers/postgres'
import { redisUrl, startRedis } from '@tollgate/servers/redis'
import type { Keys } from './keys.ts'
import { stopRules } from './leftovers.ts'
import { findLive, removePidFile, writePidFile } from './pid-files.ts'
import type { Place } from './place.ts'

type Store = Pick<LocalServer, 'url' | 'stop'>

/** Our own Postgres: the one that a killed launcher of this clone left alive, or a new process on the same data. */
export async function bringUpPostgres(place: Place, { postgres_password: password }: Keys): Promise<Store> {
  const live = await findLive(place, 'postgres')
  if (live !== undefined) return adopted(place, 'postgres', live.pid, postgresUrl({ port: live.port, password }))
  await mkdir(join(place.stateDir, 'log'), { recursive: true })
  const server = await startPostgres({
    dataDir: join(place.stateDir, 'postgres'),
    binDir: join(place.stateDir, 'bin'),
    port: await findFreePort(),
    isDurable: true,
    password,
    logFile: join(place.stateDir, 'log/postgres.log'),
  })
  return await noted(place, 'postgres', server)
}

/** Our own Redis, with the append-only file on and nothing evicted. */
export async function bringUpRedis(place: Place, { redis_password: password }: Keys, binary: string): Promise<Store> {
  const live = await findLive(place, 'redis')
  if (live !== undefined) return adopted(place, 'redis', live.pid, redisUrl({ port: live.port, password }))
  const server = await startRedis({
    binary,
    dataDir: join(place.stateDir, 'redis'),
    port: await findFreePort(),
    isDurable: true,
    password,
    logFile: join(place.stateDir, 'log/redis.log'),
  })
  return await noted(place, 'redis', server)
}

async function noted(place: Place, name: 'postgres' | 'redis', server: LocalServer): Promise<Store> {
  await writePidFile(place, name, { pid: server.pid, port: server.port })
  const stop = async (): Promise<void> => {
    await server.stop()
    await removePidFile(place, name)
  }
  return { url: server.url, stop }
}

function adopted(place: Place, name: 'postgres' | 'redis', pid: number, url: string): Store {
  const { signal, patienceMs } = stopRules[name]
  const stop = async (): Promise<void> => {
    await stopPid(pid, signal, patienceMs)
    await removePidFile(place, name)
  }
  return { url, stop }
}
