import type { RedisFacts } from '@tollgate/contracts/resources/health'
import type { RedisClient } from '../../deps.ts'

/** Facts that Redis reports, and the duration of its answer. */
export async function readRedisFacts(redis: RedisClient, now: () => number): Promise<RedisFacts> {
  const startedAt = performance.now()
  await redis.ping()
  const answer_ms = performance.now() - startedAt
  const facts = parseInfo(await redis.info())
  const number = (name: string): number => Number(facts.get(name) ?? 0) || 0
  return {
    version: facts.get('redis_version') ?? '',
    started_at: Math.floor(now() / 1000) - number('uptime_in_seconds'),
    answer_ms,
    memory_bytes: number('used_memory'),
    max_memory_bytes: number('maxmemory'),
    eviction: facts.get('maxmemory_policy') ?? '',
    evicted_keys: number('evicted_keys'),
    clients: number('connected_clients'),
    commands_per_second: number('instantaneous_ops_per_sec'),
    is_durable: facts.get('aof_enabled') === '1',
    has_write_error: facts.get('aof_last_write_status') === 'err' || facts.get('rdb_last_bgsave_status') === 'err',
  }
}

function parseInfo(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    }),
  )
}
