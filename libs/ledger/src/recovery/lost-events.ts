import { homeOf, isCluster, serverOf, type LedgerServers } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { readRedisTime } from '../accounts/ledger-admin.ts'

/** Events of a shard from before its fence opened, as one relay remembers them. */
export type Remembered = {
  /** Highest n that the relay was answered in an epoch older than this one; 0: none. */
  highestBefore(shard: number, epoch: number): number
  /** Settlements that were answered with a greater n in an older epoch and were accepted again. */
  countResent(shard: number, epoch: number, restoredN: number): number
  shards(): Iterable<number>
}

/** Reports every shard that came back with fewer events than this relay was answered. Call it after sending recent settlements again. */
export async function reportLostEvents(servers: LedgerServers, relayId: string, remembered: Remembered): Promise<void> {
  const shards = [...remembered.shards()]
  const fences = await Promise.all(shards.map((shard) => readFence(servers, shard)))
  const reports = shards.flatMap((shard, at) => {
    const fence = fences[at]
    if (fence === undefined) return []
    const [epoch = 0, restored = 0] = fence.map((field) => Number(field ?? '0'))
    const highest = remembered.highestBefore(shard, epoch)
    if (highest <= restored) return []
    return [[`${shard}/${epoch}/${relayId}`, `${restored}/${highest}/${remembered.countResent(shard, epoch, restored)}`]]
  })
  if (reports.length > 0) await homeOf(servers).hset(keys.lostEvents(), Object.fromEntries(reports))
}

/** Undefined: a server of several does not answer. Its shards are reported when they are opened again. */
async function readFence(servers: LedgerServers, shard: number): Promise<(string | null)[] | undefined> {
  const read = serverOf(servers, shard).hmget(keys.fence(shard), 'epoch', 'restored')
  return isCluster(servers) ? await read.catch(() => undefined) : await read
}

/** The reports of all relays about one opening of a shard. */
export type LostEvents = {
  readonly shard: number
  readonly epoch: number
  readonly restored_n: number
  readonly relay_n: number
  readonly resent: number
  /** Numbers after restored_n that no relay sent again. */
  readonly lost: number
  /** For removeLostEvents. */
  readonly fields: readonly string[]
}

/** Reports about openings older than `ageMs`: by then every relay has sent its recent settlements again. */
export async function listLostEvents(servers: LedgerServers, ageMs: number): Promise<LostEvents[]> {
  const redis = homeOf(servers)
  if ((await redis.exists(keys.lostEvents())) === 0) return []
  const now = await readRedisTime(redis)
  const reports = Object.entries(await redis.hgetall(keys.lostEvents())).map(([field, value]) => {
    const [shard = 0, epoch = 0] = field.split('/').slice(0, 2).map(Number)
    const [restored = 0, highest = 0, resent = 0] = value.split('/').map(Number)
    return { field, shard, epoch, restored, highest, resent }
  })
  const old = reports.filter(({ epoch }) => now - epoch > ageMs)
  return [...Map.groupBy(old, ({ shard, epoch }) => `${shard}/${epoch}`).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const relay_n = Math.max(...group.map(({ highest }) => highest))
    const resent = group.reduce((sum, report) => sum + report.resent, 0)
    const { shard, epoch, restored: restored_n } = first
    const lost = Math.max(0, relay_n - restored_n - resent)
    return [{ shard, epoch, restored_n, relay_n, resent, lost, fields: group.map(({ field }) => field) }]
  })
}

export async function removeLostEvents(servers: LedgerServers, { fields }: LostEvents): Promise<void> {
  await homeOf(servers).hdel(keys.lostEvents(), ...fields)
}
