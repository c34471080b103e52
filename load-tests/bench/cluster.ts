import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { cpuMicros } from './proc.ts'
import { readLine, start } from './processes.ts'
import { median } from './rows.ts'
import { install, PARTS, type Installation } from './system/installation.ts'
import { loadsOf, measure, sumOf, warm, type Cost, type Load } from './system/loads.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/** `npm run bench:cluster` measures a request with the ledger on one master and on three. */
const { values: options } = readCommandLine({
  command: 'npm run bench:cluster --',
  about:
    'Measures the CPU of a request in every service of npm start, in turn with the ledger on a Redis Cluster of one master and of three, and how evenly the three are busy. Exit code 1: the ledger has a difference.',
  example: 'npm run bench:cluster -- --rounds 5 --write',
  options: {
    rounds: { type: 'string', default: '4', about: 'rounds of each load' },
    seconds: { type: 'string', default: '5', about: 'length of a measurement in seconds' },
    warmup: { type: 'string', default: '2', about: 'seconds of the same load before each measurement' },
    connections: { type: 'string', default: '8,32', about: 'numbers of connections that send without a pause' },
    write: { type: 'boolean', default: false, about: 'write docs/generated/cluster.md' },
  },
})

const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const loads = loadsOf({ connections: options.connections.split(',').map(Number), rates: [], streams: 0 })
const run = { warmup: Number(options.warmup), seconds: Number(options.seconds) }
const MASTERS = [1, 3] as const

type Server = { readonly url: string; readonly masters: readonly number[] }
type Measured = { readonly load: Load; readonly costs: readonly (readonly Cost[])[] }

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
    const measured: Measured[] = []
    for (const load of loads) measured.push(await alternate(load, installations))
    const busy = pids.map((pid, at) => cpuMicros([pid]) - (before[at] ?? 0))
    const text = `${toTable(measured)}\n\nCPU of the three masters, of their mean: ${shares(busy)}.`
    process.stdout.write(`\n${text}\n`)
    if (options.write) await writeFile(join(ROOT, 'docs/generated/cluster.md'), toPage(text, startedAt))
    const verdicts = await Promise.all(installations.map((one) => one.verify()))
    for (const { isClean, text: found } of verdicts) if (!isClean) process.stdout.write(`the ledger has differences: ${found}\n`)
    return verdicts.every(({ isClean }) => isClean)
  } finally {
    await Promise.all(installations.map((one) => one.stop()))
    await Promise.all([vendor, ...clusters].map((one) => one.stop()))
  }
}

async function alternate(load: Load, installations: readonly Installation[]): Promise<Measured> {
  const costs: Cost[][] = installations.map(() => [])
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const order = round % 2 === 0 ? [...installations.keys()] : [...installations.keys()].reverse()
    for (const at of order) {
      const one = installations[at]
      if (one === undefined) continue
      const cost = await measure(one, load, run)
      costs[at]?.push(cost)
      log(`${load.title}, ${one.name}: ${cost.perSecond.toFixed(0)}/s, ${sumOf(cost.cpu).toFixed(0)} µs`)
    }
  }
  return { load, costs }
}

function shares(busy: readonly number[]): string {
  const mean = busy.reduce((sum, one) => sum + one, 0) / busy.length
  return busy.map((one) => `${((100 * one) / mean).toFixed(0)} %`).join(', ')
}

function toTable(measured: readonly Measured[]): string {
  const parts = PARTS.filter((part) => part !== 'launcher')
  const columns = [
    sumOf,
    ...parts.map(
      (part) =>
        (cpu: Cost['cpu']): number =>
          cpu[part],
    ),
  ]
  const row = (costs: readonly Cost[]): string => columns.map((of) => median(costs.map(({ cpu }) => of(cpu))).toFixed(0)).join(' | ')
  const ratios = (one: readonly Cost[], three: readonly Cost[]): string =>
    columns.map((of) => median(three.map(({ cpu }, at) => of(cpu) / of(one[at]?.cpu ?? cpu))).toFixed(2)).join(' | ')
  return [
    `| Load | masters | sum | ${parts.join(' | ')} |`,
    `|---|---|--:|${parts.map(() => '--:|').join('')}`,
    ...measured.flatMap(({ load, costs: [one = [], three = []] }) => [
      `| ${load.title} | one | ${row(one)} |`,
      `| | three | ${row(three)} |`,
      `| | ratio | ${ratios(one, three)} |`,
    ]),
  ].join('\n')
}

const toPage = (text: string, startedAt: Date): string =>
  [
    '# What three masters cost a request',
    '',
    `Written by \`npm run bench:cluster\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. CPU per request in µs, medians of ${options.rounds} rounds of ${options.seconds} s; a ratio is the median of the rounds' ratios. Two installations of \`npm start\`, whose ledger is on a Redis Cluster of one master and of three without replicas, are measured in turn; *redis* is the server beside the cluster with all masters. A request is a chat answer of 1 KB. Only ratios can be compared between machines.`,
    '',
    `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}.`,
    '',
    text,
    '',
  ].join('\n')

process.exitCode = (await main()) ? 0 : 1
