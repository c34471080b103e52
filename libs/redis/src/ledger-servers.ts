import { slotOfKey } from './cluster/key-slot.ts'
import { isClusterAddress } from './cluster/cluster-address.ts'
import { RedisCluster } from './cluster/redis-cluster.ts'
import { connectRedis, waitUntilReady, type Redis, type RedisKind } from './connect.ts'
import { keys } from './keys.ts'
import type { WatchedOptions } from './watched-redis.ts'

/** The servers of the ledger: one Redis, or a cluster whose masters have some shards each. */
export type LedgerServers = Redis | RedisCluster

/** One server and its shards: everything that keeps a ledger correct works on each alone. */
export type LedgerPart = { readonly redis: Redis; readonly shards: readonly number[] }

/** Connects to the ledger. `home`: the server of everything else, for what a cluster has no place for. */
export function connectLedger(url: string, kind: RedisKind, home: Redis, options: Partial<WatchedOptions> = {}): LedgerServers {
  return isClusterAddress(url) ? new RedisCluster(url, kind, { home, ...options }) : connectRedis(url, kind, options)
}

export const isCluster = (servers: LedgerServers): servers is RedisCluster => servers instanceof RedisCluster

/** The server that has this shard now. */
export function serverOf(servers: LedgerServers, shard: number): Redis {
  return servers instanceof RedisCluster ? servers.ofSlot(slotOf(shard)) : servers
}

export function serverOfKey(servers: LedgerServers, key: string): Redis {
  return servers instanceof RedisCluster ? servers.ofKey(key) : servers
}

/** The server of what the shards share: the position of Postgres' log, and reports of lost events. */
export const homeOf = (servers: LedgerServers): Redis => (servers instanceof RedisCluster ? servers.home : servers)

/** The servers with their shards. Servers of a cluster that have none are listed too, shards that no server has are not. */
export function partsOf(servers: LedgerServers, shards: Iterable<number>): LedgerPart[] {
  if (!(servers instanceof RedisCluster)) return [{ redis: servers, shards: [...shards] }]
  const byServer = new Map<Redis, number[]>(servers.masters().map(({ redis }) => [redis, []]))
  for (const shard of shards) {
    if (!servers.isCovered(slotOf(shard))) continue
    const redis = serverOf(servers, shard)
    const found = byServer.get(redis)
    if (found === undefined) byServer.set(redis, [shard])
    else found.push(shard)
  }
  return [...byServer].map(([redis, own]) => ({ redis, shards: own }))
}

/** Every server that is known now. */
export const listServers = (servers: LedgerServers): Redis[] =>
  servers instanceof RedisCluster ? servers.masters().map(({ redis }) => redis) : [servers]

/** The counter that a relay raises on a server; in a cluster beside the first of the server's shards. */
export function heartbeatKey(servers: LedgerServers, [first = 0]: readonly number[], relayId: string): string {
  return isCluster(servers) ? keys.heartbeatBeside(first, relayId) : keys.heartbeat(relayId)
}

/** Numbers of all shards. */
export const allShards = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard)

/** A connection to the ledger for what needs nothing else of Redis, and its end. */
export function openLedger(
  { url, homeUrl }: { readonly url: string; readonly homeUrl: string },
  kind: RedisKind,
  options: Partial<WatchedOptions> = {},
): { readonly servers: LedgerServers; close(): void } {
  const home = connectRedis(homeUrl, 'plain', options)
  const servers = connectLedger(url, kind, home, options)
  const close = (): void => {
    for (const one of [servers, home]) one.disconnect()
  }
  return { servers, close }
}

/** Resolves when the ledger can be used: for a cluster, when one of its masters can. */
export async function waitUntilLedgerReady(servers: LedgerServers, timeoutMs?: number): Promise<void> {
  if (servers instanceof RedisCluster) await servers.waitUntilReady(timeoutMs)
  else await waitUntilReady(servers, timeoutMs)
}

const slots: number[] = []
const slotOf = (shard: number): number => (slots[shard] ??= slotOfKey(keys.fence(shard)))

/** True if a server refused a command because the slot of its keys is elsewhere, moves, or has no server. */
export function isMoved(cause: unknown): boolean {
  return cause instanceof Error && MOVED.test(cause.message)
}

/** https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#redirection-and-resharding */
const MOVED = /^(MOVED|ASK|TRYAGAIN|CLUSTERDOWN) ?/
