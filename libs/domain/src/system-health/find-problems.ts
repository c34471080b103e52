import type {
  FailingChannel,
  HealthParts,
  HealthProblem,
  HealthProblemCode,
  LedgerMaster,
  PostgresFacts,
  SeenService,
} from '@tollgate/contracts/resources/health'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { nameList } from '../display/name-list.ts'
import { countPaused } from './count-paused.ts'

/** From where on a value needs an operator. */
export const HEALTH_LIMITS = {
  posting_late_s: 60,
  log_store_late_s: 60,
  /** The verifier runs daily. */
  check_missing_s: 2 * DAY_SECONDS,
  disk_free_share: 0.1,
  connections_share: 0.9,
  memory_share: 0.9,
  long_transaction_s: 600,
  jobs_waiting: 1000,
} as const

const NAMED_MODELS = 5
const NAMED_ANSWERS = 5
const NAMED_CHANNELS = 5
const NAMED_ROOTS = 5

type Values = HealthProblem['values']

const bad = (code: HealthProblemCode, values: Values = {}): HealthProblem => ({ code, level: 'bad', values })
const warning = (code: HealthProblemCode, values: Values = {}): HealthProblem => ({ code, level: 'warning', values })

/** Problems that need an operator, worst first. */
export function findProblems(parts: HealthParts, now: number): HealthProblem[] {
  const found = [
    ...problemsOfServices(parts),
    ...problemsOfLedger(parts, now),
    ...problemsOfPostgres(parts),
    ...problemsOfRedis(parts),
    ...problemsOfLogStore(parts),
    ...problemsOfWork(parts),
    ...problemsOfPrices(parts),
    ...problemsOfAnswers(parts),
    ...problemsOfNotices(parts),
    ...unreadParts(parts),
  ]
  return [...found.filter(({ level }) => level === 'bad'), ...found.filter(({ level }) => level === 'warning')]
}

function problemsOfServices({ services }: HealthParts): HealthProblem[] {
  if (services === null) return []
  const running = services.filter(({ is_running }) => is_running)
  const hasNone = (name: SeenService['service']): boolean => !running.some(({ service }) => service === name)
  const versions = new Set(running.map(({ version }) => version))
  const gone = services.filter(({ is_running }) => !is_running)
  const full = running.filter(
    ({ disk_free_bytes, disk_total_bytes }) => disk_total_bytes > 0 && disk_free_bytes / disk_total_bytes < HEALTH_LIMITS.disk_free_share,
  )
  return [
    ...(hasNone('relay') ? [bad('no-relay')] : []),
    ...(hasNone('worker') ? [bad('no-worker')] : []),
    ...[...new Set(full.map(({ host }) => host))].map((host) => bad('disk-full', { host })),
    ...gone.map(({ service, host, pid }) => warning('service-gone', { service, host, pid })),
    ...(versions.size > 1 ? [warning('versions-differ', { versions: [...versions].toSorted().join(', ') })] : []),
  ]
}

function problemsOfLedger({ ledger, ledger_masters }: HealthParts, now: number): HealthProblem[] {
  if (ledger === null) return []
  const { is_open, closed_shards, suspect_shards, lag_seconds, lag_events, unsynced, last_check } = ledger
  return [
    // Without masters of a cluster all shards are open, or none.
    ...(is_open ? [] : [ledger_masters === undefined ? bad('fence-closed') : bad('shards-closed', { count: closed_shards })]),
    ...(suspect_shards > 0 ? [bad('suspect-shards', { count: suspect_shards })] : []),
    ...(lag_seconds > HEALTH_LIMITS.posting_late_s ? [bad('posting-late', { seconds: Math.round(lag_seconds), events: lag_events })] : []),
    ...(last_check !== null && last_check.differences > 0 ? [bad('check-differs', { count: last_check.differences })] : []),
    ...(unsynced >= 100 ? [warning('unsynced', { count: unsynced })] : []),
    ...(last_check !== null && now - last_check.started_at > HEALTH_LIMITS.check_missing_s ? [warning('check-missing')] : []),
  ]
}

function problemsOfReplica(replica: PostgresFacts['replica']): HealthProblem[] {
  if (replica === undefined || replica.is_used) return []
  if (replica.lag_ms === null) return [warning('replica-away')]
  return [warning('replica-behind', { seconds: Math.round(replica.lag_ms / 1000) })]
}

function problemsOfPostgres({ postgres, partitions }: HealthParts): HealthProblem[] {
  const strays = (partitions ?? []).filter(({ has_strays }) => has_strays).map(({ table }) => warning('strays', { table }))
  if (postgres === null) return strays
  const { connections, max_connections, waiting, oldest_transaction_s, replica } = postgres
  const isCrowded = connections >= max_connections * HEALTH_LIMITS.connections_share
  return [
    ...(isCrowded ? [bad('connections', { count: connections, max: max_connections })] : []),
    ...(waiting >= 10 ? [warning('locks', { count: waiting })] : []),
    ...(oldest_transaction_s > HEALTH_LIMITS.long_transaction_s ? [warning('long-transaction', { seconds: oldest_transaction_s })] : []),
    ...problemsOfReplica(replica),
    ...strays,
  ]
}

