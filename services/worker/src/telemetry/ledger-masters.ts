import type { RedisCluster } from '@tollgate/redis/cluster/redis-cluster'
import { withTimeout } from '@tollgate/redis/with-timeout'

/** A master of the cluster that holds the ledger. */
export type MasterState = {
  readonly address: string
  /** Undefined: it does not answer. */
  readonly facts: MasterFacts | undefined
}

export type MasterFacts = {
  readonly memory_bytes: number
  /** Undefined: it has no limit. */
  readonly memory_limit_bytes: number | undefined
  readonly replicas: number
  /** Bytes of commands that its most recent replica has not confirmed; undefined: it has no replica that is connected. */
  readonly replica_lag_bytes: number | undefined
}

const ANSWER_WITHIN_MS = 2000

/** Costs one command for each master. Never rejects. */
export function readMasters(cluster: RedisCluster): Promise<MasterState[]> {
  return Promise.all(
    cluster.masters().map(async ({ address, redis }) => {
      const info = withTimeout(redis.info(), ANSWER_WITHIN_MS, `${address} did not answer`)
      // A master that does not answer is a value of the metric, and the alert says what to do.
      return { address, facts: await info.then(readFacts, () => undefined) }
    }),
  )
}

/** https://redis.io/docs/latest/commands/info/ */
function readFacts(info: string): MasterFacts {
  const numberAt = (name: string): number => Number(new RegExp(`^${name}:(\\d+)\\r?$`, 'm').exec(info)?.[1] ?? 0)
  const replicas = [...info.matchAll(/^slave\d+:.*\bstate=online,offset=(\d+)/gm)].map(([, offset]) => Number(offset))
  const limit = numberAt('maxmemory')
  return {
    memory_bytes: numberAt('used_memory'),
    memory_limit_bytes: limit === 0 ? undefined : limit,
    replicas: replicas.length,
    replica_lag_bytes: replicas.length === 0 ? undefined : Math.max(0, numberAt('master_repl_offset') - Math.max(...replicas)),
  }
}
