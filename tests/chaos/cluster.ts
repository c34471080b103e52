import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startAddress, type Address } from './address.ts'
import type { RedisKind } from '@tollgate/redis/connect'
import { isCluster, openLedger } from '@tollgate/redis/ledger-servers'
import { startTestCluster, type TestCluster } from '@tollgate/testing/redis-cluster'
import { startClickHouse, type TestClickHouse } from '@tollgate/testing/clickhouse'
import { PROCESS_ENV } from '@tollgate/testing/process-env'
import { connectDb, type Db } from '@tollgate/db/connect'
import { migrate } from '@tollgate/db/migrate'
import { findFreePort } from '@tollgate/servers/free-port'
import { isAlive, type LocalServer } from '@tollgate/servers/local-process'
import { startPostgres } from '@tollgate/servers/postgres'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'
import { isReady } from '../support/is-ready.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A process that can be killed, stopped, continued and restarted at the same address. */
export type Member = {
  readonly name: string
  readonly url: string
  /** 0 while it does not run. */
  pid(): number
  /** Its last output, each time that it exited without being told to: with a code or signal, and its time. */
  crashes(): readonly string[]
  signal(signal: NodeJS.Signals): void
  /** Sends SIGKILL or the given signal and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
}

export type Cluster = {
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  readonly shards: number
  /** The server, or cluster, of the ledger. */
  readonly ledgerUrl: string
  readonly redisCluster: TestCluster | undefined
  readonly db: Db
  readonly relays: readonly Member[]
  readonly worker: Member
  readonly controlPlane: Member
  readonly postgres: Member
  readonly redis: Member
  /** The ClickHouse that log rows are brought to, and its address. */
  readonly logStore: { readonly member: Member; readonly url: string } | undefined
  /** Port of `redis` itself. */
  readonly redisPort: number
  /** The ways of all services to the stores. */
  readonly redisAddress: Address
  readonly postgresAddress: Address
  /** Another Redis, with its data beside that of the cluster. */
  makeRedis(name: string, port: number): Member
  /** Another Postgres, of a folder that has its data already. */
  makePostgres(name: string, of: PostgresPlace): Member
  readonly pgDir: string
  /** Port of `postgres` itself. */
  readonly pgPort: number
  readonly redisDir: string
  stop(): Promise<void>
}

type PostgresPlace = { readonly dataDir: string; readonly port: number; readonly flags: readonly string[] }

export type ClusterOptions = {
  readonly dir: string
  readonly relays: number
  readonly fsync: 'everysec' | 'always'
  /** `redis` has the ledger alone, and another server everything else. */
  readonly hasLedgerRedis?: boolean
  /** The ledger is on a Redis Cluster of three masters with a replica each; `redis` has everything else. */
  readonly hasRedisCluster?: boolean
  /** Log rows are in a ClickHouse beside Postgres. */
  readonly hasLogStore?: boolean
  readonly reapAfter: number
  /** Added to the environment of every service. */
  readonly env?: Readonly<Record<string, string>>
}

const SHARDS = 8
/** A node of the Redis Cluster that is silent for longer is replaced. */
const NODE_TIMEOUT_MS = 2000

