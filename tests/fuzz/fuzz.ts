import { setUp } from '../support/api.ts'
import { auditTarget, type Audit } from './audit.ts'
import { runConsole } from './console/run-console.ts'
import { createFindings, type Finding } from './findings.ts'
import { watchMemory, type MemoryUse } from './memory.ts'
import { runOutside, setUpOutside } from './outside/run-outside.ts'
import { startFuzzVendor } from './models/fuzz-vendor.ts'
import { runRealtime, serveRealtime } from './models/realtime.ts'
import { runModels, type Outcomes } from './models/run-models.ts'
import { setUpModels } from './models/set-up.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import type { Target } from './target.ts'

export type FuzzParts = { readonly models: boolean; readonly realtime: boolean; readonly outside: boolean; readonly console: boolean }
type FuzzOptions = {
  readonly seed: number
  readonly from: number
  readonly calls: number
  readonly width: number
  readonly parts: FuzzParts
}

export type FuzzReport = {
  readonly seed: number
  readonly from: number
  readonly parts: readonly {
    readonly name: string
    readonly calls: number
    readonly seconds: number
    readonly outcomes: Outcomes
    readonly audit: Audit
    readonly memory: readonly MemoryUse[]
  }[]
  readonly findings: readonly Finding[]
}

/** Messages of realtime sessions, and calls outside of the endpoint table, for each so many calls of the other routes. */
const REALTIME_SHARE = 20
const OUTSIDE_SHARE = 4

/** Resident megabytes that a process may reach: its start, the budget for bodies, and the garbage of a heap without a limit of its own. */
const MAX_RSS_MB = { relay: 900, 'control-plane': 700, worker: 560 } as const

/** Runs the parts one after the other and audits the system after each. */
export async function fuzz(target: Target, { seed, from, calls, width, parts }: FuzzOptions): Promise<FuzzReport> {
  const findings = createFindings()
  const secrets = createSecrets()
  addOwnSecrets(secrets, target)
  const vendor = await startFuzzVendor()
  serveRealtime(vendor.server)
  const done: FuzzReport['parts'][number][] = []
  const runPart = async (name: string, run: () => Promise<{ outcomes: Outcomes; calls: number }>): Promise<void> => {
    const memory = watchMemory(target)
    const started = performance.now()
    const { outcomes, calls: sent } = await run()
    const seconds = (performance.now() - started) / 1000
    const audit = await auditTarget(target, { findings, secrets })
    const used = await memory.stop()
    for (const { name: process, peak_mb } of used) {
      const max = MAX_RSS_MB[process]
      if (peak_mb > max) findings.add(`${process} used ${peak_mb} MB, the bound is ${max} MB`, { part: name })
    }
    done.push({ name, calls: sent, seconds, outcomes, audit, memory: used })
  }
  try {
    const root = await setUp(target.controlPlaneUrl)
    const run = { target, vendor, findings, secrets, seed, from, width }
    if (parts.models || parts.realtime) await setUpModels(root, target, { vendorUrl: vendor.url, secrets })
    if (parts.models) await runPart('models', async () => ({ outcomes: await runModels({ ...run, calls }), calls }))
    if (parts.realtime) {
      await runPart('realtime', async () => {
        const outcomes: Outcomes = new Map()
        return { outcomes, calls: await runRealtime({ ...run, calls: Math.ceil(calls / REALTIME_SHARE) }, outcomes) }
      })
    }
    if (parts.outside) {
      const [tokens, sent] = [await setUpOutside(root, run), Math.ceil(calls / OUTSIDE_SHARE)]
      await runPart('outside', async () => ({ outcomes: await runOutside({ ...run, calls: sent }, tokens), calls: sent }))
    }
    if (parts.console) await runPart('console', async () => ({ outcomes: await runConsole({ ...run, calls }), calls }))
    return { seed, from, parts: done, findings: findings.list() }
  } finally {
    await vendor.stop()
  }
}

function addOwnSecrets(secrets: Secrets, { env }: Target): void {
  for (const name of ['KEY_CHANNELS', 'KEY_OPTIONS', 'INTERNAL_SECRETS', 'DATABASE_URL'] as const) secrets.add(name, env[name] ?? '')
  secrets.add('KEY_CHANNELS', (env['KEY_CHANNELS'] ?? '').split(':')[1] ?? '')
  secrets.add('KEY_OPTIONS', (env['KEY_OPTIONS'] ?? '').split(':')[1] ?? '')
}
