import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { countLostEvents } from '@tollgate/db/queries/ledger/repairs'
import { auditBalances, compareRedisWithPostgres, listBlockedQueries } from './audit-balances.ts'
import { auditRequests } from './audit-requests.ts'
import { startLoad, type Load } from './load.ts'
import { readLogRows } from './log-rows.ts'
import type { ChaosOptions } from './options.ts'
import { createClients } from './clients.ts'
import { isIdle, waitForIdle } from './wait-for-idle.ts'
import { createRandom } from './random.ts'
import { currentCommit, writePage } from './page.ts'
import { conclude, printReport, type Report } from './report.ts'
import { startFaultInjector, type FaultInjector } from './fault-injector.ts'
import { auditOperations, listUnequalWallets, readBookedEntries } from './operations/audit-operations.ts'
import { startOperations, type Operations } from './operations/run-operations.ts'
import { auditTasks, readAuditedTasks } from './tasks/audit-tasks.ts'
import { startVendor } from './vendor.ts'
import { startCluster, type Cluster } from './cluster.ts'

const LONG_SECONDS = 150
const REAP_AFTER = 5
/** Tasks in compressed time. Expiry is the last thing that a run waits for. */
const TASK_TIMES = { intervalMs: 1000, deadlineS: { short: 8, long: 20 } }
/** Upper bound of requests per second, for the balances of the accounts. */
const MAX_PER_SECOND = 800

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

/** Runs the cluster, load and faults, then audits the ledger; true without violations. */
export async function runChaos(options: ChaosOptions): Promise<boolean> {
  const { seed, seconds, requests, kinds, relays, fsync, hasLedgerRedis, hasLogStore, topology } = options
  const isLong = seconds >= LONG_SECONDS
  const commit = currentCommit()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-chaos-'))
  const vendor = await startVendor(dir)
  const cluster = await startCluster({
    dir,
    relays,
    fsync,
    hasLedgerRedis,
    hasLogStore,
    hasRedisCluster: topology === 'cluster',
    reapAfter: REAP_AFTER,
    env: {
      TASK_POLL_INTERVAL: String(TASK_TIMES.intervalMs),
      TASK_DEADLINE: String(isLong ? TASK_TIMES.deadlineS.long : TASK_TIMES.deadlineS.short),
      MEDIA_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  })
  process.stdout.write(`chaos: seed ${seed}, ${seconds} s, logs in ${cluster.dir}\n`)
  let isSound = false
  try {
    const clients = await createClients(cluster, {
      vendorUrl: vendor.url,
      requests: Math.max(requests, seconds * MAX_PER_SECOND),
      organisations: options.organisations,
    })
    await waitForModels(cluster)
    const operations = await startOperations(cluster, clients, {
      seed,
      width: options.operators,
      kinds: options.operationKinds,
      pause: options.pause,
    })
    const load = startLoad({
      seed,
      width: options.width,
      relays: cluster.relays,
      accounts: clients.accounts,
      timeoutMs: { usual: 15_000, long: isLong ? 120_000 : 30_000 },
    })
    const injector = await startFaultInjector({
      cluster,
      clients,
      random: createRandom(seed),
      kinds,
      isLong,
      allowsDoubleFaults: options.allowsDoubleFaults,
      gap: options.gap,
    })
    const startedAt = Date.now()
    await runUntilTargetsReached(options, { load, operations, injector })
    await injector.finish()
    const lastedMs = Date.now() - startedAt
    await Promise.all([load.finish(), operations.finish()])
    const { remaining, leftHolds } = await waitForIdle(cluster, 12_000)
    const blockedQueries = isIdle(remaining) ? [] : await listBlockedQueries(cluster)
    const rows = await readLogRows(cluster)
    const vendorCalls = await vendor.end()
    const audit = auditRequests({
      requests: load.requests,
      vendor: vendorCalls,
      rows,
      injected: injector.injected,
      leftHolds,
      priceChanges: clients.priceChanges,
    })
    const balances = await auditBalances(cluster, { rows, requests: load.requests, injected: injector.injected, funding: clients.funding })
    const money = auditOperations({
      records: operations.records,
      booked: await readBookedEntries(cluster.db),
      unequal: await listUnequalWallets(cluster.db),
      injected: injector.injected,
    })
    const tasks = auditTasks({
      records: operations.tasks.records,
      tasks: await readAuditedTasks(cluster.db),
      accepted: await operations.tasks.vendor.accepted(),
      injected: injector.injected,
    })
    operations.tasks.vendor.stop()
    const different = await compareRedisWithPostgres(cluster)
    const repairs = await countLostEvents(cluster.db)
    const verification = await verify(cluster)
    const report: Report = {
      lastedMs,
      requests: load.requests,
      audit,
      balances,
      money,
      tasks,
      different,
      repairs,
      remaining,
      leftHolds,
      blockedQueries,
      verification,
      injected: injector.injected,
      members: [...cluster.relays, cluster.worker, cluster.controlPlane],
    }
    const result = conclude(report)
    printReport(report, result)
    await writePage(result, { options, startedAt: new Date(startedAt), commit })
    isSound = result.isSound
    return isSound
  } finally {
    await cluster.stop()
    vendor.stop()
    if (isSound && !options.isKept) await rm(cluster.dir, { recursive: true, force: true })
  }
}

async function runUntilTargetsReached(
  { seconds, requests, operations: wanted, tasks, kills, atMost }: ChaosOptions,
  { load, operations, injector }: { load: Load; operations: Operations; injector: FaultInjector },
): Promise<void> {
  const startedAt = Date.now()
  const lasted = (): number => (Date.now() - startedAt) / 1000
  let told = 0
  const done = (): number => load.answered() + operations.records.length
  const submitted = (): number => operations.tasks.owners.size
  const isReached = (): boolean =>
    lasted() >= seconds && load.answered() >= requests && done() >= wanted && submitted() >= tasks && injector.kills() >= kills
  while (lasted() < atMost && !isReached()) {
    await wait(250)
    if (lasted() - told < 60) continue
    told = lasted()
    process.stdout.write(
      `${Math.round(told)} s: ${load.answered()} requests, ${operations.records.length} operations, ${submitted()} tasks, ${injector.kills()} kills\n`,
    )
  }
}

/** Waits until every relay has a snapshot with the channels. */
async function waitForModels(cluster: Cluster): Promise<void> {
  for (const { url } of cluster.relays) {
    const deadline = Date.now() + 10_000
    while (!(await fetch(`${url}/readyz`)).ok && Date.now() < deadline) await wait(50)
  }
  await wait(1500)
}

/** Runs `verify:ledger` of the worker. */
function verify(cluster: Cluster): Promise<{ readonly isSound: boolean; readonly text: string }> {
  const script = join(import.meta.dirname, '../../services/worker/src/verify-ledger.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env: { ...cluster.env, MAX_HOLD_AGE: '60' } }, (error, stdout, stderr) => {
      resolve({ isSound: error === null, text: stdout + stderr })
    })
  })
}
