import { pingDb } from '@tollgate/db/queries/installation/ping'
import { listUnchecked } from '@tollgate/ledger/recovery/fence'
import { allShards } from '@tollgate/redis/ledger-servers'
import { isAnswered } from '@tollgate/redis/with-timeout'
import type { Deps } from '../deps.ts'

type Stores = Pick<Deps, 'db' | 'redis' | 'probeRedis'> & { readonly shards: number }

const ANSWER_WITHIN_MS = 1000

/** The reason why the worker cannot work; undefined: it can. */
export async function findObstacle({ db, redis, probeRedis, shards }: Stores, isStopping: boolean): Promise<string | undefined> {
  if (isStopping) return 'stopping'
  if (redis.status !== 'ready') return 'Redis is not connected'
  if (!(await isAnswered(pingDb(db), ANSWER_WITHIN_MS))) return 'Postgres does not answer'
  // A connection of kind `ledger`, whose commands have a time limit.
  const unopened = await listUnchecked(probeRedis, allShards(shards)).catch(() => undefined)
  if (unopened === undefined) return 'Redis does not answer'
  // One part of a cluster is enough to work.
  return unopened.length < shards ? undefined : 'the ledger fence is closed'
}
