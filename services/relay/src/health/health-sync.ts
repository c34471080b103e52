import { every, type Ticks } from '@tollgate/redis/every'
import type { HealthSync } from '@tollgate/redis/stores/health-sync'
import type { ChannelHealth } from './channel-health.ts'

const INTERVAL_MS = 500

/**
 * Exchanges channel health with the other relays twice a second, off the request path. While Redis is unavailable each relay uses only
 * its own observations.
 */
export function startHealthSync(health: ChannelHealth, sync: HealthSync, intervalMs = INTERVAL_MS): Ticks {
  let running: Promise<void> | undefined
  const swap = async (): Promise<void> => {
    try {
      for (const { rows, age_ms } of await sync.swap(health.takeUpdate())) health.merge(rows, age_ms)
    } catch {
      // Redis is unavailable, which the heartbeat reports. The outcomes are dropped, because they would be outdated later.
    }
  }
  return every(intervalMs, () => {
    health.sweep()
    running ??= swap().finally(() => (running = undefined))
  })
}
