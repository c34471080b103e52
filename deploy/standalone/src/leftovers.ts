import { stopPid } from '@tollgate/servers/local-process'
import { findLive, removePidFile } from './pid-files.ts'
import type { Place } from './place.ts'

/** In the order in which things stop: who takes work first, who keeps it last. */
export const stopOrder = ['relay', 'worker', 'control-plane', 'redis', 'postgres'] as const
export type PartName = (typeof stopOrder)[number]

/** How each part is asked to end, and how long it may take. */
export const stopRules: Record<PartName, { readonly signal: NodeJS.Signals; readonly patienceMs: number }> = {
  relay: { signal: 'SIGTERM', patienceMs: 75_000 },
  worker: { signal: 'SIGTERM', patienceMs: 30_000 },
  'control-plane': { signal: 'SIGTERM', patienceMs: 30_000 },
  redis: { signal: 'SIGTERM', patienceMs: 30_000 },
  // Fast shutdown: connections are closed, everything is written, no recovery at the next start.
  postgres: { signal: 'SIGINT', patienceMs: 60_000 },
}

/** Seconds beside grace and deadline that a stopping service needs: farewells, settlements, telemetry. */
const REST_S = { relay: 13, 'control-plane': 6 } as const

/** How long a service may take to stop, in milliseconds: what its environment allows it, at least the rule. */
export function patienceOf(name: PartName, env: NodeJS.ProcessEnv): number {
  const { patienceMs } = stopRules[name]
  const seconds = (key: string, fallback: number) => Number(env[key] ?? fallback) || 0
  // Each of the two ports of the control plane has a grace of its own; a grace may last twice its time.
  const grace = 2 * seconds('DRAIN_GRACE', 1)
  if (name === 'relay') return Math.max(patienceMs, (grace + seconds('DRAIN_DEADLINE', 60) + REST_S.relay) * 1000)
  if (name === 'control-plane') return Math.max(patienceMs, (2 * grace + 20 + REST_S['control-plane']) * 1000)
  return patienceMs
}

/** Stops what a launcher that was killed left behind; returns the names that were alive. */
export async function stopLeftovers(place: Place, names: readonly PartName[]): Promise<PartName[]> {
  const found: PartName[] = []
  for (const name of stopOrder.filter((one) => names.includes(one))) {
    const live = await findLive(place, name)
    if (live === undefined) continue
    await stopPid(live.pid, stopRules[name].signal, stopRules[name].patienceMs)
    await removePidFile(place, name)
    found.push(name)
  }
  return found
}
