import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SCENARIOS, type Scenario, type ScenarioName } from '../scenarios/scenarios.ts'
import { startRelay, type Gateway } from './gateways.ts'
import { liveHeap } from './heap.ts'
import { put, type Sample } from './load.ts'
import { rssBytes } from './proc.ts'
import { openWorld, type World } from './world.ts'

/**
 * `node bench/soak.ts [--minutes 60] [--load 1]`: everything at once, minute by minute. Between the minutes the relay is idle for a
 * moment, and its live heap and open descriptors are read: both must come back. Exit code 1: the heap grows by more than its noise,
 * or descriptors stay open.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    load: { type: 'string', default: '0.3' },
    seconds: { type: 'string', default: '50' },
  },
})

/** Small streams beside bodies of a megabyte, refusals, clients that leave, vendors that fail. */
const MIX: readonly ScenarioName[] = [
  'sse200',
  'openaiToAnthropic',
  'steady',
  'whole1m',
  'poor',
  'aborts',
  'limited',
  'noUsage',
  'cutUsage',
]

type Reading = { readonly heap: number; readonly rss: number; readonly descriptors: number; readonly chunkP99: number }

const scenarioOf = (name: ScenarioName): Scenario => SCENARIOS[name]
const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const say = (line: string) => process.stdout.write(`${line}\n`)

async function oneMinute(world: World, relay: Gateway): Promise<Reading> {
  const run = { warmup: 1, seconds: Number(options.seconds) }
  const samples = await Promise.all(MIX.map((name): Promise<Sample> => put(world, relay, scenarioOf(name), run)))
  await untilQuiet(relay)
  const { objects, external } = await liveHeap(relay)
  return {
    heap: objects + external,
    rss: rssBytes(relay.pids()),
    descriptors: descriptorsOf(relay),
    chunkP99: samples[0]?.outcome.chunkDelay.p99 ?? Number.NaN,
  }
}

const descriptorsOf = (relay: Gateway): number => relay.pids().reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0)

/** Waits until the connections of the clients that left are gone. */
async function untilQuiet(relay: Gateway): Promise<void> {
  let [before, same] = [descriptorsOf(relay), 0]
  for (let tries = 0; same < QUIET_TIMES && tries < QUIET_TRIES; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    const now = descriptorsOf(relay)
    same = now === before ? same + 1 : 0
    before = now
  }
}

const [QUIET_MS, QUIET_TIMES, QUIET_TRIES] = [500, 4, 30]
/** Readings that warm: caches fill, code is compiled. */
const WARM = 3
const MOST_NEW_DESCRIPTORS = 64

/** Least squares: how much a value rises per reading, and the standard error of that. */
function slopeOf(values: readonly number[]): { slope: number; error: number } {
  const count = values.length
  const meanAt = (count - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const spread = values.reduce((sum, _, at) => sum + (at - meanAt) ** 2, 0)
  const slope = values.reduce((sum, value, at) => sum + (at - meanAt) * (value - mean), 0) / spread
  const rest = values.reduce((sum, value, at) => sum + (value - mean - slope * (at - meanAt)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / Math.max(1, count - 2) / spread) }
}

const world = await openWorld({ tokens: 10_000, vendors: 1, load: Number(options.load) })
const relay = await startRelay(world)
const readings: Reading[] = []
try {
  for (let minute = 0; minute < Number(options.minutes); minute += 1) {
    const reading = await oneMinute(world, relay)
    readings.push(reading)
    say(
      `${minute}: live heap ${mb(reading.heap)}, RSS ${mb(reading.rss)}, descriptors ${reading.descriptors}, chunk delay p99 ${reading.chunkP99} µs`,
    )
  }
} finally {
  await relay.stop()
  await world.stop()
}
const counted = readings.slice(WARM)
if (counted.length < 3) {
  say('too short to judge')
} else {
  const { slope, error } = slopeOf(counted.map(({ heap }) => heap))
  const grown = (counted.at(-1)?.descriptors ?? 0) - (counted[0]?.descriptors ?? 0)
  say(`heap ${(slope / 1024).toFixed(1)} KB per minute ± ${((2 * error) / 1024).toFixed(1)}; descriptors ${grown >= 0 ? '+' : ''}${grown}`)
  process.exitCode = slope > 2 * error || grown > MOST_NEW_DESCRIPTORS ? 1 : 0
}
