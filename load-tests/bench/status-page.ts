import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine } from '../../tests/support/command-line.ts'
import type { Job } from '../generator/job.ts'
import { SCENARIOS } from '../scenarios/scenarios.ts'
import { p95 } from '../attacks/probe.ts'
import { signIn, type ConsoleUser } from '../soak/console.ts'
import { responsePath } from '../vendor/response-spec.ts'
import { applyJob, applyLoadUnchecked } from './load.ts'
import { readLine, start } from './processes.ts'
import { median } from './rows.ts'
import { install, type Installation } from './system/installation.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/**
 * `npm run bench:status` measures what a flood of the public status page costs the console. The same flood of a simulated vendor tells what
 * the caller takes from the machine. Exit code 1: an answer was not 200, or the console's p95 is above the limit.
 */
const { values: options } = readCommandLine({
  command: 'npm run bench:status --',
  about:
    'Measures the p95 of console calls of npm start in turn without load, beside a flood of the public status page, and beside the same flood of another server.',
  example: 'npm run bench:status -- --rounds 2 --direct',
  options: {
    rounds: { type: 'string', default: '6', about: 'rounds; each measures every state once' },
    seconds: { type: 'string', default: '8', about: 'length of a measurement in seconds' },
    rate: { type: 'string', default: '500', about: 'calls of the status page per second' },
    path: { type: 'string', default: '/status', about: 'what is called' },
    direct: { type: 'boolean', default: false, about: 'call the control plane, not the relay in front of it' },
  },
})

/** Ratio of the p95 beside the flood to that beside the same flood of another server. */
const MAX_RATIO = 1.5
const CALLS = ['/api/status', '/api/user/self', '/api/log/self?p=1&page_size=10']
const PAUSE_MS = 15
/** Answers of the status page are kept for so long. */
const KEPT_MS = 16_000
const STATES = ['quiet', 'elsewhere', 'flood'] as const
type State = (typeof STATES)[number]
/** CPU in shares of a core. */
type Measured = {
  readonly p95: number
  readonly controlPlane: number
  readonly relay: number
  readonly calls: number
  readonly answers: number
}

const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)

async function probe(user: ConsoleUser, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await wait(PAUSE_MS)) {
    for (const path of CALLS) {
      const began = performance.now()
      await user.get(path)
      times.push(performance.now() - began)
    }
  }
  return times
}

async function measure(installation: Installation, user: ConsoleUser, state: State): Promise<Measured> {
  const seconds = Number(options.seconds)
  const before = installation.cpu()
  const [times, answers] = await Promise.all([probe(user, seconds), state === 'quiet' ? 0 : flood(installation, state)])
  const after = installation.cpu()
  const share = (part: 'relay' | 'control-plane'): number => (after[part] - before[part]) / (seconds * 1e6)
  return { p95: p95(times), controlPlane: share('control-plane'), relay: share('relay'), calls: times.length, answers }
}

async function flood({ gateway, testbed }: Installation, state: 'elsewhere' | 'flood'): Promise<number> {
  const isElsewhere = state === 'elsewhere'
  const job: Job = {
    port: isElsewhere ? testbed.vendorPort : gateway.port + (options.direct ? 1 : 0),
    method: 'GET',
    path: isElsewhere ? `${responsePath({ kind: 'json', size: 2000 })}/status` : options.path,
    headers: { 'accept-encoding': 'gzip, deflate, br', 'accept-language': 'en-GB,en;q=0.9' },
    body: '',
    keys: '',
    shape: { kind: 'open', rate: Number(options.rate), connections: 32 },
    warmup: 0,
    seconds: Number(options.seconds),
  }
  const { statuses, completed, failed } = await applyJob(job)
  const wrong = completed + failed - (statuses['200'] ?? 0)
  if (wrong > 0) throw new Error(`${wrong} of ${completed + failed} answers of ${state} were not 200: ${JSON.stringify(statuses)}`)
  return completed
}

/** Rows for the log page and the status page, and the option that is off by default. */
async function prepare({ gateway, testbed, origin, accounts }: Installation): Promise<void> {
  const root = await signIn(origin, accounts.root)
  await root.send('PUT', '/api/option/', { key: 'StatusPageEnabled', value: 'true' })
  await root.signOut()
  await applyLoadUnchecked(testbed, gateway, SCENARIOS.calm, { warmup: 0, seconds: 5 })
  await wait(KEPT_MS)
}

function report(found: Readonly<Record<State, readonly Measured[]>>): boolean {
  const of = (state: State, value: (one: Measured) => number): number => median(found[state].map(value))
  for (const state of STATES)
    process.stdout.write(
      `${state}: p95 ${of(state, (one) => one.p95).toFixed(1)} ms, control plane ${(of(state, (one) => one.controlPlane) * 100).toFixed(1)} % of a core, relay ${(of(state, (one) => one.relay) * 100).toFixed(1)} %\n`,
    )
  const ratios = (state: State, base: State): number[] => found[state].map((one, at) => one.p95 / (found[base][at]?.p95 ?? Number.NaN))
  for (const [state, base] of [
    ['elsewhere', 'quiet'],
    ['flood', 'quiet'],
    ['flood', 'elsewhere'],
  ] as const) {
    const all = ratios(state, base)
    process.stdout.write(
      `p95, ${state} ÷ ${base}: ${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} … ${Math.max(...all).toFixed(2)})\n`,
    )
  }
  const micros = (part: 'controlPlane' | 'relay'): string => {
    const more = found.flood.map((one, at) => {
      const quiet = found.quiet[at] ?? one
      return ((one[part] - quiet[part] * (one.calls / quiet.calls)) * Number(options.seconds) * 1e6) / one.answers
    })
    return median(more).toFixed(0)
  }
  process.stdout.write(`CPU per answer: control plane ${micros('controlPlane')} µs, relay ${micros('relay')} µs\n`)
  return median(ratios('flood', 'elsewhere')) <= MAX_RATIO
}

const vendor = start({ command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
let installation: Installation | undefined
try {
  const { port: vendorPort, pids: vendorPids } = await readLine<{ port: number; pids: number[] }>(vendor)
  installation = await install({ name: 'npm start', root: ROOT, vendorPort, vendorPids, scenarios: [SCENARIOS.calm], side: undefined, log })
  await prepare(installation)
  const [account] = installation.accounts.users
  if (account === undefined) throw new Error('a user is needed')
  const user = await signIn(installation.origin, account)
  for (const state of STATES) await measure(installation, user, state)
  const found: Record<State, Measured[]> = { quiet: [], elsewhere: [], flood: [] }
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const state of STATES) {
      const one = await measure(installation, user, state)
      log(`${state}: p95 ${one.p95.toFixed(1)} ms, control plane ${(one.controlPlane * 100).toFixed(1)} %, ${one.answers} answers`)
      found[state].push(one)
    }
  process.exitCode = report(found) ? 0 : 1
  await user.signOut()
} finally {
  await installation?.stop()
  await vendor.stop()
}
