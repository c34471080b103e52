import { setTimeout as wait } from 'node:timers/promises'
import { slotOfKey } from '@tollgate/redis/cluster/key-slot'
import { keys } from '@tollgate/redis/keys'
import { hasSlot, moveSlot, untilFollowing, untilMaster, type ClusterNode } from '@tollgate/testing/redis-cluster'
import type { Cluster } from './cluster.ts'
import type { Random } from './random.ts'

type Faulted = { readonly cluster: Pick<Cluster, 'redisCluster' | 'shards'>; readonly random: Random }

/** A master is killed; its replica takes over, and it comes back as the replica of that one. */
export async function killMaster({ cluster, random }: Faulted): Promise<void> {
  const { master, replica } = await drawPair(cluster, random)
  await master.kill()
  await untilMaster(replica)
  await wait(random.between(0, 2000))
  await master.start()
  await untilFollowing(master)
}

/** A master is killed and back before the others miss it, with what its append-only file has. */
export async function restartMaster({ cluster, random }: Faulted): Promise<void> {
  const { master } = await drawPair(cluster, random)
  await master.kill()
  await wait(random.between(20, 700))
  await master.start()
}

/** A master freezes for a moment, or for so long that it is replaced; it resumes with calls in its sockets. */
export async function freezeMaster({ cluster, random }: Faulted): Promise<void> {
  const { master, replica } = await drawPair(cluster, random)
  const isLong = random.chance(0.5)
  master.pause()
  try {
    if (isLong) await untilMaster(replica)
    await wait(random.between(200, 1500))
  } finally {
    master.resume()
  }
  if (isLong) await untilFollowing(master)
}

/** A planned change: the master waits until its replica has everything. */
export async function failOverMaster({ cluster, random }: Faulted): Promise<void> {
  const { master, replica } = await drawPair(cluster, random)
  await replica.redis.call('CLUSTER', 'FAILOVER')
  await untilMaster(replica)
  await untilFollowing(master)
}

/** A master and its replica are killed at once, and come back with what their append-only files have. */
export async function killPart({ cluster, random }: Faulted): Promise<void> {
  const { master, replica } = await drawPair(cluster, random)
  await Promise.all([master.kill(), replica.kill()])
  await wait(random.between(500, 4000))
  // The master first: a replica that comes back alone would be promoted without its last writes.
  await master.start()
  await wait(200)
  await replica.start()
  await untilFollowing(replica)
}

/** Two of three masters are killed at once: no majority is left that could promote a replica until one is back. */
export async function killMajority({ cluster, random }: Faulted): Promise<void> {
  const pairs = await listPairs(cluster)
  const spared = random.pick(pairs)
  const masters = pairs.filter((pair) => pair !== spared).map(({ master }) => master)
  await Promise.all(masters.map((master) => master.kill()))
  await wait(random.between(500, 6000))
  for (const master of masters) {
    await master.start()
    await wait(random.between(0, 3000))
  }
  await Promise.all(pairs.map(untilPaired))
}

/** Waits until one node of a pair follows the other. */
async function untilPaired({ master, replica }: Pair): Promise<void> {
  await Promise.any([untilFollowing(master), untilFollowing(replica)])
}

/** The slot of a shard moves to another master, key by key, and stays half moved for a while. */
export async function moveShard({ cluster, random }: Faulted): Promise<void> {
  const slot = slotOfKey(keys.fence(random.int(cluster.shards)))
  const masters = (await listPairs(cluster)).map(({ master }) => master)
  const holds = await Promise.all(masters.map((node) => hasSlot(node, slot)))
  const from = masters[holds.indexOf(true)]
  const to = random.pick(masters.filter((node) => node !== from))
  if (from === undefined) throw new Error(`no master has slot ${slot}`)
  await moveSlot(slot, from, to, () => wait(random.between(0, 2000)))
}

type Pair = { readonly master: ClusterNode; readonly replica: ClusterNode }

async function drawPair(cluster: Faulted['cluster'], random: Random): Promise<Pair> {
  return random.pick(await listPairs(cluster))
}

/** The two nodes of each pair change their roles. */
async function listPairs({ redisCluster }: Faulted['cluster']): Promise<Pair[]> {
  if (redisCluster === undefined) throw new Error('faults of masters need --topology cluster')
  const { masters, replicas } = redisCluster
  return await Promise.all(
    masters.map(async (one, at) => {
      const other = replicas[at]
      if (other === undefined) throw new Error('every master has a replica')
      const isReplica = (await one.redis.info('replication')).includes('role:slave')
      return isReplica ? { master: other, replica: one } : { master: one, replica: other }
    }),
  )
}
