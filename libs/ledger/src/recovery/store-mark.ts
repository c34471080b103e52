import type { Redis } from '@tollgate/redis/connect'
import { listServers, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'

/**
 * Mark that changes whenever a server becomes the master, and whenever it restarts: `<master_replid>/<run_id>`. A server that was replaced
 * keeps its data and its scripts and may become the master again, so neither tells whether it missed anything
 * (docs/adr/0096-the-fence-names-its-server.md). https://redis.io/docs/latest/commands/info/
 */
export type StoreMark = string

/** The mark of the server at the other end of this connection; undefined: it is a replica. Ends with the connection. */
export async function readStoreMark(redis: Redis): Promise<StoreMark | undefined> {
  const [server, replication] = await Promise.all([redis.info('server'), redis.info('replication')])
  if (fieldOf(replication, 'role') === 'slave') return undefined
  return `${fieldOf(replication, 'master_replid')}/${fieldOf(server, 'run_id')}`
}

function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? ''
}

/** When a fence was last opened, and on which store; the mark is empty where 1.0.0-rc.1 opened it. */
export type Opening = { readonly text: string; readonly mark: StoreMark }

export async function readOpening(redis: Redis): Promise<Opening | undefined> {
  const text = await redis.get(keys.opened())
  return text === null ? undefined : { text, mark: /(?<= ).*/.exec(text)?.[0] ?? '' }
}

/** The last opening of one shard, as its fence tells it. */
export async function readShardOpening(redis: Redis, shard: number): Promise<Opening | undefined> {
  const [opened, mark] = await redis.hmget(keys.fence(shard), 'opened', 'store')
  return typeof opened === 'string' && typeof mark === 'string' ? { text: `${opened} ${mark}`, mark } : undefined
}

/** Written last: from now on relays serve from this store, and send their recent settlements again. */
export async function writeOpening(redis: Redis, at: number, mark: StoreMark): Promise<void> {
  await redis.set(keys.opened(), `${at} ${mark}`)
}

/** True if recovery has opened the ledger on this server since it became the master. */
export async function isOpenedHere(redis: Redis): Promise<boolean> {
  const [mark, opening] = await Promise.all([readStoreMark(redis), readOpening(redis)])
  return mark !== undefined && mark === opening?.mark
}

/**
 * Forgets the opening on a server that had the ledger before it moved to `ledger`. Relays that still use it are closed within a second, and
 * if the ledger comes back, recovery compares every shard first: its balances are old, and neither its mark nor its scripts tell.
 */
export async function forgetOpening(left: Redis, ledger: LedgerServers): Promise<void> {
  const marks = await Promise.allSettled(listServers(ledger).map(readStoreMark))
  if (marks.every(({ status }) => status === 'rejected')) throw new Error('no server of the ledger answers')
  const leftMark = await readStoreMark(left)
  // The same server by another name.
  if (marks.some((mark) => mark.status === 'fulfilled' && mark.value === leftMark)) return
  await left.del(keys.opened())
}
