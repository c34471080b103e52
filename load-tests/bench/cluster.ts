import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { cpuMicros } from './proc.ts'
import { readLine, start } from './processes.ts'
import { alternate, COMPARISON_OPTIONS, listUnsound, toComparison, toComparisonPage, type Compared } from './system/compare.ts'
import { install, type Installation } from './system/installation.ts'
import { loadsOf, warm } from './system/loads.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/** `npm run bench:cluster` measures a request with the ledger on one master and on three. */
const { values: options } = readCommandLine({
  command: 'npm run bench:cluster --',
  about:
    'Measures the CPU of a request in every service of npm start, in turn with the ledger on a Redis Cluster of one master and of three, and how evenly the three are busy. Exit code 1: the ledger has a difference.',
  example: 'npm run bench:cluster -- --rounds 5 --write',
  options: {
    ...COMPARISON_OPTIONS,
    write: { type: 'boolean', default: false, about: 'write docs/generated/cluster.md' },
  },
})

const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const loads = loadsOf({ connections: options.connections.split(',').map(Number), rates: [], streams: 0 })
const run = { warmup: Number(options.warmup), seconds: Number(options.seconds) }
const MASTERS = [1, 3] as const

type Server = { readonly url: string; readonly masters: readonly number[] }

async function main(): Promise<boolean> {
  const startedAt = new Date()
  const vendor = start({ side: 'load', command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  const clusters = MASTERS.map((count) =>
    start({
      side: 'gateway',
      command: process.execPath,
      args: [join(ROOT, 'tests/redis-cluster.ts'), '--masters', String(count)],
      cwd: ROOT,
    }),
  )
  const installations: Installation[] = []
  try {
    const { port: vendorPort, pids: vendorPids } = await readLine<{ port: number; pids: number[] }>(vendor)
    const servers = await Promise.all(clusters.map((cluster) => readLine<Server>(cluster)))
    const scenarios = loads.map(({ scenario }) => scenario)
    for (const { url, masters: ledgerPids } of servers) {
      const name = ledgerPids.length === 1 ? 'one master' : `${ledgerPids.length} masters`
      const more = { env: { LEDGER_REDIS_URL: url }, ledgerPids }
      installations.push(await install({ name, root: ROOT, vendorPort, vendorPids, scenarios, side: undefined, log, ...more }))
    }
    for (const load of loads) for (const one of installations) await warm(one, load, run.warmup * 2)
    const pids = servers.at(-1)?.masters ?? []
    const before = pids.map((pid) => cpuMicros([pid]))
    const compared: Compared[] = []
    for (const load of loads) compared.push(await alternate(installations, load, { rounds: Number(options.rounds), run, log }))
    const busy = pids.map((pid, at) => cpuMicros([pid]) - (before[at] ?? 0))
    const text = `${toComparison(compared, 'masters', ['one', 'three'])}\n\nCPU of the three masters, of their mean: ${shares(busy)}.`
    process.stdout.write(`\n${text}\n`)
    if (options.write) await writeFile(join(ROOT, 'docs/generated/cluster.md'), toPage(text, startedAt))
    const unsound = await listUnsound(installations)
    for (const line of unsound) process.stdout.write(`${line}\n`)
    return unsound.length === 0
  } finally {
    await Promise.all(installations.map((one) => one.stop()))
    await Promise.all([vendor, ...clusters].map((one) => one.stop()))
  }
}

function shares(busy: readonly number[]): string {
  const mean = busy.reduce((sum, one) => sum + one, 0) / busy.length
  return busy.map((one) => `${((100 * one) / mean).toFixed(0)} %`).join(', ')
}

const toPage = (text: string, startedAt: Date): string =>
  toComparisonPage({
    title: 'What three masters cost a request',
    command: 'bench:cluster',
    startedAt,
    about: `CPU per request in µs, medians of ${options.rounds} rounds of ${options.seconds} s; a ratio is the median of the rounds' ratios. Two installations of \`npm start\`, whose ledger is on a Redis Cluster of one master and of three without replicas, are measured in turn; *redis* is the server beside the cluster with all masters. A request is a chat answer of 1 KB. Only ratios can be compared between machines.`,
    text,
  })

process.exitCode = (await main()) ? 0 : 1
