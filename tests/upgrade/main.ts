import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from '../support/command-line.ts'
import { checkOut, commitOf, NEW } from './old-version.ts'
import { createReport } from './report.ts'
import { closeAll, openWalk } from './steps.ts'
import { startVendor } from './vendor.ts'
import { back, begin, move, upgrade } from './walk.ts'

/** The last commit of 1.0.0-rc.1. */
const RC1 = 'b97c404f'

const { values } = readCommandLine({
  command: 'npm run test:upgrade --',
  about: 'Fills a database with an old version, replaces it by this one under load, goes back and forward, and moves to another machine.',
  example: 'npm run test:upgrade -- --rows 1000000',
  options: {
    old: { type: 'string', default: RC1, about: 'the old commit' },
    'old-dir': { type: 'string', default: '', about: 'folder for the old commit, kept for the next run; without it, one for this run' },
    rows: { type: 'string', default: '20000', about: 'log rows before the upgrade' },
    seconds: { type: 'string', default: '6', about: 'how long the load runs after each step, in seconds' },
    clients: { type: 'string', default: '12', about: 'clients at the same time' },
    short: { type: 'boolean', default: false, about: 'only the upgrade: without the way back and the other machine' },
    write: { type: 'boolean', default: false, about: 'write docs/generated/upgrade.md' },
  },
})

const old = values['old-dir'] === '' ? await mkdtemp(join(tmpdir(), 'tollgate-old-')) : values['old-dir']
const plan = { old, rows: Number(values.rows), clients: Number(values.clients), seconds: Number(values.seconds) }
const report = createReport()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAll().finally(() => process.exit(1)))
const vendor = await startVendor()
try {
  await checkOut(values.old, old)
  report.print(`from ${await commitOf(values.old)} to ${await commitOf('HEAD')}`)
  const walk = await openWalk(vendor)
  try {
    const shared = { walk, caller: await begin(walk, plan, report), plan, report }
    const steps = [() => move(shared, old, 'old'), () => upgrade(shared), () => back(shared), () => move(shared, NEW, 'new')]
    for (const step of values.short ? steps.slice(1, 2) : steps) {
      await step()
      if (values.write) await write()
    }
  } finally {
    await walk.close()
  }
} finally {
  vendor.stop()
  if (values['old-dir'] === '') await rm(old, { recursive: true, force: true })
}
const { requests, streams, failed } = report.counts
report.print(
  `test:upgrade ${report.problems.length === 0 ? 'passed' : 'failed'}: ${requests} requests, ${streams} streams, ${failed} failed, ${report.problems.length} problems`,
)
process.exitCode = report.problems.length === 0 ? 0 : 1

async function write(): Promise<void> {
  const command = `npm run test:upgrade -- --rows ${values.rows} --write`
  const about = { command, from: await commitOf(values.old), to: await commitOf('HEAD'), rows: plan.rows, clients: plan.clients }
  await writeFile(join(NEW, 'docs/generated/upgrade.md'), report.render(about))
}
