import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { checkMoney, listWaits, readRows } from './books.ts'
import { compare } from './compare.ts'
import { startLoad } from './load.ts'
import { settle } from './people.ts'
import { isQuiet, waitForQuiet } from './quiet.ts'
import { createRandom } from './random.ts'
import { printReport } from './report.ts'
import { KINDS, startTrouble, type Kind } from './trouble.ts'
import { startVendor } from './vendor.ts'
import { startWorld, type World } from './world.ts'

/** `npm run chaos -- --seed N [--seconds S] [--kinds a,b] [--width W] [--fsync everysec|always] [--together] [--keep]`: exit code 1 when money was wrong. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    kinds: { type: 'string', default: KINDS.join(',') },
    width: { type: 'string', default: '24' },
    relays: { type: 'string', default: '3' },
    fsync: { type: 'string', default: 'everysec' },
    together: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const kinds = values.kinds
  .split(',')
  .filter((kind) => kind !== '')
  .map(toKind)

process.exitCode = await run()
process.exit()

async function run(): Promise<number> {
  const isLong = seconds >= 150
  const random = createRandom(Number(values.seed))
  const vendor = await startVendor()
  const world = await startWorld({ relays: Number(values.relays), fsync: values.fsync === 'always' ? 'always' : 'everysec', reapAfter: 5 })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  process.stdout.write(`chaos: seed ${values.seed}, ${seconds} s, logs in ${world.dir}\n`)
  let isSound = false
  try {
    const people = await settle(world, vendor.url)
    await waitForModels(world)
    const relays = world.relays.map(({ url }) => url)
    const load = startLoad({
      seed: Number(values.seed),
      width: Number(values.width),
      relays,
      accounts: people.accounts,
      timeoutMs: isLong ? 120_000 : 45_000,
    })
    const trouble = startTrouble({ world, people, random, kinds, isLong, isTogether: values.together })
    await wait(seconds * 1000)
    await trouble.finish()
    await load.finish()
    const { rest, left } = await waitForQuiet(world, 20_000)
    const waits = isQuiet(rest) ? [] : await listWaits(world)
    const rows = await readRows(world)
    const comparison = compare({ clients: load.journal, vendor: vendor.journal, rows, incidents: trouble.incidents, left })
    const money = await checkMoney(world, rows)
    const verdict = await verify(world)
    isSound = printReport({
      clients: load.journal,
      comparison,
      money,
      rest,
      left,
      waits,
      verdict,
      incidents: trouble.incidents,
      members: [...world.relays, world.worker, world.controlPlane],
    })
    return isSound ? 0 : 1
  } finally {
    await world.stop()
    await vendor.stop()
    if (isSound && !values.keep) await rm(world.dir, { recursive: true, force: true })
  }
}

function toKind(text: string): Kind {
  const kind = KINDS.find((known) => known === text)
  if (kind === undefined) throw new Error(`no kind ${text}; there are ${KINDS.join(', ')}`)
  return kind
}

/** The channels have arrived at every relay. */
async function waitForModels(world: World): Promise<void> {
  for (const { url } of world.relays) {
    const deadline = Date.now() + 10_000
    while (!(await fetch(`${url}/readyz`)).ok && Date.now() < deadline) await wait(50)
  }
  await wait(1500)
}

/** The worker's own verifier. */
function verify(world: World): Promise<{ readonly isSound: boolean; readonly text: string }> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...world.env, MAX_HOLD_AGE: '60' } }, (error, stdout, stderr) => {
      resolve({ isSound: error === null, text: stdout + stderr })
    })
  })
}
