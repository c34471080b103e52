import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine } from '../../tests/support/command-line.ts'
import type { Gateway } from '../bench/gateways.ts'
import { relayRequest } from '../bench/gateways.ts'
import { countWrong, applyLoadUnchecked } from '../bench/load.ts'
import { cpuMicros } from '../bench/proc.ts'
import { readLine, start } from '../bench/processes.ts'
import { median } from '../bench/rows.ts'
import { LOAD_TESTS, ROOT, type Testbed } from '../bench/testbed.ts'
import type { Quantiles } from '../generator/job.ts'
import { MIX } from '../scenarios/mix.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import { currentCommit, toLine, toPage, toResultLine, type Latency } from './page.ts'
import { fillRelays } from './fill-relays.ts'
import { createAccounts, PROPAGATION_MS, type SoakAccounts } from './accounts.ts'
import { startProduct, type Product, type Verified } from './product.ts'
import { countDescriptors, readAll, takeSnapshot, total, waitUntilStable, type Reading } from './readings.ts'
import { isProcessSound, judgeProcess } from './judge.ts'
import { fillPools, loadConsole } from './console-load.ts'
import { signIn } from './console.ts'
import { createParts, loadParts } from './load-parts.ts'
import type { Part } from './parts/part.ts'
import type { Tally } from './tally.ts'

/**
 * `npm run soak [-- --minutes 60]` runs the product under mixed load and reads live heap and descriptors of each process between loads.
 * Exit code 1: a heap rises, descriptors stay open, a response was unexpected, a process was restarted, or the ledger has a difference.
 */
const { values: options } = readCommandLine({
  command: 'npm run soak --',
  about:
    'Runs the product under mixed load and reads live heap and descriptors of each process between loads. Exit code 1: a heap rises, descriptors stay open, a response was unexpected, a process was restarted, or the ledger has a difference.',
  example: 'npm run soak -- --minutes 10 --no-write',
  options: {
    minutes: { type: 'string', default: '60', about: 'length of the run in minutes; below 6 the slope is not judged' },
    warm: {
      type: 'string',
      default: '10',
      about: 'minutes excluded from the slope while caches fill and code is compiled; at most a third of the run',
    },
    seconds: { type: 'string', default: '70', about: 'seconds of load between two readings' },
    load: { type: 'string', default: '1', about: 'multiplies the rates of the load' },
    snapshots: { type: 'string', default: '', about: 'folder for heap snapshots after the warm-up and at the end' },
    out: { type: 'string', default: join(ROOT, 'docs/generated/soak.md'), about: 'file of the report' },
    'no-write': { type: 'boolean', default: false, about: 'write no report' },
  },
})

const MINUTES = Number(options.minutes)
const WARM_MINUTES = Math.min(Number(options.warm), MINUTES / 3)
const SECONDS = Number(options.seconds)
/** PAUSE between two loads; LONG_PAUSE at start and end, so that idle connections have been closed. */
const PAUSE = { stillMs: 4000, maxMs: 25_000 }
const LONG_PAUSE = { stillMs: 20_000, maxMs: 180_000 }
const TIMEOUT_MS = 180_000
/** Its response times are judged: it has a constant rate, and its vendor answers at once. */
const MEASURED: Scenario['name'] = 'calm'
/** Shares of the responses. With more refusals the load was too low. */
const [MAX_WRONG, MAX_LATE] = [0.001, 0.5]

const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

type Run = {
  readonly product: Product
  readonly accounts: SoakAccounts
  readonly parts: readonly Part[]
  readonly testbed: Testbed
  readonly relay: Gateway
}
type SoakTotals = {
  requests: number
  streams: number
  /** Responses that were not those of their scenario. */
  wrong: number
  /** Responses with 503: a store was too slow, as happens on a busy machine. */
  late: number
  /** Responses by scenario, console calls by screen, and actions by part. */
  readonly byScenario: Map<string, number>
  readonly byScreen: Map<string, number>
  readonly byPart: Map<string, number>
  readonly problems: string[]
  readonly cpu: Map<string, number[]>
  readonly latencies: Latency[]
}

