import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { findFreePort } from '@tollgate/servers/free-port'

/** The worker as a process of its own, to be killed and stopped by tests. */
export type WorkerProcess = {
  readonly child: ChildProcess
  readonly port: number
  output(): string
  exited: Promise<number | NodeJS.Signals | null>
}

export const testKeys = `k1:${randomBytes(32).toString('base64url')}`

export async function startWorkerProcess(
  stores: { databaseUrl: string; redisUrl: string; shards: number },
  env: Record<string, string> = {},
): Promise<WorkerProcess> {
  const port = await findFreePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url))], {
    env: {
      ...PROCESS_ENV,
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: stores.redisUrl,
      SHARDS: String(stores.shards),
      KEY_CHANNELS: testKeys,
      KEY_OPTIONS: testKeys,
      INTERNAL_SECRETS: 's'.repeat(40),
      WORKER_PORT: String(port),
      POST_USAGE_INTERVAL: '200',
      UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (text += String(chunk)))
  const { promise: exited, resolve } = Promise.withResolvers<number | NodeJS.Signals | null>()
  child.once('exit', (code, signal) => resolve(code ?? signal))
  return { child, port, output: () => text, exited }
}

export const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )
