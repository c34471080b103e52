import type { Db } from '@tollgate/db/connect'
import { getSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { isAnswered } from '@tollgate/redis/with-timeout'
import type { RedisClient } from './deps.ts'

const ANSWER_WITHIN_MS = 1000

/** The reason why the control plane cannot serve; undefined: it can. */
export async function findObstacle({ db, redis }: { readonly db: Db; readonly redis: RedisClient }): Promise<string | undefined> {
  if (!(await isAnswered(getSnapshotVersion(db), ANSWER_WITHIN_MS))) return 'Postgres does not answer or was not migrated'
  const hasRedis = redis.status === 'ready' && (await isAnswered(redis.ping(), ANSWER_WITHIN_MS))
  return hasRedis ? undefined : 'Redis does not answer'
}
