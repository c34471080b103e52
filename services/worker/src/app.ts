import { randomUUID } from 'node:crypto'
import type { WorkerEnv } from '@tollgate/config/env'
import type { Deps } from './deps.ts'
import { closeDeps, createDeps } from './create-deps.ts'
import { createHandlers } from './handlers/index.ts'
import { createShipper, type Shipper } from './log-store/shipper.ts'
import { readProcessFacts } from '@tollgate/telemetry/process-facts'
import { startServiceReport } from '@tollgate/redis/stores/running-services'
import { watchFailures } from './channels/watch-failures.ts'
import { applyIncidents, getOption } from './channels/incidents.ts'
import { createLogArchiver, type LogArchiver } from './archive/log-archive.ts'
import { startHealth } from './process/health.ts'
import { postRefusals } from './refusals/post-refusals.ts'
import { createDeferredRunner, type DeferredRunner } from './deferred/runner.ts'
import { feedEndpoints } from './sinks/feed-endpoints.ts'
import { createObjectSink, type ObjectSink } from './sinks/object-sink.ts'
import { createMediaCopier, type MediaCopier } from './tasks/copy-media.ts'
import { createDeferredTender, purgeDeferred, type DeferredTender } from './deferred/tend-deferred.ts'
import { createLeave, runRecovery } from './recovery/recovery-loop.ts'
import { startLoop, type Loop } from '@tollgate/jobs/loop'
import { createDueWorkReader, type DueWorkReader } from './process/due-work.ts'
import { createOutageLog } from './telemetry/outage-log.ts'
import { endUnfinished } from './upkeep/end-unfinished.ts'
import { endViews } from './upkeep/end-views.ts'
import { keepPartitions } from './upkeep/partitions.ts'
import { stopInSteps } from './process/stop-in-steps.ts'
import { startQueues, type Looks } from './process/queues.ts'
import { findObstacle } from './process/readiness.ts'

export type RunningWorker = {
  /** Stops taking jobs, posts all waiting usage events, closes the connections. */
  stop(): Promise<void>
}

const RECOVERY_EVERY_MS = 500
const PROBE_EVERY_MS = 1000
const FAILURES_EVERY_MS = 10_000
const INCIDENTS_EVERY_MS = 1000
const REFUSALS_EVERY_MS = 1000
const UNFINISHED_EVERY_MS = 10_000
const VIEWS_EVERY_MS = 5000
const DEFERRED_EVERY_MS = 500
const PURGE_EVERY_MS = 60_000
const COPIES_EVERY_MS = 1000
const FEEDS_EVERY_MS = 1000
const OBJECTS_EVERY_MS = 10_000
const ARCHIVE_EVERY_MS = 10_000
const SHIP_EVERY_MS = 500
const OVERDUE_MS = 10_000
const GAUGES_EVERY_MS = 5000
const LAST_POST_MS = 20_000

/** Starts loops, queues and the health port. */
export async function startWorker(env: WorkerEnv): Promise<RunningWorker> {
  const deps = await createDeps(env)
  await keepPartitions(deps.db, new Date(deps.now()))
  const deferred = createDeferredRunner(deps)
  const tender = createDeferredTender(deps)
  const copier = createMediaCopier(deps)
  const due = createDueWorkReader({ db: deps.db, now: deps.now, monotonic: () => performance.now() })
  const objects = createObjectSink({ ...deps, store: deps.sinkStore, prefix: env.SINK_PREFIX })
  await objects.start()
  const archiver = createLogArchiver({ ...deps, store: deps.mediaStore })
  const shipper = createShipper(deps)
  const loops = startLoops(deps, { deferred, tender, copier, objects, archiver, due, shipper })
  const queues = startQueues({
    redisUrl: env.REDIS_URL,
    redis: deps.redis,
    handlers: createHandlers(deps),
    log: deps.log,
    observer: deps.observer,
    tracer: deps.telemetry.tracer,
    looks: createLooks(deps, due),
    postingGroups: deps.posting.count,
    everyMs: { 'post-usage': env.POST_USAGE_INTERVAL },
  })
  const state = { isStopping: false }
  const report = startServiceReport({
    redis: deps.redis,
    id: randomUUID(),
    facts: async () => ({ service: 'worker', ...(await readProcessFacts('.')) }),
    now: deps.now,
  })
  const health = await startHealth({
    host: env.WORKER_HOST,
    port: env.WORKER_PORT,
    findObstacle: () => findObstacle({ ...deps, shards: env.SHARDS }, state.isStopping),
  })
  deps.log.info({ port: env.WORKER_PORT, shards: env.SHARDS }, 'Worker started')
  const postLast = async (): Promise<void> => {
    const { isDone } = await deps.posting.postToTheEnd(LAST_POST_MS)
    if (!isDone) deps.log.warn({ timeout_ms: LAST_POST_MS }, 'Stopped before all usage events were posted; the next worker continues')
  }
  return {
    stop: async () => {
      state.isStopping = true
      const steps = [
        ['report', report.stop],
        ['loops', () => Promise.all([...loops.map((loop) => loop.stop()), objects.stop(), archiver.stop()])],
        ['runners', () => Promise.all([deferred.stop(), tender.stop(), copier.stop()])],
        ['queues', queues.close],
        ['posting', postLast],
        ['log store', shipper],
        ['connections', () => closeDeps(deps)],
      ] as const
      await stopInSteps(steps, deps)
      health.close()
      deps.log.info('Worker stopped')
    },
  }
}

