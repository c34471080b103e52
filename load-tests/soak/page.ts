import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus } from 'node:os'
import { firstLine, versionOf } from '../bench/report.ts'
import { redisBinary, ROOT } from '../bench/testbed.ts'
import type { Quantiles } from '../generator/job.ts'
import { live, total, type Reading } from './readings.ts'
import { isLevel, slopeOf, type ProcessResult } from './judge.ts'

/** The response times of one load, in microseconds; `at` in seconds since the first reading. */
export type Latency = Quantiles & { readonly at: number }

export type Soak = {
  readonly startedAt: Date
  readonly commit: string
  readonly minutes: number
  readonly warmMinutes: number
  readonly readings: readonly Reading[]
  readonly results: readonly ProcessResult[]
  /** Share of a core by process, median over the loads. */
  readonly cpu: Readonly<Record<string, number>>
  readonly latencies: readonly Latency[]
  /** The rates of the mix were multiplied by this. */
  readonly load: number
  readonly requests: number
  readonly streams: number
  readonly wrong: number
  readonly late: number
  /** Responses by scenario, and console calls by screen. */
  readonly byScenario: ReadonlyMap<string, number>
  readonly byScreen: ReadonlyMap<string, number>
  readonly parts: readonly { readonly name: string; readonly about: string; readonly count: number }[]
  readonly problems: readonly string[]
  readonly ledger: string
  readonly hasPassed: boolean
}

const mb = (bytes: number, digits = 1): string => `${(bytes / 1024 / 1024).toFixed(digits)} MB`
const signed = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${mb(Math.abs(bytes), 2)}`
const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')

/** One line per reading, for a terminal. */
export const toLine = (reading: Reading): string =>
  `${(reading.at / 60).toFixed(1).padStart(5)} min  ${reading.part.padEnd(13)} live ${mb(reading.objects, 2)} + ${mb(reading.external, 2)}, code ${mb(reading.code, 2)}, RSS ${mb(reading.rss, 0)}, ` +
  `descriptors ${total(reading.descriptors)} (${list(reading.descriptors)}), handles ${total(reading.handles)}`

const describeSlope = (slope: ProcessResult['slope']): string => (slope === undefined ? 'too short' : isLevel(slope) ? 'level' : 'RISES')

export function toResultLine({ part, slope, first, last, grown }: ProcessResult): string {
  const rise = slope === undefined ? 'no slope' : `${signed(slope.perHour)} ± ${mb(slope.margin, 2)} per hour on ${mb(slope.level)}`
  const open =
    grown.length === 0 ? `descriptors ${total(first.descriptors)} → ${total(last.descriptors)}` : `MORE OPEN: ${grown.join(', ')}`
  return `${describeSlope(slope)}  ${part}: ${rise}; ${open}`
}

/** One cause can have a thousand of them. */
const MAX_LISTED = 20

/** The page docs/generated/soak.md. */
export function toPage(soak: Soak): string {
  const { startedAt, minutes, warmMinutes, results, readings, problems } = soak
  return [
    '# Soak: the last hour of mixed load',
    '',
    `Written by \`npm run soak\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC: ${minutes} minutes, commit ${soak.commit}. How it is done: [load-tests/README.md](../../load-tests/README.md).`,
    '',
    ...about(soak).map((line) => `- ${line}`),
    '',
    `**${soak.hasPassed ? 'Sound' : 'NOT SOUND'}.** ${problems.length === 0 ? 'Nothing went wrong.' : `Went wrong: ${problems.length}.`}`,
    '',
    ...problems.slice(0, MAX_LISTED).map((problem) => `- ${problem}`),
    ...(problems.length <= MAX_LISTED ? [] : [`- … and ${problems.length - MAX_LISTED} more`]),
    ...(problems.length === 0 ? [] : ['']),
    ...toParts(soak),
    '## Live heap and descriptors',
    '',
    `The slope is a linear regression over the readings after the first ${Math.round(warmMinutes)} minutes, ± half of its 95 % interval. A heap is level if the interval includes zero, or if the rise is less than 2 MB and less than 2 % an hour. Code is read apart: V8 optimises rarely called functions for hours, and ends when it has optimised them all. Descriptors are closed if no kind has more than three more than at the start.`,
    '',
    '| Process | Slope per hour | Level | Readings | Heap | Code, start → end | RSS, start → end | Descriptors, start → end | | CPU |',
    '|---|--:|--:|--:|---|--:|--:|--:|---|--:|',
    ...results.map(toRow(soak)),
    '',
    ...toResponseTimes(soak),
    '## At the start and at the end',
    '',
    '| Process | | Descriptors | Active handles |',
    '|---|---|---|---|',
    ...results.flatMap(({ part, first, last }) =>
      [['start', first] as const, ['end', last] as const].map(
        ([when, { descriptors, handles }]) => `| ${part} | ${when} | ${list(descriptors)} | ${list(handles)} |`,
      ),
    ),
    '',
    '## Readings',
    '',
    'Objects + buffers after two full collections, without code, between loads; RSS in brackets.',
    '',
    ...toSamples(
      results.map(({ part }) => part),
      readings,
    ),
    '',
    '## The ledger at the end',
    '',
    '```',
    soak.ledger.trim(),
    '```',
    '',
  ].join('\n')
}

