import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

type Uses = { readonly id: string; readonly max: number; readonly ttl_s: number }

/** Counts one use of a token that can be used `max` times; false when it has none left. Each use is taken once, in all relays. */
export async function takeUse(redis: Redis, { id, max, ttl_s }: Uses): Promise<boolean> {
  const [[, count] = []] = (await redis.multi().incr(keys.tokenUses(id)).expire(keys.tokenUses(id), ttl_s).exec()) ?? []
  if (typeof count !== 'number') throw new Error('the uses of a token were not counted')
  return count <= max
}

/** Gives back a use whose session did not begin. */
export async function returnUse(redis: Redis, id: string): Promise<void> {
  await redis.decr(keys.tokenUses(id))
}
