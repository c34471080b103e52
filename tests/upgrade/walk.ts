import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fillDatabase } from './fill.ts'
import { placesOf, startAt, type Place } from './fleet.ts'
import { differencesOf, verifyLedger } from './ledger.ts'
import { type Load } from './load.ts'
import { backUp, restore } from './machine.ts'
import { migrateUnderLoad } from './migration.ts'
import { NEW } from './old-version.ts'
import type { Report } from './report.ts'
import { logDirOf, openWalk, startFirst, underLoad, type Caller, type Walk } from './steps.ts'
import { compareSums, readSums } from './sums.ts'
import { callConsole, signIn } from './console.ts'
import type { SystemHealth } from '@tollgate/contracts/resources/health'
import { compareViews, failedViews, readViews } from './views.ts'

export type Plan = { readonly old: string; readonly rows: number; readonly clients: number; readonly seconds: number }
type Shared = { readonly walk: Walk; readonly caller: Caller; readonly plan: Plan; readonly report: Report }

/** The differences that the verifier of 1.0.0-rc.1 finds in rows of a later version, as the guide says. */
const NAMED_BY_GUIDE: readonly string[] = ['requests: state, type and price parts fit']
const VIEW_DAYS = 20

/** Fills a database with the old version, starts it and loads it. */
export async function begin(walk: Walk, plan: Plan, report: Report): Promise<Caller> {
  let began = Date.now()
  await fillDatabase(plan.old, walk.env, plan.rows)
  report.step(`fill ${plan.rows} rows`, Date.now() - began)
  began = Date.now()
  const caller = await startFirst(walk, plan.old)
  report.step('start the old version', Date.now() - began)
  await load({ walk, caller, plan, report }, 'requests to the old version', async () => pause(plan))
  await verify({ walk, caller, plan, report }, 'old verifier', plan.old, [])
  return caller
}

const pause = (plan: Plan): Promise<void> => wait(plan.seconds * 1000)

type Served = (name: string, work: () => Promise<unknown>) => Promise<void>

/** Runs steps under load; requests that began in a step are counted there. */
async function load({ walk, caller, plan, report }: Shared, name: string, work: (served: Served) => Promise<void>): Promise<void> {
  const { differences } = await underLoad(walk, caller, plan.clients, async (running: Load) => {
    let at = 0
    const served: Served = async (step, run) => {
      const began = Date.now()
      await run()
      const ms = Date.now() - began
      await pause(plan)
      report.served(step, ms, running.requests.slice(at))
      at = running.requests.length
    }
    await served(`${name}: before`, async () => undefined)
    await work(served)
  })
  report.expectNone(`${name}: sums`, differences)
}

async function verify({ walk, report }: Shared, name: string, root: string, expected: readonly string[]): Promise<void> {
  const verdict = await verifyLedger(root, walk.env)
  const found = differencesOf(verdict)
  report.step(name, verdict.ms, found.length === 0 ? `exit code ${verdict.code}` : `differences: ${found.join(', ')}`)
  const unexpected = found.filter((check) => !expected.includes(check))
  const isOther = verdict.code !== 0 && (verdict.code !== 1 || found.length === 0)
  report.expectNone(name, [...unexpected, ...(isOther ? [`exit code ${verdict.code}`] : [])])
  if (unexpected.length > 0 || isOther) report.print(verdict.text)
}

async function replace(place: Place, root: string, walk: Walk): Promise<void> {
  await place.stop()
  await startAt(place, root, logDirOf(walk))
}

/** Migrates and replaces every service under load, in the order of the guide, and compares what the console shows. */
export async function upgrade(shared: Shared): Promise<void> {
  const { walk, caller, report } = shared
  const until = Math.floor(Date.now() / 1000)
  const range = { from: until - VIEW_DAYS * 86_400, until }
  await wait(1500)
  const url = walk.fleet.planes[0]?.url ?? ''
  const views = await readViews(url, caller.session, range)
  report.expectNone('views of the old version', failedViews(views))
  await load(shared, 'upgrade', async (served) => {
    await served('migration', () => migrateStep(shared))
    await served('replace worker', () => replace(walk.fleet.worker, NEW, walk))
    for (const place of [...walk.fleet.planes, ...walk.fleet.relays]) await served(`replace ${place.name}`, () => replace(place, NEW, walk))
  })
  await verify(shared, 'new verifier', NEW, [])
  const now = await readViews(url, caller.session, range)
  report.step('views of earlier rows in the new console', 0, `${views.size} answers compared`)
  report.expectNone('views', compareViews(views, now))
  const fresh = Math.floor(Date.now() / 1000)
  report.expectNone('views of new rows', failedViews(await readViews(url, caller.session, { from: until + 2, until: fresh })))
}

