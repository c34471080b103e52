import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { pins, readLine, start } from './processes.ts'
import { install, type Installation } from './system/installation.ts'
import { aboutCores, alternate, listUnsound } from './system/compare.ts'
import { loadsOf, warm, type Load } from './system/loads.ts'
import { toTables, type Measured, type Resident, type Results } from './system/report.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/** `npm run bench:system` measures what a request costs everything that serves it. Exit code 1: the ledger has a difference. */
const { values: options } = readCommandLine({
  command: 'npm run bench:system --',
  about:
    'Measures the CPU of a request in every service of npm start, its latency and resident memory, beside an earlier installed checkout if one is given. Exit code 1: the ledger has a difference.',
  example: 'npm run bench:system -- --against ../earlier --rounds 3',
  options: {
    against: { type: 'string', default: '', about: 'folder of an earlier, installed checkout, measured in turn with this one' },
    rounds: { type: 'string', default: '2', about: 'rounds of each load' },
    seconds: { type: 'string', default: '5', about: 'length of a measurement in seconds' },
    warmup: { type: 'string', default: '2', about: 'seconds of the same load before each measurement' },
    connections: { type: 'string', default: '1,8,32,64', about: 'numbers of connections that send without a pause' },
    rates: { type: 'string', default: '200', about: 'offered requests per second' },
    streams: { type: 'string', default: '32', about: 'streams of 50 chunks at a time; 0: no such row' },
    rest: { type: 'string', default: '60', about: 'seconds without load before the last reading of memory' },
    pin: { type: 'boolean', default: false, about: 'the services on the cores of BENCH_GATEWAY_CORES only' },
    write: { type: 'boolean', default: false, about: 'write docs/generated/system.md' },
  },
})

const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const numbersIn = (text: string): number[] =>
  text
    .split(',')
    .filter((one) => one !== '')
    .map(Number)
const loads = loadsOf({ connections: numbersIn(options.connections), rates: numbersIn(options.rates), streams: Number(options.streams) })
const run = { warmup: Number(options.warmup), seconds: Number(options.seconds) }

async function main(): Promise<void> {
  const startedAt = new Date()
  const vendor = start({ side: 'load', command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  const installations: Installation[] = []
  try {
    const { port: vendorPort, pids: vendorPids } = await readLine<{ port: number; pids: number[] }>(vendor)
    const scenarios = loads.map(({ scenario }) => scenario)
    for (const root of [ROOT, ...(options.against === '' ? [] : [resolve(options.against)])]) {
      const side = options.pin ? ('gateway' as const) : undefined
      installations.push(await install({ name: commitOf(root), root, vendorPort, vendorPids, scenarios, side, log }))
    }
    const results = await measureAll(installations)
    const unsound = await listUnsound(installations)
    const text = toTables(results)
    process.stdout.write(`\n${text}${unsound.join('\n')}\n`)
    if (options.write) await writeFile(join(ROOT, 'docs/generated/system.md'), toPage(text, installations, startedAt))
    process.exitCode = unsound.length > 0 ? 1 : 0
  } finally {
    await Promise.all(installations.map((one) => one.stop()))
    await vendor.stop()
  }
}

const WARM_SECONDS = 6

async function measureAll(installations: readonly Installation[]): Promise<Results> {
  const before = installations.map((one) => one.rss())
  const [busiest] = loads.toSorted((left, right) => connectionsOf(right) - connectionsOf(left))
  if (busiest === undefined) throw new Error('there is no load')
  for (const one of installations) await warm(one, busiest, WARM_SECONDS)
  const measured: Measured[] = []
  for (const load of loads) {
    const { costs } = await alternate(installations, load, { rounds: Number(options.rounds), run, log })
    measured.push({ load, costs: costs[0] ?? [], earlier: costs[1] ?? [] })
  }
  const after = installations.map((one) => one.rss())
  log(`resting for ${options.rest} s`)
  await wait(Number(options.rest) * 1000)
  const memory = new Map<string, Resident>(
    installations.map((one, at) => [one.name, { before: before[at] ?? {}, after: after[at] ?? {}, rested: one.rss() }]),
  )
  return { measured, memory }
}

const connectionsOf = ({ scenario: { shape } }: Load): number => (shape.kind === 'closed' ? shape.connections : 0)

/** The commit of a checkout. */
function commitOf(root: string): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim()
  return root === ROOT ? commit : `${commit} (earlier)`
}

function toPage(text: string, installations: readonly Installation[], startedAt: Date): string {
  const pinned = options.pin ? `services on core ${pins.gateway}` : 'services on any core'
  return [
    '# What a request costs the whole system',
    '',
    `Written by \`npm run bench:system\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${installations.map(({ name }) => name).join(' beside ')}. A request is a chat answer of 1 KB; the services are those of \`npm start\` with prices and no other options. Ratios can be compared between machines; absolute figures are those of this one. How to run it: [load-tests/README.md](../../load-tests/README.md).`,
    '',
    `${aboutCores()}, ${pinned}, generator and vendor on core ${pins.load}; Node ${process.version}; ${options.rounds} rounds of ${options.seconds} s each; memory rests for ${options.rest} s.`,
    '',
    text,
  ].join('\n')
}

await main()
