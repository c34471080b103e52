import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ControlPlaneEnv, RelayEnv, VerifierEnv, WorkerEnv } from '@tollgate/config/env'
import { inheritedEnv } from '@tollgate/config/inherited-env'
import { LauncherEnv } from '@tollgate/config/launcher-env'
import { ownAddresses } from '@tollgate/config/own-addresses'
import type { Keys } from '../machine/keys.ts'
import type { Paths } from '../machine/paths.ts'
import type { Ports } from './ports.ts'

export type Stores = {
  /** Address for the role that owns the schema: for migrations and for the worker, which creates partitions. */
  readonly ownerUrl: string
  /** Address for the role that reads and writes rows. */
  readonly controlPlaneUrl: string
  readonly redisUrl: string
}

type Wiring = {
  readonly paths: Paths
  readonly env: LauncherEnv
  readonly ports: Ports
  readonly keys: Keys
  readonly stores: Stores
  readonly consoleDir: string
  readonly mode: 'production' | 'development'
}

export type ServiceName = 'control-plane' | 'worker' | 'relay'
export type ServiceEnvs = Readonly<Record<ServiceName, NodeJS.ProcessEnv>>

const shapes = { 'control-plane': ControlPlaneEnv, worker: WorkerEnv, relay: RelayEnv } as const satisfies Record<
  ServiceName,
  { shape: object }
>

/** Every variable that some part of Tollgate reads. */
const ourNames = new Set([...Object.values(shapes), LauncherEnv, VerifierEnv].flatMap(({ shape }) => Object.keys(shape)))

/**
 * The environment of each service: of our variables only those that it reads, so that the relay has neither Postgres nor the key of secret
 * options. The operator's variables win, except those that only the launcher can know. Prometheus ports on one machine must differ:
 * METRICS_PORT is the control plane's, the worker has the next, the relay processes those after it.
 */
export function serviceEnvs(wiring: Wiring): ServiceEnvs {
  const { ownerUrl, controlPlaneUrl } = wiring.stores
  const all = allVariables(wiring)
  const envOf = (name: ServiceName, databaseUrl: string, metricsOffset: number): NodeJS.ProcessEnv =>
    onlyRead(name, withMetricsPort({ ...all, DATABASE_URL: databaseUrl }, metricsOffset))
  return {
    'control-plane': envOf('control-plane', controlPlaneUrl, 0),
    worker: envOf('worker', ownerUrl, 1),
    relay: envOf('relay', ownerUrl, 2),
  }
}

function onlyRead(name: ServiceName, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { shape } = shapes[name]
  // PATH is among the launcher's own variables, but a process needs it.
  return Object.fromEntries(Object.entries(env).filter(([key]) => key === 'PATH' || !ourNames.has(key) || Object.hasOwn(shape, key)))
}

function allVariables({ paths, env, ports, keys, stores, consoleDir, mode }: Wiring): NodeJS.ProcessEnv {
  const given = inheritedEnv()
  const defaults = {
    KEY_CHANNELS: keys.KEY_CHANNELS,
    KEY_OPTIONS: keys.KEY_OPTIONS,
    INTERNAL_SECRETS: keys.INTERNAL_SECRETS,
    PUBLIC_URL: `http://localhost:${ports.public}`,
    // Channels may point to model servers on this machine, but to no other private address.
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
    RELAY_PROCESSES: String(availableParallelism()),
    LOG_LEVEL: env.LOG_LEVEL,
    DOCS_DIR: join(paths.root, 'web/docs/dist'),
    RELAY_STATE_DIR: join(paths.stateDir, 'relay'),
    // Node caches the stripped sources between starts.
    NODE_COMPILE_CACHE: join(paths.stateDir, 'compile-cache'),
  }
  const fixed = {
    NODE_ENV: mode,
    REDIS_URL: stores.redisUrl,
    OWN_ADDRESSES: listOwnAddresses(given, ports, stores).join(','),
    RELAY_PORT: String(ports.public),
    RELAY_URL: `http://127.0.0.1:${ports.public}`,
    CONSOLE_ORIGIN: `http://127.0.0.1:${ports.controlPlane}`,
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: String(ports.controlPlane),
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: String(ports.internal),
    WORKER_PORT: String(ports.worker),
    CONSOLE_DIR: consoleDir,
  }
  const chosen = Object.fromEntries(Object.entries(defaults).filter(([name]) => (given[name] ?? '') === ''))
  return { ...given, ...chosen, ...fixed }
}

/** One list for all services: each knows only its own listeners, and no channel may reach those of the others either. */
function listOwnAddresses(given: NodeJS.ProcessEnv, ports: Ports, stores: Stores): string[] {
  const metrics = Number(given['METRICS_PORT'] ?? 0)
  const metricsPorts = metrics > 0 ? Array.from({ length: availableParallelism() + 2 }, (_, at) => `localhost:${metrics + at}`) : []
  const known = ownAddresses({
    OWN_ADDRESSES: (given['OWN_ADDRESSES'] ?? '').split(',').filter((entry) => entry.trim() !== ''),
    DATABASE_URL: stores.ownerUrl,
    REDIS_URL: stores.redisUrl,
    LEDGER_REDIS_URL: given['LEDGER_REDIS_URL'] ?? '',
    OTEL_EXPORTER_OTLP_ENDPOINT: given['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '',
    RELAY_PORT: ports.public,
    CONTROL_PLANE_PORT: ports.controlPlane,
    INTERNAL_PORT: ports.internal,
    WORKER_PORT: ports.worker,
  })
  return [...new Set([...known, ...metricsPorts])]
}

function withMetricsPort(env: NodeJS.ProcessEnv, offset: number): NodeJS.ProcessEnv {
  const first = Number(env['METRICS_PORT'] ?? 0)
  return first > 0 ? { ...env, METRICS_PORT: String(first + offset) } : env
}
