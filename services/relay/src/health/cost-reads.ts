import { costReader } from '@tollgate/domain/channel-health/effective-cost'
import type { Redis } from '@tollgate/redis/connect'
import { every, type Ticks } from '@tollgate/redis/every'
import { readEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import type { ChannelHealth } from './channel-health.ts'

const INTERVAL_MS = 5000

type Reading = {
  readonly redis: Redis
  /** True if a group's strategy goes by effective cost. */
  readonly isNeeded: () => boolean
}

/** Reads what channels cost lately, off the request path. While Redis is unavailable the last reading stays. */
export function startCostReads(health: ChannelHealth, { redis, isNeeded }: Reading): Ticks {
  let running: Promise<void> | undefined
  let known = ''
  const read = async (): Promise<void> => {
    if (!isNeeded()) return
    // Redis is unavailable, which the heartbeat reports.
    const costs = await readEffectiveCosts(redis).catch(() => 'unavailable' as const)
    if (costs === 'unavailable') return
    const version = costs === undefined ? '' : String(costs.at)
    if (version === known && version !== '') return
    known = version
    health.costs = costReader(costs)
  }
  return every(INTERVAL_MS, () => {
    running ??= read().finally(() => (running = undefined))
  })
}
