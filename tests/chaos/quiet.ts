import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { listOpenHolds } from '@tollgate/ledger/client/hold-store'
import { keys } from '@tollgate/redis/keys'
import { waitUntilAllReady, type Cluster } from './cluster.ts'

export type Rest = {
  readonly holds: readonly string[]
  readonly unposted: number
  readonly outbox: number
  readonly suspect: readonly string[]
}

/** Whether nothing is left to be done: every hold closed, every event posted, every change told to Redis, every shard repaired. */
export const isQuiet = ({ holds, unposted, outbox, suspect }: Rest): boolean =>
  holds.length === 0 && unposted === 0 && outbox === 0 && suspect.length === 0

/**
 * Waits for quiet. Holds that nobody ends by himself within `patienceMs` (a reserve whose answer was lost) end when their relay
 * does: then the relays are asked to stop, which also shows that a graceful stop leaves nothing behind.
 */
export async function waitForQuiet(
  cluster: Cluster,
  patienceMs: number,
): Promise<{ readonly rest: Rest; readonly left: readonly string[] }> {
  await waitUntilAllReady([cluster.controlPlane, cluster.worker, ...cluster.relays]).catch(() => undefined)
  const redis = connectRedis(cluster.redisUrl, 'plain')
  try {
    const first = await settleDown(cluster, redis, patienceMs)
    if (isQuiet(first)) return { rest: first, left: [] }
    if (first.holds.length > 0) await Promise.all(cluster.relays.map((relay) => relay.end('SIGTERM')))
    return { rest: await settleDown(cluster, redis, 90_000), left: first.holds }
  } finally {
    redis.disconnect()
  }
}

async function settleDown(cluster: Cluster, redis: Redis, patienceMs: number): Promise<Rest> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const rest = await look(cluster, redis)
    if (isQuiet(rest) || Date.now() > deadline) return rest
    await wait(250)
  }
}

async function look({ db, shards }: Cluster, redis: Redis): Promise<Rest> {
  const cursors = await db
    .selectFrom('posting_cursors')
    .select(['shard', 'last_n', 'is_suspect', 'suspect_reason'])
    .where('shard', '<', shards)
    .execute()
  const holds: string[] = []
  let unposted = 0
  for (const { shard, last_n } of cursors) {
    for (const { request_id } of await listOpenHolds(redis, shard)) holds.push(request_id)
    unposted += Math.abs(Number((await redis.hget(keys.fence(shard), 'n')) ?? 0) - last_n)
  }
  const { open } = await db
    .selectFrom('ledger_outbox')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  const suspect = cursors.filter(({ is_suspect }) => is_suspect).map(({ shard, suspect_reason }) => `shard ${shard}: ${suspect_reason}`)
  return { holds, unposted, outbox: Number(open), suspect }
}
