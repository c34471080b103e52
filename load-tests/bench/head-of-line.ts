import { readCommandLine } from '../../tests/support/command-line.ts'
import { SCENARIOS } from '../scenarios/scenarios.ts'
import type { Quantiles } from '../generator/job.ts'
import { startRelay } from './gateways.ts'
import { applyLoadUntil, applyLoad } from './load.ts'
import { openTestbed } from './testbed.ts'

/**
 * `npx node bench/head-of-line.ts [--rounds 5] [--streams 40] [--rate 10]` measures the delay of small stream chunks, alone and while 1 MB
 * bodies arrive. Rounds of both alternate; the first is a warm-up.
 */
const { values: options } = readCommandLine({
  command: 'npm run head-of-line --',
  about: 'Measures the delay of small stream chunks, alone and while 1 MB bodies arrive. The first round is a warm-up.',
  example: 'npm run head-of-line -- --rounds 2 --streams 10',
  options: {
    rounds: { type: 'string', default: '5', about: 'rounds of each kind' },
    seconds: { type: 'string', default: '8', about: 'length of a round in seconds' },
    streams: { type: 'string', default: '40', about: 'concurrent streams' },
    rate: { type: 'string', default: '10', about: '1 MB bodies per second' },
  },
})

const streams = { kind: 'streams', streams: Number(options.streams), perSecond: 1000 } as const
const bodies = { kind: 'open', rate: Number(options.rate), connections: 8 } as const
const small = { ...SCENARIOS.sse200, shape: streams }
const large = { ...SCENARIOS.whole1m, shape: bodies }
const run = { warmup: 2, seconds: Number(options.seconds) }

const log = (line: string) => process.stdout.write(`${line}\n`)
const show = (name: string, { p50, p90, p99, max }: Quantiles) => log(`${name}: p50 ${p50}, p90 ${p90}, p99 ${p99}, max ${max} µs`)

const testbed = await openTestbed({ tokens: 1000, vendors: 1, load: 1 })
const relay = await startRelay(testbed)
try {
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const calm = await applyLoad(testbed, relay, small, run)
    const mixed = await applyLoadUntil(testbed, relay, large, () => applyLoad(testbed, relay, small, run))
    if (round === 0) continue
    show(`${round} streams alone`, calm.outcome.chunkDelay)
    show(`${round} beside 1 MB bodies`, mixed.outcome.chunkDelay)
    log(`${round} CPU of the gateway, ms: ${Math.round(calm.cpu / 1000)} and ${Math.round(mixed.cpu / 1000)}`)
  }
} finally {
  await relay.stop()
  await testbed.stop()
}
