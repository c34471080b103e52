import { pingDb } from '@tollgate/db/queries/installation/ping'
import { isFenceOpen } from '@tollgate/ledger/recovery/fence'
import { isAnswered } from '@tollgate/redis/with-timeout'
import type { Deps } from '../deps.ts'

type Stores = Pick<Deps, 'db' | 'redis' | 'probeRedis'>

const ANSWER_WITHIN_MS = 1000

/** The reason why the worker cannot work; undefined: it can. */
export async function findObstacle({ db, redis, probeRedis }: Stores, isStopping: boolean): Promise<string | undefined> {
  if (isStopping) return 'stopping'
  if (redis.status !== 'ready') return 'Redis is not connected'
  if (!(await isAnswered(pingDb(db), ANSWER_WITHIN_MS))) return 'Postgres does not answer'
  // A connection of kind `ledger`, whose commands have a time limit.
  const areLoaded = await isFenceOpen(probeRedis).catch(() => undefined)
  if (areLoaded === undefined) return 'Redis does not answer'
  return areLoaded ? undefined : 'the ledger fence is closed'
}
