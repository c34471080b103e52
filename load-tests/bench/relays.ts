import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { SCENARIOS, type Scenario } from '../scenarios/scenarios.ts'
import { startRelay, type Gateway } from './gateways.ts'
import { applyLoadUnchecked } from './load.ts'
import { cpuMicros } from './proc.ts'
import { openLedgerDatabase, startWorker, type Account } from './ledger-database.ts'
import { readCounters, type Counters } from './redis-counters.ts'
import { median } from './rows.ts'
import { openTestbed, POOR, SHARDS, type TestbedWithRedis } from './testbed.ts'

/**
 * `npm run bench:relays` sends one limited token's requests through 1, 2 and 4 relay processes behind one port and measures CPU and Redis
 * calls per request. On fewer than six cores the processes share one core, so requests per second do not grow. At the end everything is
 * posted. Exit code 1: an event is missing in Postgres, or `verify:ledger` finds a difference.
 */
const { values: options } = readCommandLine({
  command: 'npm run bench:relays --',
  about:
    'Sends one token’s requests through 1, 2 and 4 relay processes and measures CPU and Redis calls per request. Exit code 1: an event is missing in Postgres, or the ledger has a difference.',
  example: 'npm run bench:relays -- --rounds 1 --rate 300',
  options: {
    rounds: { type: 'string', default: '5', about: 'rounds with each number of relays' },
    seconds: { type: 'string', default: '4', about: 'length of a round in seconds' },
    rate: { type: 'string', default: '1000', about: 'requests per second' },
  },
})

const RELAYS = [1, 2, 4] as const
const TOKEN_ID = 1000
const RICH = 1_000_000_000_000

/** Per request. */
type Cost = {
  readonly relay: number
  readonly redis: number
  readonly scripts: number
  readonly commands: number
  readonly reads: number
  readonly perSecond: number
  /** Share of responses that were not 200. */
  readonly refused: number
}

type Reading = Counters & { readonly relay: number; readonly redisCpu: number; readonly at: number }

const log = (line: string) => process.stdout.write(`${line}\n`)
const redisOf = ({ env }: TestbedWithRedis): string => env['REDIS_URL'] ?? ''

async function read(testbed: TestbedWithRedis, gateway: Gateway): Promise<Reading> {
  const counters = await readCounters(redisOf(testbed))
  return { ...counters, relay: cpuMicros(gateway.pids()), redisCpu: cpuMicros([testbed.redisPid]), at: performance.now() }
}

async function measureCost(testbed: TestbedWithRedis, gateway: Gateway): Promise<Cost> {
  const seconds = Number(options.seconds)
  const scenario: Scenario = { ...SCENARIOS.steady, shape: { kind: 'open', rate: Number(options.rate), connections: 64 } }
  const readings: Reading[] = []
  const { outcome } = await applyLoadUnchecked(testbed, gateway, scenario, { warmup: 1, seconds }, async () => {
    readings.push(await read(testbed, gateway))
    await wait(seconds * 900)
    readings.push(await read(testbed, gateway))
  })
  const [first, last] = readings
  if (first === undefined || last === undefined) throw new Error('the load ended before it was measured')
  const requests = last.events - first.events
  return {
    relay: (last.relay - first.relay) / requests,
    redis: (last.redisCpu - first.redisCpu) / requests,
    scripts: (last.scripts - first.scripts) / requests,
    commands: (last.commands - first.commands) / requests,
    reads: (last.reads - first.reads) / requests,
    perSecond: (requests * 1000) / (last.at - first.at),
    // A 503 is cheap and must not be charged; the comparison at the end checks it.
    refused: (outcome.completed - (outcome.statuses['200'] ?? 0)) / Math.max(1, outcome.completed),
  }
}

const UNITS: Readonly<Record<keyof Cost, string>> = {
  relay: 'µs CPU of relays',
  redis: 'µs CPU of Redis',
  scripts: 'script calls',
  commands: 'commands, including those in scripts',
  reads: 'socket reads of Redis',
  perSecond: 'requests per second',
  refused: 'of the responses were refusals',
}

function show(relays: number, costs: readonly Cost[]): void {
  log(`${relays} relay${relays === 1 ? '' : 's'}, per request:`)
  // The keys of the units are those of a cost.
  for (const name of Object.keys(UNITS) as (keyof Cost)[]) {
    const values = costs.map((cost) => cost[name])
    const digits = name === 'scripts' || name === 'reads' || name === 'refused' ? 2 : 0
    const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits))
    log(`  ${median(values).toFixed(digits)} (${least} … ${most}) ${UNITS[name]}`)
  }
}

async function measureAll(testbed: TestbedWithRedis): Promise<void> {
  const gateways = new Map<number, Gateway>()
  const costs = new Map<number, Cost[]>(RELAYS.map((relays) => [relays, []]))
  try {
    for (const relays of RELAYS) gateways.set(relays, await startRelay(testbed, { processes: relays }))
    for (let round = 0; round <= Number(options.rounds); round += 1) {
      for (const [relays, gateway] of gateways) {
        const cost = await measureCost(testbed, gateway)
        // The first round is a warm-up.
        if (round > 0) costs.get(relays)?.push(cost)
      }
    }
  } finally {
    await Promise.all([...gateways.values()].map((gateway) => gateway.stop()))
  }
  for (const [relays, of] of costs) show(relays, of)
}

/** True if every event is a log row, every charge is on wallet and token, and `verify:ledger` finds no difference. */
async function isExact(testbed: TestbedWithRedis): Promise<boolean> {
  const redis = redisOf(testbed)
  const poor = Array.from({ length: POOR }, (_, at): Account => ({ id: TOKEN_ID + 1 + at, credited: 1, granted: RICH }))
  const accounts = [{ id: TOKEN_ID, credited: RICH, granted: RICH }, ...poor]
  const record = await openLedgerDatabase({ redis, shards: SHARDS, dir: testbed.dir, accounts, is_warm: false })
  try {
    const worker = await startWorker({ database: record.database, redis, shards: SHARDS })
    await record.waitUntilUnposted(0)
    await worker.stop()
    const { appended, rows, spent, charged, quota } = await record.readTotals(TOKEN_ID)
    const { is_sound, text } = await record.verify()
    log(`${appended} requests finished, ${rows} log rows; charged ${quota}, on the wallet ${spent}, on the token ${charged}`)
    log(is_sound ? 'verify:ledger: no difference' : text)
    return is_sound && rows === appended && spent === quota && charged === quota
  } finally {
    await record.stop()
  }
}

const opened = await openTestbed({ tokens: 1, vendors: 1, load: 1 })
try {
  // Streams are not trimmed, because the worker posts all events at the end.
  const testbed = { ...opened, trim: async () => undefined }
  await measureAll(testbed)
  process.exitCode = (await isExact(testbed)) ? 0 : 1
} finally {
  await opened.stop()
}
