import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDb } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { startPostgresPair } from '@tollgate/testing/postgres-pair'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { startTestRedis } from '@tollgate/testing/redis'
import { startTestCluster } from '@tollgate/testing/redis-cluster'
import { startPgbouncer } from '../support/pgbouncer.ts'
import { startBalancer } from './balancer.ts'
import { startService, type Started } from './start-service.ts'

export type ClusterSize = {
  readonly masters: number
  readonly relays: number
  readonly workers: number
  readonly controlPlanes: number
}

type Place = {
  readonly size: ClusterSize
  /** Public port; 0: any free one. */
  readonly port: number
  readonly consoleDir: string
  /** Registers a started part: parts are stopped in the reverse order. */
  add(part: { readonly name: string; stop(): Promise<void> }): unknown
}

export type WholeCluster = {
  /** Public address: the console and every model route. */
  readonly url: string
  /** Variables with which commands reach the same installation. */
  readonly env: Readonly<Record<string, string>>
  readonly services: readonly Started[]
  /** Process ids of the Redis Cluster. */
  readonly redis: { readonly masters: readonly number[]; readonly replicas: readonly number[] }
  /** Logs and settlements of the services. */
  readonly dir: string
}

const NODE_TIMEOUT_MS = 2000
/** Servers of the pool: recovery and imports hold one while they use others. */
const POOL_SIZE = 20

/**
 * Starts what a large deployment has, on one machine and with empty stores: a Redis Cluster with replicas for the ledger, a Redis for the
 * rest, Postgres with a streaming standby behind PgBouncer, several services of each kind, and a balancer.
 */
export async function startWholeCluster(place: Place): Promise<WholeCluster> {
  const { size, consoleDir, add } = place
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-whole-'))
  await mkdir(join(dir, 'log'))
  add({ name: '', stop: () => rm(dir, { recursive: true, force: true }) })
  const { stores, redis } = await startStores(place)
  const ports = await findPorts(size, place.port)
  add({ name: 'the balancer', ...(await startBalancer(ports)) })
  const url = `http://127.0.0.1:${ports.port}`
  const own = ports.controlPlanes.flatMap(({ api, internal }) => [`localhost:${api}`, `localhost:${internal}`])
  const env = {
    ...commonEnv(url),
    ...stores,
    CONSOLE_DIR: consoleDir,
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${ports.internalPort}`,
    OWN_ADDRESSES: [...own, `localhost:${ports.internalPort}`].join(','),
  }
  const services: Started[] = []
  for (const order of listOrders(ports, dir)) {
    const service = await startService({ ...order, logDir: join(dir, 'log'), env: { ...env, ...order.env } })
    services.push(service)
    add(service)
  }
  return { url, env, services, redis, dir }
}

async function startStores({ size, add }: Place) {
  const redis = await startTestRedis({ isDurable: true })
  add({ name: 'Redis', stop: redis.stop })
  const cluster = await startTestCluster({ masters: size.masters, hasReplicas: true, nodeTimeoutMs: NODE_TIMEOUT_MS })
  add({ name: 'the Redis Cluster', stop: cluster.stop })
  const pair = await startPostgresPair(migrateAt, { streams: true })
  add({ name: 'Postgres and its standby', stop: pair.stop })
  const pooler = await startPgbouncer(pair.primaryUrl, 'transaction', POOL_SIZE)
  add({ name: 'PgBouncer', stop: pooler.stop })
  const pidsOf = (nodes: typeof cluster.masters): number[] => nodes.map((node) => node.pid())
  return {
    redis: { masters: pidsOf(cluster.masters), replicas: pidsOf(cluster.replicas) },
    stores: {
      DATABASE_URL: pooler.url,
      DATABASE_REPLICA_URL: pair.standbyUrl,
      REDIS_URL: redis.url,
      LEDGER_REDIS_URL: cluster.url,
    },
  }
}

async function migrateAt(url: string): Promise<void> {
  const db = connectDb({ url, max: 1 })
  await migrate(db)
  await db.destroy()
}

const commonEnv = (publicUrl: string): Record<string, string> => ({
  ...PROCESS_ENV,
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  KEY_CHANNELS: `t1:${randomBytes(32).toString('base64url')}`,
  KEY_OPTIONS: `t1:${randomBytes(32).toString('base64url')}`,
  INTERNAL_SECRETS: randomBytes(32).toString('hex'),
  CONTROL_PLANE_HOST: '127.0.0.1',
  RELAY_HOST: '127.0.0.1',
  RELAY_URL: publicUrl,
  PUBLIC_URL: publicUrl,
  UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
  TRUSTED_PROXIES: '127.0.0.0/8',
  SETUP_CODE: 'off',
  POSTING_GROUPS: '8',
})

type Ports = Awaited<ReturnType<typeof findPorts>>

async function findPorts(size: ClusterSize, publicPort: number) {
  const taken = new Set<number>()
  const next = async (): Promise<number> => {
    const port = await findFreePort()
    if (taken.has(port)) return await next()
    taken.add(port)
    return port
  }
  const several = async <T>(count: number, make: () => Promise<T>): Promise<T[]> => {
    const made: T[] = []
    while (made.length < count) made.push(await make())
    return made
  }
  return {
    port: publicPort === 0 ? await next() : publicPort,
    internalPort: await next(),
    controlPlanes: await several(size.controlPlanes, async () => ({ api: await next(), internal: await next() })),
    workers: await several(size.workers, next),
    relays: await several(size.relays, next),
  }
}

/** In the order of their start. */
function listOrders({ controlPlanes, workers, relays }: Ports, dir: string) {
  const console = `http://127.0.0.1:${controlPlanes[0]?.api}`
  return [
    ...controlPlanes.map(({ api, internal }, at) => ({
      name: `control-plane-${at + 1}`,
      port: api,
      env: { CONTROL_PLANE_PORT: String(api), INTERNAL_PORT: String(internal) },
    })),
    ...workers.map((port, at) => ({ name: `worker-${at + 1}`, port, env: { WORKER_PORT: String(port) } })),
    ...relays.map((port, at) => ({
      name: `relay-${at + 1}`,
      port,
      env: { RELAY_PORT: String(port), RELAY_STATE_DIR: join(dir, `relay-${at + 1}`), CONSOLE_ORIGIN: console },
    })),
  ]
}