/** Money needs an append-only file. What is on a server beside that of the ledger is made again or asked for again. */
function problemsOfRedis({ redis, ledger_redis, ledger_masters }: HealthParts): HealthProblem[] {
  if (ledger_redis === undefined && ledger_masters === undefined) return problemsOfServer(redis, '')
  const beside = redis === null ? null : { ...redis, is_durable: true }
  return [...problemsOfServer(beside, ''), ...problemsOfServer(ledger_redis ?? null, 'ledger-'), ...problemsOfMasters(ledger_masters ?? [])]
}

function problemsOfLogStore({ log_store }: HealthParts): HealthProblem[] {
  if (log_store === undefined || log_store === null || log_store.waiting_s <= HEALTH_LIMITS.log_store_late_s) return []
  return [bad('log-store-late', { rows: log_store.waiting_rows, seconds: log_store.waiting_s })]
}

/** A problem that several masters have is listed once. */
function problemsOfMasters(masters: readonly LedgerMaster[]): HealthProblem[] {
  const away = masters.filter(({ redis }) => redis === null).map(({ address }) => bad('master-away', { address }))
  const found = masters.flatMap(({ redis }) => problemsOfServer(redis, 'ledger-'))
  return [...away, ...new Map(found.map((problem) => [problem.code, problem])).values()]
}

function problemsOfServer(facts: HealthParts['redis'], of: '' | 'ledger-'): HealthProblem[] {
  if (facts === null) return []
  const { memory_bytes, max_memory_bytes, eviction, evicted_keys, is_durable, has_write_error } = facts
  const isFull = max_memory_bytes > 0 && memory_bytes >= max_memory_bytes * HEALTH_LIMITS.memory_share
  return [
    ...(has_write_error ? [bad(`${of}redis-write-error`)] : []),
    ...(evicted_keys > 0 ? [bad(`${of}redis-evicts`, { count: evicted_keys, policy: eviction })] : []),
    ...(isFull ? [bad(`${of}redis-memory`)] : []),
    ...(is_durable ? [] : [warning(`${of}redis-not-durable`)]),
  ]
}

function problemsOfWork({ queues, breakers, failing }: HealthParts): HealthProblem[] {
  const paused = countPaused(breakers ?? [])
  return [
    ...(failing !== null && failing.length > 0 ? [warning('channels-failing', namesOf(failing))] : []),
    ...(paused > 0 ? [warning('breakers-open', { count: paused })] : []),
    ...(queues ?? []).flatMap(({ queue, failed, waiting }) => [
      ...(failed > 0 ? [warning('jobs-failed', { queue, count: failed })] : []),
      ...(waiting >= HEALTH_LIMITS.jobs_waiting ? [warning('jobs-waiting', { queue, count: waiting })] : []),
    ]),
  ]
}

function namesOf(failing: readonly FailingChannel[]): Values {
  const names = failing.map(({ channel_id, channel_name }) => `#${channel_id} ${channel_name}`)
  return { count: failing.length, channels: nameList(names, NAMED_CHANNELS) }
}

function problemsOfPrices({ unpriced, sold }: HealthParts): HealthProblem[] {
  const ending = (sold?.retiring ?? []).map(
    ({ model, retires, successor }) => `${model} ${retires}${successor === '' ? '' : ` → ${successor}`}`,
  )
  return [
    ...problemOfModels('unpriced-models', unpriced ?? []),
    ...problemOfModels('output-unpriced', sold?.without_output ?? []),
    ...problemOfModels('models-retire', ending),
  ]
}

function problemOfModels(code: HealthProblemCode, names: readonly string[]): HealthProblem[] {
  if (names.length === 0) return []
  return [warning(code, { count: names.length, models: nameList(names, NAMED_MODELS) })]
}

const PROBLEM_OF = {
  usage: 'unusable-usage',
  'unknown-end': 'unknown-end',
  'unknown-state': 'unknown-state',
  'unclear-order': 'unclear-orders',
} as const

function problemsOfAnswers({ unexpected_answers }: HealthParts): HealthProblem[] {
  return (unexpected_answers ?? []).slice(0, NAMED_ANSWERS).map(({ kind, channel_id, channel_name, model, word, count, request_id }) => {
    const values = { channel: channel_name === '' ? `#${channel_id}` : channel_name, model, word, count, request_id }
    return warning(PROBLEM_OF[kind], values)
  })
}

function problemsOfNotices({ notices }: HealthParts): HealthProblem[] {
  if (notices === null) return []
  const { unreached, by_mail, can_mail } = notices
  return [
    ...(unreached.length > 0 ? [warning('roots-unreached', { count: unreached.length, users: nameList(unreached, NAMED_ROOTS) })] : []),
    ...(by_mail > 0 && !can_mail ? [warning('mail-unset')] : []),
  ]
}

function unreadParts(parts: HealthParts): HealthProblem[] {
  return Object.entries(parts).flatMap(([part, value]) => (value === null ? [bad('unread', { part })] : []))
}
