import { activityStarts, LATENCY_PERIODS, typicalLatency } from '@tollgate/domain/channel-health/activity'
import type { Redis } from '@tollgate/redis/connect'
import { every, type Ticks } from '@tollgate/redis/every'
import { readAllActivity } from '@tollgate/redis/stores/channel-activity'
import type { ChannelHealth } from './channel-health.ts'

const INTERVAL_MS = 3000

type Reading = {
  readonly redis: Redis
  /** Unix milliseconds. */
  readonly now: () => number
  /** True if a group's strategy goes by latency. */
  readonly isNeeded: () => boolean
  readonly intervalMs?: number
}

/** Reads how fast channels are, off the request path. While Redis is unavailable the last reading stays. */
export function startLatencyReads(health: ChannelHealth, { redis, now, isNeeded, intervalMs = INTERVAL_MS }: Reading): Ticks {
  let running: Promise<void> | undefined
  const read = async (): Promise<void> => {
    if (!isNeeded()) return
    // Redis is unavailable, which the heartbeat reports.
    const periods = await readAllActivity(redis, activityStarts(Math.floor(now() / 1000), LATENCY_PERIODS)).catch(() => undefined)
    if (periods === undefined) return
    const ids = new Set(periods.flatMap((period) => [...period.keys()]))
    const known = [...ids].map((id) => [id, typicalLatency(periods.map((period) => period.get(id)))] as const)
    health.latencies = new Map(known.flatMap(([id, ms]) => (ms === undefined ? [] : [[id, ms] as const])))
  }
  return every(intervalMs, () => {
    running ??= read().finally(() => (running = undefined))
  })
}
