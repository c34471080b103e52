import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { SLOTS } from '@tollgate/redis/cluster/slot-table'
import { findFreePort } from '@tollgate/servers/free-port'
import type { LocalServer } from '@tollgate/servers/local-process'
import { findRedisBinary, startRedis } from '@tollgate/servers/redis'
import { vi } from 'vitest'

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
}

/** A Redis Cluster on this machine, whose slots are spread evenly. */
export async function startTestCluster({
  masters: count = 3,
  hasReplicas = false,
  nodeTimeoutMs = 1000,
}: Options = {}): Promise<TestCluster> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-cluster-'))
  const startAll = (): Promise<ClusterNode[]> => Promise.all(Array.from({ length: count }, () => startNode(dir, nodeTimeoutMs)))
  const [masters, replicas] = [await startAll(), hasReplicas ? await startAll() : []]
  const nodes = [...masters, ...replicas]
  await Promise.all(masters.map(({ redis }, at) => redis.call('CLUSTER', 'ADDSLOTSRANGE', ...rangeOf(at, count))))
  const [first] = masters
  for (const { port, bus } of nodes.slice(1)) await first?.redis.call('CLUSTER', 'MEET', '127.0.0.1', String(port), String(bus))
  await untilAgreed(nodes)
  for (const [at, replica] of replicas.entries()) await replica.redis.call('CLUSTER', 'REPLICATE', await idOf(masters[at]))
  for (const replica of replicas)
    await vi.waitFor(async () => expectText(await replica.redis.info('replication'), 'master_link_status:up'), PATIENCE)
  return {
    url: `redis+cluster://${masters.map(({ address }) => address).join(',')}`,
    masters,
    replicas,
    stop: async () => {
      for (const node of nodes) {
        node.resume()
        node.redis.disconnect()
        await node.kill()
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const PATIENCE = { timeout: 20_000, interval: 50 }

const rangeOf = (at: number, count: number): string[] =>
  [Math.floor((at * SLOTS) / count), Math.floor(((at + 1) * SLOTS) / count) - 1].map(String)

async function startNode(dir: string, nodeTimeoutMs: number): Promise<ClusterNode> {
  const binary = await findRedisBinary()
  if (binary === undefined) throw new Error('tests need valkey-server or redis-server on the PATH')
  const [port, bus] = [await findFreePort(), await findFreePort()]
  const flags = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', String(nodeTimeoutMs)]
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
  for (const { redis } of nodes)
    await vi.waitFor(async () => {
      const info = String(await redis.call('CLUSTER', 'INFO'))
      expectText(info, 'cluster_state:ok')
      expectText(info, `cluster_known_nodes:${nodes.length}\r`)
    }, PATIENCE)
}

function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`expected ${part} in ${text}`)
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
