import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { countLostEvents } from '@tollgate/db/queries/repairs'
import { checkMoney, compareHot, listWaits, readRows } from './books.ts'
import { compare } from './compare.ts'
import { startLoad, type Load } from './load.ts'
import type { ChaosOptions } from './options.ts'
import { settle } from './people.ts'
import { isQuiet, waitForQuiet } from './quiet.ts'
import { createRandom } from './random.ts'
import { printReport } from './report.ts'
import { startTrouble, type Trouble } from './trouble.ts'
import { startVendor } from './vendor.ts'
import { startCluster, type Cluster } from './cluster.ts'

const LONG_SECONDS = 150
const REAP_AFTER = 5
/** What a run of so many seconds may at most be asked to pay for. */
const MAX_PER_SECOND = 800

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

/** One run from the first server to the verdict; true when no money was wrong. */
export async function runChaos(options: ChaosOptions): Promise<boolean> {
  const { seed, seconds, requests, kinds, relays, fsync } = options
  const isLong = seconds >= LONG_SECONDS
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-chaos-'))
  const vendor = await startVendor(dir)
  const cluster = await startCluster({ dir, relays, fsync, reapAfter: REAP_AFTER })
  process.stdout.write(`chaos: seed ${seed}, ${seconds} s, logs in ${cluster.dir}\n`)
  let isSound = false
  try {
    const people = await settle(cluster, { vendorUrl: vendor.url, requests: Math.max(requests, seconds * MAX_PER_SECOND) })
    await waitForModels(cluster)
    const load = startLoad({
      seed,
      width: options.width,
      relays: cluster.relays,
      accounts: people.accounts,
      patienceMs: { usual: 15_000, long: isLong ? 120_000 : 30_000 },
    })
    const trouble = startTrouble({
      cluster,
      people,
      random: createRandom(seed),
      kinds,
      isLong,
      isTogether: options.isTogether,
      gap: options.gap,
    })
    const startedAt = Date.now()
    await goOn(options, load, trouble)
    await trouble.finish()
    const lastedMs = Date.now() - startedAt
    await load.finish()
    const { rest, left } = await waitForQuiet(cluster, 12_000)
    const waits = isQuiet(rest) ? [] : await listWaits(cluster)
    const rows = await readRows(cluster)
    const journal = await vendor.end()
    const comparison = compare({ clients: load.journal, vendor: journal, rows, incidents: trouble.incidents, left })
    const money = await checkMoney(cluster, { rows, clients: load.journal, incidents: trouble.incidents, given: people.given })
    const different = await compareHot(cluster)
    const repairs = await countLostEvents(cluster.db)
    const verdict = await verify(cluster)
    isSound = printReport({
      lastedMs,
      clients: load.journal,
      comparison,
      money,
      different,
      repairs,
      rest,
      left,
      waits,
      verdict,
      incidents: trouble.incidents,
      members: [...cluster.relays, cluster.worker, cluster.controlPlane],
    })
    return isSound
  } finally {
    await cluster.stop()
    vendor.stop()
    if (isSound && !options.isKept) await rm(cluster.dir, { recursive: true, force: true })
  }
}

/** Until time, requests and kills are all reached. */
async function goOn({ seconds, requests, kills, atMost }: ChaosOptions, load: Load, trouble: Trouble): Promise<void> {
  const startedAt = Date.now()
  const lasted = (): number => (Date.now() - startedAt) / 1000
  let told = 0
  while (lasted() < atMost && (lasted() < seconds || load.answered() < requests || trouble.kills() < kills)) {
    await wait(250)
    if (lasted() - told < 60) continue
    told = lasted()
    process.stdout.write(`${Math.round(told)} s: ${load.answered()} requests, ${trouble.kills()} kills\n`)
  }
}

/** The channels have arrived at every relay. */
async function waitForModels(cluster: Cluster): Promise<void> {
  for (const { url } of cluster.relays) {
    const deadline = Date.now() + 10_000
    while (!(await fetch(`${url}/readyz`)).ok && Date.now() < deadline) await wait(50)
  }
  await wait(1500)
}

/** The worker's own verifier. */
function verify(cluster: Cluster): Promise<{ readonly isSound: boolean; readonly text: string }> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...cluster.env, MAX_HOLD_AGE: '60' } }, (error, stdout, stderr) => {
      resolve({ isSound: error === null, text: stdout + stderr })
    })
  })
}
