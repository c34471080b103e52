import { setTimeout as wait } from 'node:timers/promises'
import { serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { ENDED_TASK_STATES } from '@tollgate/contracts/tasks/tasks'
import { readOutboxState } from '@tollgate/db/queries/ledger/log-outbox'
import { listOpenHolds } from '@tollgate/ledger/client/hold-store'
import { keys } from '@tollgate/redis/keys'
import { openLedgerOf, waitUntilAllReady, type Cluster } from './cluster.ts'

export type RemainingWork = {
  readonly holds: readonly string[]
  readonly unposted: number
  readonly outbox: number
  /** Log rows that wait for the store beside Postgres. */
  readonly unshipped: number
  /** Tasks without an end. Charges that were lost are left to the audit. */
  readonly tasks: number
  readonly suspect: readonly string[]
}

/** True if every hold is closed, every event posted, every outbox row sent to Redis, every task ended and every shard repaired. */
export const isIdle = ({ holds, unposted, outbox, unshipped, tasks, suspect }: RemainingWork): boolean =>
  holds.length === 0 && unposted === 0 && outbox === 0 && unshipped === 0 && tasks === 0 && suspect.length === 0

/**
 * Waits until the system is idle. A hold can stay open when the response to its reserve was lost; it ends when its relay does. After
 * `timeoutMs` the relays are therefore stopped, which also checks that a graceful stop leaves nothing open.
 */
export async function waitForIdle(
  cluster: Cluster,
  timeoutMs: number,
): Promise<{ readonly remaining: RemainingWork; readonly leftHolds: readonly string[] }> {
  await waitUntilAllReady([cluster.controlPlane, cluster.worker, ...cluster.relays]).catch(() => undefined)
  const { servers, close } = await openLedgerOf(cluster, 'plain')
  try {
    const first = await pollUntilIdle(cluster, servers, timeoutMs)
    if (isIdle(first)) return { remaining: first, leftHolds: [] }
    if (first.holds.length > 0) await Promise.all(cluster.relays.map((relay) => relay.end('SIGTERM')))
    return { remaining: await pollUntilIdle(cluster, servers, 90_000), leftHolds: first.holds }
  } finally {
    close()
  }
}

async function pollUntilIdle(cluster: Cluster, redis: LedgerServers, timeoutMs: number): Promise<RemainingWork> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const remaining = await readRemainingWork(cluster, redis)
    if (isIdle(remaining) || Date.now() > deadline) return remaining
    await wait(250)
  }
}

async function readRemainingWork({ db, shards }: Cluster, redis: LedgerServers): Promise<RemainingWork> {
  const cursors = await db
    .selectFrom('posting_cursors')
    .select(['shard', 'last_n', 'is_suspect', 'suspect_reason'])
    .where('shard', '<', shards)
    .execute()
  const holds: string[] = []
  let unposted = 0
  for (const { shard, last_n } of cursors) {
    for (const { request_id } of await listOpenHolds(redis, shard)) holds.push(request_id)
    unposted += Math.abs(Number((await serverOf(redis, shard).hget(keys.fence(shard), 'n')) ?? 0) - last_n)
  }
  const { open } = await db
    .selectFrom('ledger_outbox')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow()
  const { tasks } = await db
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<number>().as('tasks'))
    .where('state', 'not in', ENDED_TASK_STATES)
    .executeTakeFirstOrThrow()
  const suspect = cursors.filter(({ is_suspect }) => is_suspect).map(({ shard, suspect_reason }) => `shard ${shard}: ${suspect_reason}`)
  const { rows: unshipped } = await readOutboxState(db)
  return { holds, unposted, outbox: Number(open), unshipped, tasks: Number(tasks), suspect }
}
