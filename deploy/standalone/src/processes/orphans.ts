import { stopPid } from '@tollgate/servers/local-process'
import { findLive, removePidFile } from './pid-files.ts'
import type { Paths } from '../machine/paths.ts'

/** Stop order: first the processes that accept work, last the stores. */
export const stopOrder = ['relay', 'worker', 'control-plane', 'redis', 'postgres'] as const
export type PartName = (typeof stopOrder)[number]

/** Stop signal and time limit of each part. */
export const stopRules: Record<PartName, { readonly signal: NodeJS.Signals; readonly patienceMs: number }> = {
  relay: { signal: 'SIGTERM', patienceMs: 75_000 },
  worker: { signal: 'SIGTERM', patienceMs: 30_000 },
  'control-plane': { signal: 'SIGTERM', patienceMs: 30_000 },
  redis: { signal: 'SIGTERM', patienceMs: 30_000 },
  // Fast shutdown: connections are closed, everything is written, no recovery at the next start.
  postgres: { signal: 'SIGINT', patienceMs: 60_000 },
}

/** Seconds that a stopping service needs besides grace and deadline: close frames, settlements, telemetry. */
const REST_S = { relay: 13, 'control-plane': 6 } as const

/** Time limit for stopping a service, in milliseconds: derived from its environment, at least `stopRules`. */
export function patienceOf(name: PartName, env: NodeJS.ProcessEnv): number {
  const { patienceMs } = stopRules[name]
  const seconds = (key: string, fallback: number) => Number(env[key] ?? fallback) || 0
  // Each of the control plane's two ports has its own grace period, and a grace period may last twice its time.
  const grace = 2 * seconds('DRAIN_GRACE', 1)
  if (name === 'relay') return Math.max(patienceMs, (grace + seconds('DRAIN_DEADLINE', 60) + REST_S.relay) * 1000)
  if (name === 'control-plane') return Math.max(patienceMs, (2 * grace + 20 + REST_S['control-plane']) * 1000)
  return patienceMs
}

/** Stops the processes that a killed launcher left running; returns their names. */
export async function stopOrphans(paths: Paths, names: readonly PartName[]): Promise<PartName[]> {
  const found: PartName[] = []
  for (const name of stopOrder.filter((one) => names.includes(one))) {
    const live = await findLive(paths, name)
    if (live === undefined) continue
    await stopPid(live.pid, stopRules[name].signal, stopRules[name].patienceMs)
    await removePidFile(paths, name)
    found.push(name)
  }
  return found
}
