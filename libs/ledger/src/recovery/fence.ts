import type { Redis } from '@tollgate/redis/connect'
import { isCluster, partsOf, serverOf, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { execAll } from '@tollgate/redis/exec-all'
import { withTimeout } from '@tollgate/redis/with-timeout'
import { keys } from '@tollgate/redis/keys'
import { buildScript, ledgerScripts, RESERVE_SHA } from '../scripts/scripts.ts'
import type { PostedCursor } from './posted-ledger.ts'
import { isOpenedHere, readShardOpening, readStoreMark, type StoreMark } from './store-mark.ts'

/** True if recovery has checked the server of every shard since it started or became the master. For readiness. */
export async function isFenceOpen(servers: LedgerServers, shards: readonly number[]): Promise<boolean> {
  return (await listUnchecked(servers, shards)).length === 0
}

/**
 * Shards whose store recovery has not checked: all or none of one server, or, in a cluster, also those whose server does not answer.
 * Rejects when the only server does not answer.
 */
export async function listUnchecked(servers: LedgerServers, shards: readonly number[]): Promise<number[]> {
  if (!isCluster(servers)) {
    const [areLoaded, isOpened] = await Promise.all([areScriptsLoaded(servers), isOpenedHere(servers)])
    return areLoaded && isOpened ? [] : [...shards]
  }
  const reads = partsOf(servers, shards).map((part) =>
    withTimeout(listOpen(part), ANSWER_WITHIN_MS, 'a server of the ledger did not answer'),
  )
  const open = await Promise.allSettled(reads)
  const known = new Set(open.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])))
  return shards.filter((shard) => !known.has(shard))
}

const ANSWER_WITHIN_MS = 1000

async function listOpen({ redis, shards }: LedgerPart): Promise<readonly number[]> {
  const [areLoaded, mark, ...openings] = await Promise.all([
    areScriptsLoaded(redis),
    readStoreMark(redis),
    ...shards.map((shard) => readShardOpening(redis, shard).catch(() => undefined)),
  ])
  return areLoaded && mark !== undefined ? shards.filter((_, at) => openings[at]?.mark === mark) : []
}

/** True if this Redis has every ledger script. */
export async function areScriptsLoaded(redis: Redis): Promise<boolean> {
  const known = await redis.script('EXISTS', ...ledgerScripts.map((script) => script.sha))
  return Array.isArray(known) && known.length === ledgerScripts.length && known.every((one) => one === 1)
}

/** Loads all scripts or none: a Redis with only some of them could reserve and not settle. */
export async function loadScripts(redis: Redis): Promise<void> {
  const loading = redis.multi()
  for (const script of ledgerScripts) loading.script('LOAD', script.text)
  const answers = (await loading.exec()) ?? []
  for (const [at, script] of ledgerScripts.entries()) {
    if (answers[at]?.[1] !== script.sha) throw new Error(`Redis computed another SHA-1 for ${script.name}`)
  }
}

/** Makes every script of a shard answer `closed` until recovery opens the fence again. */
export async function closeFence(servers: LedgerServers, shard: number): Promise<void> {
  await serverOf(servers, shard).hset(keys.fence(shard), 'closed', '1')
}

/** Closed until the shard was compared with Postgres, which may find nothing to repair. */
export const UNCOMPARED = 'uncompared'

/** Closes a shard of a store that another server may have replaced meanwhile. */
export async function closeUncompared(redis: Redis, shard: number): Promise<void> {
  await redis.hset(keys.fence(shard), 'closed', UNCOMPARED)
}

/** Opens the fence of a shard whose store was checked, in a new epoch. Only recovery and tests may call it. */
export async function openFence(
  redis: Redis,
  { shard, last_n, last_id }: Pick<PostedCursor, 'shard' | 'last_n' | 'last_id'>,
  mark: StoreMark,
): Promise<{ epoch: number; n: number }> {
  const answer = await redis.eval(buildScript('open-fence'), 2, keys.fence(shard), keys.usage(shard), last_n, last_id, mark, RESERVE_SHA)
  if (!Array.isArray(answer) || answer[0] !== 'opened') throw new Error(`open-fence answered ${String(answer)}`)
  return { epoch: Number(answer[1]), n: Number(answer[2]) }
}

/** Records committed posting cursors in Redis: a Postgres whose cursor is ever behind them came back older. */
export async function notePosted(servers: LedgerServers, cursors: readonly Pick<PostedCursor, 'shard' | 'last_n'>[]): Promise<void> {
  const last = new Map(cursors.map(({ shard, last_n }) => [shard, last_n]))
  await Promise.all(
    partsOf(servers, last.keys()).map(async ({ redis, shards }) => {
      const pipeline = redis.pipeline()
      for (const shard of shards) pipeline.hset(keys.fence(shard), 'posted', last.get(shard) ?? 0)
      if (shards.length > 0) await execAll(pipeline)
    }),
  )
}

/** Number of events ever appended in the shard. */
export async function readEventCount(redis: Redis, shard: number): Promise<number> {
  return Number((await redis.hget(keys.fence(shard), 'n')) ?? '0')
}
