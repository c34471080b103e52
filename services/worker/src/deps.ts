import type { WorkerEnv } from '@tollgate/config/env'
import { ownAddresses } from '@tollgate/config/own-addresses'
import { USER_AGENT } from '@tollgate/config/version'
import { createSealer, type Sealer } from '@tollgate/config/sealing'
import { connectDb, type Db } from '@tollgate/db/connect'
import { accountReads } from './reaping/account-reads.ts'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOperatorNames, createUserNames, type Names } from '@tollgate/outbound/names/names'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { createLedgerAdmin, type LedgerAdmin } from '@tollgate/ledger/accounts/ledger-admin'
import { showBudgets } from '@tollgate/telemetry/budgets'
import { createLogger, type Logger } from '@tollgate/telemetry/logger'
import { startTelemetry, type Telemetry } from '@tollgate/telemetry/otel'
import { createBalanceNotices } from './senders/balance-notices.ts'
import { createSenders, type Senders } from './senders/senders.ts'
import { createSmtpConnect, type SmtpConnect } from './senders/smtp-connect.ts'
import { createEviction, type Eviction } from './upkeep/idle-accounts.ts'
import { createLedgerView, type LedgerView } from './telemetry/ledger-view.ts'
import { createObserver, type Observer } from './telemetry/observe.ts'
import { createPostingGroups, type PostingGroups } from './posting/groups.ts'
import { createStreamTrim } from './posting/stream-trim.ts'
import { createMediaStore, type MediaStore } from './media/media-store.ts'
import { createReaper, type Reaper } from '@tollgate/ledger/reaping/reaper'
import { createRelayWatch } from '@tollgate/ledger/reaping/relay-watch'

/** Dependencies of the worker's handlers and loops. */
export type Deps = {
  readonly env: WorkerEnv
  readonly db: Db
  readonly redis: Redis
  /** Fails at once; for recovery and the reaper's probes. */
  readonly probeRedis: Redis
  readonly admin: LedgerAdmin
  readonly posting: PostingGroups
  readonly reaper: Reaper
  readonly eviction: Eviction
  readonly channelKeys: Sealer
  /** Secrets of options and of users' webhooks, and hashes of mailed codes. */
  readonly secrets: Sealer
  readonly outbound: Outbound
  /** Calls to addresses that users chose: reaches nothing private unless MEDIA_ALLOW_PRIVATE says so. */
  readonly userOutbound: Outbound
  /** For the addresses in the operator's environment: a relay. */
  readonly inner: Outbound
  readonly smtp: SmtpConnect
  readonly senders: Senders
  /** Absent: finished videos stay with their vendors. */
  readonly mediaStore: MediaStore | undefined
  readonly log: Logger
  readonly telemetry: Telemetry
  readonly observer: Observer
  readonly ledgerView: LedgerView
  readonly now: () => number
}

/** Opens the connections; rejects when Redis does not answer. */
export async function createDeps(env: WorkerEnv): Promise<Deps> {
  const log = createLogger({ service: 'worker', level: env.LOG_LEVEL })
  const db = connectDb({ url: env.DATABASE_URL, max: 12, name: 'tollgate-worker', prepares: true, followsPrimary: true })
  const redis = connectRedis(env.REDIS_URL, 'plain')
  const probeRedis = connectRedis(env.REDIS_URL, 'ledger')
  await Promise.all([waitUntilReady(redis), waitUntilReady(probeRedis)])
  const admin = createLedgerAdmin(redis)
  const now = (): number => Date.now()
  const telemetry = await startTelemetry({ service: 'worker', env })
  const ledgerView = createLedgerView({ db, redis: probeRedis, shards: env.SHARDS })
  const senders = createSenders()
  showBudgets(telemetry.metrics, [senders.mail, senders.webhook])
  const observer = createObserver(telemetry, ledgerView.current)
  const guarded = (allow: readonly string[], names: Names) =>
    createOutbound({ userAgent: USER_AGENT, guard: createAddressGuard({ allow, own: ownAddresses(env) }), names })
  const watch = createRelayWatch({ deadAfterMs: env.REAP_AFTER * 1000, monotonic: () => performance.now() })
  return {
    env,
    db,
    redis,
    probeRedis,
    admin,
    posting: createPostingGroups(
      { db, redis, admin, observer, log, now, trim: createStreamTrim(redis, now), balanceNotices: createBalanceNotices({ db, now, log }) },
      env.SHARDS,
    ),
    reaper: createReaper({ ...accountReads(db), redis, probeRedis, admin, watch, shards: env.SHARDS, observer, log }),
    eviction: createEviction({ db, redis, admin, shards: env.SHARDS, observer, monotonic: () => performance.now() }),
    channelKeys: createSealer(env.KEY_CHANNELS),
    secrets: createSealer(env.KEY_OPTIONS),
    outbound: guarded(env.UPSTREAM_ALLOW_PRIVATE, createOperatorNames(env.DNS_SERVERS)),
    userOutbound: guarded(env.MEDIA_ALLOW_PRIVATE, createUserNames(env.DNS_SERVERS)),
    inner: createOutbound(),
    smtp: createSmtpConnect(ownAddresses(env), env.DNS_SERVERS),
    senders,
    mediaStore: createMediaStore(env),
    log,
    telemetry,
    observer,
    ledgerView,
    now,
  }
}

export async function closeDeps({ db, redis, probeRedis, outbound, userOutbound, inner, smtp, telemetry }: Deps): Promise<void> {
  await Promise.all([outbound.close(), userOutbound.close(), inner.close(), smtp.close()])
  redis.disconnect()
  probeRedis.disconnect()
  await db.destroy()
  await telemetry.stop()
}
