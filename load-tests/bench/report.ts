import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './measures.ts'
import { pins } from './processes.ts'
import { judge, median, ROWS, type RowSpec, type RowResult } from './rows.ts'
import { LOAD_TESTS, redisBinary } from './testbed.ts'

export type Judged = { readonly row: RowSpec; readonly value: number; readonly result: RowResult; readonly figure: Figure }

export function judgeAll(figures: readonly Figure[], isCi: boolean): Judged[] {
  return figures.map((figure) => {
    const row: RowSpec = ROWS[figure.row]
    const value = median(figure.values)
    const measured = { value, ...(figure.stolen === undefined ? {} : { stolen: figure.stolen }) }
    return { row, value, result: judge(row, measured, isCi), figure }
  })
}

/** Two lines per row, for a terminal. */
export function toLines(judged: readonly Judged[]): string {
  return judged
    .map(({ row, value, result, figure }) => {
      const behind = Object.entries(figure.behind).map(([name, text]) => `${name} ${text}`)
      return `${RESULT_TEXTS[result].padEnd(10)} ${show(value, row).padStart(9)}  ${row.title}  [${spread(figure.values, row)}]\n           ${behind.join(', ')}`
    })
    .join('\n')
}

const RESULT_TEXTS: Readonly<Record<RowResult, string>> = {
  ships: 'ships',
  below: 'below goal',
  stolen: 'beyond the limit, not judged: the host took more than 2 % of a core',
  fails: 'FAILS',
  figure: 'figure',
}

const show = (value: number, { unit }: RowSpec): string => `${value.toFixed(unit === '' ? 2 : 1)}${unit === '' ? '' : ` ${unit}`}`

function spread(values: readonly number[], row: RowSpec): string {
  return values.length < 2 ? 'one value' : `${show(Math.min(...values), row)} … ${show(Math.max(...values), row)}`
}

type About = { readonly notes: ReadonlySet<string>; readonly subject: string; readonly form: string; readonly startedAt: Date }

/** Renders docs/generated/performance.md. */
export function toPage(judged: readonly Judged[], { notes, subject, form, startedAt }: About): string {
  const rows = judged.map(({ row, value, result, figure }) => {
    const sign = row.better === 'higher' ? '≥' : '≤'
    const limits = row.limits === undefined ? ['', ''] : [`${sign} ${show(row.limits.ship, row)}`, `${sign} ${show(row.limits.fail, row)}`]
    return `| ${row.title} | ${show(value, row)} | ${spread(figure.values, row)} | ${limits.join(' | ')} | ${RESULT_TEXTS[result]} |`
  })
  const behind = judged.flatMap(({ row, figure }) =>
    Object.entries(figure.behind).map(([name, text]) => `| ${row.title} | ${name} | ${text} |`),
  )
  return [
    '# Performance: the last bench',
    '',
    `Written by \`npm run ${form}\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. Ratios can be compared between machines; absolute figures are those of this one.`,
    'Method: [docs/performance.md](../performance.md). How to run it: [load-tests/README.md](../../load-tests/README.md).',
    '',
    ...aboutMachine(subject).map((line) => `- ${line}`),
    ...[...notes].map((note) => `- ${note}`),
    '',
    '| Compared | Value | Rounds | Ship | CI | |',
    '|---|--:|--:|--:|--:|---|',
    ...rows,
    '',
    ...toReasons(judged),
    '## Absolute figures',
    '',
    '| Row | Figure | Median |',
    '|---|---|--:|',
    ...behind,
    '',
  ].join('\n')
}

/** Why rows miss their goals. */
function toReasons(judged: readonly Judged[]): string[] {
  const missed = judged.filter(({ result, row }) => ['below', 'stolen', 'fails'].includes(result) && row.limitedBy !== undefined)
  if (missed.length === 0) return []
  const rows = missed.map(({ row }) => `| ${row.title} | ${row.limitedBy} |`)
  return ['## What limits the rows that miss their goal', '', '| Row | Limited by |', '|---|---|', ...rows, '']
}

/** Machine, versions and conditions, one sentence each. */
export function aboutMachine(subject: string): string[] {
  const [cpu] = cpus()
  const pinned =
    pins.gateway === undefined ? 'nothing is pinned' : `gateway on core ${pins.gateway}; load, vendor and Redis on core ${pins.load}`
  return [
    `Machine: ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform} ${process.arch}; ${pinned}.`,
    `Node ${process.version}, ${firstLine(redisBinary(), '--version')}, nginx ${firstLine('nginx', '-v').replace(/^.*\//, '')}, @portkey-ai/gateway ${versionOf('@portkey-ai/gateway')}, undici ${versionOf('undici')}.`,
    `Measured: ${subject}. Redis with AOF everysec; worker, control plane and Postgres not running; 10 000 tokens; 1 000 sensitive words, both request windows, an address list.`,
  ]
}

export function versionOf(name: string): string {
  const found = JSON.parse(readFileSync(join(LOAD_TESTS, 'node_modules', name, 'package.json'), 'utf8')) as { version: string } // written by npm
  return found.version
}

export function firstLine(command: string, argument: string): string {
  try {
    // nginx prints its version on standard error.
    return (
      execFileSync('sh', ['-c', `${command} ${argument} 2>&1`], { encoding: 'utf8' })
        .split('\n')[0]
        ?.trim() ?? ''
    )
  } catch {
    // The program is missing; rows that need it report that.
    return 'not installed'
  }
}
