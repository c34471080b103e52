import { randomUUID } from 'node:crypto'
import { ControlPlaneEnv, parseEnv } from '@tollgate/config/env'
import { STORE_AWAY } from '@tollgate/config/exit-code'
import { hasLedgerRedis, ledgerRedisUrl } from '@tollgate/config/ledger-redis-url'
import { ownAddresses } from '@tollgate/config/own-addresses'
import { isStoreUnavailable } from '@tollgate/contracts/app-error'
import { createSealer, unsealOption } from '@tollgate/config/sealing'
import { USER_AGENT, VERSION } from '@tollgate/config/version'
import { connectDb } from '@tollgate/db/connect'
import { pingDb } from '@tollgate/db/queries/installation/ping'
import { findObstacle } from './readiness.ts'
import { connectReplica, type Replica } from '@tollgate/db/replica'
import { isSuperuser } from '@tollgate/db/roles'
import { openLogStore } from '@tollgate/log-store/open'
import { isSetUp } from '@tollgate/db/queries/installation/setup'
import type { HealthState } from '@tollgate/http/health'
import { serveApp } from '@tollgate/http/server'
import { createJobClient } from '@tollgate/jobs/client'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOperatorNames } from '@tollgate/outbound/names/names'
import { createOutbound } from '@tollgate/outbound/outbound'
import { connectRedis } from '@tollgate/redis/connect'
import { connectLedger } from '@tollgate/redis/ledger-servers'
import { startServiceReport } from '@tollgate/redis/stores/running-services'
import { showBudgets } from '@tollgate/telemetry/budgets'
import { toLine } from '@tollgate/telemetry/error-line'
import { createLogger } from '@tollgate/telemetry/logger'
import { readProcessFacts } from '@tollgate/telemetry/process-facts'
import { watchEventLoop } from '@tollgate/telemetry/watchdog/watchdog'
import { startTelemetry } from '@tollgate/telemetry/otel'
import { BULK_CONNECTIONS, createBudgets, listBudgets, READ_CONNECTIONS } from './budgets.ts'
import { createApp } from './app.ts'
import type { Deps } from './deps.ts'
import { sweepFiles } from './moving-in/console-files.ts'
import { startInternals } from './internal/start.ts'
import { createStatusPage } from './resources/status-page/app.ts'
import { createOptionReader } from '@tollgate/db/option-reader'

const DRAIN_MS = 10_000

const env = await orFail(() => parseEnv(ControlPlaneEnv))
const log = createLogger({ service: 'control-plane', level: env.LOG_LEVEL })
const telemetry = await startTelemetry({ service: 'control-plane', env })
const db = connectDb({ url: env.DATABASE_URL, name: 'control-plane', followsPrimary: true })
const reads = connectDb({ url: env.DATABASE_URL, max: READ_CONNECTIONS, name: 'control-plane-reads', followsPrimary: true })
const bulk = connectDb({ url: env.DATABASE_URL, max: BULK_CONNECTIONS, name: 'control-plane-bulk', followsPrimary: true })
const replica = openReplica()
const budgets = createBudgets()
showBudgets(telemetry.metrics, listBudgets(budgets))
const redis = connectRedis(env.REDIS_URL, 'plain')
const ledgerRedis = hasLedgerRedis(env) ? connectLedger(ledgerRedisUrl(env), 'plain', redis) : redis
const sealers = { channels: createSealer(env.KEY_CHANNELS), options: createSealer(env.KEY_OPTIONS) }
const jobs = createJobClient(env.REDIS_URL)
const outbound = createOutbound({
  userAgent: USER_AGENT,
  guard: createAddressGuard({ allow: env.UPSTREAM_ALLOW_PRIVATE, own: ownAddresses(env) }),
  names: createOperatorNames(env.DNS_SERVERS),
})
/** Only for the address in RELAY_URL, which is the operator's own. */
const inner = createOutbound()
const ending = new AbortController()
const deps: Deps = {
  env,
  db,
  reads,
  replica,
  bulk,
  budgets,
  redis,
  ledgerRedis,
  sealers,
  options: createOptionReader(db, unsealOption(sealers.options)),
  jobs,
  outbound,
  inner,
  log,
  now: Date.now,
  stopping: ending.signal,
  started_at: Math.floor(Date.now() / 1000),
  version: VERSION,
  // Each control plane of an installation makes the same one.
  setup_code: env.SETUP_CODE === '' ? sealers.options.fingerprint('setup code').slice(0, 16) : env.SETUP_CODE,
}