/** The due work of each job that is added when due. */
const createLooks = (deps: Deps, due: DueWorkReader): Looks => ({
  'post-usage': async () => {
    const groups = await deps.posting.listDue((await due()).corrections)
    return groups.map((group) => ({ group, of: deps.posting.count }))
  },
  'send-mails': async () => ((await due()).mails ? [{}] : []),
  'send-webhooks': async () => ((await due()).webhooks ? [{}] : []),
  'send-events': async () => ((await due()).events ? [{}] : []),
  'poll-tasks': async () => ((await due()).tasks ? [{}] : []),
  'apply-price-changes': async () => ((await due()).priceChanges ? [{}] : []),
  'reconcile-payments': async () => ((await due()).payments ? [{}] : []),
  'retest-channels': async () => ((await getOption(deps, 'AutomaticEnableChannelEnabled')) ? [{}] : []),
  'reap-holds': async () => ((await deps.reaper.hasWork()) ? [{}] : []),
})

type Runners = {
  readonly deferred: DeferredRunner
  readonly tender: DeferredTender
  readonly copier: MediaCopier
  readonly objects: ObjectSink
  readonly archiver: LogArchiver
  readonly due: DueWorkReader
  readonly shipper: Shipper
}

/** Plain loops, not jobs: they repair or replace the queues, so they must not depend on them. */
function startLoops(deps: Deps, { deferred, tender, copier, objects, archiver, due, shipper }: Runners): Loop[] {
  const { log } = deps
  const consumer = randomUUID()
  const outage = createOutageLog({ log, now: deps.now })
  const monotonic = (): number => performance.now()
  const loop = (name: string, intervalMs: number, run: () => Promise<unknown>): Loop => startLoop({ name, intervalMs, log, monotonic, run })
  const leave = createLeave(deps)
  const recover = () =>
    runRecovery({
      db: deps.db,
      redis: deps.probeRedis,
      streams: deps.ledgerRedis,
      leave,
      shards: deps.env.SHARDS,
      observer: deps.observer,
      log,
      outage,
      now: deps.now,
    })
  return [
    loop('recovery', RECOVERY_EVERY_MS, recover),
    loop('incidents', INCIDENTS_EVERY_MS, () => applyIncidents(deps, consumer)),
    loop('channel-failures', FAILURES_EVERY_MS, () => watchFailures(deps)),
    loop('refusals', REFUSALS_EVERY_MS, () => postRefusals(deps)),
    loop('unfinished-statements', UNFINISHED_EVERY_MS, () => endUnfinished(deps)),
    loop('end-views', VIEWS_EVERY_MS, () => endViews(deps)),
    loop('reaper-probe', PROBE_EVERY_MS, () => deps.reaper.probe()),
    loop('post-overdue', 1000, () => deps.posting.postOverdue(OVERDUE_MS)),
    // A call may last a quarter of an hour, longer than a job.
    loop('send-deferred', DEFERRED_EVERY_MS, async () => (await due()).deferred && deferred.tick()),
    loop('tend-deferred', DEFERRED_EVERY_MS, async () => (await due()).deferred && tender.tick()),
    // A video may take half an hour.
    loop('copy-media', COPIES_EVERY_MS, async () => (await due()).copies && copier.tick()),
    loop('feed-endpoints', FEEDS_EVERY_MS, async () => (await due()).feeds && feedEndpoints(deps)),
    loop('object-sink', OBJECTS_EVERY_MS, () => objects.tick()),
    loop('log-archive', ARCHIVE_EVERY_MS, () => archiver.tick()),
    loop('log-store', SHIP_EVERY_MS, shipper),
    loop('purge-deferred', PURGE_EVERY_MS, () => purgeDeferred(deps)),
    ...(deps.telemetry.metrics.isOn ? [loop('ledger-view', GAUGES_EVERY_MS, deps.ledgerView.refresh)] : []),
  ]
}
