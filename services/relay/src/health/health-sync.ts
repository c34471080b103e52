import type { HealthSync } from '@tollgate/redis/stores/health-sync'
import type { ChannelHealth } from './channel-health.ts'

const INTERVAL_MS = 500

/**
 * Tells the other relays what failed here, and hears it from them, twice a second and off the request path. While Redis is away
 * every relay goes by what it saw itself.
 */
export function startHealthSync(health: ChannelHealth, exchange: HealthSync, intervalMs = INTERVAL_MS): { stop(): void } {
  let running: Promise<void> | undefined
  const swap = async (): Promise<void> => {
    try {
      for (const { rows, age_ms } of await exchange.swap(health.takeUpdate())) health.merge(rows, age_ms)
    } catch {
      // Redis is away, which the heartbeat reports; what could not be told is not worth telling later.
    }
  }
  const timer = setInterval(() => {
    health.sweep()
    running ??= swap().finally(() => (running = undefined))
  }, intervalMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
