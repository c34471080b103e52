import { execFile, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { collectTail, stopProcess, waitUntilListening, type LocalServer } from './postgres.ts'

const run = promisify(execFile)

type RedisOptions = {
  readonly binary: string
  readonly dataDir: string
  readonly port: number
  /** Append-only file with fsync every second; false only for tests that do not restart it. */
  readonly isDurable: boolean
  readonly flags?: readonly string[]
}

/** `valkey-server` or `redis-server` on the PATH, or undefined. */
export async function findRedisBinary(): Promise<string | undefined> {
  for (const name of ['valkey-server', 'redis-server']) {
    const isThere = await run(name, ['--version']).then(
      () => true,
      () => false,
    )
    if (isThere) return name
  }
  return undefined
}

/** Starts a Redis of our own: noeviction, AOF as asked, bound to 127.0.0.1. */
export async function startRedis(options: RedisOptions): Promise<LocalServer> {
  await mkdir(options.dataDir, { recursive: true })
  const child = spawn(
    options.binary,
    [
      '--port', String(options.port), '--bind', '127.0.0.1', '--dir', options.dataDir, '--save', '', '--daemonize', 'no',
      '--maxmemory-policy', 'noeviction', '--appendonly', options.isDurable ? 'yes' : 'no', '--appendfsync', 'everysec',
      ...(options.flags ?? []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const log = collectTail(child)
  await waitUntilListening(child, options.port, () => `Redis did not start: ${log()}`)
  return {
    url: `redis://127.0.0.1:${options.port}`,
    port: options.port,
    pid: child.pid ?? 0,
    stop: () => stopProcess(child, 'SIGTERM'),
  }
}