async function migrateStep({ walk, report }: Shared): Promise<void> {
  const { migrations, waits, ms } = await migrateUnderLoad(NEW, walk.env)
  report.step(
    'each migration',
    Math.max(...migrations.map((one) => one.ms)),
    migrations.map((one) => `${one.name.slice(0, 4)} ${one.ms} ms`).join(', '),
  )
  const longest = [...waits].map(([table, wait_ms]) => `${table} ${wait_ms} ms`)
  report.step('longest wait of a writer', Math.max(...waits.values()), longest.join(', '))
  report.step('migration job', ms)
  const slow = [...waits].filter(([, wait_ms]) => wait_ms > 2000).map(([table, wait_ms]) => `writers of ${table} waited ${wait_ms} ms`)
  report.expectNone('migration', slow)
}

/** Back to the old version as the guide says, and forward again. */
export async function back(shared: Shared): Promise<void> {
  const { walk, plan, report } = shared
  const began = Date.now()
  for (const relay of walk.fleet.relays) await relay.stop()
  await untilDrained(shared)
  report.step('relays stopped, worker drained', Date.now() - began)
  for (const place of [walk.fleet.worker, ...walk.fleet.planes]) await place.stop()
  await migrateUnderLoad(plan.old, walk.env)
  for (const place of placesOf(walk.fleet)) await startAt(place, plan.old, logDirOf(walk))
  report.step('old version on the new schema', Date.now() - began)
  await load(shared, 'back', async () => undefined)
  await verify(shared, 'old verifier on the new schema', plan.old, NAMED_BY_GUIDE)
  await load(shared, 'forward again', async (served) => {
    await served('migration again', () => migrateUnderLoad(NEW, walk.env))
    for (const place of [walk.fleet.worker, ...walk.fleet.planes, ...walk.fleet.relays])
      await served(`replace ${place.name} again`, () => replace(place, NEW, walk))
  })
  await verify(shared, 'new verifier again', NEW, [])
}

const DRAINED_WITHIN_MS = 120_000

/** Waits until the health page shows no unposted events and no open requests, as the guide says. */
async function untilDrained({ walk, caller, report }: Shared): Promise<void> {
  const deadline = Date.now() + DRAINED_WITHIN_MS
  const url = walk.fleet.planes[0]?.url ?? ''
  for (;;) {
    const { ledger } = await callConsole<Pick<SystemHealth, 'ledger'>>(url, 'GET /api/health', { session: caller.session })
    if (ledger?.lag_events === 0 && ledger.open_holds === 0) return
    if (Date.now() > deadline) return report.expectNone('drain', [`the ledger still has ${JSON.stringify(ledger)}`])
    await wait(500)
  }
}

/** Backs up by one version and restores by the new one into empty stores; tokens and the sign-in work there, and sums agree. */
export async function move(shared: Shared, from: string, name: string): Promise<void> {
  const { walk, caller, plan, report } = shared
  let began = Date.now()
  const backup = await backUp(from, walk.env, join(walk.folder, `state-${name}`))
  report.step(`backup by the ${name} version`, Date.now() - began)
  const before = await readSums(walk.db)
  began = Date.now()
  const other = await openWalk(walk.vendor, (env, folder) => restore(NEW, env, { backup, folder: join(folder, 'state') }))
  try {
    report.step(`restore of the ${name} version's backup`, Date.now() - began)
    report.expectNone('sums after the restore', compareSums(before, await readSums(other.db), { requests: 0, charge: 0 }))
    began = Date.now()
    for (const place of placesOf(other.fleet)) await startAt(place, NEW, logDirOf(other))
    report.step('start on the new machine', Date.now() - began)
    const session = await signIn(other.fleet.planes[0]?.url ?? '')
    await wait(3000)
    const moved = { walk: other, caller: { ...caller, session }, plan, report }
    await load(moved, `new machine, ${name} backup`, async () => undefined)
    await verify(moved, `verifier on the new machine, ${name} backup`, NEW, [])
  } finally {
    await other.close()
  }
}
