import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from './ledger-admin.ts'

export type IdleAccount = { readonly kind: 'wallet' | 'token'; readonly id: number }

/** Accounts that may be idle by the time they were loaded or last checked, oldest first. The evict script decides. */
export async function listIdleAccounts(
  servers: LedgerServers,
  { shard, idle_ms, limit }: { readonly shard: number; readonly idle_ms: number; readonly limit: number },
): Promise<IdleAccount[]> {
  const redis = serverOf(servers, shard)
  const until = (await readRedisTime(redis)) - idle_ms
  const names = await redis.zrangebyscore(keys.hot(shard), '-inf', until, 'LIMIT', 0, limit)
  return names.map((name) => ({ kind: name.startsWith('w') ? 'wallet' : 'token', id: Number(name.slice(1)) }))
}
