import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { readLine, start } from './processes.ts'
import { BUDGETS_EACH, splitByBudgets } from './system/budgeted.ts'
import { alternate, COMPARISON_OPTIONS, listUnsound, medianRatio, toComparison, toComparisonPage, type Compared } from './system/compare.ts'
import { install, type Installation } from './system/installation.ts'
import { loadsOf, sumOf, warm } from './system/loads.ts'
import { LOAD_TESTS, ROOT } from './testbed.ts'

/** `npm run bench:budgets` measures what three budgets add to a request. Exit code 1: more than the limit, or the ledger has a difference. */
const { values: options } = readCommandLine({
  command: 'npm run bench:budgets --',
  about:
    'Measures the CPU of a request in every service of npm start with three budgets and without, in turn. Exit code 1: a ratio is above the limit, or the ledger has a difference.',
  example: 'npm run bench:budgets -- --rounds 5 --write',
  options: {
    ...COMPARISON_OPTIONS,
    write: { type: 'boolean', default: false, about: 'write docs/generated/budgets.md' },
  },
})

const MAX_RATIO = 1.1
const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
const loads = loadsOf({ connections: options.connections.split(',').map(Number), rates: [], streams: 0 })
const run = { warmup: Number(options.warmup), seconds: Number(options.seconds) }

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
    for (const load of loads) compared.push(await alternate([without, withBudgets], load, { rounds: Number(options.rounds), run, log }))
    const text = toComparison(compared, '', ['without', `${BUDGETS_EACH} budgets`])
    process.stdout.write(`\n${text}\n`)
    if (options.write) await writeFile(join(ROOT, 'docs/generated/budgets.md'), toPage(text, startedAt))
    const unsound = await listUnsound([installation])
    for (const line of unsound) process.stdout.write(`${line}\n`)
    const isCheap = compared.every(
      ({ costs: [first = [], second = []] }) => medianRatio(second, first, ({ cpu }) => sumOf(cpu)) <= MAX_RATIO,
    )
    process.exitCode = unsound.length === 0 && isCheap ? 0 : 1
  } finally {
    await installation?.stop()
    await vendor.stop()
  }
}

const toPage = (text: string, startedAt: Date): string =>
  toComparisonPage({
    title: 'What budgets cost a request',
    command: 'bench:budgets',
    startedAt,
    about: `CPU per request in µs, medians of ${options.rounds} rounds of ${options.seconds} s; a ratio is the median of the rounds' ratios. Half of the users have ${BUDGETS_EACH} budgets that count each request (user by month; token by day and in total), the others none; both are measured in turn in one installation. A request is a chat answer of 1 KB. At most ${MAX_RATIO} is accepted for the sum. Only ratios can be compared between machines.`,
    text,
  })

await main()