/** Starts every service and both stores as separate processes. */
export async function startCluster({
  dir,
  relays,
  fsync,
  hasLedgerRedis = false,
  hasRedisCluster = false,
  hasLogStore = false,
  reapAfter,
  env: extraEnv = {},
}: ClusterOptions): Promise<Cluster> {
  const isRoot = process.getuid?.() === 0
  const pgDir = join(isRoot ? '/var/tmp' : dir, `tollgate-chaos-pg-${process.pid}`)
  const pgPort = await findFreePort()
  const redisPort = await findFreePort()
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('chaos needs valkey-server or redis-server on the PATH')
  const makePostgres = (name: string, { flags, ...place }: PostgresPlace): Member =>
    storeMember(name, () =>
      startPostgres({
        ...place,
        binDir: isRoot ? '/var/lib/tollgate/test-bin' : join(dir, 'pg-bin'),
        isDurable: true,
        // The page cache survives a killed process; fsync matters only for power failures, which are not tested.
        flags: ['-c', 'fsync=off', ...flags],
        logFile: join(dir, `${name}.log`),
      }),
    )
  const postgres = makePostgres('postgres', { dataDir: pgDir, port: pgPort, flags: [] })
  const makeRedis = (name: string, port: number): Member =>
    storeMember(name, () =>
      startRedis({
        binary,
        dataDir: join(dir, name),
        port,
        isDurable: true,
        flags: ['--appendfsync', fsync],
        logFile: join(dir, `${name}.log`),
      }),
    )
  const redis = makeRedis('redis', redisPort)
  const besideLedger = async (ledgerUrl: string): Promise<Record<string, string>> => {
    const port = await findFreePort()
    await begin(makeRedis('redis-beside', port))
    return { REDIS_URL: redisUrl(port), LEDGER_REDIS_URL: ledgerUrl }
  }
  const started: Member[] = []
  const begin = async (member: Member): Promise<Member> => {
    started.push(member)
    await member.start()
    return member
  }
  const addresses: Address[] = []
  let redisCluster: TestCluster | undefined
  let clickHouse: TestClickHouse | undefined
  const stop = async (): Promise<void> => {
    for (const member of started.toReversed()) {
      member.signal('SIGCONT')
      await member.end(member.name === 'postgres' ? 'SIGINT' : 'SIGTERM')
    }
    await redisCluster?.stop()
    await clickHouse?.stop()
    for (const address of addresses) address.close()
    for (const folder of [pgDir, `${pgDir}.standby`]) await rm(folder, { recursive: true, force: true })
  }
  try {
    await begin(postgres)
    await begin(redis)
    const [postgresAddress, redisAddress] = await Promise.all([startAddress(pgPort), startAddress(redisPort)])
    addresses.push(postgresAddress, redisAddress)
    if (hasRedisCluster) redisCluster = await startTestCluster({ hasReplicas: true, nodeTimeoutMs: NODE_TIMEOUT_MS, fsync })
    const ledgerUrl = redisCluster?.url ?? redisUrl(redisAddress.port)
    const ledgerEnv = hasLedgerRedis ? await besideLedger(ledgerUrl) : hasRedisCluster ? { LEDGER_REDIS_URL: ledgerUrl } : {}
    if (hasLogStore) clickHouse = await startClickHouse()
    const logStoreEnv: Record<string, string> = clickHouse === undefined ? {} : { LOG_STORE_URL: clickHouse.url }
    const env = {
      ...(await makeEnv({ pgPort: postgresAddress.port, redisPort: redisAddress.port })),
      ...ledgerEnv,
      ...logStoreEnv,
      ...extraEnv,
    }
    const db = connectDb({ url: postgresUrl(pgPort), max: 4, name: 'chaos' })
    await migrate(db)
    const service = (name: string, port: number, extra: Record<string, string> = {}, label = name): Member =>
      serviceMember({
        name: label,
        entry: `services/${name}/src/main.ts`,
        port,
        env: { ...env, ...extra },
        logFile: join(dir, `${label}.log`),
      })
    const controlPlane = await begin(service('control-plane', Number(env['CONTROL_PLANE_PORT'])))
    const workerPort = await findFreePort()
    const worker = await begin(service('worker', workerPort, { WORKER_PORT: String(workerPort), REAP_AFTER: String(reapAfter) }))
    const members: Member[] = []
    for (let at = 0; at < relays; at += 1) {
      const port = await findFreePort()
      const extra = { RELAY_HOST: '127.0.0.1', RELAY_PORT: String(port), RELAY_STATE_DIR: join(dir, `relay-${at}`) }
      members.push(await begin(service('relay', port, extra, `relay-${at}`)))
    }
    await waitUntilAllReady([controlPlane, worker, ...members])
    return {
      dir,
      env,
      db,
      relays: members,
      worker,
      controlPlane,
      postgres,
      redis,
      logStore: clickHouse === undefined ? undefined : { member: logStoreMember(clickHouse), url: clickHouse.url },
      redisPort,
      redisAddress,
      postgresAddress,
      makeRedis,
      makePostgres,
      pgDir,
      pgPort,
      redisDir: join(dir, 'redis'),
      shards: SHARDS,
      ledgerUrl,
      redisCluster,
      stop: async () => {
        await db.destroy()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A connection to the ledger, and its end. */
export async function openLedgerOf({ env, ledgerUrl: url }: Pick<Cluster, 'env' | 'ledgerUrl'>, kind: RedisKind): Promise<OpenLedger> {
  const opened = openLedger({ url, homeUrl: env['REDIS_URL'] ?? '' }, kind)
  // Until then no server is known to have a shard.
  if (isCluster(opened.servers)) await opened.servers.waitUntilReady()
  return opened
}

type OpenLedger = ReturnType<typeof openLedger>

const redisUrl = (port: number): string => `redis://127.0.0.1:${port}`

const postgresUrl = (port: number): string => `postgres://tollgate@127.0.0.1:${port}/postgres`

async function makeEnv({ pgPort, redisPort }: { pgPort: number; redisPort: number }): Promise<Record<string, string>> {
  const internal = await findFreePort()
  const api = await findFreePort()
  return {
    ...PROCESS_ENV,
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    DATABASE_URL: postgresUrl(pgPort),
    REDIS_URL: redisUrl(redisPort),
    KEY_CHANNELS: `t1:${randomBytes(32).toString('base64url')}`,
    KEY_OPTIONS: `t1:${randomBytes(32).toString('base64url')}`,
    INTERNAL_SECRETS: randomBytes(32).toString('hex'),
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: String(api),
    INTERNAL_PORT: String(internal),
    CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${internal}`,
    CONSOLE_ORIGIN: `http://127.0.0.1:${api}`,
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    TRUSTED_PROXIES: '127.0.0.0/8',
    SETUP_CODE: 'off',
    SHARDS: String(SHARDS),
    STREAMING_TIMEOUT: '5',
    FIRST_BYTE_TIMEOUT: '10',
    DRAIN_DEADLINE: '10',
  }
}

export async function waitUntilAllReady(members: readonly Member[], timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (const member of members) {
    while (!(await isReady(member.url))) {
      if (Date.now() > deadline) throw new Error(`${member.name} did not become ready`)
      await wait(100)
    }
  }
}

const running = new Set<number>()
// No process of the cluster outlives this one.
process.on('exit', () => {
  for (const pid of running) sendTo(pid, 'SIGKILL')
})

function storeMember(name: string, launch: () => Promise<LocalServer>): Member {
  let server: LocalServer | undefined
  return {
    name,
    url: '',
    pid: () => server?.pid ?? 0,
    crashes: () => [],
    signal: (signal) => void (server !== undefined && sendTo(server.pid, signal)),
    end: async (signal = 'SIGKILL') => {
      if (server === undefined) return
      sendTo(server.pid, signal)
      while (isAlive(server.pid)) await wait(20)
      running.delete(server.pid)
      server = undefined
    },
    start: async () => {
      // A killed Postgres leaves child processes for a moment, and a new one does not start until they have exited.
      for (let tries = 0; server === undefined; tries += 1) {
        try {
          server = await launch()
          running.add(server.pid)
        } catch (error) {
          if (tries > 20) throw error
          await wait(250)
        }
      }
    },
  }
}

function logStoreMember(server: TestClickHouse): Member {
  running.add(server.pid)
  return {
    name: 'log-store',
    url: '',
    pid: () => server.pid,
    crashes: () => [],
    signal: (signal) => sendTo(server.pid, signal),
    end: async () => {
      await server.kill()
      running.delete(server.pid)
    },
    start: async () => {
      await server.start()
      running.add(server.pid)
    },
  }
}

type ServiceOptions = {
  readonly name: string
  readonly entry: string
  readonly port: number
  readonly env: Record<string, string>
  readonly logFile: string
}

const LAST_CHARACTERS = 400

/** A service that is restarted when it exits by itself. */
function serviceMember({ name, entry, port, env, logFile }: ServiceOptions): Member {
  mkdirSync(join(logFile, '..'), { recursive: true })
  const log = createWriteStream(logFile, { flags: 'a' })
  let child: ChildProcess | undefined
  let isWanted = false
  const crashes: string[] = []
  const launch = (): void => {
    const made = spawn(process.execPath, [join(ROOT, entry)], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let last = ''
    for (const output of [made.stdout, made.stderr]) {
      output.pipe(log, { end: false })
      output.on('data', (chunk: Buffer) => (last = (last + chunk.toString()).slice(-LAST_CHARACTERS)))
    }
    child = made
    const { pid = 0 } = made
    running.add(pid)
    made.once('exit', (code, signal) => {
      running.delete(pid)
      if (!isWanted || child !== made) return
      crashes.push(`${name} ${signal ?? code} at ${new Date().toISOString()}: ${last.trim()}`)
      setTimeout(() => isWanted && child === made && launch(), 500)
    })
  }
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    crashes: () => crashes,
    signal: (signal) => void child?.kill(signal),
    end: async (signal = 'SIGKILL') => {
      isWanted = false
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
    start: async () => {
      isWanted = true
      launch()
      await Promise.resolve()
    },
  }
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited.
  }
}
