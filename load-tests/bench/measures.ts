import { SCENARIOS, type Scenario, type ScenarioName } from '../scenarios/scenarios.ts'
import type { Gateway } from './gateways.ts'
import { liveHeap } from './heap.ts'
import { applyLoadUntil, applyLoad, type Run, type Sample } from './load.ts'
import { rssBytes } from './proc.ts'
import { alternate, perChunk, perRequest, perSecond, ratios, type Bench } from './rounds.ts'
import { median, type RowId } from './rows.ts'

/** The value of a row in each round, and the absolute figures behind it. */
export type Figure = {
  readonly row: RowId
  readonly values: readonly number[]
  readonly behind: Readonly<Record<string, string>>
  /** The largest share of a core that the host took in one round. */
  readonly stolen?: number
}

export type Gateways = {
  /** Built once, on first use. */
  get(name: GatewayName): Promise<Gateway>
  /** Starts a new relay for the measurement and stops it: earlier load would distort its memory. */
  fresh<T>(name: 'relay' | 'portkey', work: (gateway: Gateway) => Promise<T>): Promise<T>
}
export type GatewayName = 'direct' | 'floor' | 'floorWithLedger' | 'nginx' | 'relay' | 'relay2' | 'portkey'

type Measure = (bench: Bench, gateways: Gateways) => Promise<Figure[]>

const micros = (samples: readonly Sample[], of: (sample: Sample) => number): string => `${median(samples.map(of)).toFixed(1)} µs`
const scenario = (name: ScenarioName): Scenario => SCENARIOS[name]

/** CPU per request at a fixed offered rate. */
const request =
  (row: 'request1k' | 'request50k', name: ScenarioName): Measure =>
  async (bench, gateways) => {
    const [floor, relay] = [await gateways.get('floor'), await gateways.get('relay')]
    const pairings = [floor, relay].map((gateway) => ({ gateway, scenario: scenario(name) }))
    const [floors = [], relays = []] = await alternate(bench, pairings, { warmup: 1, seconds: 3 })
    const behind = { 'floor, CPU per request': micros(floors, perRequest), 'relay, CPU per request': micros(relays, perRequest) }
    return [{ row, values: ratios(floors, relays, perRequest), behind }]
  }

/** CPU per chunk of paced streams; the floor forwards the same client format's stream. */
const chunk =
  (row: 'chunkSame' | 'chunkTranslated', name: ScenarioName): Measure =>
  async (bench, gateways) => {
    const [floor, relay] = [await gateways.get('floor'), await gateways.get('relay')]
    const pairings = [
      { gateway: floor, scenario: scenario('sse200') },
      { gateway: relay, scenario: scenario(name) },
    ]
    const [floors = [], relays = []] = await alternate(bench, pairings, { warmup: 1.5, seconds: 3 })
    const behind = { 'floor, CPU per chunk': micros(floors, perChunk), [`relay, CPU per chunk (${name})`]: micros(relays, perChunk) }
    return [{ row, values: ratios(relays, floors, perChunk), behind }]
  }

type Quantile = 'p50' | 'p99'

type AddedRow = {
  readonly row: 'addedP50' | 'addedP99'
  readonly name: ScenarioName
  readonly quantile: Quantile
  readonly seconds: number
  /** A gateway that is measured in one round, as a figure. */
  readonly beside: 'nginx' | 'floor'
}

/** Latency that a gateway adds to the vendor's own, open loop. */
const added =
  ({ row, name, quantile, seconds, beside }: AddedRow): Measure =>
  async (bench, gateways) => {
    const all = [await gateways.get('direct'), await gateways.get('floorWithLedger'), await gateways.get('relay')]
    const pairings = all.map((gateway) => ({ gateway, scenario: scenario(name) }))
    const run = { warmup: 1, seconds }
    const samples = await alternate(bench, pairings, run)
    const [base = Number.NaN, ofLedger = Number.NaN, ofRelay = Number.NaN] = samples.map((of) => quantileOf(of, quantile))
    const lateness = Math.max(...samples.flat().map(({ outcome }) => outcome.lateness.p50))
    if (lateness > MAX_LATE_MICROS)
      bench.notes.add(`Requests of ${name} left ${Math.round(lateness)} µs late (p50): the load core was busy.`)
    const micros = (value: number): string => `${(value - base).toFixed(0)} µs`
    const behind = {
      [`direct ${quantile}`]: `${base.toFixed(0)} µs`,
      [`added by ${beside} (one round)`]: await asFigure(bench, gateways, { of: beside, name, run }, (of) =>
        micros(quantileOf(of, quantile)),
      ),
      'added by floor with ledger': micros(ofLedger),
      'added by relay': micros(ofRelay),
      // One stall in a round sets its p99; the spread of the rounds shows whether the value is reliable.
      ...Object.fromEntries(
        pairings.map(({ gateway }, at) => [`${gateway.name} ${quantile}, each round`, eachRound(samples[at] ?? [], quantile)]),
      ),
    }
    return [{ row, values: [(ofRelay - base) / (ofLedger - base)], behind, stolen: mostStolen(samples) }]
  }

