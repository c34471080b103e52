import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import type { LauncherEnv } from '@tollgate/config/launcher-env'
import type { Keys } from './keys.ts'
import type { Place } from './place.ts'
import type { Ports } from './ports.ts'

type Wiring = {
  readonly place: Place
  readonly env: LauncherEnv
  readonly ports: Ports
  readonly keys: Keys
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly consoleDir: string
  readonly mode: 'production' | 'development'
}

/** The environment of the services. What the operator set by hand wins, except what the launcher alone can know. */
export function serviceEnv({ place, env, ports, keys, databaseUrl, redisUrl, consoleDir, mode }: Wiring): NodeJS.ProcessEnv {
  const defaults = {
    KEY_CHANNELS: keys.KEY_CHANNELS,
    KEY_OPTIONS: keys.KEY_OPTIONS,
    INTERNAL_SECRETS: keys.INTERNAL_SECRETS,
    PUBLIC_URL: `http://localhost:${ports.public}`,
    // Model servers on this machine may be channels here; nothing else private.
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    RELAY_PROCESSES: String(availableParallelism()),
    LOG_LEVEL: env.LOG_LEVEL,
    RELAY_STATE_DIR: join(place.stateDir, 'relay'),
    // Types are stripped once, not at each start.
    NODE_COMPILE_CACHE: join(place.stateDir, 'compile-cache'),
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
