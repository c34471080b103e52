import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { ChaosOptions } from './options.ts'
import type { Result } from './report.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = join(ROOT, 'docs/generated/chaos.md')
/** A run with so many requests is the one that the documentation shows. */
const REQUESTS_OF_PAGE = 1_000_000

type About = {
  readonly options: Pick<ChaosOptions, 'args' | 'seed' | 'out' | 'topology'>
  readonly startedAt: Date
  readonly commit: string
}

export const currentCommit = (): string => execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim()

export async function writePage(result: Result, about: About): Promise<void> {
  const file = about.options.out ?? (result.requests >= REQUESTS_OF_PAGE ? PAGE : undefined)
  if (file === undefined) return
  await writeFile(file, toPage(result, about))
  process.stdout.write(`written: ${file}\n`)
}

/** The page about one run. */
export function toPage(result: Result, { options, startedAt, commit }: About): string {
  const { requests, lastedMs, faults, figures, sums, isSound } = result
  const seconds = Math.round(lastedMs / 1000)
  const violated = sums.filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name} ${sum}`)
  return [
    `# Chaos${options.topology === 'cluster' ? ' on a Redis Cluster' : ''}: every request audited after faults of every kind`,
    '',
    `Written by \`npm run chaos\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC; do not edit. How it is done: [tests/chaos/README.md](../../tests/chaos/README.md).`,
    '',
    `- Command: \`npm run chaos -- ${shownArgs(options.args)}\` (seed ${options.seed}, commit ${commit}).`,
    `- Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 1024 ** 3)} GB, Node ${process.version}.`,
    `- ${requests} requests in ${seconds} s, ${Math.round(requests / Math.max(1, seconds))} a second, under ${[...faults.values()].reduce((sum, times) => sum + times, 0)} faults.`,
    '',
    `**${isSound ? 'Sound' : 'NOT SOUND'}.** ${isSound ? 'Every sum is 0.' : `Not 0: ${violated.join(', ')}.`}`,
    '',
    '## Sums that must be 0',
    '',
    '| Sum | |',
    '|---|--:|',
    ...sums.map(([name, sum]) => `| ${name} | ${sum} |`),
    '',
    'A request that was delivered and not charged is counted as lost, one whose charge stops short of its delivery as behind.',
    '',
    '## Faults',
    '',
    '| Fault | Times |',
    '|---|--:|',
    ...[...faults].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([kind, times]) => `| ${kind} | ${times} |`),
    '',
    '## Figures',
    '',
    '| | |',
    '|---|---|',
    ...figures.filter(([name]) => name !== 'faults').map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ].join('\n')
}

/** Without the file of the page, which may be anywhere. */
function shownArgs(args: readonly string[]): string {
  const at = args.indexOf('--out')
  return (at < 0 ? args : args.toSpliced(at, 2)).filter((arg) => !arg.startsWith('--out=')).join(' ')
}