async function main(): Promise<void> {
  const [startedAt, commit] = [new Date(), currentCommit()]
  const vendor = start({ command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  const { port: vendorPort } = await readLine<{ port: number }>(vendor)
  const product = await startProduct(log)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void product.stop().finally(() => process.exit(1)))
  try {
    const run = await prepare(product, vendorPort)
    const counts = { byScenario: new Map(), byScreen: new Map(), byPart: new Map() }
    const totals: SoakTotals = { requests: 0, streams: 0, wrong: 0, late: 0, ...counts, problems: [], cpu: new Map(), latencies: [] }
    const readings = await soak(run, totals)
    for (const part of run.parts) await part.close?.()
    const ledger = await waitUntilLedgerIsClean(product)
    const { wrong, late, requests } = totals
    if (wrong > requests * MAX_WRONG) totals.problems.push(`${wrong} of ${requests} responses were not as expected`)
    if (late > requests * MAX_LATE) totals.problems.push(`${late} of ${requests} requests were refused because a store was slow`)
    if (!ledger.isClean) totals.problems.push('the ledger has differences, see below')
    await conclude({ startedAt, commit, readings, ledger, totals, run })
  } finally {
    await product.stop()
    await vendor.stop()
  }
}

async function prepare(product: Product, vendorPort: number): Promise<Run> {
  const accounts = await createAccounts(product, vendorPort, MIX)
  const admin = await signIn(product.origin, accounts.root)
  const parts = await createParts(admin, product.origin, accounts)
  await admin.signOut()
  await wait(PROPAGATION_MS)
  const { dir, port, processes } = product
  const keys = { rich: join(dir, 'rich'), poor: join(dir, 'poor'), one: join(dir, 'one') }
  await writeFile(keys.rich, accounts.rich.join('\n'))
  await writeFile(keys.poor, accounts.poor.join('\n'))
  const nothing = async (): Promise<void> => undefined
  const testbed = { dir, load: Number(options.load), vendorPort, env: {}, keys, loadPids: [], trim: nothing, stop: nothing }
  const pids = (): number[] => processes.map(({ pid }) => pid)
  const relay = { name: 'tollgate', port, pids, request: relayRequest(keys), inspectPort: 0, stop: nothing }
  return { product, accounts, parts, testbed, relay }
}

/** Runs one load to fill pools and caches; then reading and load in turn, with a long pause at start and end. */
async function soak(run: Run, totals: SoakTotals): Promise<Reading[]> {
  const { processes } = run.product
  await loadOnce(run, totals, SECONDS)
  await fillRelays(run)
  addTally(totals, totals.byScreen, await fillPools(run.product.origin, run.accounts))
  await waitUntilStable(processes, LONG_PAUSE)
  const began = performance.now()
  const elapsed = (): number => Math.round((performance.now() - began) / 1000)
  const readings: Reading[] = []
  const read = async (): Promise<void> => {
    const found = await readAll(processes, elapsed())
    readings.push(...found)
    for (const reading of found) log(toLine(reading))
  }
  await read()
  let isWarm = false
  while (elapsed() < MINUTES * 60) {
    const latency = await loadOnce(run, totals, SECONDS)
    if (latency !== undefined) totals.latencies.push({ at: elapsed(), ...latency })
    await waitUntilStable(processes, PAUSE)
    await read()
    if (!isWarm && elapsed() >= WARM_MINUTES * 60) {
      isWarm = true
      await snapshots(run.product, 'warm')
    }
  }
  await waitUntilDescriptorsClosed(run.product, readings)
  await read()
  await snapshots(run.product, 'end')
  return readings
}

/** The response times of the scenario MEASURED, unless it could not run. */
async function loadOnce(
  { product, accounts, parts, testbed, relay }: Run,
  totals: SoakTotals,
  seconds: number,
): Promise<Quantiles | undefined> {
  const before = product.processes.map(({ pid }) => cpuMicros([pid]))
  const at = performance.now()
  const consoleLoad = loadConsole(product.origin, accounts, seconds)
  const partLoad = loadParts(parts, product.origin, accounts, seconds)
  const scenarioLoads = MIX.map(async (scenario) => ({
    scenario,
    ...(await applyLoadUnchecked(testbed, relay, scenario, { warmup: 1, seconds })),
  }))
  const [consoleResult, partResult, ...done] = await Promise.allSettled([consoleLoad, partLoad, ...scenarioLoads])
  const micros = (performance.now() - at) * 1000
  for (const one of [consoleResult, partResult, ...done]) if (one.status === 'rejected') note(totals, String(one.reason))
  if (consoleResult.status === 'fulfilled') addTally(totals, totals.byScreen, consoleResult.value)
  if (partResult.status === 'fulfilled') addTally(totals, totals.byPart, partResult.value)
  let latency: Quantiles | undefined
  for (const one of done) {
    if (one.status === 'rejected') continue
    const { scenario, outcome } = one.value
    const late = outcome.statuses['503'] ?? 0
    const wrong = countWrong(scenario, outcome) - late
    totals.requests += outcome.completed
    if (scenario.name === MEASURED) latency = outcome.latency
    add(totals.byScenario, scenario.title, outcome.completed)
    totals.wrong += wrong
    totals.late += late
    if (outcome.chunks > 0) totals.streams += outcome.completed
    if (wrong + late > 0) log(`${scenario.name}: ${wrong} wrong, ${late} late: ${JSON.stringify(outcome.statuses)}, ${outcome.failed} cut`)
  }
  for (const [index, { name, pid }] of product.processes.entries()) {
    const share = (cpuMicros([pid]) - (before[index] ?? 0)) / micros
    totals.cpu.set(name, [...(totals.cpu.get(name) ?? []), share])
  }
  return latency
}

function addTally(totals: SoakTotals, to: Map<string, number>, { counts, late, problems }: Tally): void {
  totals.late += late
  for (const [name, count] of counts) add(to, name, count)
  for (const problem of problems) note(totals, problem)
}

const add = (counts: Map<string, number>, name: string, count: number): void => void counts.set(name, (counts.get(name) ?? 0) + count)

function note({ problems }: SoakTotals, problem: string): void {
  log(`PROBLEM: ${problem}`)
  problems.push(`${new Date().toISOString().slice(11, 19)} ${problem}`)
}

/** Waits until no process has more descriptors open than at the start, at most TIMEOUT_MS. */
async function waitUntilDescriptorsClosed({ processes }: Product, readings: readonly Reading[]): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS
  const areClosed = (): boolean =>
    processes.every(({ name, pid }) => {
      const first = readings.find(({ part }) => part === name)
      return first !== undefined && total(countDescriptors(pid)) <= total(first.descriptors)
    })
  await waitUntilStable(processes, LONG_PAUSE)
  while (!areClosed() && performance.now() < deadline) await wait(1000)
}

