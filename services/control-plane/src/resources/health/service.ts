import { AppError } from '@tollgate/contracts/app-error'
import type {
  BreakerFacts,
  FailedJob,
  FailingChannel,
  HealthParts,
  LedgerFacts,
  LedgerMaster,
  LogStoreFacts,
  NoticeFacts,
  UnexpectedAnswerFacts,
  PostgresFacts,
  SystemHealth,
} from '@tollgate/contracts/resources/health'
import { logStoreOf } from '@tollgate/db/log-store'
import { listRoots, wayOf } from '@tollgate/db/queries/deliveries/notifications'
import { listChannelNames } from '@tollgate/db/queries/channels/channels'
import { listPartitionSums, readDatabaseFacts } from '@tollgate/db/queries/installation/database-facts'
import { readOutboxState } from '@tollgate/db/queries/ledger/log-outbox'
import { findLastLedgerReport } from '@tollgate/db/queries/ledger/ledger-reports'
import { countOpenOutbox } from '@tollgate/db/queries/wallet/outbox'
import { pingDb } from '@tollgate/db/queries/installation/ping'
import { listPostingCursors } from '@tollgate/db/queries/ledger/posting'
import { findProblems } from '@tollgate/domain/system-health/find-problems'
import { QUEUES, type QueueName } from '@tollgate/jobs/job'
import { listUnchecked } from '@tollgate/ledger/recovery/fence'
import { smtpProblem } from '@tollgate/mail/smtp-options'
import type { RedisCluster } from '@tollgate/redis/cluster/redis-cluster'
import { allShards, isCluster, partsOf } from '@tollgate/redis/ledger-servers'
import { readLedgerProgress } from '@tollgate/ledger/usage-stream/ledger-progress'
import { readOpenBreakers } from '@tollgate/redis/stores/channel-activity'
import { readUnexpectedAnswers } from '@tollgate/redis/stores/unexpected-answers'
import { listServices } from '@tollgate/redis/stores/running-services'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { visible } from '@tollgate/telemetry/visible'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { listFailing } from '../channels/health.ts'
import { readSold } from '../prices/catalogue.ts'
import { listUnpricedModels } from '../pricing/service.ts'
import { readRedisFacts } from './redis-facts.ts'

const PART_TIMEOUT_MS = 2500
/** Less than a part may take, so that a master that is away does not hide the others. */
const MASTER_TIMEOUT_MS = 1000
const MAX_UNSYNCED = 1000
const MAX_FAILED_JOBS = 50

/** Every part on its own: one that cannot be read does not hide the others. */
export async function getSystemHealth(deps: Deps): Promise<SystemHealth> {
  const { ledgerRedis } = deps
  const part = async <T>(name: keyof HealthParts, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await withTimeout(read(), PART_TIMEOUT_MS, `${name} was not read`)
    } catch (err) {
      deps.log.warn({ err, part: name }, 'Part of the health page could not be read')
      return null
    }
  }
  const parts = await allOf({
    services: part('services', () => listServices(deps.redis, deps.now())),
    postgres: part('postgres', () => readPostgres(deps)),
    redis: part('redis', () => readRedisFacts(deps.redis, deps.now)),
    ledger_redis:
      ledgerRedis === deps.redis || isCluster(ledgerRedis) ? undefined : part('ledger_redis', () => readRedisFacts(ledgerRedis, deps.now)),
    ledger_masters: isCluster(ledgerRedis) ? part('ledger_masters', () => readMasters(deps, ledgerRedis)) : undefined,
    log_store: logStoreOf(deps.db) === undefined ? undefined : part('log_store', () => readLogStore(deps)),
    ledger: part('ledger', () => readLedger(deps)),
    queues: part('queues', () => deps.jobs.counts()),
    partitions: part('partitions', () => listPartitionSums(deps.db)),
    breakers: part('breakers', () => readBreakers(deps)),
    failing: part('failing', () => readFailing(deps)),
    unpriced: part('unpriced', () => listUnpricedModels(deps)),
    sold: part('sold', () => readSold(deps)),
    unexpected_answers: part('unexpected_answers', () => readUnexpected(deps)),
    notices: part('notices', () => readNotices(deps)),
  })
  const read_at = nowSeconds(deps)
  return { ...parts, read_at, problems: findProblems(parts, read_at) }
}

/** The object with what its promises resolve with. */
async function allOf<T extends object>(promises: T): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const entries = Object.entries(promises).map(async ([name, promise]): Promise<[string, unknown]> => [name, await promise])
  // The names and types are those of the argument.
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof T]: Awaited<T[Name]> }
}

async function readPostgres({ db, replica }: Deps): Promise<PostgresFacts> {
  const startedAt = performance.now()
  await pingDb(db)
  const answer_ms = performance.now() - startedAt
  const facts = { ...(await readDatabaseFacts(db)), answer_ms }
  if (replica === undefined) return facts
  return { ...facts, replica: { lag_ms: replica.lagMs() ?? null, is_used: replica.usable() !== undefined } }
}

