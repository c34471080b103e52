import type { Redis } from '@tollgate/redis/connect'
import { isCluster, isMoved, serverOf, type LedgerPart, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { readOpening, readShardOpening, readStoreMark, type Opening, type StoreMark } from '../recovery/store-mark.ts'

/** Facts of the store of one shard, or, where all shards are on one server, of that server. */
type Known = {
  /** Recovery has opened the ledger on this server since it became the master. */
  readonly isOpen: boolean
  /** Text of the last opening; undefined: there was none. */
  readonly opened: string | undefined
  /** Mark of the last server that was open. */
  readonly mark: StoreMark | undefined
  /** The connection on which it was found. */
  readonly stream: unknown
  readonly at: number
}

/** Facts that this process has of the stores of a ledger. */
type Checked = {
  /** Facts by shard; with one server by `ALL`. */
  readonly known: Map<number, Known>
  readonly running: Map<string, Promise<void>>
  changes: number
}

/** In place of the shard, where one server has all. */
const ALL = -1
const CHECK_AGAIN_MS = 100

const checkedOf = new WeakMap<LedgerServers, Checked>()

/**
 * True if ledger scripts of this shard may be called. Every new connection is compared first, because another server may answer at the
 * same address, and every shard that comes to another server. Costs no call to Redis once it was found open.
 */
export function isStoreOpen(servers: LedgerServers, shard: number): true | Promise<boolean> {
  const id = isCluster(servers) ? shard : ALL
  const redis = serverOf(servers, shard)
  const { known } = checkedFor(servers)
  const found = known.get(id)
  if (found !== undefined && found.stream === redis.stream) {
    if (found.isOpen) return true
    if (performance.now() - found.at < CHECK_AGAIN_MS) return Promise.resolve(false)
  }
  return check(servers, redis, [id]).then(() => known.get(id)?.isOpen === true)
}

/** Compares the stores of these shards now. Rejects when the server does not answer. */
export function checkStore(servers: LedgerServers, { redis, shards }: LedgerPart): Promise<void> {
  return check(servers, redis, isCluster(servers) ? shards : [ALL])
}

/**
 * How often a shard was opened again, or came to another open store, while this process looked. What the earlier store answered, the
 * present one may not know.
 */
export const countOpenings = (servers: LedgerServers): number => checkedFor(servers).changes

function checkedFor(servers: LedgerServers): Checked {
  const found = checkedOf.get(servers)
  if (found !== undefined) return found
  const made: Checked = { known: new Map(), running: new Map(), changes: 0 }
  checkedOf.set(servers, made)
  // The first call after a reconnect then does not wait for the comparison; one that fails is made again by the next call.
  if (!isCluster(servers)) servers.on('ready', () => void check(servers, servers, [ALL]).catch(() => undefined))
  return made
}

function check(servers: LedgerServers, redis: Redis, ids: readonly number[]): Promise<void> {
  const checked = checkedFor(servers)
  const name = ids.join(' ')
  const current = checked.running.get(name)
  if (current !== undefined) return current
  const run = compare(checked, redis, ids).finally(() => checked.running.delete(name))
  checked.running.set(name, run)
  return run
}

async function compare(checked: Checked, redis: Redis, ids: readonly number[]): Promise<void> {
  const { stream } = redis
  const [mark, ...openings] = await Promise.all([readStoreMark(redis), ...ids.map((id) => openingOf(redis, id))])
  // Reconnected meanwhile: the answers may be from two servers.
  if (redis.stream !== stream) return await compare(checked, redis, ids)
  for (const [at, id] of ids.entries()) note(checked, id, { mark, opening: openings[at], stream })
}

/** A shard that has left the server is as closed there as one that was never opened. */
async function openingOf(redis: Redis, id: number): Promise<Opening | undefined> {
  if (id === ALL) return await readOpening(redis)
  return await readShardOpening(redis, id).catch((cause: unknown) => {
    if (isMoved(cause)) return undefined
    throw cause
  })
}

type Found = { readonly mark: StoreMark | undefined; readonly opening: Opening | undefined; readonly stream: unknown }

function note(checked: Checked, id: number, { mark, opening, stream }: Found): void {
  const before = checked.known.get(id)
  const isOpen = mark !== undefined && mark === opening?.mark
  const isOther = isOpen && before?.mark !== undefined && before.mark !== mark
  if (before !== undefined && (before.opened !== opening?.text || isOther)) checked.changes += 1
  checked.known.set(id, { isOpen, opened: opening?.text, mark: isOpen ? mark : before?.mark, stream, at: performance.now() })
}