const quantileOf = (samples: readonly Sample[], quantile: Quantile): number =>
  median(samples.map(({ outcome }) => outcome.latency[quantile]))

const mostStolen = (samples: readonly Sample[][]): number => Math.max(...samples.flat().map(({ stolenShare }) => stolenShare))

type FigureRun = { readonly of: GatewayName; readonly name: ScenarioName; readonly run: Run }

/** One round of a gateway that no row judges. A gateway that is missing on this machine is reported as such. */
async function asFigure(
  bench: Bench,
  gateways: Gateways,
  { of, name, run }: FigureRun,
  show: (samples: readonly Sample[]) => string,
): Promise<string> {
  try {
    const pairing = { gateway: await gateways.get(of), scenario: scenario(name) }
    const [samples = []] = await alternate({ ...bench, rounds: 1 }, [pairing], run)
    return show(samples)
  } catch (error) {
    return `not measured: ${error instanceof Error ? error.message : String(error)}`
  }
}

const MAX_LATE_MICROS = 2000

const eachRound = (samples: readonly Sample[], quantile: Quantile): string =>
  samples.map(({ outcome }) => outcome.latency[quantile].toFixed(0)).join(', ')

/** Gateways whose requests per second are reported beside the rows, from one round each. */
const FIGURES_OF_THROUGHPUT = { floor: 'floor', portkey: 'Portkey', direct: 'the load side alone (its ceiling)' } as const

/** Requests per second at saturation. */
const throughput =
  (row: 'throughput1k' | 'throughput50k', name: ScenarioName): Measure =>
  async (bench, gateways) => {
    const [floor, relay] = [await gateways.get('floorWithLedger'), await gateways.get('relay')]
    const pairings = [floor, relay].map((gateway) => ({ gateway, scenario: scenario(name) }))
    const run = { warmup: 1, seconds: 2 }
    const [floors = [], relays = []] = await alternate(bench, pairings, run)
    const show = (samples: readonly Sample[]): string => `${median(samples.map(perSecond)).toFixed(0)}/s`
    const behind: Record<string, string> = { relay: show(relays), 'floor with ledger': show(floors) }
    // The keys of the constant are names of gateways.
    for (const of of Object.keys(FIGURES_OF_THROUGHPUT) as (keyof typeof FIGURES_OF_THROUGHPUT)[]) {
      behind[`${FIGURES_OF_THROUGHPUT[of]} (one round)`] = await asFigure(bench, gateways, { of, name, run }, show)
    }
    return [{ row, values: ratios(relays, floors, perSecond), behind }]
  }

const STREAMS = 2000

/** Live heap of the relay per slow stream. */
const heap =
  (row: 'heapSlow' | 'heapSlowAfter', name: 'slow2000' | 'slowAfter200k'): Measure =>
  async (bench, gateways) =>
    gateways.fresh('relay', async (relay) => {
      await applyLoad(bench.testbed, relay, scenario(name), {
        warmup: 1,
        seconds: 3,
        shape: { kind: 'streams', streams: 50, perSecond: 50 },
      })
      const before = await liveHeap(relay)
      let during = before
      const { shape } = scenario(name)
      // All streams are open by then and have sent their burst.
      const warmup = shape.kind === 'streams' ? shape.streams / shape.perSecond + 6 : 0
      const { outcome } = await applyLoad(bench.testbed, relay, scenario(name), { warmup, seconds: 8 }, async () => {
        during = await liveHeap(relay)
      })
      const streams = Math.round(STREAMS * bench.testbed.load)
      if (outcome.openStreams < streams * 0.99) throw new Error(`only ${outcome.openStreams} of ${streams} slow streams were open`)
      const grown = { objects: during.objects - before.objects, external: during.external - before.external }
      const behind = {
        objects: `${kb(grown.objects / streams)}`,
        buffers: `${kb(grown.external / streams)}`,
        'streams open': String(outcome.openStreams),
      }
      return [{ row, values: [(grown.objects + grown.external) / streams / 1024], behind }]
    })

