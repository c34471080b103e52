import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { direct, startFloorWithLedger, startNginx, startPortkey, startProxy, startRelay, type Gateway } from './gateways.ts'
import { readCommandLine, refuse } from '../../tests/support/command-line.ts'
import { SCENARIOS } from '../scenarios/scenarios.ts'
import { applyLoadUnchecked } from './load.ts'
import { FULL_MEASURES, MEASURES, type Figure, type GatewayName, type Gateways } from './measures.ts'
import { aboutMachine, judgeAll, toLines, toPage } from './report.ts'
import type { Bench } from './rounds.ts'
import { ROWS, type RowId } from './rows.ts'
import { openTestbed, ROOT, type Testbed } from './testbed.ts'

/** `npm run bench`: README.md has the options. Exit code 1: a row fails; 2: a row could not be measured. */
const COMMAND = {
  command: 'npm run bench --',
  about: 'Measures the relay against reference gateways. Exit code 1: a row fails; 2: a row could not be measured.',
  example: 'npm run bench -- --only chunkSame,addedP50 --rounds 3 --no-write',
  options: {
    full: { type: 'boolean', default: false, about: 'the translated row for all six pairs of formats' },
    ci: { type: 'boolean', default: false, about: 'the form of 90 seconds; writes nothing' },
    only: { type: 'string', default: '', about: 'rows, separated by commas; without it all' },
    rounds: { type: 'string', default: '', about: 'rounds of each row; without it 5, with --ci 3' },
    scale: {
      type: 'string',
      default: '1',
      about: 'multiplies the measured times, to test the bench itself; nothing is written unless it is 1',
    },
    load: {
      type: 'string',
      default: '1',
      about: 'multiplies rates and numbers of streams, to test the bench on a busy machine; nothing is written unless it is 1',
    },
    tokens: { type: 'string', default: '10000', about: 'accounts in the relay’s Redis' },
    vendors: { type: 'string', default: '1', about: 'processes of the simulated vendor' },
    subject: {
      type: 'string',
      default: 'relay',
      about: 'the gateway measured as relay: relay, naive, naive-fetch, floor, floor-with-ledger',
    },
    with: { type: 'string', default: '', about: 'modules of load-tests/negative to preload, separated by commas' },
    out: { type: 'string', default: join(ROOT, 'docs/generated/performance.md'), about: 'file of the report' },
    'no-write': { type: 'boolean', default: false, about: 'write no report' },
  },
} as const
const { values: options } = readCommandLine(COMMAND)

const isRow = (text: string): text is RowId => Object.hasOwn(ROWS, text)
const preloads = options.with === '' ? [] : options.with.split(',')
const subject = preloads.length === 0 ? options.subject : `${options.subject} with ${preloads.join(', ')}`
const startedAt = new Date()
/** Factors that shorten measurement and warm-up to 90 seconds. */
const [CI_SCALE, CI_WARMTH] = [0.5, 0.5]

function chosenRows(): RowId[] {
  const all = Object.keys(ROWS).filter(isRow)
  if (options.only === '') return options.ci ? all.filter((id) => ROWS[id].isInCi) : all
  return options.only.split(',').map((id) => {
    return isRow(id) ? id : refuse(COMMAND, `no row ${id}; the rows are ${all.join(', ')}`)
  })
}

async function startSubject(testbed: Testbed, processes = 1): Promise<Gateway> {
  const kind = options.subject
  if (kind === 'relay') return await startRelay(testbed, { processes, preloads })
  if (kind === 'floor-with-ledger') return await startFloorWithLedger(testbed)
  if (kind === 'naive' || kind === 'naive-fetch' || kind === 'floor') return await startProxy(kind, testbed)
  throw new Error(`no subject ${kind}`)
}

/** Runs a closed loop of 16 connections, so that the code is compiled before it is measured. */
async function warm(testbed: Testbed, gateway: Gateway): Promise<Gateway> {
  const seconds = WARM_SECONDS * gateway.pids().length
  if (seconds > 0)
    await applyLoadUnchecked(testbed, gateway, SCENARIOS.most1k, { warmup: 0, seconds, shape: { kind: 'closed', connections: 16 } })
  return gateway
}

const WARM_SECONDS = 4

