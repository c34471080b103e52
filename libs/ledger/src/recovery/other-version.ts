import type { Redis } from '@tollgate/redis/connect'
import { isMoved } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { RESERVE_SHA } from '../scripts/scripts.ts'
import { loadScripts } from './fence.ts'
import { writeOpening, type Opening, type StoreMark } from './store-mark.ts'
import { readRedisTime } from '../accounts/ledger-admin.ts'

/** SHA-1 of the reserve script of 1.0.0-rc.1, whose openings have no mark. */
const RESERVE_OF_RC1 = 'cb9d5db3d2266aed0e3d3946a24d7300edc96a1a'

/**
 * True if another version of the scripts serves from this store: it is loaded, and this is the server that was opened last. Nothing can
 * be missing then, so this version is let in without closing a shard. 1.0.0-rc.1 took loaded scripts alone for an open store.
 */
export async function isOpenToOther(redis: Redis, opening: Opening | undefined, mark: StoreMark): Promise<boolean> {
  if (opening === undefined) return false
  if (opening.mark === '') return await isLoaded(redis, RESERVE_OF_RC1)
  const other = await redis.get(keys.openedScript())
  return opening.mark === mark && other !== null && other !== RESERVE_SHA && (await isLoaded(redis, other))
}

/** The opening that a fence names. */
export type Opened = { readonly mark: string | null; readonly script: string | null }

/** The same of one master of a cluster, whose fences hold the openings; shards that were opened elsewhere do not count. */
export async function isMasterOpenToOther(redis: Redis, fences: readonly Opened[], mark: StoreMark): Promise<boolean> {
  const named = new Set(fences.filter((fence) => fence.mark === mark).map(({ script }) => script ?? ''))
  if (named.size === 0 || named.has('') || named.has(RESERVE_SHA)) return false
  return (await Promise.all([...named].map((sha) => isLoaded(redis, sha)))).every(Boolean)
}

/** Lets this version into a store that is open to another one. */
export async function openToThis(redis: Redis, shards: readonly number[], mark: StoreMark): Promise<void> {
  await Promise.all(shards.map((shard) => nameVersion(redis, shard, mark)))
  await loadScripts(redis)
}

async function nameVersion(redis: Redis, shard: number, mark: StoreMark): Promise<void> {
  try {
    await redis.hset(keys.fence(shard), 'store', mark, 'script', RESERVE_SHA)
  } catch (cause) {
    // On its way to another master, which has another mark.
    if (!isMoved(cause)) throw cause
  }
}

/** Writes the opening and names the script of the version that opened. */
export async function writeOpened(redis: Redis, mark: StoreMark): Promise<void> {
  await redis.set(keys.openedScript(), RESERVE_SHA)
  await writeOpening(redis, await readRedisTime(redis), mark)
}

async function isLoaded(redis: Redis, sha: string): Promise<boolean> {
  const answer = await redis.script('EXISTS', sha)
  return Array.isArray(answer) && answer[0] === 1
}
