import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { findFreePort } from '@tollgate/servers/free-port'
import type { Address } from './address.ts'
import { startAddress } from './address.ts'
import type { Cluster, Member } from './cluster.ts'
import { waitUntilOpen } from './stores.ts'

type Server = { readonly member: Member; readonly port: number; readonly redis: Redis }
type Pair = {
  /** The cluster's own server, which is the master again at the end. */
  readonly a: Server
  /** A second one, which follows it at the beginning. */
  readonly b: Server
  /** The way from a replica to its master. */
  readonly link: Address
  promote(server: Server): Promise<void>
  /** Makes `replica` follow `master`, and waits until it has everything. */
  follow(replica: Server, master: Server): Promise<void>
}

const OPEN_WITHIN_MS = 60_000

/** A promoted replica serves; the old master follows it, replication stalls, the new master dies, and the old one is promoted again. */
export async function failBack(cluster: Cluster, stallMs: number): Promise<void> {
  await withReplica(cluster, async ({ a, b, link, promote, follow }) => {
    await promote(b)
    await cluster.redisAddress.cut()
    await requireOpen(cluster)
    await follow(a, b)
    await link.fallSilent()
    await wait(stallMs)
    await b.member.end('SIGKILL')
    await promote(a)
    await cluster.redisAddress.cut()
  })
}

/** The master freezes and is replaced. It resumes and answers what waits in its sockets before it learns of it, after `lateMs`. */
export async function freezeAndReplace(cluster: Cluster, { frozenMs, lateMs }: { frozenMs: number; lateMs: number }): Promise<void> {
  await withReplica(cluster, async ({ a, b, promote, follow }) => {
    a.member.signal('SIGSTOP')
    try {
      await wait(frozenMs)
      await promote(b)
      await requireOpen(cluster)
    } finally {
      a.member.signal('SIGCONT')
    }
    await wait(lateMs)
    await follow(a, b)
    await cluster.redisAddress.cut()
    await requireOpen(cluster)
    // A planned change of the master: the clients wait until the replica has everything.
    await b.redis.call('CLIENT', 'PAUSE', '1000', 'WRITE')
    await caughtUp(a)
    await wait(200)
    await promote(a)
    await cluster.redisAddress.cut()
  })
}

async function requireOpen(cluster: Cluster): Promise<void> {
  if (!(await waitUntilOpen(cluster, OPEN_WITHIN_MS))) throw new Error(`the ledger stayed closed for ${OPEN_WITHIN_MS} ms`)
}

async function withReplica(cluster: Cluster, work: (pair: Pair) => Promise<void>): Promise<void> {
  const port = await findFreePort()
  const member = cluster.makeRedis('redis-b', port)
  await member.start()
  const link = await startAddress(cluster.redisPort)
  const a = await serverAt(cluster.redis, cluster.redisPort)
  const b = await serverAt(member, port)
  const pair: Pair = {
    a,
    b,
    link,
    promote: async (server) => {
      await server.redis.call('REPLICAOF', 'NO', 'ONE')
      await cluster.redisAddress.pointTo(server.port)
    },
    follow: async (replica, master) => {
      await link.pointTo(master.port)
      await replica.redis.call('REPLICAOF', '127.0.0.1', String(link.port))
      await caughtUp(replica)
    },
  }
  try {
    for (const { redis } of [a, b]) await redis.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
    await pair.follow(b, a)
    await work(pair)
  } finally {
    a.member.signal('SIGCONT')
    await pair.promote(a).catch(() => undefined)
    await cluster.redisAddress.cut()
    for (const { redis } of [a, b]) redis.disconnect()
    await member.end('SIGKILL')
    link.close()
    await rm(join(cluster.dir, 'redis-b'), { recursive: true, force: true })
  }
}

async function serverAt(member: Member, port: number): Promise<Server> {
  const redis = connectRedis(`redis://127.0.0.1:${port}`, 'plain', { quietForMs: 20_000, answerWithinMs: 20_000 })
  await waitUntilReady(redis)
  return { member, port, redis }
}

async function caughtUp({ redis }: Server): Promise<void> {
  for (let tries = 0; !(await redis.info('replication')).includes('master_link_status:up'); tries += 1) {
    if (tries > 600) throw new Error('the replica did not catch up')
    await wait(50)
  }
}
