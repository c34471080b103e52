import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from './ledger-admin.ts'

export type IdleAccount = { readonly kind: 'wallet' | 'token'; readonly id: number }

/** Accounts that were loaded or looked at so long ago that they may be idle; oldest first. The evict script decides. */
export async function listIdleAccounts(
  redis: Redis,
  { shard, idle_ms, most }: { readonly shard: number; readonly idle_ms: number; readonly most: number },
): Promise<IdleAccount[]> {
  const until = (await readRedisTime(redis)) - idle_ms
  const names = await redis.zrangebyscore(keys.hot(shard), '-inf', until, 'LIMIT', 0, most)
  return names.map((name) => ({ kind: name.startsWith('w') ? 'wallet' : 'token', id: Number(name.slice(1)) }))
}