async function snapshots({ processes }: Product, when: string): Promise<void> {
  if (options.snapshots === '') return
  await mkdir(options.snapshots, { recursive: true })
  for (const part of processes) await takeSnapshot(part, join(options.snapshots, `${part.name.replaceAll(' ', '-')}-${when}.heapsnapshot`))
}

/** Verifies until nothing is left to post, at most TIMEOUT_MS. */
async function waitUntilLedgerIsClean(product: Product): Promise<Verified> {
  const deadline = performance.now() + TIMEOUT_MS
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
  readonly totals: SoakTotals
  readonly run: Run
}

async function conclude({ startedAt, commit, readings, ledger, totals, run: { product, parts } }: End): Promise<void> {
  const results = product.processes.map(({ name }) =>
    judgeProcess(
      name,
      readings.filter(({ part }) => part === name),
      WARM_MINUTES * 60,
    ),
  )
  const { problems, requests, streams, wrong, late, byScenario, byScreen, byPart } = totals
  const hasPassed = problems.length === 0 && results.every(isProcessSound)
  const cpu = Object.fromEntries([...totals.cpu].map(([name, shares]) => [name, median(shares)]))
  const result = {
    startedAt,
    commit,
    minutes: MINUTES,
    warmMinutes: WARM_MINUTES,
    readings,
    results,
    cpu,
    latencies: totals.latencies,
    load: Number(options.load),
    requests,
    streams,
    wrong,
    late,
    byScenario,
    byScreen,
    parts: parts.map(({ name, about }) => ({ name, about, count: byPart.get(name) ?? 0 })),
  }
  process.stdout.write(`${results.map(toResultLine).join('\n')}\n${ledger.text}\n`)
  if (!options['no-write']) await writeFile(resolve(options.out), toPage({ ...result, problems, ledger: ledger.text, hasPassed }))
  process.exitCode = hasPassed ? 0 : 1
}

await main()
