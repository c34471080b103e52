import { writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { readLine, start } from './processes.ts'
import { median } from './rows.ts'
import { BUDGETS_EACH, splitByBudgets } from './system/budgeted.ts'
import { install, PARTS, type Installation } from './system/installation.ts'
import { loadsOf, measure, sumOf, warm, type Cost, type Load } from './system/loads.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/** `npm run bench:budgets` measures what three budgets add to a request. Exit code 1: more than the limit, or the ledger has a difference. */
const { values: options } = readCommandLine({
  command: 'npm run bench:budgets --',
  about:
    'Measures the CPU of a request in every service of npm start with three budgets and without, in turn. Exit code 1: a ratio is above the limit, or the ledger has a difference.',
  example: 'npm run bench:budgets -- --rounds 5 --write',
  options: {
    rounds: { type: 'string', default: '4', about: 'rounds of each load' },
    seconds: { type: 'string', default: '5', about: 'length of a measurement in seconds' },
    warmup: { type: 'string', default: '2', about: 'seconds of the same load before each measurement' },
    connections: { type: 'string', default: '8,32', about: 'numbers of connections that send without a pause' },
    write: { type: 'boolean', default: false, about: 'write docs/generated/budgets.md' },
  },
})

const MAX_RATIO = 1.1
const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const loads = loadsOf({ connections: options.connections.split(',').map(Number), rates: [], streams: 0 })
const run = { warmup: Number(options.warmup), seconds: Number(options.seconds) }

type Compared = { readonly load: Load; readonly without: readonly Cost[]; readonly budgeted: readonly Cost[] }

async function main(): Promise<void> {
  const startedAt = new Date()
  const vendor = start({ side: 'load', command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  let installation: Installation | undefined
  try {
    const { port: vendorPort, pids: vendorPids } = await readLine<{ port: number; pids: number[] }>(vendor)
    const scenarios = loads.map(({ scenario }) => scenario)
    installation = await install({ name: 'npm start', root: ROOT, vendorPort, vendorPids, scenarios, side: undefined, log })
    const { without, withBudgets } = await splitByBudgets(installation)
    for (const load of loads) for (const one of [without, withBudgets]) await warm(one, load, run.warmup * 2)
    const compared: Compared[] = []
    for (const load of loads) compared.push(await alternate(load, without, withBudgets))
    const text = toTable(compared)
    process.stdout.write(`\n${text}\n`)
    if (options.write) await writeFile(join(ROOT, 'docs/generated/budgets.md'), toPage(text, startedAt))
    const isSound = await verified(installation)
    process.exitCode = isSound && compared.every((one) => ratioOf(one, ({ cpu }) => sumOf(cpu)) <= MAX_RATIO) ? 0 : 1
  } finally {
    await installation?.stop()
    await vendor.stop()
  }
}

/** Each round in the other order, so that changes on the machine affect both alike. */
async function alternate(load: Load, without: Installation, withBudgets: Installation): Promise<Compared> {
  const costs = new Map<Installation, Cost[]>([
    [without, []],
    [withBudgets, []],
  ])
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const order = round % 2 === 0 ? [without, withBudgets] : [withBudgets, without]
    for (const one of order) {
      const cost = await measure(one, load, run)
      costs.get(one)?.push(cost)
      log(`${load.title}, ${one.name}: ${cost.perSecond.toFixed(0)}/s, ${sumOf(cost.cpu).toFixed(0)} µs`)
    }
  }
  return { load, without: costs.get(without) ?? [], budgeted: costs.get(withBudgets) ?? [] }
}

/** The median of the rounds' ratios. */
function ratioOf({ without, budgeted }: Compared, of: (cost: Cost) => number): number {
  return median(
    budgeted.flatMap((cost, round) => {
      const other = without[round]
      return other === undefined ? [] : [of(cost) / of(other)]
    }),
  )
}

const MAX_VERIFY_MS = 60_000

/** Posting follows within seconds. */
async function verified(installation: Installation): Promise<boolean> {
  const deadline = performance.now() + MAX_VERIFY_MS
  for (;;) {
    const { isClean, text } = await installation.verify()
    if (isClean) return true
    if (performance.now() > deadline) {
      process.stdout.write(`the ledger has differences: ${text}\n`)
      return false
    }
    await wait(1000)
  }
}

function toTable(compared: readonly Compared[]): string {
  const parts = PARTS.filter((part) => part !== 'launcher')
  const columns = [
    sumOf,
    ...parts.map(
      (part) =>
        (cpu: Cost['cpu']): number =>
          cpu[part],
    ),
  ]
  return [
    `| Load | | sum | ${parts.join(' | ')} |`,
    `|---|---|--:|${parts.map(() => '--:|').join('')}`,
    ...compared.flatMap((one) => [
      `| ${one.load.title} | without | ${columns.map((of) => median(one.without.map(({ cpu }) => of(cpu))).toFixed(0)).join(' | ')} |`,
      `| | ${BUDGETS_EACH} budgets | ${columns.map((of) => median(one.budgeted.map(({ cpu }) => of(cpu))).toFixed(0)).join(' | ')} |`,
      `| | ratio | ${columns.map((of) => ratioOf(one, ({ cpu }) => of(cpu)).toFixed(2)).join(' | ')} |`,
    ]),
  ].join('\n')
}

const toPage = (table: string, startedAt: Date): string =>
  [
    '# What budgets cost a request',
    '',
    `Written by \`npm run bench:budgets\` on ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC. CPU per request in µs, medians of ${options.rounds} rounds of ${options.seconds} s; a ratio is the median of the rounds' ratios. Half of the users have ${BUDGETS_EACH} budgets that count each request (user by month; token by day and in total), the others none; both are measured in turn in one installation. A request is a chat answer of 1 KB. At most ${MAX_RATIO} is accepted for the sum. Only ratios can be compared between machines.`,
    '',
    `Machine: ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}.`,
    '',
    table,
    '',
  ].join('\n')

await main()