function gatewaysIn(testbed: Testbed): Gateways & { stop(): Promise<void> } {
  const started = new Map<GatewayName, Promise<Gateway>>()
  const make: Readonly<Record<GatewayName, () => Promise<Gateway>>> = {
    direct: async () => direct(testbed),
    floor: () => startProxy('floor', testbed),
    floorWithLedger: () => startFloorWithLedger(testbed),
    nginx: () => startNginx(testbed),
    relay: () => startSubject(testbed),
    relay2: () => startSubject(testbed, 2),
    portkey: () => startPortkey(testbed),
  }
  return {
    get: (name) => {
      const found = started.get(name) ?? make[name]().then((gateway) => warm(testbed, gateway))
      started.set(name, found)
      return found
    },
    fresh: async (name, work) => {
      const gateway = await make[name]()
      try {
        return await work(gateway)
      } finally {
        await gateway.stop()
      }
    },
    // A gateway that could not start has been reported with its row.
    stop: async () => void (await Promise.allSettled([...started.values()].map(async (gateway) => (await gateway).stop()))),
  }
}

const log = (line: string) => process.stderr.write(`${line}\n`)

async function main(): Promise<void> {
  const rows = chosenRows()
  const testbed = await openTestbed({ tokens: Number(options.tokens), vendors: Number(options.vendors), load: Number(options.load) })
  const gateways = gatewaysIn(testbed)
  const bench: Bench = {
    testbed,
    rounds: Number(options.rounds) || (options.ci ? 3 : 5),
    scale: (options.ci ? CI_SCALE : 1) * Number(options.scale),
    warmth: options.ci ? CI_WARMTH : 1,
    notes: new Set(),
  }
  const figures: Figure[] = []
  const unmeasured: string[] = []
  for (const line of aboutMachine(subject)) log(line)
  try {
    for (const id of rows) {
      log(`${new Date().toISOString().slice(11, 19)} ${ROWS[id].title}`)
      const found = (await measureRow(id, bench, gateways)) ?? (options.ci ? await measureRow(id, bench, gateways) : undefined)
      if (found === undefined) unmeasured.push(id)
      else figures.push(...(options.ci && fails(found) ? await measureAgain(found, () => measureRow(id, bench, gateways)) : found))
    }
  } finally {
    await gateways.stop()
    await testbed.stop()
  }
  conclude(await finish(figures, bench), unmeasured)
}

async function measureRow(id: RowId, bench: Bench, gateways: Gateways): Promise<Figure[] | undefined> {
  const measure = (options.full ? FULL_MEASURES[id] : undefined) ?? MEASURES[id]
  try {
    const found = await measure(bench, gateways)
    log(toLines(judgeAll(found, options.ci)))
    return found
  } catch (error) {
    log(`NOT MEASURED ${id}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

const fails = (figures: readonly Figure[]): boolean => judgeAll(figures, options.ci).some(({ result }) => result === 'fails')

/** The short form has few rounds: a row fails only if it fails twice. */
async function measureAgain(found: readonly Figure[], measure: () => Promise<Figure[] | undefined>): Promise<readonly Figure[]> {
  const second = await measure()
  return second === undefined || fails(second) ? found : second
}

async function finish(figures: readonly Figure[], { notes }: Bench): Promise<boolean> {
  const judged = judgeAll(figures, options.ci)
  process.stdout.write(`${toLines(judged)}\n${[...notes].map((note) => `note: ${note}\n`).join('')}`)
  const isPublished =
    !options.ci && options.only === '' && options.scale === '1' && options.load === '1' && subject === 'relay' && !options['no-write']
  const form = options.full ? 'bench:full' : 'bench'
  if (isPublished || !process.argv.every((argument) => !argument.startsWith('--out'))) {
    await writeFile(resolve(options.out), toPage(judged, { notes, subject, form, startedAt }))
  }
  return judged.every(({ result }) => result !== 'fails')
}

function conclude(hasPassed: boolean, unmeasured: readonly string[]): void {
  if (unmeasured.length > 0) log(`not measured: ${unmeasured.join(', ')}`)
  process.exitCode = hasPassed ? (unmeasured.length > 0 ? 2 : 0) : 1
}

await main()
