import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScriptedMediaStore } from '../../libs/testing/src/media-store.ts'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { cpuMicros, cpuMicrosOfAll } from './proc.ts'
import type { Started } from './processes.ts'
import { openLedgerDatabase, startWorker, type LedgerDatabase, type Written } from './ledger-database.ts'
import { median } from './rows.ts'
import { SHARDS, startRedis } from './testbed.ts'

/**
 * `npm run bench:posting` measures the worker's CPU per usage event, alone on its core, with Postgres, Redis and the writer on the
 * other. First it posts backlogs (full batches), then events at a fixed rate (small batches per shard). Exit code 1: fewer events per CPU
 * second than the limit, a growing lag, or differences found by `verify:ledger`.
 */
const { values: options } = readCommandLine({
  command: 'npm run bench:posting --',
  about:
    'Measures the worker’s CPU per usage event. Exit code 1: fewer events per CPU second than the limit, a growing lag, or a difference in the ledger.',
  example: 'npm run bench:posting -- --rounds 1 --seconds 20',
  options: {
    rounds: { type: 'string', default: '5', about: 'backlogs that are posted' },
    backlog: { type: 'string', default: '20000', about: 'events per backlog' },
    rate: { type: 'string', default: '5000', about: 'events per second of the steady part' },
    seconds: { type: 'string', default: '60', about: 'length of the steady part in seconds' },
    accounts: { type: 'string', default: '2000', about: 'accounts that are charged' },
    workers: { type: 'string', default: '1', about: 'worker processes, all on the worker’s core' },
    groups: { type: 'string', default: '4', about: 'POSTING_GROUPS of each' },
    flags: { type: 'string', default: '', about: 'Node options of the worker: --flags=--cpu-prof' },
    sink: { type: 'boolean', default: false, about: 'a line of every request goes to a store with the API of S3 as well' },
  },
})

const MIN_PER_CPU_SECOND = 5000
const FIRST_ID = 1000
const RICH = 1_000_000_000_000
/** Enough to compile the code and plan the statements. */
const WARM_EVENTS = 5000

type Round = { readonly perSecond: number; readonly postgresPerSecond: number }
/** `redisMicros`: CPU of Redis for reserve and settle of one request. */
type Backlog = Round & { readonly redisMicros: number }

const log = (line: string) => process.stdout.write(`${line}\n`)

type PostingSetup = { readonly record: LedgerDatabase; readonly workers: readonly Started[]; readonly redisPid: number }

/** Events per CPU second of the workers and of Postgres during `work`. */
async function measured({ record, workers }: PostingSetup, events: number, work: () => Promise<unknown>): Promise<Round> {
  const pids = workers.map(({ pid }) => pid)
  const [before, postgresBefore] = [cpuMicros(pids), cpuMicrosOfAll(record.pid)]
  await work()
  return {
    perSecond: (events * 1e6) / (cpuMicros(pids) - before),
    postgresPerSecond: (events * 1e6) / (cpuMicrosOfAll(record.pid) - postgresBefore),
  }
}

/** Posts a backlog that was written while the worker was stopped. */
async function postBacklog(setup: PostingSetup, events: number): Promise<Backlog> {
  for (const { child } of setup.workers) child.kill('SIGSTOP')
  const before = cpuMicros([setup.redisPid])
  await setup.record.write(events, 0)
  const redisMicros = (cpuMicros([setup.redisPid]) - before) / events
  const round = await measured(setup, events, async () => {
    for (const { child } of setup.workers) child.kill('SIGCONT')
    await setup.record.waitUntilUnposted(0)
  })
  return { ...round, redisMicros }
}

type Steady = Round & { readonly lags: readonly number[]; readonly offered: number }

async function postSteadily(setup: PostingSetup, rate: number, seconds: number): Promise<Steady> {
  let came: Written = { written: 0, seconds: 0, lags: [] }
  const round = await measured(setup, rate * seconds, async () => {
    came = await setup.record.write(rate * seconds, rate)
    await setup.record.waitUntilUnposted(0)
  })
  return { ...round, lags: came.lags, offered: came.written / came.seconds }
}

