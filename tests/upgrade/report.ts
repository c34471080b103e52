import { summaryOf, isAnswered, type Request } from './load.ts'

export type About = {
  readonly command: string
  readonly from: string
  readonly to: string
  readonly rows: number
  readonly clients: number
}

export type Report = {
  print(text: string): void
  /** Prints a line and keeps it with the duration of its step. */
  step(name: string, ms: number, detail?: string): void
  /** A step under load: its requests, of which none may fail. */
  served(name: string, ms: number, requests: readonly Request[]): void
  /** Lines that should not be there. */
  expectNone(name: string, found: readonly string[]): void
  readonly problems: readonly string[]
  readonly counts: { requests: number; streams: number; failed: number }
  render(about: About): string
}

const SHOWN = 12

const print = (text: string): void => void process.stdout.write(`${text}\n`)

export function createReport(): Report {
  const rows: string[] = []
  const problems: string[] = []
  const counts = { requests: 0, streams: 0, failed: 0 }
  const step = (name: string, ms: number, detail = ''): void => {
    rows.push(`| ${name} | ${(ms / 1000).toFixed(1)} | ${detail.replaceAll('|', '/') || '–'} |`)
    print(`${new Date().toISOString().slice(11, 19)} ${name}: ${(ms / 1000).toFixed(1)} s ${detail}`)
  }
  const expectNone = (name: string, found: readonly string[]): void => {
    for (const line of found.slice(0, SHOWN)) print(`  PROBLEM ${name}: ${line}`)
    if (found.length > SHOWN) print(`  … and ${found.length - SHOWN} more`)
    problems.push(...found.map((line) => `${name}: ${line}`))
  }
  return {
    print,
    step,
    expectNone,
    served: (name, ms, requests) => {
      const failed = requests.filter((request) => !isAnswered(request))
      counts.requests += requests.length
      counts.streams += requests.filter(({ kind }) => kind === 'stream').length
      counts.failed += failed.length
      step(name, ms, `${summaryOf(requests)}; failed ${failed.length}`)
      expectNone(
        name,
        failed.map(({ kind, startedAt, outcome }) => `${new Date(startedAt).toISOString().slice(11, 23)} ${kind} ${outcome}`),
      )
    },
    problems,
    counts,
    render: (about) => render(about, { rows, problems, counts }),
  }
}

type Seen = { readonly rows: readonly string[]; readonly problems: readonly string[]; readonly counts: Report['counts'] }

function render({ command, from, to, rows, clients }: About, { rows: steps, problems, counts }: Seen): string {
  const { requests, streams, failed } = counts
  return [
    '# Upgrade',
    '',
    `Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}; do not edit. From ${from} (1.0.0-rc.1) to ${to}, with ${rows} log rows of the old version, ${clients} clients of the SDK \`openai\` without retries, two control planes, a worker and two relays, all on one machine of two cores that other programs used too. The steps are those of [upgrading](../guides/upgrading.md) and [backup and restore](../guides/backup.md).`,
    '',
    `${requests} requests, ${streams} of them streams: ${failed} failed or dropped. ${problems.length} differences of sums, ledgers and shown values.`,
    '',
    'Each step under load counts the requests that began in it and in the seconds after it; in brackets the longest one. A cold request is the first of its token. Sums are compared with those before plus the charge of each request of the load; every request to a model has the same charge before and after.',
    '',
    '| step | seconds | seen |',
    '|---|--:|---|',
    ...steps,
    '',
    ...(problems.length === 0 ? [] : ['## Differences', '', ...problems.slice(0, LISTED).map((line) => `- ${line}`), '']),
  ].join('\n')
}

const LISTED = 50
