import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { parseNodes, SLOTS } from '@tollgate/redis/cluster/slot-table'
import { findFreePort } from '@tollgate/servers/free-port'
import type { LocalServer } from '@tollgate/servers/local-process'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'

export type ClusterNode = {
  readonly port: number
  /** Port on which the nodes talk to each other. */
  readonly bus: number
  /** `host:port` */
  readonly address: string
  /** A connection to this node alone. */
  readonly redis: Redis
  /** Stops it from answering; connections stay open. */
  pause(): void
  resume(): void
  /** Ends it without a shutdown. */
  kill(): Promise<void>
  pid(): number
  /** Starts it again at its address, with what its append-only file has. */
  start(): Promise<void>
}

export type TestCluster = {
  /** `redis+cluster://` with the addresses of all masters. */
  readonly url: string
  readonly masters: readonly ClusterNode[]
  /** One of each master, in the same order, if there are any. */
  readonly replicas: readonly ClusterNode[]
  stop(): Promise<void>
}

type Options = {
  readonly masters?: number
  readonly hasReplicas?: boolean
  /** After this time without an answer a node is taken for dead. */
  readonly nodeTimeoutMs?: number
  readonly fsync?: 'everysec' | 'always'
}

/** A Redis Cluster on this machine, whose slots are spread evenly. */
export async function startTestCluster({
  masters: count = 3,
  hasReplicas = false,
  nodeTimeoutMs = 1000,
  fsync = 'everysec',
}: Options = {}): Promise<TestCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-cluster-'))
  const startAll = (): Promise<ClusterNode[]> =>
    Promise.all(
      Array.from({ length: count }, () => startNode(dir, ['--cluster-node-timeout', String(nodeTimeoutMs), '--appendfsync', fsync])),
    )
  const masters = await startAll()
  const replicas = hasReplicas ? await startAll() : []
  const stop = async (): Promise<void> => {
    for (const node of [...masters, ...replicas]) {
      node.resume()
      node.redis.disconnect()
      await node.kill()
    }
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await joinNodes(masters, replicas)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `redis+cluster://${masters.map(({ address }) => address).join(',')}`, masters, replicas, stop }
}

/** Makes one cluster of the nodes, whose masters share the slots. */
async function joinNodes(masters: readonly ClusterNode[], replicas: readonly ClusterNode[]): Promise<void> {
  await Promise.all(masters.map(({ redis }, at) => redis.call('CLUSTER', 'ADDSLOTSRANGE', ...rangeOf(at, masters.length))))
  const [first, ...others] = [...masters, ...replicas]
  for (const { port, bus } of others) await first?.redis.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(bus))
  await untilAgreed([...masters, ...replicas])
  for (const [at, replica] of replicas.entries()) await replica.redis.call('CLUSTER', 'REPLICATE', await idOf(masters[at]))
  for (const replica of replicas) await untilFollowing(replica)
}

const PATIENCE_MS = 30_000

/** Asks until the answer is true; rejects after 30 s. A node that does not answer is asked again. */
async function until(failure: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${failure} within ${PATIENCE_MS} ms`)
    await wait(50)
  }
}

/** Waits until the node is a replica that has everything. */
export async function untilFollowing({ address, redis }: ClusterNode): Promise<void> {
  await until(`${address} did not follow a master`, async () => (await redis.info('replication')).includes('master_link_status:up'))
}

/** Waits until the node is a master. */
export async function untilMaster({ address, redis }: ClusterNode): Promise<void> {
  await until(`${address} did not become a master`, async () => (await redis.info('replication')).includes('role:master'))
}

/** True if the node is the master of this slot, as far as it knows. */
export async function hasSlot({ address, redis }: ClusterNode, slot: number): Promise<boolean> {
  const view = parseNodes(String(await redis.call('CLUSTER', 'NODES')), address)
  return view.some((node) => node.isSelf && node.isMaster && node.slots.some(([first, last]) => first <= slot && slot <= last))
}

const rangeOf = (at: number, count: number): string[] =>
  [Math.floor((at * SLOTS) / count), Math.floor(((at + 1) * SLOTS) / count) - 1].map(String)

async function startNode(dir: string, extra: readonly string[]): Promise<ClusterNode> {
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('tests need valkey-server or redis-server on the PATH')
  const [port, bus] = [await findFreePort(), await findFreePort()]
  const flags = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), ...extra]
  // A part that is away must not stop the others; the copy begins at once.
  flags.push('--cluster-require-full-coverage', 'no', '--repl-diskless-sync-delay', '0', '--cluster-announce-ip', '127.0.0.1')
  const options = { binary, dataDir: join(dir, String(port)), port, isDurable: true, flags }
  let server: LocalServer = await startRedis(options)
  const redis = connectRedis(server.url, 'plain', { quietForMs: 20_000, answerWithinMs: 20_000 })
  await waitUntilReady(redis)
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(server.pid, name)
    } catch {
      // It has ended.
    }
  }
  return {
    port,
    bus,
    address: `127.0.0.1:${port}`,
    redis,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    pid: () => server.pid,
    kill: async () => {
      signal('SIGKILL')
      await server.untilEnded()
    },
    start: async () => {
      server = await startRedis(options)
    },
  }
}

async function idOf(node: ClusterNode | undefined): Promise<string> {
  return String(await node?.redis.call('CLUSTER', 'MYID'))
}

/** Every node knows every node, and that the cluster works. */
async function untilAgreed(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { address, redis } of nodes)
    await until(`${address} did not know the whole cluster`, async () => {
      const info = String(await redis.call('CLUSTER', 'INFO'))
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes.length}\r`)
    })
}

/** Moves a slot with its keys from one master to another, as `redis-cli --cluster reshard` does. */
export async function moveSlot(slot: number, from: ClusterNode, to: ClusterNode, meanwhile?: () => Promise<void>): Promise<void> {
  const [source, target] = await Promise.all([idOf(from), idOf(to)])
  await to.redis.call('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', source)
  await from.redis.call('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', target)
  const found = (await from.redis.call('CLUSTER', 'GETKEYSINSLOT', String(slot), '10000')) as string[]
  const half = Math.ceil(found.length / 2)
  await migrate(from, to, found.slice(0, half))
  await meanwhile?.()
  await migrate(from, to, found.slice(half))
  for (const { redis } of [to, from]) await redis.call('CLUSTER', 'SETSLOT', String(slot), 'NODE', target)
}

async function migrate(from: ClusterNode, to: ClusterNode, found: readonly string[]): Promise<void> {
  if (found.length > 0) await from.redis.call('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...found)
}
