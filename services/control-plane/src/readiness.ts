import type { Db } from '@tollgate/db/connect'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { isAnswered } from '@tollgate/redis/with-timeout'
import { keys } from '@tollgate/redis/keys'
import { allShards, partsOf, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import type { Deps, RedisClient } from './deps.ts'

const ANSWER_WITHIN_MS = 1000

type Stores = {
  readonly db: Db
  readonly redis: RedisClient
  readonly ledgerRedis: LedgerServers
  readonly env: Pick<Deps['env'], 'SHARDS'>
}

/** The reason why the control plane cannot serve; undefined: it can. */
export async function findObstacle({ db, redis, ledgerRedis, env }: Stores): Promise<string | undefined> {
  if (!(await isAnswered(getSnapshotVersion(db), ANSWER_WITHIN_MS))) return 'Postgres does not answer or was not migrated'
  if (!(await isReady(redis))) return 'Redis does not answer'
  if (ledgerRedis === redis) return undefined
  // One part of a cluster is enough to serve.
  const areReady = await Promise.all(partsOf(ledgerRedis, allShards(env.SHARDS)).map(hasLedger))
  return areReady.some(Boolean) ? undefined : 'the Redis of the ledger does not answer'
}

const isReady = async (redis: RedisClient): Promise<boolean> =>
  redis.status === 'ready' && (await isAnswered(redis.ping(), ANSWER_WITHIN_MS))

/** A node of a cluster that has no majority answers PING, and refuses every key. */
const hasLedger = async ({ redis, shards: [shard] }: LedgerPart): Promise<boolean> =>
  shard !== undefined && redis.status === 'ready' && (await isAnswered(redis.exists(keys.fence(shard)), ANSWER_WITHIN_MS))
