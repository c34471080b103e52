import type { RoutingStrategy } from '@tollgate/contracts/relay/routing-strategies'
import { createHash, randomUUID } from 'node:crypto'
import type { RelayEnv } from '@tollgate/config/env'
import { hasLedgerRedis, ledgerRedisUrl } from '@tollgate/config/ledger-redis-url'
import { ownAddresses } from '@tollgate/config/own-addresses'
import { USER_AGENT } from '@tollgate/config/version'
import { createSealer } from '@tollgate/config/sealing'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOperatorNames, createUserNames, type Names } from '@tollgate/outbound/names/names'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { startHeartbeat } from '@tollgate/ledger/heartbeat/heartbeat'
import { connectRedis } from '@tollgate/redis/connect'
import { connectLedger, serverOf, waitUntilLedgerReady, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { startServiceReport } from '@tollgate/redis/stores/running-services'
import { createHealthSync } from '@tollgate/redis/stores/health-sync'
import { createLedger } from '@tollgate/ledger/client/ledger'
import type { Heartbeat } from '@tollgate/ledger/client/types'
import { reportLostEvents } from '@tollgate/ledger/recovery/lost-events'
import { createSettleQueue, type RelaySettleQueue } from '@tollgate/ledger/settle/settle-queue'
import { createSharedLimits, type SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import { createSnapshotReader } from '@tollgate/redis/snapshot/snapshot-store'
import { showBudgets } from '@tollgate/telemetry/budgets'
import type { Logger } from '@tollgate/telemetry/logger'
import type { Telemetry } from '@tollgate/telemetry/otel'
import { readProcessFacts } from '@tollgate/telemetry/process-facts'
import { createSigner } from '@tollgate/upstream/signer'
import { createAccounts } from './control-plane/accounts.ts'
import { createRuntimeConfig } from './config/runtime-config.ts'
import { createControlPlane, type ControlPlane } from './control-plane/client.ts'
import { createPassedCalls } from './control-plane/passed-calls.ts'
import { createStoredBodies } from './control-plane/stored-bodies.ts'
import { createPacedBodies } from './control-plane/paced-bodies.ts'
import { createAddressLimit } from './identity/address-limit.ts'
import { createIdentities } from './identity/identities.ts'
import { AdmissionQueue } from './admission/admission-queue.ts'
import { ChannelHealth } from './health/channel-health.ts'
import { startActivityReports } from './health/channel-activity.ts'
import { startCostReads } from './health/cost-reads.ts'
import { startLatencyReads } from './health/latency-reads.ts'
import { startHealthSync } from './health/health-sync.ts'
import { createIncidents } from './health/incidents.ts'
import { createBodyBudget } from './transport/body/body-budget.ts'
import type { Pace } from './transport/body/pace.ts'
import { createBodyWorkers } from './transport/body-workers/body-workers.ts'
import { createMediaStoreReader } from '@tollgate/upstream/media-store'
import { createMediaFetcher } from './channels/media.ts'
import { createObserver } from './telemetry/observer.ts'
import { createRefusals } from './refusals/refusals.ts'
import { Drains } from './channels/drains.ts'
import { createClientSecrets } from './identity/client-secrets.ts'
import { createLiveHandles } from './identity/live-handles.ts'
import { createLiveTokens } from './identity/live-tokens.ts'
import { createResponseStates } from './response-state/response-states.ts'
import { ServedModels } from './response-state/served-models.ts'
import { createOpenRequests, type OpenRequests } from './request/open-requests.ts'
import type { RelayDeps } from './deps.ts'

type Options = { readonly env: RelayEnv; readonly log: Logger; readonly telemetry: Telemetry }

/** With this many at once, a turn of the event loop stays far below the timeout of the ledger's calls. */
const ADMISSION = { maxConcurrent: 128, maxQueueMs: 10_000 } as const

const UNKNOWN_KEYS = { max: 30, window_ms: 60_000 } as const

/** A relay that starts while the ledger is away goes on without it: it refuses requests, and serves when the ledger is there. */
const LEDGER_WAIT_MS = 3000

/** Builds the relay's dependencies. Needs Redis with a readable snapshot, but neither the control plane nor Postgres. */
export async function createDeps({ env, log, telemetry }: Options): Promise<RelayDeps> {
  const now = () => Date.now()
  const relay_id = randomUUID()
  const redis = connectRedis(env.REDIS_URL, 'plain')
  const ledgerRedis = connectLedger(ledgerRedisUrl(env), 'ledger', redis)
  const accountsRedis = hasLedgerRedis(env) ? connectLedger(ledgerRedisUrl(env), 'plain', redis) : redis
  const onError = (err: unknown) => log.warn({ err }, 'Redis command failed')
  const inner = createOutbound()
  const controlPlane = controlPlaneFor(env, { outbound: inner, now, tracer: telemetry.tracer })
  const ledger = createLedger(ledgerRedis)
  const open = createOpenRequests()
  const settleQueue = settleQueueFor(env, { ledger, ledgerRedis, controlPlane, relay_id, onError })
  const sharedLimits = createSharedLimits(ledgerRedis, { onError })
  const heartbeat = await heartbeatFor({ redis: ledgerRedis, sharedLimits, relay_id, shards: env.SHARDS, open, settleQueue, log, onError })
  const snapshots = createSnapshotReader(redis, { onError })
  const { upstream, guarded } = outboundsFor(env)
  const sealer = createSealer(env.KEY_CHANNELS)
  const config = createRuntimeConfig(snapshots, sealer, now)
  const bodies = createBodyBudget({ total: env.RELAY_BODY_BUDGET, max_body: env.RELAY_MAX_BODY })
  const bodyWorkers = createBodyWorkers({ env, config, log, sample_seed: sampleSeedOf(env) })
  const admissionQueue = new AdmissionQueue(ADMISSION)
  const health = healthFor(telemetry)
  const healthSync = shareHealth(health, { redis, relay_id, now })
  const measuredReads = startMeasuredReads(health, { redis, config, now })
  const report = reportFor(env, { redis, relay_id, now })
  const refusals = createRefusals({ redis, relay_id, config, log, now })
  return {
    env,
    log,
    telemetry,
    now,
    random: Math.random,
    sample_seed: sampleSeedOf(env),
    ledger,
    accounts: createAccounts(accountsRedis, controlPlane),
    settleQueue,
    heartbeat,
    sharedLimits,
    snapshots,
    controlPlane,
    upstream,
    inner,
    open,
    config,
    identities: createIdentities({ redis, controlPlane, unknownKeys: createAddressLimit(UNKNOWN_KEYS), now }),
    ...budgetsFor(telemetry),
    bodies,
    bodyPace: bodyPaceOf(env),
    bodyWorkers,
    admissionQueue,
    observer: createObserver(telemetry, { open, bodies, bodyWorkers, settleQueue, admissionQueue }, { env, config }),
    incidents: createIncidents(redis, log, now),
    refusals,
    health,
    drains: new Drains(),
    media: createMediaFetcher({ guarded, upstream, proxy: () => config.mediaProxy(), bodies, log }),
    mediaStore: createMediaStoreReader(env, { outbound: inner, now }),
    ...createSealedStores({ redis, controlPlane, sealer, settings: () => config.settings, now, log }),
    signer: createSigner({ outbound: upstream, now }),
    timeouts: { first_byte_ms: env.FIRST_BYTE_TIMEOUT * 1000, idle_ms: env.STREAMING_TIMEOUT * 1000 },
    close: async () => {
      snapshots.stop()
      healthSync.stop()
      measuredReads.stop()
      await report.stop()
      await heartbeat.stop()
      await refusals.stop()
      await Promise.all([bodyWorkers.stop(), upstream.close(), inner.close(), guarded.close()])
      for (const connection of new Set([ledgerRedis, accountsRedis, redis])) connection.disconnect()
    },
  }
}

type Settling = {
  readonly ledger: RelayDeps['ledger']
  readonly ledgerRedis: LedgerServers
  readonly controlPlane: ControlPlane
  readonly relay_id: string
  readonly onError: (cause: unknown) => void
}

function settleQueueFor(env: RelayEnv, { ledgerRedis, controlPlane, ...rest }: Settling): RelaySettleQueue {
  return createSettleQueue({
    ...rest,
    load: (pair) => controlPlane.load(pair),
    serverOf: (shard) => serverOf(ledgerRedis, shard),
    capacity: env.SETTLE_QUEUE_CAPACITY,
    dir: env.RELAY_STATE_DIR,
  })
}

type Measured = Pick<RelayDeps, 'now'> & { readonly redis: ReturnType<typeof connectRedis>; readonly config: RelayDeps['config'] }

/** Reads what strategies need that the relay does not measure itself, while a group uses them. */
function startMeasuredReads(health: RelayDeps['health'], { redis, config, now }: Measured): { readonly stop: () => void } {
  const hasStrategy = (strategy: RoutingStrategy) => () => Object.values(config.settings.strategies).includes(strategy)
  const reads = [
    startLatencyReads(health, { redis, now, isNeeded: hasStrategy('latency') }),
    startCostReads(health, { redis, isNeeded: hasStrategy('effective-cost') }),
  ]
  return {
    stop: () => {
      for (const one of reads) one.stop()
    },
  }
}

function budgetsFor({ metrics }: Telemetry): Pick<RelayDeps, 'passed' | 'storedBodies' | 'pacedBodies'> {
  const passed = createPassedCalls()
  const storedBodies = createStoredBodies()
  const pacedBodies = createPacedBodies()
  showBudgets(metrics, [passed.bytes, ...Object.values(passed.calls), storedBodies, pacedBodies])
  return { passed, storedBodies, pacedBodies }
}

function bodyPaceOf({ RELAY_BODY_GRACE, RELAY_BODY_MIN_RATE, RELAY_BODY_TIMEOUT }: RelayEnv): Pace {
  return { grace_ms: RELAY_BODY_GRACE * 1000, bytes_per_second: RELAY_BODY_MIN_RATE, timeout_ms: RELAY_BODY_TIMEOUT * 1000 }
}

function healthFor({ metrics }: Telemetry): ChannelHealth {
  const trips = metrics.counter('relay_breaker_trips_total', { description: 'breakers of a channel, model and key that opened' })
  // Shown from the start: the first trip would otherwise not appear as an increase.
  trips.add(0)
  const health = new ChannelHealth({ now: () => performance.now(), onTripped: () => trips.add(1) })
  metrics.gauge('relay_breakers_open', { description: 'breakers that are open or half open' }, () => health.countOpen())
  return health
}

type Sharing = { readonly redis: ReturnType<typeof connectRedis>; readonly relay_id: string; readonly now: () => number }

/** Exchanges health with the other relays, and reports activity for the console. */
function shareHealth(health: ChannelHealth, { redis, relay_id, now }: Sharing): { stop(): void } {
  const sync = startHealthSync(health, createHealthSync(redis, relay_id))
  const reports = startActivityReports({ activity: health.activity, listOpen: () => health.listOpen(), redis, relay_id, now })
  return { stop: () => (sync.stop(), reports.stop()) }
}

function reportFor(env: RelayEnv, { redis, relay_id, now }: Sharing): { stop(): Promise<void> } {
  const facts = async () => ({ service: 'relay', ...(await readProcessFacts(env.RELAY_STATE_DIR)) }) as const
  return startServiceReport({ redis, id: relay_id, facts, now })
}

function controlPlaneFor(env: RelayEnv, rest: Pick<Parameters<typeof createControlPlane>[0], 'outbound' | 'now' | 'tracer'>): ControlPlane {
  return createControlPlane({ ...rest, baseUrl: env.CONTROL_PLANE_INTERNAL_URL, secrets: env.INTERNAL_SECRETS })
}

type HeartbeatInput = {
  readonly redis: LedgerServers
  readonly relay_id: string
  readonly shards: number
  readonly open: OpenRequests
  readonly settleQueue: RelaySettleQueue
  readonly sharedLimits: SharedLimits
  readonly log: Logger
  readonly onError: (cause: unknown) => void
}

/** Starts the heartbeat: it writes the progress of open requests, settles unknown holds, and resends events after a shard was reopened. */
async function heartbeatFor({ open, settleQueue, sharedLimits, log, onError, ...rest }: HeartbeatInput): Promise<Heartbeat> {
  // The first heartbeat reports a ledger that is away.
  await waitUntilLedgerReady(rest.redis, LEDGER_WAIT_MS).catch(() => undefined)
  const heartbeat = await startHeartbeat({
    ...rest,
    listProgress: () => open.listProgress(),
    renewLeases: (nowAt) => sharedLimits.renew(nowAt),
    isKnown: (requestId) => open.has(requestId) || settleQueue.has(requestId),
    settleUnknown: (input) => settleQueue.settle(input),
    onReopened: () => {
      const { redis, relay_id } = rest
      void settleQueue
        .resendRecent()
        .then(() => reportLostEvents(redis, relay_id, settleQueue.remembered))
        .catch(onError)
    },
    onError,
  })
  if (!heartbeat.hasAnswered()) log.error({}, 'The ledger does not answer; relay is not ready until it does')
  return heartbeat
}

/** For vendors, and for addresses that users give. */
function outboundsFor(env: RelayEnv): { readonly upstream: Outbound; readonly guarded: Outbound } {
  const { UPSTREAM_ALLOW_PRIVATE, MEDIA_ALLOW_PRIVATE, UPSTREAM_CONNECTIONS: connections, DNS_SERVERS } = env
  return {
    upstream: outboundFor(env, { allow: UPSTREAM_ALLOW_PRIVATE, names: createOperatorNames(DNS_SERVERS), connections }),
    guarded: outboundFor(env, { allow: MEDIA_ALLOW_PRIVATE, names: createUserNames(DNS_SERVERS) }),
  }
}

type Reach = { readonly allow: readonly string[]; readonly names: Names; readonly connections?: number }

function outboundFor(env: RelayEnv, { allow, ...rest }: Reach): Outbound {
  return createOutbound({ userAgent: USER_AGENT, guard: createAddressGuard({ allow, own: ownAddresses(env) }), ...rest })
}

function sampleSeedOf({ INTERNAL_SECRETS }: Pick<RelayEnv, 'INTERNAL_SECRETS'>): number {
  return createHash('sha256')
    .update(`samples of prompts ${INTERNAL_SECRETS.at(-1) ?? ''}`)
    .digest()
    .readUInt32BE(0)
}

type SealedStores = Pick<RelayDeps, 'responses' | 'clientSecrets' | 'liveTokens' | 'liveHandles' | 'servedModels'>

/** State that relays keep of users: records and browser secrets under a seal, and the models of conversations. */
function createSealedStores(options: Parameters<typeof createResponseStates>[0]): SealedStores {
  return {
    responses: createResponseStates(options),
    clientSecrets: createClientSecrets(options),
    liveTokens: createLiveTokens(options),
    liveHandles: createLiveHandles(options),
    servedModels: new ServedModels(options.redis),
  }
}
