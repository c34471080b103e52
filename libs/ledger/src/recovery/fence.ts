import type { Redis } from '@tollgate/redis/connect'
import { execAll } from '@tollgate/redis/exec-all'
import { keys } from '@tollgate/redis/keys'
import { buildScript, ledgerScripts } from '../scripts/scripts.ts'
import type { PostedCursor } from './posted-ledger.ts'
import { isOpenedHere, type StoreMark } from './store-mark.ts'

/** True if recovery has checked this Redis since it started or became the master. For readiness. */
export async function isFenceOpen(redis: Redis): Promise<boolean> {
  const [areLoaded, isOpened] = await Promise.all([areScriptsLoaded(redis), isOpenedHere(redis)])
  return areLoaded && isOpened
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
export async function closeFence(redis: Redis, shard: number): Promise<void> {
  await redis.hset(keys.fence(shard), 'closed', '1')
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
  const answer = await redis.eval(buildScript('open-fence'), 2, keys.fence(shard), keys.usage(shard), last_n, last_id, mark)
  if (!Array.isArray(answer) || answer[0] !== 'opened') throw new Error(`open-fence answered ${String(answer)}`)
  return { epoch: Number(answer[1]), n: Number(answer[2]) }
}

/** Records committed posting cursors in Redis: a Postgres whose cursor is ever behind them came back older. */
export async function notePosted(redis: Redis, cursors: readonly Pick<PostedCursor, 'shard' | 'last_n'>[]): Promise<void> {
  const pipeline = redis.pipeline()
  for (const { shard, last_n } of cursors) pipeline.hset(keys.fence(shard), 'posted', last_n)
  await execAll(pipeline)
}

/** Number of events ever appended in the shard. */
export async function readEventCount(redis: Redis, shard: number): Promise<number> {
  return Number((await redis.hget(keys.fence(shard), 'n')) ?? '0')
}
