import { execFileSync } from 'node:child_process'
import { availableParallelism, totalmem } from 'node:os'
import { PROFILES, type ProfileName, type Kind } from '../../scenarios/profiles.ts'
import type { Summary } from './summary.ts'

export type Run = {
  readonly profile: ProfileName
  readonly startedAt: Date
  readonly exitCode: number
  /** Load average of the machine before and after. */
  readonly loads: readonly [number, number]
  readonly summary: Summary
}

const KINDS: Readonly<Record<Kind, string>> = {
  stream: 'streams, to the first byte',
  whole: 'whole responses',
  refused: 'refusals',
  models: 'list of models',
  console: 'console',
  'sign-in': 'sign-in',
}
const BYTES_PER_GB = 1024 ** 3

type About = { readonly k6: string; readonly machine: string | undefined; readonly notes: readonly string[] }

/** Renders docs/generated/k6.md. */
export function toPage(runs: readonly Run[], { k6, machine, notes }: About): string {
  const slower = Number(process.env['SLOWER'] || 1)
  return [
    '# k6: the last run',
    '',
    `Written by \`npm run k6 -- --write\` in \`load-tests/\`; do not edit. The load profiles and how to run them: [load-tests/k6](../../load-tests/k6/README.md).`,
    '',
    ...[...aboutRun(machine, k6, slower), ...notes].map((line) => `- ${line}`),
    '',
    '| Profile | Started (UTC) | Requests | Requests/s | Paid responses | No response | 5xx | Load average before, after | Thresholds |',
    '|---|---|--:|--:|--:|--:|--:|---|---|',
    ...runs.map(profileRow),
    '',
    '## Time to the first byte, by kind',
    '',
    `| Profile | Kind | Requests | Median | p95 | p99 | Limit of p95 | ${slower === 1 ? '' : 'Limit here | '}Unexpected |`,
    `|---|---|--:|--:|--:|--:|--:|${slower === 1 ? '' : '--:|'}--:|`,
    ...runs.flatMap((run) => kindRows(run, slower)),
    '',
    '## Exactness of the gateway’s accounts',
    '',
    'After each run: used quota of each token = sum of its log rows; granted − used = remaining, and never below 0; the wallet’s loss = the sum of all tokens; the ledger verifier finds no difference; responses that clients received = log rows. A row without a received response is a client timeout or a 5xx after the charge.',
    '',
    '| Profile | Comparisons | Differ | Charged quota | Responses without a row | Rows without a request | Rows without a received response |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...runs.map(exactRow),
    '',
  ].join('\n')
}

function aboutRun(machine: string | undefined, k6: string, slower: number): string[] {
  const cores = machine ?? `${availableParallelism()} cores`
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const limits =
    slower === 1
      ? 'Time limits: those of a deployment.'
      : `Time limits: ${slower} times those of a deployment (\`SLOWER\`), because of the machine.`
  return [
    `Machine: ${cores}, ${Math.round(totalmem() / BYTES_PER_GB)} GB, ${process.platform} ${process.arch}; load, gateway, stores and vendor share it.`,
    `Suite at commit ${commit}, Node ${process.version}, ${k6}. Vendor: ${process.env['VENDOR_URL'] ? 'the simulator (60 events at 50/s, whole responses of 900 bytes)' : 'the deployment’s own'}.`,
    limits,
  ]
}

function profileRow({ profile, startedAt, exitCode, loads, summary }: Run): string {
  const crossed = [...summary].flatMap(([name, metric]) => metric.crossed.map((threshold) => `${name} ${threshold}`))
  const result = crossed.length > 0 ? `crossed: ${crossed.join('; ')}` : exitCode === 0 ? 'all passed' : `k6 ended with ${exitCode}`
  const began = startedAt.toISOString().slice(0, 16).replace('T', ' ')
  const rate = valueOf(summary, 'http_reqs', 'rate').toFixed(1)
  const [requests, paid] = ['http_reqs', 'paid_answers'].map((name) => valueOf(summary, name, 'count'))
  // The export omits counters without samples.
  const [none, failed] = ['no_answer', 'server_errors'].map((name) => summary.get(name)?.values['count'] ?? 0)
  return `| ${profile}: ${PROFILES[profile].title.replace('MINUTES', `here ${process.env['MINUTES'] || 60} minutes`)} | ${began} | ${requests} | ${rate} | ${paid} | ${none} | ${failed} | ${loads.map((load) => load.toFixed(1)).join(', ')} | ${result} |`
}

function kindRows({ profile, summary }: Run, slower: number): string[] {
  return Object.entries(KINDS).map(([kind, title]) => {
    const waiting = `http_req_waiting{kind:${kind}}`
    const limit = PROFILES[profile].p95Ms[kind as Kind] // a key of KINDS
    const times = ['med', 'p(95)', 'p(99)'].map((field) => `${valueOf(summary, waiting, field).toFixed(0)} ms`)
    const wrong = (100 * valueOf(summary, `http_req_failed{kind:${kind}}`, 'value')).toFixed(2)
    const limits = slower === 1 ? [`${limit} ms`] : [`${limit} ms`, `${limit * slower} ms`]
    return `| ${[profile, title, valueOf(summary, waiting, 'count'), ...times, ...limits, `${wrong} %`].join(' | ')} |`
  })
}

function exactRow({ profile, summary }: Run): string {
  const [held, differ] = ['passes', 'fails'].map((field) => valueOf(summary, 'ledger_exact', field))
  const count = (name: string) => valueOf(summary, name, 'count')
  const answersWithoutRow = count('answers_without_log')
  const counts = [
    count('charged_quota'),
    ...[answersWithoutRow, count('logs_without_request'), -answersWithoutRow].map((rows) => Math.max(0, rows)),
  ]
  return `| ${[profile, (held ?? 0) + (differ ?? 0), differ, ...counts].join(' | ')} |`
}

/** NaN if k6 has no value, which the page shows. */
function valueOf(summary: Summary, metric: string, field: string): number {
  return summary.get(metric)?.values[field] ?? Number.NaN
}
