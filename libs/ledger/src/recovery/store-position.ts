import type { Redis } from '@tollgate/redis/connect'
import { homeOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import type { StorePosition } from './posted-ledger.ts'
import { readScript } from '../scripts/scripts.ts'

/**
 * Position of Postgres' log that Redis remembers (docs/adr/0014-repair-of-a-shard.md). Every write of Postgres data to Redis stores it
 * first. A Postgres whose log is behind it, or is another log, came back older.
 */
export type RememberedPosition = { readonly store: string; readonly at: bigint; readonly isFlagged: boolean }

/** Read it before Postgres' position: the remembered position is then from an earlier moment. */
export async function readRemembered(redis: Redis): Promise<RememberedPosition | undefined> {
  const [store, at, mark] = (await redis.get(keys.postgres()))?.split(' ') ?? []
  return store === undefined || at === undefined ? undefined : { store, at: BigInt(at), isFlagged: mark !== undefined }
}

/** The reason why this Postgres is older than the remembered one, or another; undefined: it is neither. */
export function findOlder(remembered: RememberedPosition | undefined, { store, at }: StorePosition): string | undefined {
  if (remembered === undefined) return undefined
  if (remembered.store !== store) return `Postgres is another store: ${store} instead of ${remembered.store}`
  if (at < remembered.at) return `Postgres came back older: its log is at ${at} and was at ${remembered.at}`
  return remembered.isFlagged ? `Postgres came back older: its log was seen before ${remembered.at}` : undefined
}

/** Why this Postgres is a primary that was replaced: a promoted standby continues the same log in a higher timeline. */
export function findReplaced(remembered: RememberedPosition | undefined, { store }: StorePosition): string | undefined {
  const [system, timeline = ''] = store.split('/')
  const [seenSystem, seenTimeline = ''] = remembered?.store.split('/') ?? []
  if (system !== seenSystem || !(Number.parseInt(timeline, 16) < Number.parseInt(seenTimeline, 16))) return undefined
  return `Postgres was replaced: its log is in timeline ${timeline}, and ${seenTimeline} was seen`
}

/**
 * Reads rows that will be written to Redis, and first stores the log position they come from. Undefined: that Postgres came back older
 * and must be checked by recovery first. The stored position is flagged, so recovery sees it even if the log has grown past it by then.
 */
export async function readForRedis<T>(
  servers: LedgerServers,
  read: () => Promise<{ readonly rows: T; readonly position: StorePosition }>,
): Promise<T | undefined> {
  const redis = homeOf(servers)
  const remembered = await readRemembered(redis)
  const { rows, position } = await read()
  // The connection leads to a primary that was replaced; another one will not.
  if (findReplaced(remembered, position) !== undefined) return undefined
  if (findOlder(remembered, position) !== undefined) {
    await note(redis, 'flag', position, remembered)
    return undefined
  }
  return (await note(redis, 'raise', position)) === 'noted' ? rows : undefined
}

/** Raises the remembered position after a check that found nothing. Other processes raise it too, so it never goes down. */
export async function raisePosition(redis: Redis, position: StorePosition): Promise<void> {
  await note(redis, 'raise', position)
}

/** Replaces the remembered position after every shard was repaired from this Postgres; does nothing if it changed meanwhile. */
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
