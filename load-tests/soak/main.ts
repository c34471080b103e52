import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Gateway } from '../bench/gateways.ts'
import { relayRequest } from '../bench/gateways.ts'
import { countWrong, putUnchecked } from '../bench/load.ts'
import { cpuMicros } from '../bench/proc.ts'
import { readLine, start } from '../bench/processes.ts'
import { median } from '../bench/rows.ts'
import { LOAD_TESTS, ROOT, type Testbed } from '../bench/testbed.ts'
import { MIX } from '../scenarios/mix.ts'
import { currentCommit, toLine, toPage, toVerdictLine } from './page.ts'
import { settle, type People } from './people.ts'
import { startProduct, type Product, type Verified } from './product.ts'
import { countDescriptors, readAll, takeSnapshot, total, untilStill, type Reading } from './readings.ts'
import { isSound, judgePart } from './verdict.ts'
import { visitConsole } from './visits.ts'

/**
 * `npm run soak [-- --minutes 60]`: the whole product under everything at once. The load comes and goes; while it is away, each
 * process's live heap and open descriptors are read. Exit code 1: a heap rises, descriptors stay open, an answer was wrong, a process
 * was started again, or the ledger differs. See README.md.
 */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    /** Left out of the slope: caches fill, code is compiled. At most a third of the time. */
    warm: { type: 'string', default: '10' },
    /** Seconds of load between two readings. */
    seconds: { type: 'string', default: '70' },
    load: { type: 'string', default: '1' },
    /** Where heap snapshots go, after the warm-up and at the end. */
    snapshots: { type: 'string', default: '' },
    out: { type: 'string', default: join(ROOT, 'docs/generated/soak.md') },
    'no-write': { type: 'boolean', default: false },
  },
})

const MINUTES = Number(options.minutes)
const WARM_MINUTES = Math.min(Number(options.warm), MINUTES / 3)
const SECONDS = Number(options.seconds)
/** Between two loads; at start and end, when connections that are kept alive must be gone too. */
const PAUSE = { stillMs: 4000, maxMs: 25_000 }
const LONG_PAUSE = { stillMs: 20_000, maxMs: 180_000 }
const PATIENCE_MS = 180_000
/** Shares of the answers. With more refusals than that, there was no load to speak of. */
const [MAX_WRONG, MAX_LATE] = [0.001, 0.5]

const say = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

type Run = { readonly product: Product; readonly people: People; readonly testbed: Testbed; readonly relay: Gateway }
type Tally = {
  requests: number
  streams: number
  /** Answers that were not those of their scenario. */
  wrong: number
  /** Refusals with 503: a store answered too late, as it does on a machine that others keep busy. */
  late: number
  clicks: number
  readonly problems: string[]
  readonly cpu: Map<string, number[]>
}

