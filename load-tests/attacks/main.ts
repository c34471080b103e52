import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { readCommandLine } from '../../tests/support/command-line.ts'
import { rssBytes } from '../bench/proc.ts'
import { readLine, start } from '../bench/processes.ts'
import { CHANNEL_TYPE, LOAD_TESTS } from '../bench/testbed.ts'
import { MIX } from '../scenarios/mix.ts'
import { createAccounts, PROPAGATION_MS, type SoakAccounts } from '../soak/accounts.ts'
import { signIn } from '../soak/console.ts'
import { startProduct, type Product } from '../soak/product.ts'
import { responsePath } from '../vendor/response-spec.ts'
import { ATTACKS, type Target } from './attacks.ts'
import { p95, probe, type Latencies } from './probe.ts'
import { startSilentNames } from './silent-names.ts'

/**
 * `npm run attacks [-- --only slow-bodies,names]` runs the product and attacks it, with a user who goes on working. Exit code 1: that
 * user's p95 during an attack is over 1.5 times its p95 before, a call of its failed, or a process grew past its budget.
 */
const { values: options } = readCommandLine({
  command: 'npm run attacks --',
  about: 'Attacks the running product beside a user who goes on working, and compares that user’s p95 before and during each attack.',
  example: 'npm run attacks -- --only slow-bodies,names --seconds 10',
  options: {
    seconds: { type: 'string', default: '15', about: 'length of each measurement' },
    only: { type: 'string', default: '', about: `some of ${Object.keys(ATTACKS).join(', ')}` },
    factor: { type: 'string', default: '1.5', about: 'allowed p95 during an attack, as a multiple of the one before' },
  },
})

/** Takes no references in schemas, and fetches no pictures. */
const GEMINI = 'gemini-1.5-pro'
const SECONDS = Number(options.seconds)
const FACTOR = Number(options.factor)
/** A difference that no user notices, below which a factor says nothing. */
const LEAST_MS = 30
const MAX_GROWTH = 700 * 1024 * 1024
/** Between an attack and the next measurement. */
const REST_MS = 5000

const log = (line: string): void => void process.stderr.write(`${line}\n`)
const show = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const names = await startSilentNames()
  const vendor = start({ command: process.execPath, args: ['vendor/main.ts'], cwd: LOAD_TESTS })
  const { port: vendorPort } = await readLine<{ port: number }>(vendor)
  const product = await startProduct(log, { DNS_SERVERS: names.address })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void product.stop().finally(() => process.exit(1)))
  try {
    const accounts = await createAccounts(product, vendorPort, MIX)
    await addGemini(product, accounts, vendorPort)
    for (const problem of await attackAll(product, accounts)) {
      show(problem)
      process.exitCode = 1
    }
  } finally {
    await product.stop()
    await vendor.stop()
    names.close()
  }
}

/** A vendor that can fetch no pictures and takes no references in schemas. */
async function addGemini({ origin }: Product, { root }: SoakAccounts, vendorPort: number): Promise<void> {
  const admin = await signIn(origin, root)
  const ratios = Object.fromEntries([...MIX.map(({ name }) => name), GEMINI].map((name) => [name, 1.25]))
  for (const key of ['ModelRatio', 'CompletionRatio']) await admin.send('PUT', '/api/option/', { key, value: JSON.stringify(ratios) })
  await admin.send('POST', '/api/channel/', {
    type: CHANNEL_TYPE.gemini,
    name: 'gemini',
    key: 'sk-simulated',
    base_url: `http://127.0.0.1:${vendorPort}${responsePath({ kind: 'json', size: 900 })}`,
    models: GEMINI,
    group: 'default',
    auto_ban: 0,
  })
  await admin.signOut()
  await wait(PROPAGATION_MS)
}

async function attackAll(product: Product, { users, rich, poor }: SoakAccounts): Promise<string[]> {
  const [own, other] = users
  const [key = '', ...others] = rich
  const [poorKey = ''] = poor
  if (own === undefined || other === undefined) throw new Error('two users are needed')
  const { origin } = product
  const user = await signIn(origin, own)
  const target = { origin, attacker: other, key: others.at(-1) ?? '', poorKey }
  const measure = () => probe({ origin, address: own.address, key, model: 'calm', user }, SECONDS)
  await measure()
  const problems: string[] = []
  const wanted = options.only === '' ? Object.keys(ATTACKS) : options.only.split(',')
  for (const name of wanted) {
    if (ATTACKS[name] === undefined) throw new Error(`there is no attack ${name}`)
    await wait(REST_MS)
    const before = await measure()
    const memory = memoryOf(product)
    const stop = await startAttack(name, target)
    const during = await measure()
    const grown = Math.max(...memoryOf(product).map((bytes, at) => bytes - (memory[at] ?? 0)))
    await stop()
    problems.push(...judge(name, { before, during, grown }))
  }
  await user.signOut()
  return problems
}

/** Begins an attack in a thread of its own; the returned function ends it. */
async function startAttack(name: string, target: Target): Promise<() => Promise<void>> {
  const thread = new Worker(new URL('attack-thread.ts', import.meta.url), { workerData: { name, target } })
  await once(thread, 'message')
  return async () => {
    thread.postMessage('end')
    await once(thread, 'exit')
  }
}

const memoryOf = ({ processes }: Product): number[] => processes.map(({ pid }) => rssBytes([pid]))

type Measured = { readonly before: Latencies; readonly during: Latencies; readonly grown: number }

function judge(name: string, { before, during, grown }: Measured): string[] {
  const problems = during.failed.slice(0, 3).map((text) => `${name}: ${text}`)
  for (const kind of ['console', 'model'] as const) {
    const [calm, attacked] = [p95(before[kind]), p95(during[kind])]
    show(`${name}: ${kind} p95 ${calm.toFixed(0)} ms before, ${attacked.toFixed(0)} ms during, ${during[kind].length} calls`)
    if (attacked > Math.max(calm * FACTOR, calm + LEAST_MS))
      problems.push(`${name}: ${kind} took ${(attacked / calm).toFixed(1)} times as long`)
  }
  show(`${name}: the process that grew most grew by ${(grown / 2 ** 20).toFixed(0)} MB`)
  if (grown > MAX_GROWTH) problems.push(`${name}: a process grew by ${(grown / 2 ** 20).toFixed(0)} MB`)
  return problems
}

await main()
