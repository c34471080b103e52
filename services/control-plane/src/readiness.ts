import type { Db } from '@tollgate/db/connect'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { isAnswered } from '@tollgate/redis/with-timeout'
import type { RedisClient } from './deps.ts'

const ANSWER_WITHIN_MS = 1000

type Stores = { readonly db: Db; readonly redis: RedisClient; readonly ledgerRedis: RedisClient }

/** The reason why the control plane cannot serve; undefined: it can. */
export async function findObstacle({ db, redis, ledgerRedis }: Stores): Promise<string | undefined> {
  if (!(await isAnswered(getSnapshotVersion(db), ANSWER_WITHIN_MS))) return 'Postgres does not answer or was not migrated'
  if (!(await isReady(redis))) return 'Redis does not answer'
  return ledgerRedis === redis || (await isReady(ledgerRedis)) ? undefined : 'the Redis of the ledger does not answer'
}

const isReady = async (redis: RedisClient): Promise<boolean> =>
  redis.status === 'ready' && (await isAnswered(redis.ping(), ANSWER_WITHIN_MS))