async function main(): Promise<void> {
  const [startedAt, commit] = [new Date(), currentCommit()]
  const vendor = start({ command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  const { port: vendorPort } = await readLine<{ port: number }>(vendor)
  const product = await startProduct(say)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void product.stop().finally(() => process.exit(1)))
  try {
    const run = await prepare(product, vendorPort)
    const tally: Tally = { requests: 0, streams: 0, wrong: 0, late: 0, clicks: 0, problems: [], cpu: new Map() }
    const readings = await soak(run, tally)
    const ledger = await untilClean(product)
    const { wrong, late, requests } = tally
    if (wrong > requests * MAX_WRONG) tally.problems.push(`${wrong} of ${requests} answers were not those expected`)
    if (late > requests * MAX_LATE) tally.problems.push(`${late} of ${requests} requests were refused because a store was late`)
    if (!ledger.isClean) tally.problems.push('the ledger is not clean, see below')
    await conclude({ startedAt, commit, readings, ledger, tally, product })
  } finally {
    await product.stop()
    await vendor.stop()
  }
}

async function prepare(product: Product, vendorPort: number): Promise<Run> {
  const people = await settle(product, vendorPort, MIX)
  const { dir, port, parts } = product
  const keys = { rich: join(dir, 'rich'), poor: join(dir, 'poor'), one: join(dir, 'one') }
  await writeFile(keys.rich, people.rich.join('\n'))
  await writeFile(keys.poor, people.poor.join('\n'))
  const nothing = async (): Promise<void> => undefined
  const testbed = { dir, load: Number(options.load), vendorPort, env: {}, keys, loadPids: [], trim: nothing, stop: nothing }
  const pids = (): number[] => parts.map(({ pid }) => pid)
  const relay = { name: 'tollgate', port, pids, request: relayRequest(keys), inspectPort: 0, stop: nothing }
  return { product, people, testbed, relay }
}

/** One load that is not counted, so that pools and caches stand; then load and reading in turn; a long pause at start and end. */
async function soak(run: Run, tally: Tally): Promise<Reading[]> {
  const { parts } = run.product
  await loadOnce(run, tally, Math.min(SECONDS, 30))
  await untilStill(parts, LONG_PAUSE)
  const began = performance.now()
  const elapsed = (): number => Math.round((performance.now() - began) / 1000)
  const readings: Reading[] = []
  const read = async (): Promise<void> => {
    const found = await readAll(parts, elapsed())
    readings.push(...found)
    for (const reading of found) say(toLine(reading))
  }
  await read()
  let isWarm = false
  while (elapsed() < MINUTES * 60) {
    await loadOnce(run, tally, SECONDS)
    await untilStill(parts, PAUSE)
    await read()
    if (!isWarm && elapsed() >= WARM_MINUTES * 60) {
      isWarm = true
      await snapshots(run.product, 'warm')
    }
  }
  await untilBack(run.product, readings)
  await read()
  await snapshots(run.product, 'end')
  return readings
}

async function loadOnce({ product, people, testbed, relay }: Run, tally: Tally, seconds: number): Promise<void> {
  const before = product.parts.map(({ pid }) => cpuMicros([pid]))
  const at = performance.now()
  const visiting = visitConsole(product.origin, people, seconds)
  const putting = MIX.map(async (scenario) => ({ scenario, ...(await putUnchecked(testbed, relay, scenario, { warmup: 1, seconds })) }))
  const [visited, ...done] = await Promise.allSettled([visiting, ...putting])
  const micros = (performance.now() - at) * 1000
  for (const one of [visited, ...done]) if (one.status === 'rejected') note(tally, String(one.reason))
  if (visited.status === 'fulfilled') {
    const { clicks, late, problems } = visited.value
    tally.clicks += clicks
    tally.late += late
    for (const problem of problems) note(tally, problem)
  }
  for (const one of done) {
    if (one.status === 'rejected') continue
    const { scenario, outcome } = one.value
    const late = outcome.statuses['503'] ?? 0
    const wrong = countWrong(scenario, outcome) - late
    tally.requests += outcome.completed
    tally.wrong += wrong
    tally.late += late
    if (outcome.chunks > 0) tally.streams += outcome.completed
    if (wrong + late > 0) say(`${scenario.name}: ${wrong} wrong, ${late} late: ${JSON.stringify(outcome.statuses)}, ${outcome.failed} cut`)
  }
  for (const [place, { name, pid }] of product.parts.entries()) {
    const share = (cpuMicros([pid]) - (before[place] ?? 0)) / micros
    tally.cpu.set(name, [...(tally.cpu.get(name) ?? []), share])
  }
}

function note({ problems }: Tally, problem: string): void {
  say(`WRONG: ${problem}`)
  problems.push(`${new Date().toISOString().slice(11, 19)} ${problem}`)
}

/** Until no process has more descriptors open than at the start, or patience ends. */
async function untilBack({ parts }: Product, readings: readonly Reading[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  const isBack = (): boolean =>
    parts.every(({ name, pid }) => {
      const first = readings.find(({ part }) => part === name)
      return first !== undefined && total(countDescriptors(pid)) <= total(first.descriptors)
    })
  await untilStill(parts, LONG_PAUSE)
  while (!isBack() && performance.now() < deadline) await wait(1000)
}

async function snapshots({ parts }: Product, when: string): Promise<void> {
  if (options.snapshots === '') return
  await mkdir(options.snapshots, { recursive: true })
  for (const part of parts) await takeSnapshot(part, join(options.snapshots, `${part.name.replaceAll(' ', '-')}-${when}.heapsnapshot`))
}

/** What is not posted yet gets a moment. */
async function untilClean(product: Product): Promise<Verified> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await product.verify()
    if (found.isClean || performance.now() > deadline) return found
    await wait(5000)
  }
}

type End = {
  readonly startedAt: Date
  readonly commit: string
  readonly readings: readonly Reading[]
  readonly ledger: Verified
  readonly tally: Tally
  readonly product: Product
}

async function conclude({ startedAt, commit, readings, ledger, tally, product }: End): Promise<void> {
  const verdicts = product.parts.map(({ name }) =>
    judgePart(
      name,
      readings.filter(({ part }) => part === name),
      WARM_MINUTES * 60,
    ),
  )
  const { problems, requests, streams, wrong, late, clicks } = tally
  const isGood = problems.length === 0 && verdicts.every(isSound)
  const cpu = Object.fromEntries([...tally.cpu].map(([name, shares]) => [name, median(shares)]))
  const about = {
    startedAt,
    commit,
    minutes: MINUTES,
    warmMinutes: WARM_MINUTES,
    readings,
    verdicts,
    cpu,
    requests,
    streams,
    wrong,
    late,
    clicks,
  }
  process.stdout.write(`${verdicts.map(toVerdictLine).join('\n')}\n${ledger.text}\n`)
  if (!options['no-write']) await writeFile(resolve(options.out), toPage({ ...about, problems, ledger: ledger.text, isGood }))
  process.exitCode = isGood ? 0 : 1
}

await main()
