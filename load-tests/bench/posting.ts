import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cpuMicros, cpuMicrosOfAll } from './proc.ts'
import type { Started } from './processes.ts'
import { openRecord, startWorker, type Record, type Written } from './record.ts'
import { median } from './rows.ts'
import { SHARDS, startRedis } from './testbed.ts'

/**
 * `npm run bench:posting`: what the worker costs per usage event, alone on its core, with Postgres, Redis and the writer on the other.
 * First a backlog is posted (batches are full), then events arrive at a fixed rate (batches are as small as the shards make them), and
 * the lag is watched; at the end the ledger is verified. Exit code 1: fewer events per CPU second than the limit, a lag that grows, or a
 * ledger that is not sound.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** Events of each round's backlog. */
    backlog: { type: 'string', default: '20000' },
    rate: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '60' },
    accounts: { type: 'string', default: '2000' },
    /** For the worker's Node: --flags=--cpu-prof */
    flags: { type: 'string', default: '' },
  },
})

const LEAST_PER_CPU_SECOND = 5000
const FIRST_ID = 1000
const RICH = 1_000_000_000_000
/** Until the code is compiled and the statements are planned. */
const WARM_EVENTS = 5000

type Round = { readonly perSecond: number; readonly postgresPerSecond: number }
/** Beside it, what reserve and settle of a request cost Redis. */
type Backlog = Round & { readonly redisMicros: number }

const say = (line: string) => process.stdout.write(`${line}\n`)

type Place = { readonly record: Record; readonly worker: Started; readonly redisPid: number }

/** CPU of the worker and of Postgres while so many events were posted. */
async function measured({ record, worker }: Place, events: number, work: () => Promise<unknown>): Promise<Round> {
  const [before, postgresBefore] = [cpuMicros([worker.pid]), cpuMicrosOfAll(record.pid)]
  await work()
  return {
    perSecond: (events * 1e6) / (cpuMicros([worker.pid]) - before),
    postgresPerSecond: (events * 1e6) / (cpuMicrosOfAll(record.pid) - postgresBefore),
  }
}

/** A backlog that was written while the worker stood still. */
async function postBacklog(place: Place, events: number): Promise<Backlog> {
  place.worker.child.kill('SIGSTOP')
  const before = cpuMicros([place.redisPid])
  await place.record.write(events, 0)
  const redisMicros = (cpuMicros([place.redisPid]) - before) / events
  const round = await measured(place, events, async () => {
    place.worker.child.kill('SIGCONT')
    await place.record.untilUnposted(0)
  })
  return { ...round, redisMicros }
}

type Steady = Round & { readonly lags: readonly number[]; readonly offered: number }

async function postSteadily(place: Place, rate: number, seconds: number): Promise<Steady> {
  let came: Written = { written: 0, seconds: 0, lags: [] }
  const round = await measured(place, rate * seconds, async () => {
    came = await place.record.write(rate * seconds, rate)
    await place.record.untilUnposted(0)
  })
  return { ...round, lags: came.lags, offered: came.written / came.seconds }
}

/** Whether what waits in the last third is more than in the first by over one second's events. */
function isGrowing(lags: readonly number[], rate: number): boolean {
  const third = Math.floor(lags.length / 3)
  return median(lags.slice(-third)) - median(lags.slice(0, third)) > rate
}

async function saySizes({ record }: Place): Promise<void> {
  const { events, logs, keys, wal, streams } = await record.sizes()
  const each = (bytes: number): string => (bytes / events).toFixed(0)
  say(`bytes per event: log row ${each(logs)}, key ${each(keys)}, write-ahead log ${each(wal)}, Redis stream ${each(streams)}`)
}

const show = (values: readonly number[]): string =>
  `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} … ${Math.max(...values).toFixed(0)})`

async function run(place: Place): Promise<boolean> {
  const { rate, seconds } = { rate: Number(options.rate), seconds: Number(options.seconds) }
  await postBacklog(place, WARM_EVENTS)
  const rounds: Backlog[] = []
  for (let round = 0; round < Number(options.rounds); round += 1) rounds.push(await postBacklog(place, Number(options.backlog)))
  const backlog = rounds.map(({ perSecond }) => perSecond)
  say(`backlog of ${options.backlog}: ${show(backlog)} events per CPU second of the worker`)
  say(`  of Postgres: ${show(rounds.map(({ postgresPerSecond }) => postgresPerSecond))}`)
  say(`  of Redis, reserve and settle: ${show(rounds.map(({ redisMicros }) => redisMicros))} µs CPU per request`)
  const loadBefore = cpuMicros([place.record.writer, place.redisPid]) + cpuMicrosOfAll(place.record.pid)
  const at = performance.now()
  const steady = await postSteadily(place, rate, seconds)
  const share =
    (cpuMicros([place.record.writer, place.redisPid]) + cpuMicrosOfAll(place.record.pid) - loadBefore) / 1000 / (performance.now() - at)
  const grows = isGrowing(steady.lags, rate)
  say(
    `${rate}/s for ${seconds} s (${steady.offered.toFixed(0)}/s came): ${steady.perSecond.toFixed(0)} events per CPU second of the worker`,
  )
  say(`  of Postgres: ${steady.postgresPerSecond.toFixed(0)}; load side with Postgres used ${Math.round(share * 100)} % of its core`)
  say(`  events that waited: ${show(steady.lags)}; the lag ${grows ? 'GROWS' : 'does not grow'}`)
  await saySizes(place)
  const { is_sound, text } = await place.record.verify()
  say(is_sound ? 'verify:ledger: sound' : text)
  return is_sound && !grows && Math.min(median(backlog), steady.perSecond) >= LEAST_PER_CPU_SECOND
}

const dir = await mkdtemp(join(tmpdir(), 'tollgate-bench-'))
const redis = await startRedis(dir)
const accounts = Array.from({ length: Number(options.accounts) }, (_, at) => ({ id: FIRST_ID + at, credited: RICH, granted: RICH }))
const record = await openRecord({ redis: redis.url, shards: SHARDS, dir, accounts, is_warm: true })
try {
  const flags = options.flags === '' ? [] : options.flags.split(',')
  const worker = await startWorker({ database: record.database, redis: redis.url, shards: SHARDS, flags })
  const isGood = await run({ record, worker, redisPid: redis.server.pid })
  process.exitCode = isGood ? 0 : 1
  await worker.stop()
} finally {
  await record.stop()
  await redis.server.stop()
  await rm(dir, { recursive: true, force: true })
}
