import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { findFreePort } from '@tollgate/servers/free-port'
import { isReady } from './is-ready.ts'

const ROOT = join(import.meta.dirname, '../..')

export type ServiceName = 'control-plane' | 'relay' | 'worker'

export type Service = {
  readonly url: string
  readonly process: ChildProcess
  /** The last 20 000 characters of its output. */
  output(): string
  /** Sends the signal and waits for the exit code (null after a kill). */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export type Stack = {
  readonly database: TestDatabase
  readonly redis: TestRedis
  readonly env: Readonly<Record<string, string>>
  readonly controlPlane: Service
  readonly worker: Service
  readonly relays: Service[]
  startRelay(env?: Record<string, string>): Promise<Service>
  /** Another control plane beside the first, or, with its ports, after it. */
  startControlPlane(env?: Record<string, string>): Promise<Service>
  startWorker(env?: Record<string, string>): Promise<Service>
  /** Another service beside the first of its kind, which is not waited for. */
  begin(name: ServiceName): Promise<Service>
  stop(): Promise<void>
}

export type StackOptions = {
  readonly relays?: number
  readonly relayEnv?: Record<string, string>
  readonly workerEnv?: Record<string, string>
  readonly controlPlaneEnv?: Record<string, string>
  /** Variables of all services, for example keys. */
  readonly env?: Record<string, string>
  /** Absent: new ones. The stack ends them with itself. */
  readonly stores?: { readonly database: TestDatabase; readonly redis: TestRedis }
}

/** Starts the services as separate processes on a new database and Redis. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const database = options.stores?.database ?? (await createTestDatabase())
  const redis = options.stores?.redis ?? (await startTestRedis({ isDurable: true }))
  const stateDir = await mkdtemp(join(tmpdir(), 'tollgate-stack-'))
  const ports = { api: await findFreePort(), internal: await findFreePort(), relay: await findFreePort() }
  const env = {
    ...PROCESS_ENV,
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    KEY_CHANNELS: `t1:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `t1:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(32).toString('hex'),
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: String(ports.api),
    INTERNAL_PORT: String(ports.internal),
    RELAY_URL: `http://127.0.0.1:${ports.relay}`,
    PUBLIC_URL: `http://127.0.0.1:${ports.relay}`,
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
    OWN_ADDRESSES: `localhost:${ports.api},localhost:${ports.internal}`,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    SETUP_CODE: 'off',
    CONSOLE_DIR: join(ROOT, 'web/console/dist'),
    SHARDS: '8',
    POST_USAGE_INTERVAL: '200',
    // No load balancer watches /readyz here.
    DRAIN_GRACE: '0',
    ...options.env,
  }
  const running: Service[] = []
  const settings = { env, options, stateDir, consoleOrigin: `http://127.0.0.1:${ports.api}` }
  const startMore =
    (name: ServiceName) =>
    async (extra: Record<string, string> = {}): Promise<Service> => {
      const more = await settingsOfMore(name, settings, extra)
      const service = await startService(name, more.port, more.env)
      running.push(service)
      return service
    }
  const [startRelay, startControlPlane, startWorker] = [startMore('relay'), startMore('control-plane'), startMore('worker')]
  const begin = async (name: ServiceName): Promise<Service> => {
    const more = await settingsOfMore(name, settings)
    const service = spawnService(name, more.port, more.env)
    running.push(service)
    return service
  }
  const stop = async (): Promise<void> => {
    const [first, ...rest] = running
    await Promise.all(rest.map((service) => service.end('SIGTERM')))
    await first?.end('SIGTERM')
    await redis.stop()
    await database.drop()
    await rm(stateDir, { recursive: true, force: true })
  }
  try {
    const controlPlane = await startService('control-plane', ports.api, { ...env, ...options.controlPlaneEnv })
    running.push(controlPlane)
    // Side by side: the worker and the relays need the control plane, and not each other.
    const relayPorts = Array.from({ length: options.relays ?? 1 }, async (_, i) => (i === 0 ? ports.relay : await findFreePort()))
    const starts = [startWorker(), ...relayPorts.map(async (port) => await startRelay({ RELAY_PORT: String(await port) }))] as const
    // All of them, so that `stop` ends also what was still starting when another failed.
    await Promise.allSettled(starts)
    const [worker, ...relays] = await Promise.all(starts)
    return { database, redis, env, controlPlane, worker, relays, startRelay, startControlPlane, startWorker, begin, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Settings = {
  readonly env: Record<string, string>
  readonly options: StackOptions
  readonly stateDir: string
  readonly consoleOrigin: string
}

const PORT_OF = { 'control-plane': 'CONTROL_PLANE_PORT', relay: 'RELAY_PORT', worker: 'WORKER_PORT' } as const

/** The port and the environment of one more service of a kind. */
async function settingsOfMore(
  name: ServiceName,
  { env, options, stateDir, consoleOrigin }: Settings,
  extra: Record<string, string> = {},
): Promise<{ readonly port: number; readonly env: Record<string, string> }> {
  const port = extra[PORT_OF[name]] ?? String(await findFreePort())
  const own = { [PORT_OF[name]]: port }
  const byKind = {
    'control-plane': { ...options.controlPlaneEnv, ...own, INTERNAL_PORT: String(await findFreePort()) },
    relay: {
      ...own,
      RELAY_HOST: '127.0.0.1',
      CONSOLE_ORIGIN: consoleOrigin,
      RELAY_STATE_DIR: join(stateDir, `relay-${port}`),
      ...options.relayEnv,
    },
    worker: { ...own, ...options.workerEnv },
  }
  return { port: Number(port), env: { ...env, ...byKind[name], ...extra } }
}

async function startService(name: ServiceName, port: number, env: Record<string, string>): Promise<Service> {
  const service = spawnService(name, port, env)
  const deadline = Date.now() + 30_000
  while (!(await isReady(service.url))) {
    if (service.process.exitCode !== null || Date.now() > deadline) {
      service.process.kill('SIGKILL')
      throw new Error(`${name} did not become ready: ${service.output()}`)
    }
    await wait(100)
  }
  return service
}

/** Longer than a worker takes at most. */
const END_WITHIN_MS = 70_000

function spawnService(name: ServiceName, port: number, env: Record<string, string>): Service {
  const child = spawn(process.execPath, [join(ROOT, `services/${name}/src/main.ts`)], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    output: () => output,
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_WITHIN_MS) })
        child.kill(signal)
        await ended.catch(() => {
          child.kill('SIGKILL')
          throw new Error(`${name} did not end within ${END_WITHIN_MS} ms of ${signal}: ${output}`)
        })
      }
      return child.exitCode
    },
  }
}