async function readLedger({ db, ledgerRedis, env }: Deps): Promise<LedgerFacts> {
  const shards = allShards(env.SHARDS)
  const [cursors, report, unsynced] = await Promise.all([
    listPostingCursors(db, shards),
    findLastLedgerReport(db),
    countOpenOutbox(db, MAX_UNSYNCED),
  ])
  const last_check =
    report === undefined ? null : { started_at: report.started_at, differences: report.differences, is_sound: report.is_sound }
  return { ...(await readLedgerProgress(ledgerRedis, cursors)), unsynced, last_check }
}

async function readLogStore({ db, now }: Deps): Promise<LogStoreFacts> {
  const { rows, since } = await readOutboxState(db)
  return { waiting_rows: rows, waiting_s: since === null ? 0 : Math.max(0, Math.round((now() - since) / 1000)) }
}

async function readMasters({ env, now }: Deps, cluster: RedisCluster): Promise<LedgerMaster[]> {
  const shards = allShards(env.SHARDS)
  const closed = new Set(await listUnchecked(cluster, shards))
  const own = new Map(partsOf(cluster, shards).map((part) => [part.redis, part.shards]))
  return await Promise.all(
    cluster.masters().map(async ({ address, redis }) => {
      const has = own.get(redis) ?? []
      const facts = await withTimeout(readRedisFacts(redis, now), MASTER_TIMEOUT_MS, `${address} was not read`).catch(() => null)
      return { address, shards: has.length, closed_shards: has.filter((shard) => closed.has(shard)).length, redis: facts }
    }),
  )
}

/** Every relay reports the same breaker; the one that waits longest counts. */
async function readBreakers({ db, redis, now }: Deps): Promise<BreakerFacts[]> {
  const longest = new Map<string, Omit<BreakerFacts, 'channel_name'>>()
  const open = await readOpenBreakers(redis, now())
  for (const { key_id, ...breaker } of open.toSorted((a, b) => a.remaining_ms - b.remaining_ms))
    longest.set(`${breaker.channel_id}|${key_id}|${breaker.model}`, breaker)
  const ids = [...new Set(open.map(({ channel_id }) => channel_id))]
  const names = new Map((await listChannelNames(db, { ids, isEnabled: false })).map(({ id, name }) => [id, name]))
  return [...longest.values()]
    .map((breaker) => ({ ...breaker, channel_name: names.get(breaker.channel_id) ?? '' }))
    .toSorted((a, b) => a.channel_id - b.channel_id || a.model.localeCompare(b.model))
}

async function readFailing(deps: Deps): Promise<FailingChannel[]> {
  const channels = await listChannelNames(deps.db, { ids: await listFailing(deps), isEnabled: true })
  return channels.map(({ id, name }) => ({ channel_id: id, channel_name: name }))
}

async function readUnexpected({ db, redis, now }: Deps): Promise<UnexpectedAnswerFacts[]> {
  const answers = await readUnexpectedAnswers(redis, now())
  const ids = [...new Set(answers.map(({ channel_id }) => channel_id))]
  const names = new Map((await listChannelNames(db, { ids, isEnabled: false })).map(({ id, name }) => [id, name]))
  return answers.map((answer) => ({ ...answer, channel_name: names.get(answer.channel_id) ?? '' }))
}

async function readNotices({ db, options }: Deps): Promise<NoticeFacts> {
  const [roots, mail] = await Promise.all([listRoots(db), options.pick(['SMTPServer', 'SMTPAccount', 'SMTPFrom'])])
  const ways = roots.map((root) => ({ name: root.username, way: wayOf(root) }))
  return {
    unreached: ways.filter(({ way }) => way === undefined).map(({ name }) => name),
    by_mail: ways.filter(({ way }) => way?.channel === 'mail').length,
    can_mail: smtpProblem(mail) === undefined,
  }
}

export async function listFailedJobs({ jobs }: Deps, queue: string): Promise<FailedJob[]> {
  const failed = await jobs.listFailed(queueNamed(queue), MAX_FAILED_JOBS)
  return failed.map(({ payload, reason, failed_at, ...job }) => ({
    ...job,
    payload: visible(JSON.stringify(payload), 300),
    reason: visible(reason, 500),
    failed_at: Math.floor(failed_at / 1000),
  }))
}

type FailedJobId = { readonly queue: string; readonly id: string }

export const retryJob = (deps: Deps, by: By, job: FailedJobId): Promise<void> => changeJob(deps, by, job, 'retry')
export const removeJob = (deps: Deps, by: By, job: FailedJobId): Promise<void> => changeJob(deps, by, job, 'remove')

async function changeJob(deps: Deps, by: By, { queue, id }: FailedJobId, action: 'retry' | 'remove'): Promise<void> {
  const isDone = await deps.jobs[action](queueNamed(queue), id)
  if (!isDone) throw new AppError('job.unknown')
  await deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [{ action, resource: 'job', resource_id: `${queue}/${id}` }]))
}

function queueNamed(name: string): QueueName {
  const queue = QUEUES.find((one) => one === name)
  if (queue === undefined) throw new AppError('job.queue')
  return queue
}