const health: HealthState = {
  isDraining: false,
  findObstacle: () => findObstacle({ db, redis, ledgerRedis, env }),
}
await orFail(() => pingDb(db))
const others = [reads, bulk, ...(replica === undefined ? [] : [replica.db])]
const logStore = await orFail(() => openLogStore({ url: env.LOG_STORE_URL, db, others, log, now: deps.now }))
const { server, internals, report } = await orFail(start)
watchEventLoop('control-plane', env.EVENT_LOOP_TIMEOUT)

let stopping: Promise<void> | undefined
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (stopping ??= stop(signal)))

async function start() {
  const app = createApp(deps, health, telemetry)
  const made = {
    server: await serveApp({
      app,
      host: env.CONTROL_PLANE_HOST,
      port: env.CONTROL_PLANE_PORT,
      direct: createStatusPage(deps),
    }),
    internals: await startInternals(deps, telemetry),
    report: startServiceReport({
      redis,
      id: randomUUID(),
      facts: async () => ({ service: 'control-plane', ...(await readProcessFacts('.')) }),
      now: deps.now,
    }),
  }
  log.info({ url: made.server.url }, 'control plane is listening')
  log.info({ url: made.internals.server.url }, 'internal port is listening')
  await sweepFiles(deps.now()).catch((error: unknown) => log.warn({ err: error }, 'files of earlier imports not removed'))
  if (await isSuperuser(db)) log.warn({}, 'DATABASE_URL names a superuser of Postgres; the services need only the owner of their database')
  await announceSetup()
  return made
}

function openReplica(): Replica | undefined {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_MAX_LAG } = env
  if (url === '') return undefined
  const made = connectReplica({
    url,
    primary: db,
    max: READ_CONNECTIONS,
    name: 'control-plane-replica',
    maxLagMs: DATABASE_REPLICA_MAX_LAG * 1000,
  })
  telemetry.metrics.gauge(
    'tollgate_replica_lag_seconds',
    { description: 'How far the replica of Postgres is behind at most; absent while it is away', unit: 's' },
    () => {
      const lag = made.lagMs()
      return lag === undefined ? [] : lag / 1000
    },
  )
  return made
}

/** A startup failure is one line: its reader needs the cause, not a stack. */
async function orFail<T>(step: () => T): Promise<Awaited<T>> {
  try {
    return await step()
  } catch (error) {
    process.stderr.write(`control-plane: ${toLine(error)}\n`)
    process.exit(isStoreUnavailable(error) ? STORE_AWAY : 1)
  }
}

async function stop(signal: string): Promise<void> {
  log.info({ signal }, 'control plane is stopping')
  health.isDraining = true
  ending.abort()
  // The internal port closes after the public one: relays still load wallets.
  await server.stop(DRAIN_MS, env.DRAIN_GRACE * 1000)
  await internals.stop(DRAIN_MS, env.DRAIN_GRACE * 1000)
  await report.stop()
  await jobs.close()
  await outbound.close()
  await inner.close()
  redis.disconnect()
  ledgerRedis.disconnect()
  await db.destroy()
  await replica?.stop()
  await reads.destroy()
  await bulk.destroy()
  await logStore?.close()
  await telemetry.stop()
}

/** Logs the address for setup while the system is not set up. */
async function announceSetup(): Promise<void> {
  if (await isSetUp(db)) return
  if (deps.setup_code === 'off') {
    log.warn({}, 'not set up yet and SETUP_CODE=off: the first visitor of this address becomes root')
    return
  }
  log.info({ url: `${env.PUBLIC_URL}/setup?code=${deps.setup_code}` }, 'not set up yet: open this address')
}
