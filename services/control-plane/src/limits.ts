import type { Endpoint } from '@tollgate/contracts/endpoint'
import type { Limited } from '@tollgate/http/bind-all'
import { addressBlock } from '@tollgate/http/client-ip'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Deps } from './deps.ts'

/** Calls that guess secrets or send mail: this many per address and purpose. Attempts at a password have a growing wait too. */
const CRITICAL = { max: 20, windowMs: 20 * 60 * 1000 }

type LimitDeps = Pick<Deps, 'redis' | 'env'>

/** Rate limits per address: one over all calls, and one for each critical purpose. */
export function createLimits(deps: LimitDeps): (ask: { endpoint: Endpoint; ip: string }) => Promise<Limited | undefined> {
  return async ({ endpoint, ip }) => {
    const block = addressBlock(ip)
    return (await limitAll(deps, block)) ?? (await limitCritical(deps, endpoint, block))
  }
}

async function limitAll({ redis, env }: LimitDeps, ip: string): Promise<Limited | undefined> {
  if (!env.GLOBAL_API_RATE_LIMIT_ENABLE || env.GLOBAL_API_RATE_LIMIT === 0) return undefined
  const windowMs = env.GLOBAL_API_RATE_LIMIT_DURATION * 1000
  return take({ redis }, { key: keys.consoleWindow('api', ip), max: env.GLOBAL_API_RATE_LIMIT, windowMs })
}

async function limitCritical({ redis }: LimitDeps, endpoint: Endpoint, ip: string): Promise<Limited | undefined> {
  if (endpoint.limit !== 'critical') return undefined
  return take({ redis }, { key: keys.consoleWindow(endpoint.path, ip), ...CRITICAL })
}

async function take(
  { redis }: Pick<Deps, 'redis'>,
  { key, max, windowMs }: { key: string; max: number; windowMs: number },
): Promise<Limited | undefined> {
  const taken = await takeFromWindow(redis, key, max, windowMs)
  return taken.isTaken ? undefined : { retry_after_s: taken.retry_after_ms / 1000 }
}
