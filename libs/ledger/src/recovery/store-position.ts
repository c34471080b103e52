import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import type { StorePosition } from './posted-ledger.ts'
import { readScript } from '../scripts/scripts.ts'

/**
 * How a Postgres that came back older is recognised (ADR 14): whatever told Redis something from Postgres has left in Redis where
 * Postgres' log stood then. A log behind that, or another one, is a Postgres from before.
 */
export type RememberedPosition = { readonly store: string; readonly at: bigint; readonly isFlagged: boolean }

/** Take it before the position that it is compared with: what Redis remembers was true before then. */
export async function readRemembered(redis: Redis): Promise<RememberedPosition | undefined> {
  const [store, at, mark] = (await redis.get(keys.postgres()))?.split(' ') ?? []
  return store === undefined || at === undefined ? undefined : { store, at: BigInt(at), isFlagged: mark !== undefined }
}

/** Why Postgres is not the one that Redis has heard of, or older than it. */
export function findOlder(remembered: RememberedPosition | undefined, { store, at }: StorePosition): string | undefined {
  if (remembered === undefined) return undefined
  if (remembered.store !== store) return `Postgres is another one: ${store} where ${remembered.store} was`
  if (at < remembered.at) return `Postgres came back older: its log stands at ${at} and stood at ${remembered.at}`
  return remembered.isFlagged ? `Postgres came back older: its log was seen before ${remembered.at}` : undefined
}

/**
 * Rows that may be told to Redis, once Redis knows of what Postgres they are. Undefined: that Postgres came back older, and a keeper
 * has to look first; it will hear of it even if the log has grown past what was remembered by then.
 */
export async function readForRedis<T>(
  redis: Redis,
  read: () => Promise<{ readonly rows: T; readonly position: StorePosition }>,
): Promise<T | undefined> {
  const remembered = await readRemembered(redis)
  const { rows, position } = await read()
  if (findOlder(remembered, position) !== undefined) {
    await note(redis, 'flag', position, remembered)
    return undefined
  }
  return (await note(redis, 'raise', position)) === 'noted' ? rows : undefined
}

/** The keeper's, at the end of a look that found nothing: upwards only, because others note too. */
export async function raisePosition(redis: Redis, position: StorePosition): Promise<void> {
  await note(redis, 'raise', position)
}

/** The keeper's, once every shard was repaired by this Postgres; does nothing if more was noted meanwhile: the next look finds it. */
export async function acceptPosition(redis: Redis, position: StorePosition, remembered: RememberedPosition | undefined): Promise<void> {
  await note(redis, 'accept', position, remembered)
}

const script = readScript('note-position')

async function note(
  redis: Redis,
  how: 'raise' | 'flag' | 'accept',
  { store, at }: StorePosition,
  remembered?: RememberedPosition,
): Promise<string> {
  const before = remembered === undefined ? '' : `${remembered.store} ${remembered.at}`
  return String(await redis.eval(script, 1, keys.postgres(), how, store, String(at), before))
}
