import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Run } from '../load.ts'
import { median } from '../rows.ts'
import { PARTS, type Installation } from './installation.ts'
import { measure, sumOf, type Cost, type Load } from './loads.ts'

/** Costs of several installations under one load, each in every round. */
export type Compared = { readonly load: Load; readonly costs: readonly (readonly Cost[])[] }

/** Options of a command that compares two installations under closed loads. */
export const COMPARISON_OPTIONS = {
  rounds: { type: 'string', default: '4', about: 'rounds of each load' },
  seconds: { type: 'string', default: '5', about: 'length of a measurement in seconds' },
  warmup: { type: 'string', default: '2', about: 'seconds of the same load before each measurement' },
  connections: { type: 'string', default: '8,32', about: 'numbers of connections that send without a pause' },
} as const

type Rounds = { readonly rounds: number; readonly run: Run; readonly log: (line: string) => void }

/** Each round in another order, so that changes on the machine affect all alike. */
export async function alternate(installations: readonly Installation[], load: Load, { rounds, run, log }: Rounds): Promise<Compared> {
  const costs = installations.map(() => new Array<Cost>())
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < installations.length; step += 1) {
      const at = (step + round) % installations.length
      const one = installations[at]
      if (one === undefined) continue
      const cost = await measure(one, load, run)
      costs[at]?.push(cost)
      const cpu = Object.entries(cost.cpu).map(([part, micros]) => `${part} ${micros.toFixed(0)}`)
      log(`${load.title}, ${one.name}: ${cost.perSecond.toFixed(0)}/s, p50 ${cost.p50} µs, ${cpu.join(', ')}`)
    }
  }
  return { load, costs }
}

/** The median of the rounds' ratios: first by second. */
export function medianRatio(first: readonly Cost[], second: readonly Cost[], of: (cost: Cost) => number): number {
  return median(
    first.flatMap((cost, round) => {
      const other = second[round]
      return other === undefined ? [] : [of(cost) / of(other)]
    }),
  )
}

/** Posting follows within seconds. */
const MAX_VERIFY_MS = 60_000

/** Differences of the ledgers, once posting has had its time. */
export async function listUnsound(installations: readonly Installation[]): Promise<string[]> {
  const unsound: string[] = []
  for (const one of installations) {
    const deadline = performance.now() + MAX_VERIFY_MS
    let verified = await one.verify()
    while (!verified.isClean && performance.now() < deadline) {
      await wait(1000)
      verified = await one.verify()
    }
    if (!verified.isClean) unsound.push(`${one.name}: the ledger has differences: ${verified.text}`)
  }
  return unsound
}

type Column = (cost: Cost) => number

/** CPU of two installations by service, and the ratios of the second to the first. `names`: their rows, below `title`. */
export function toComparison(compared: readonly Compared[], title: string, names: readonly [string, string]): string {
  const parts = PARTS.filter((part) => part !== 'launcher')
  const columns: Column[] = [
    ({ cpu }) => sumOf(cpu),
    ...parts.map(
      (part): Column =>
        ({ cpu }) =>
          cpu[part],
    ),
  ]
  const medians = (costs: readonly Cost[]): string => columns.map((of) => median(costs.map(of)).toFixed(0)).join(' | ')
  return [
    `| Load | ${title} | sum | ${parts.join(' | ')} |`,
    `|---|---|--:|${parts.map(() => '--:|').join('')}`,
    ...compared.flatMap(({ load, costs: [first = [], second = []] }) => [
      `| ${load.title} | ${names[0]} | ${medians(first)} |`,
      `| | ${names[1]} | ${medians(second)} |`,
      `| | ratio | ${columns.map((of) => medianRatio(second, first, of).toFixed(2)).join(' | ')} |`,
    ]),
  ].join('\n')
}

export const aboutCores = (): string => `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`

type PageOf = { readonly title: string; readonly command: string; readonly startedAt: Date; readonly about: string; readonly text: string }

/** A generated page of a comparison. */
export const toComparisonPage = ({ title, command, startedAt, about, text }: PageOf): string =>
  [
    `# ${title}`,
    '',
    `Written by \`npm run ${command}\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. ${about}`,
    '',
    `${aboutCores()}, Node ${process.version}.`,
    '',
    text,
    '',
  ].join('\n')
