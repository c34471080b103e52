import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { findProgram } from './find-program.ts'
import { requireFreePort, spawnDetached, stopProcess, tailOf, untilEnded, waitUntilListening, type LocalServer } from './local-process.ts'

type RedisOptions = {
  readonly binary: string
  readonly dataDir: string
  readonly port: number
  /** Append-only file with fsync every second; false for tests that do not restart it. */
  readonly isDurable: boolean
  readonly flags?: readonly string[]
  /** Required from every client; absent: local connections need none (tests). */
  readonly password?: string
  readonly logFile?: string
}

/** Absolute path of `valkey-server` or `redis-server` on the PATH. */
export function findRedisBinary(): Promise<string | undefined> {
  return findProgram(['valkey-server', 'redis-server'])
}

/** Starts Redis with noeviction on 127.0.0.1. */
export async function startRedis(options: RedisOptions): Promise<LocalServer> {
  const { binary, dataDir, port, isDurable, password, logFile } = options
  await requireFreePort(port)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const config = join(dataDir, 'redis.conf')
  await writeFile(config, toConfig({ dataDir, port, isDurable, password }), { mode: 0o600 })
  const child = spawnDetached({ command: binary, args: [config, ...(options.flags ?? [])], env: inheritedEnv(), cwd: dataDir, logFile })
  const tail = tailOf(child, logFile)
  await waitUntilListening(child, port, async () => `Redis did not start: ${await tail()}`)
  return {
    url: redisUrl({ port, password }),
    port,
    pid: child.pid ?? 0,
    untilEnded: () => untilEnded(child),
    stop: () => stopProcess(child, 'SIGTERM'),
  }
}

/** Address of a server that `startRedis` started. */
export function redisUrl({ port, password }: { port: number; password: string | undefined }): string {
  return `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`
}

/** Written to a file, because arguments are visible to every user of the machine. */
function toConfig({
  dataDir,
  port,
  isDurable,
  password,
}: {
  dataDir: string
  port: number
  isDurable: boolean
  password: string | undefined
}): string {
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${JSON.stringify(dataDir)}`,
    'save ""',
    'daemonize no',
    'maxmemory-policy noeviction',
    `appendonly ${isDurable ? 'yes' : 'no'}`,
    'appendfsync everysec',
    ...(password === undefined ? [] : [`requirepass ${password}`]),
  ]
  return `${lines.join('\n')}\n`
}
