import type { WorkerEnv } from '@tollgate/config/env'
import { hasLedgerRedis, ledgerRedisUrl } from '@tollgate/config/ledger-redis-url'
import { ownAddresses } from '@tollgate/config/own-addresses'
import { USER_AGENT } from '@tollgate/config/version'
import { createSealer } from '@tollgate/config/sealing'
import { connectDb } from '@tollgate/db/connect'
import { accountReads } from './reaping/account-reads.ts'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOperatorNames, createUserNames, type Names } from '@tollgate/outbound/names/names'
import { createOutbound } from '@tollgate/outbound/outbound'
import { DEFAULT_POSTING_GROUPS } from '@tollgate/jobs/post-usage'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { connectLedger, waitUntilLedgerReady } from '@tollgate/redis/ledger-servers'
import { createLedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { showBudgets } from '@tollgate/telemetry/budgets'
import { openLogStore } from '@tollgate/log-store/open'
import { createLogger, type Logger } from '@tollgate/telemetry/logger'
import { startTelemetry } from '@tollgate/telemetry/otel'
import type { MediaStoreEnv } from '@tollgate/upstream/media-store'
import { createSigner } from '@tollgate/upstream/signer'
import { createBalanceNotices } from './senders/balance-notices.ts'
import { createSenders } from './senders/senders.ts'
import { createSmtpConnect } from './senders/smtp-connect.ts'
import { createEviction } from './upkeep/idle-accounts.ts'
import { createLedgerView } from './telemetry/ledger-view.ts'
import { createObserver } from './telemetry/observe.ts'
import { createPostingGroups } from './posting/groups.ts'
import { createStreamTrim } from './posting/stream-trim.ts'
import { createMediaStore } from './media/media-store.ts'
import { createReaper } from '@tollgate/ledger/reaping/reaper'
import { createRelayWatch } from '@tollgate/ledger/reaping/relay-watch'
import type { Deps } from './deps.ts'

/** The variables of the object sink under the names of the media store, whose client it uses. */
const toStoreEnv = (env: WorkerEnv): MediaStoreEnv => ({
  MEDIA_STORE_URL: env.SINK_URL,
  MEDIA_STORE_BUCKET: env.SINK_BUCKET,
  MEDIA_STORE_REGION: env.SINK_REGION,
  MEDIA_STORE_KEY_ID: env.SINK_KEY_ID,
  MEDIA_STORE_SECRET: env.SINK_SECRET,
})

/** Postgres connections of everything but posting. */
const CONNECTIONS_BESIDE_POSTING = 8

/** A worker that starts while Redis is away goes on without it: its loops and queues wait for it. */
const REDIS_WAIT_MS = 3000

async function untilRedis(ready: readonly Promise<void>[], log: Logger): Promise<void> {
  for (const one of await Promise.allSettled(ready)) {
    if (one.status === 'fulfilled') continue
    log.error({ err: one.reason as unknown }, 'Redis does not answer; worker is not ready until it does')
    return
  }
}

/** Opens the connections. */
export async function createDeps(env: WorkerEnv): Promise<Deps> {
  const log = createLogger({ service: 'worker', level: env.LOG_LEVEL })
  const now = (): number => Date.now()
  const groups = env.POSTING_GROUPS ?? Math.min(DEFAULT_POSTING_GROUPS, env.SHARDS)
  const stores = await connectStores(env, { log, groups })
  const { db, ledgerRedis, probeRedis } = stores
  const admin = createLedgerAdmin(ledgerRedis)
  const logStore = await openLogStore({ url: env.LOG_STORE_URL, db, log, now })
  const telemetry = await startTelemetry({ service: 'worker', env })
  const ledgerView = createLedgerView({ db, redis: probeRedis, shards: env.SHARDS })
  const senders = createSenders()
  showBudgets(telemetry.metrics, [senders.mail, senders.webhook, senders.event])
  const observer = createObserver(telemetry, ledgerView)
  const newWatch = () => createRelayWatch({ deadAfterMs: env.REAP_AFTER * 1000, monotonic: () => performance.now() })
  return {
    env,
    ...stores,
    ...reachOf(env, now),
    admin,
    posting: createPostingGroups(
      {
        db,
        redis: ledgerRedis,
        admin,
        observer,
        log,
        now,
        trim: createStreamTrim(ledgerRedis, now),
        balanceNotices: createBalanceNotices({ db, now, log }),
      },
      { shards: env.SHARDS, groups },
    ),
    reaper: createReaper({ ...accountReads(db), redis: ledgerRedis, probeRedis, admin, newWatch, shards: env.SHARDS, observer, log }),
    eviction: createEviction({ db, redis: ledgerRedis, admin, shards: env.SHARDS, observer, monotonic: () => performance.now() }),
    channelKeys: createSealer(env.KEY_CHANNELS),
    secrets: createSealer(env.KEY_OPTIONS),
    senders,
    mediaStore: createMediaStore(env),
    sinkStore: createMediaStore(toStoreEnv(env)),
    log,
    telemetry,
    observer,
    ledgerView,
    logStore,
    now,
  }
}

type Stores = Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'probeRedis'>

async function connectStores(env: WorkerEnv, { log, groups }: { readonly log: Logger; readonly groups: number }): Promise<Stores> {
  const db = connectDb({
    url: env.DATABASE_URL,
    max: CONNECTIONS_BESIDE_POSTING + groups,
    name: 'tollgate-worker',
    prepares: env.DATABASE_PREPARE,
    followsPrimary: true,
  })
  const redis = connectRedis(env.REDIS_URL, 'plain')
  const ledgerRedis = hasLedgerRedis(env) ? connectLedger(ledgerRedisUrl(env), 'plain', redis) : redis
  const probeRedis = connectLedger(ledgerRedisUrl(env), 'ledger', redis)
  await untilRedis(
    [waitUntilReady(redis, REDIS_WAIT_MS), ...[ledgerRedis, probeRedis].map((one) => waitUntilLedgerReady(one, REDIS_WAIT_MS))],
    log,
  )
  return { db, redis, ledgerRedis, probeRedis }
}

/** The ways out: to vendors, to addresses that users give, to the other services, and to mail servers. */
function reachOf(env: WorkerEnv, now: () => number): Pick<Deps, 'outbound' | 'signer' | 'userOutbound' | 'inner' | 'smtp'> {
  const guarded = (allow: readonly string[], names: Names) =>
    createOutbound({ userAgent: USER_AGENT, guard: createAddressGuard({ allow, own: ownAddresses(env) }), names })
  const outbound = guarded(env.UPSTREAM_ALLOW_PRIVATE, createOperatorNames(env.DNS_SERVERS))
  return {
    outbound,
    signer: createSigner({ outbound, now }),
    userOutbound: guarded(env.MEDIA_ALLOW_PRIVATE, createUserNames(env.DNS_SERVERS)),
    inner: createOutbound(),
    smtp: createSmtpConnect(ownAddresses(env), env.DNS_SERVERS),
  }
}

export async function closeDeps({
  db,
  redis,
  ledgerRedis,
  probeRedis,
  outbound,
  userOutbound,
  inner,
  smtp,
  logStore,
  telemetry,
}: Deps): Promise<void> {
  await Promise.all([outbound.close(), userOutbound.close(), inner.close(), smtp.close(), logStore?.close()])
  redis.disconnect()
  ledgerRedis.disconnect()
  probeRedis.disconnect()
  await db.destroy()
  await telemetry.stop()
}