const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

const stalled: Measure = async (bench, gateways) =>
  gateways.fresh('relay', async (relay) => {
    await applyLoad(bench.testbed, relay, scenario('calm'), { warmup: 1, seconds: 3 })
    const before = rssBytes(relay.pids())
    const highest = await applyLoadUntil(bench.testbed, relay, scenario('stalled'), () => maxUntilStable(() => rssBytes(relay.pids())))
    return [{ row: 'rssStalled', values: [(highest - before) / 1024 / 1024], behind: { 'RSS before': mb(before), 'at most': mb(highest) } }]
  })

const STILL_MS = 8000
const STILL_BYTES = 2 * 1024 * 1024
const MAX_MS = 40_000

/** The highest value once it has not risen for `STILL_MS`: by then vendor and kernel buffers are full. */
async function maxUntilStable(read: () => number): Promise<number> {
  const deadline = performance.now() + MAX_MS
  let [most, mark, since] = [0, read(), performance.now()]
  while (performance.now() < deadline && performance.now() - since < STILL_MS) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const value = read()
    if (value > mark + STILL_BYTES) [mark, since] = [value, performance.now()]
    most = Math.max(most, value)
  }
  return most
}

const peerRss: Measure = async (bench, gateways) => {
  const rssWith = (name: 'relay' | 'portkey'): Promise<number> =>
    gateways.fresh(name, async (gateway) => (await applyLoad(bench.testbed, gateway, scenario('slow2000'), { warmup: 8, seconds: 4 })).rss)
  const [relay, portkey] = [await rssWith('relay'), await rssWith('portkey')]
  return [{ row: 'peerRss', values: [relay / portkey], behind: { relay: mb(relay), portkey: mb(portkey) } }]
}

/** At saturation: at a fixed rate two processes on one core would wake twice as often for half the work, which no deployment does. */
const twoProcesses: Measure = async (bench, gateways) => {
  const all = [await gateways.get('relay2'), await gateways.get('relay')]
  const pairings = all.map((gateway) => ({ gateway, scenario: scenario('most1k') }))
  const [two = [], one = []] = await alternate(bench, pairings, { warmup: 1, seconds: 3 })
  const behind = { 'one process': micros(one, perRequest), 'two processes': micros(two, perRequest) }
  return [{ row: 'twoProcesses', values: ratios(two, one, perRequest), behind }]
}

const TRANSLATED: readonly ScenarioName[] = [
  'openaiToAnthropic',
  'openaiToGemini',
  'anthropicToOpenai',
  'anthropicToGemini',
  'geminiToOpenai',
  'geminiToAnthropic',
]

/** Every pair of formats. */
const allTranslations: Measure = async (bench, gateways) => {
  const figures: Figure[] = []
  for (const name of TRANSLATED) figures.push(...(await chunk('chunkTranslated', name)(bench, gateways)))
  return figures
}

export const MEASURES: Readonly<Record<RowId, Measure>> = {
  request1k: request('request1k', 'whole1k'),
  request50k: request('request50k', 'whole50k'),
  chunkSame: chunk('chunkSame', 'sse200'),
  chunkTranslated: chunk('chunkTranslated', 'openaiToAnthropic'),
  addedP50: added({ row: 'addedP50', name: 'calm', quantile: 'p50', seconds: 3, beside: 'nginx' }),
  addedP99: added({ row: 'addedP99', name: 'steady', quantile: 'p99', seconds: 4, beside: 'floor' }),
  heapSlow: heap('heapSlow', 'slow2000'),
  heapSlowAfter: heap('heapSlowAfter', 'slowAfter200k'),
  rssStalled: stalled,
  throughput1k: throughput('throughput1k', 'most1k'),
  throughput50k: throughput('throughput50k', 'most50k'),
  peerRss,
  twoProcesses,
}

/** Rows that the full form measures differently. */
export const FULL_MEASURES: Partial<Record<RowId, Measure>> = { chunkTranslated: allTranslations }
