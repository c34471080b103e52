import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import type { Keys } from './keys.ts'
import type { Paths } from './paths.ts'
import type { Ports } from './ports.ts'

type Wiring = {
  readonly paths: Paths
  readonly env: LauncherEnv
  readonly ports: Ports
  readonly keys: Keys
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly consoleDir: string
  readonly mode: 'production' | 'development'
}

/** The environment of the services. The operator's variables win, except those that only the launcher can know. */
export function serviceEnv({ paths, env, ports, keys, databaseUrl, redisUrl, consoleDir, mode }: Wiring): NodeJS.ProcessEnv {
  const defaults = {
    KEY_CHANNELS: keys.KEY_CHANNELS,
    KEY_OPTIONS: keys.KEY_OPTIONS,
    INTERNAL_SECRETS: keys.INTERNAL_SECRETS,
    PUBLIC_URL: `http://localhost:${ports.public}`,
    // Channels may point to model servers on this machine, but to no other private address.
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    RELAY_PROCESSES: String(availableParallelism()),
    LOG_LEVEL: env.LOG_LEVEL,
    RELAY_STATE_DIR: join(paths.stateDir, 'relay'),
    // Node caches the stripped sources between starts.
    NODE_COMPILE_CACHE: join(paths.stateDir, 'compile-cache'),
  }
  const fixed = {
    NODE_ENV: mode,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    RELAY_PORT: String(ports.public),
    CONSOLE_ORIGIN: `http://127.0.0.1:${ports.controlPlane}`,
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: String(ports.controlPlane),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(ports.internal),
    WORKER_PORT: String(ports.worker),
    CONSOLE_DIR: consoleDir,
  }
  const given = inheritedEnv()
  const chosen = Object.fromEntries(Object.entries(defaults).filter(([name]) => (given[name] ?? '') === ''))
  return { ...given, ...chosen, ...fixed }
}

/**
 * Prometheus ports on one machine must differ: METRICS_PORT is the control plane's, the worker has the next, the relay processes
 * those after it.
 */
export function withMetricsPort(env: NodeJS.ProcessEnv, offset: number): NodeJS.ProcessEnv {
  const first = Number(env['METRICS_PORT'] ?? 0)
  return first > 0 ? { ...env, METRICS_PORT: String(first + offset) } : env
}
