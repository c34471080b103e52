import { MeasuredCosts } from '@tollgate/contracts/channels/effective-cost'
import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

const TTL_MS = 2 * 3_600_000

/** Stores what channels cost lately, in place of what was measured before. */
export async function writeEffectiveCosts(redis: Redis, costs: MeasuredCosts): Promise<void> {
  await redis.set(keys.effectiveCosts(), JSON.stringify(costs), 'PX', TTL_MS)
}

/** Undefined: nothing was measured in the last two hours. */
export async function readEffectiveCosts(redis: Redis): Promise<MeasuredCosts | undefined> {
  const text = await redis.get(keys.effectiveCosts())
  return text === null ? undefined : MeasuredCosts.safeParse(JSON.parse(text)).data
}
