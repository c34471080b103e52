import type { GeneratorEvent, Job, Outcome, Shape } from '../generator/job.ts'
import type { Scenario } from '../scenarios/scenarios.ts'
import type { Gateway } from './gateways.ts'
import { cpuMicros, rssBytes, stolenMicros } from './proc.ts'
import { readLine, start, type Started } from './processes.ts'
import { LOAD_TESTS, type Testbed } from './testbed.ts'

export type Sample = {
  readonly outcome: Outcome
  /** CPU of the gateway between begin and end, in microseconds. */
  readonly cpu: number
  /** Its resident memory at the end, in bytes. */
  readonly rss: number
  /** Share of its core that the load side (generator, vendor, Redis) used. */
  readonly loadShare: number
  /** Share of one core that the host took (steal). */
  readonly stolenShare: number
}

export type Run = { readonly warmup: number; readonly seconds: number; readonly shape?: Shape }

/** Above this share of its core the load side is the bottleneck. */
export const SATURATED = 0.9

/** Runs one scenario against a gateway. Throws on unexpected responses, because a failing gateway is cheap. */
export async function applyLoad(
  testbed: Testbed,
  gateway: Gateway,
  scenario: Scenario,
  run: Run,
  during?: () => Promise<void>,
): Promise<Sample> {
  const sample = await applyLoadUnchecked(testbed, gateway, scenario, run, during)
  check(gateway, scenario, sample.outcome)
  return sample
}

/** The same without checking the responses. */
export async function applyLoadUnchecked(
  testbed: Testbed,
  gateway: Gateway,
  scenario: Scenario,
  run: Run,
  during?: () => Promise<void>,
): Promise<Sample> {
  const generator = launch(testbed, gateway, scenario, run)
  try {
    const pids = gateway.pids()
    const load = [generator.pid, ...testbed.loadPids]
    await readLine<GeneratorEvent>(generator)
    const [cpuBefore, loadBefore, stolenBefore, at] = [cpuMicros(pids), cpuMicros(load), stolenMicros(), performance.now()]
    const meanwhile = during?.()
    const end = await readLine<GeneratorEvent>(generator)
    const micros = (performance.now() - at) * 1000
    const sample = {
      cpu: cpuMicros(pids) - cpuBefore,
      rss: rssBytes(pids),
      loadShare: (cpuMicros(load) - loadBefore) / micros,
      stolenShare: (stolenMicros() - stolenBefore) / micros,
    }
    await meanwhile
    if (end.at !== 'end') throw new Error('the generator sent `begin` twice')
    return { outcome: end.outcome, ...sample }
  } finally {
    await generator.stop()
    await testbed.trim()
  }
}

/** Applies the load until the promise of `until` settles. */
export async function applyLoadUntil<T>(testbed: Testbed, gateway: Gateway, scenario: Scenario, until: () => Promise<T>): Promise<T> {
  const generator = launch(testbed, gateway, scenario, { warmup: 0, seconds: 3600 })
  try {
    await readLine<GeneratorEvent>(generator)
    return await until()
  } finally {
    await generator.stop()
    await testbed.trim()
  }
}

function launch(testbed: Testbed, gateway: Gateway, scenario: Scenario, { warmup, seconds, shape = scenario.shape }: Run): Started {
  return launchJob({ port: gateway.port, ...gateway.request(scenario), shape: scaled(shape, testbed.load), warmup, seconds })
}

/** Runs a job that is no scenario of a gateway. */
export async function applyJob(job: Job): Promise<Outcome> {
  const generator = launchJob(job)
  try {
    for (;;) {
      const event = await readLine<GeneratorEvent>(generator)
      if (event.at === 'end') return event.outcome
    }
  } finally {
    await generator.stop()
  }
}

function launchJob(job: Job): Started {
  const generator = start({ side: 'load', command: process.execPath, args: ['generator/main.ts'], cwd: LOAD_TESTS })
  // On standard input, because an argument is limited to 128 KB.
  generator.child.stdin?.end(JSON.stringify(job))
  return generator
}

/** Responses with another status than the scenario expects, and failed ones. */
export function countWrong({ thresholds }: Scenario, outcome: Outcome): number {
  const others = Object.entries(outcome.statuses).filter(([found]) => found !== thresholds.status)
  return others.reduce((sum, [, count]) => sum + count, outcome.failed)
}

function check({ name }: Gateway, scenario: Scenario, outcome: Outcome): void {
  if (scenario.thresholds.status === 'none') return
  const wrong = countWrong(scenario, outcome)
  const all = outcome.completed + outcome.failed + outcome.openStreams
  if (all === 0) throw new Error(`${scenario.name} on ${name}: no response`)
  if (wrong > all * scenario.thresholds.failed) {
    throw new Error(
      `${scenario.name} on ${name}: ${wrong} of ${all} failed (${JSON.stringify(outcome.statuses)}, ${outcome.failed} without a response)`,
    )
  }
}

function scaled(shape: Shape, load: number): Shape {
  if (shape.kind === 'open' || shape.kind === 'aborts') return { ...shape, rate: shape.rate * load }
  if (shape.kind === 'streams') return { ...shape, streams: Math.max(1, Math.round(shape.streams * load)) }
  return shape
}
