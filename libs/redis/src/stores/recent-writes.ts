import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** Notes that an account has changed something, for so long. */
export async function noteWrite(redis: Redis, accountId: number, forMs: number): Promise<void> {
  await redis.set(keys.recentWrite(accountId), '1', 'PX', forMs)
}

export async function hasWritten(redis: Redis, accountId: number): Promise<boolean> {
  return (await redis.exists(keys.recentWrite(accountId))) > 0
}