const toRow =
  ({ cpu }: Soak) =>
  ({ part, slope, first, last, grown }: ProcessResult): string => {
    const heap =
      slope === undefined ? '– | – | –' : `${signed(slope.perHour)} ± ${mb(slope.margin, 2)} | ${mb(slope.level)} | ${slope.count}`
    const open = `${total(first.descriptors)} → ${total(last.descriptors)} | ${grown.length === 0 ? 'closed' : `MORE: ${grown.join(', ')}`}`
    return `| ${part} | ${heap} | ${describeSlope(slope)} | ${mb(first.code)} → ${mb(last.code)} | ${mb(first.rss, 0)} → ${mb(last.rss, 0)} | ${open} | ${((cpu[part] ?? 0) * 100).toFixed(1)} % |`
  }

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0)

const toParts = ({ byScenario, byScreen, parts }: Soak): string[] => [
  '## What the load consists of',
  '',
  '| Beside the requests | Times | One action |',
  '|---|--:|---|',
  ...parts.map(({ name, about: action, count }) => `| ${name} | ${count} | ${action} |`),
  '',
  '| Requests | Answered |',
  '|---|--:|',
  ...[...byScenario].map(([title, count]) => `| ${title} | ${count} |`),
  '',
  '| Screen of the console | Calls |',
  '|---|--:|',
  ...[...byScreen].map(([screen, count]) => `| ${screen} | ${count} |`),
  '',
]

function toResponseTimes({ latencies, warmMinutes }: Soak): string[] {
  const ms = (micros: number): string => (micros / 1000).toFixed(2)
  const step = Math.max(1, Math.ceil(latencies.length / MAX_SAMPLES))
  const shown = latencies.filter((_, at) => at % step === 0)
  const warm = latencies.filter(({ at }) => at >= warmMinutes * 60)
  const line = (name: 'p50' | 'p99'): string[] => {
    const slope = slopeOf(warm.map((one) => ({ at: one.at, value: one[name] })))
    if (slope === undefined) return []
    const { perHour, margin, level } = slope
    const change = `${perHour < 0 ? '−' : '+'}${ms(Math.abs(perHour))} ms ± ${ms(margin)} ms an hour`
    return [
      `- ${name}: ${ms(level)} ms in the mean, ${change}: ${Math.abs(perHour) <= margin ? 'level' : perHour < 0 ? 'falls' : 'RISES'}.`,
    ]
  }
  return [
    '## Response times',
    '',
    'Answers of 1 KB, which the vendor sends at once, as their client sees them, by load of the soak.',
    '',
    ...line('p50'),
    ...line('p99'),
    '',
    `| Minute | ${shown.map(({ at }) => (at / 60).toFixed(0)).join(' | ')} |`,
    `|---|${shown.map(() => '--:').join('|')}|`,
    `| p50, ms | ${shown.map(({ p50 }) => ms(p50)).join(' | ')} |`,
    `| p99, ms | ${shown.map(({ p99 }) => ms(p99)).join(' | ')} |`,
    '',
  ]
}

const MAX_SAMPLES = 14

function toSamples(processes: readonly string[], readings: readonly Reading[]): string[] {
  const times = [...new Set(readings.map(({ at }) => at))]
  const step = Math.max(1, Math.ceil(times.length / MAX_SAMPLES))
  const shown = times.filter((_, at) => at % step === 0 || at === times.length - 1)
  const cell = (part: string, at: number): string => {
    const found = readings.find((reading) => reading.part === part && reading.at === at)
    return found === undefined ? '' : `${mb(found.objects, 2)} + ${mb(found.external, 2)} = ${mb(live(found), 2)} (${mb(found.rss, 0)})`
  }
  return [
    `| Minute | ${processes.join(' | ')} |`,
    `|--:|${processes.map(() => '--:').join('|')}|`,
    ...shown.map((at) => `| ${(at / 60).toFixed(0)} | ${processes.map((part) => cell(part, at)).join(' | ')} |`),
  ]
}

function about({ load, requests, streams, wrong, late, byScreen, cpu }: Soak): string[] {
  const used = Object.values(cpu).reduce((sum, share) => sum + share, 0)
  return [
    `Machine: ${availableParallelism()} of ${cpus().length} cores, shared with other jobs. Started like \`npm start\`: Postgres, Redis, control plane, worker, two relay processes on one port.`,
    `Node ${process.version}, ${firstLine(redisBinary(), '--version')}, undici ${versionOf('undici')}.`,
    `Load: ${load === 1 ? '' : `the rates of the mix times ${load}; `}${requests} requests, ${streams} of them streams, ${wrong} with an unexpected response, ${late} refused with 503 because Redis was slow on the busy machine; ${sumOf(byScreen)} calls of six console users who sign in and out. The product's processes used ${(used * 100).toFixed(0)} % of a core.`,
  ]
}

export const currentCommit = (): string => execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim()