/** True if the lag of the last third exceeds that of the first third by more than one second's events. */
function isGrowing(lags: readonly number[], rate: number): boolean {
  const third = Math.floor(lags.length / 3)
  return median(lags.slice(-third)) - median(lags.slice(0, third)) > rate
}

async function logSizes({ record }: PostingSetup): Promise<void> {
  const { events, logs, keys, wal, streams } = await record.sizes()
  const each = (bytes: number): string => (bytes / events).toFixed(0)
  log(`bytes per event: log row ${each(logs)}, key ${each(keys)}, write-ahead log ${each(wal)}, Redis stream ${each(streams)}`)
}

const show = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} … ${Math.max(...values).toFixed(0)})`

async function run(setup: PostingSetup): Promise<boolean> {
  const { rate, seconds } = { rate: Number(options.rate), seconds: Number(options.seconds) }
  await postBacklog(setup, WARM_EVENTS)
  const rounds: Backlog[] = []
  for (let round = 0; round < Number(options.rounds); round += 1) rounds.push(await postBacklog(setup, Number(options.backlog)))
  const backlog = rounds.map(({ perSecond }) => perSecond)
  log(`backlog of ${options.backlog}: ${show(backlog)} events per CPU second of the worker`)
  log(`  of Postgres: ${show(rounds.map(({ postgresPerSecond }) => postgresPerSecond))}`)
  log(`  of Redis, reserve and settle: ${show(rounds.map(({ redisMicros }) => redisMicros))} µs CPU per request`)
  const loadBefore = cpuMicros([setup.record.writer, setup.redisPid]) + cpuMicrosOfAll(setup.record.pid)
  const at = performance.now()
  const steady = await postSteadily(setup, rate, seconds)
  const share =
    (cpuMicros([setup.record.writer, setup.redisPid]) + cpuMicrosOfAll(setup.record.pid) - loadBefore) / 1000 / (performance.now() - at)
  const grows = isGrowing(steady.lags, rate)
  log(
    `${rate}/s for ${seconds} s (${steady.offered.toFixed(0)}/s reached): ${steady.perSecond.toFixed(0)} events per CPU second of the worker`,
  )
  log(`  of Postgres: ${steady.postgresPerSecond.toFixed(0)}; load side with Postgres used ${Math.round(share * 100)} % of its core`)
  log(`  unposted events: ${show(steady.lags)}; the lag ${grows ? 'GROWS' : 'does not grow'}`)
  await logSizes(setup)
  const { is_sound, text } = await setup.record.verify()
  log(is_sound ? 'verify:ledger: no difference' : text)
  return is_sound && !grows && Math.min(median(backlog), steady.perSecond) >= MIN_PER_CPU_SECOND
}

/** The worker's variables for the store. */
function sinkEnv(of: ScriptedMediaStore): Record<string, string> {
  return Object.fromEntries(Object.entries(of.env()).map(([name, value]) => [name.replace('MEDIA_STORE_', 'SINK_'), value]))
}

const store = new ScriptedMediaStore()
const dir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const redis = await startRedis(dir)
const accounts = Array.from({ length: Number(options.accounts) }, (_, at) => ({ id: FIRST_ID + at, credited: RICH, granted: RICH }))
const record = await openLedgerDatabase({ redis: redis.url, shards: SHARDS, dir, accounts, is_warm: true })
try {
  const flags = options.flags === '' ? [] : options.flags.split(',')
  const order = { database: record.database, redis: redis.url, shards: SHARDS, flags, postingGroups: options.groups }
  const workers: Started[] = []
  if (options.sink) await store.start()
  for (let at = 0; at < Number(options.workers); at += 1)
    workers.push(await startWorker({ ...order, env: options.sink ? sinkEnv(store) : {} }))
  const hasPassed = await run({ record, workers, redisPid: redis.server.pid })
  process.exitCode = hasPassed ? 0 : 1
  await Promise.all(workers.map((worker) => worker.stop()))
} finally {
  store.stop()
  await record.stop()
  await redis.server.stop()
  await rm(dir, { recursive: true, force: true })
}
