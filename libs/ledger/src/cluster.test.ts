import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { slotOfKey } from '@tollgate/redis/cluster/key-slot'
import { RedisCluster } from '@tollgate/redis/cluster/redis-cluster'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { allShards, connectLedger, partsOf, serverOf, waitUntilLedgerReady } from '@tollgate/redis/ledger-servers'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { moveSlot, startTestCluster, type ClusterNode, type TestCluster } from '@tollgate/testing/redis-cluster'
import { aReserve, aSettle, aToken, aWallet, postedNothing, RELAY_ID, testRecovery } from '@tollgate/testing/test-ledger'
import { createLedgerAdmin, type LedgerAdmin } from './accounts/ledger-admin.ts'
import { createLedger } from './client/ledger.ts'
import type { Heartbeat, Ledger } from './client/types.ts'
import { startHeartbeat } from './heartbeat/heartbeat.ts'
import { createSharedLimits } from './limits/shared-limits.ts'
import { isIntact } from './recovery/recovery.ts'
import { createSettleQueue, type RelaySettleQueue } from './settle/settle-queue.ts'
import { readLedgerProgress } from './usage-stream/ledger-progress.ts'

const SHARDS = 12
const all = allShards(SHARDS)

let [home, cluster]: [TestRedis?, TestCluster?] = []
let plain: Redis
let servers: RedisCluster
let ledger: Ledger
let admin: LedgerAdmin
let heartbeat: Heartbeat
let queue: RelaySettleQueue
/** How far the queue's clock is ahead, in milliseconds. */
let skipped = 0
let dir: string

async function open(options: Parameters<typeof startTestCluster>[0] = {}): Promise<TestCluster> {
  ;[home, cluster] = await Promise.all([startTestRedis(), startTestCluster(options)])
  plain = connectRedis(home.url, 'plain')
  await waitUntilReady(plain)
  const made = connectLedger(cluster.url, 'ledger', plain)
  if (!(made instanceof RedisCluster)) throw new Error('not a cluster')
  servers = made
  await waitUntilLedgerReady(servers)
  expect(await recover()).toEqual({ kind: 'opened', intact: all, repaired: [] })
  ledger = createLedger(servers)
  admin = createLedgerAdmin(servers)
  await load()
  skipped = 0
  const now = () => performance.now() + skipped
  queue = createSettleQueue({ ledger, load, serverOf: (shard) => serverOf(servers, shard), capacity: 1000, dir, relay_id: RELAY_ID, now })
  heartbeat = await startHeartbeat({
    redis: servers,
    relay_id: RELAY_ID,
    shards: SHARDS,
    listProgress: () => [],
    isKnown: () => true,
    settleUnknown: async () => undefined,
    onReopened: () => void queue.resendRecent(),
    intervalMs: 50,
  })
  return cluster
}

/** One user with one token in each shard. */
async function load(): Promise<void> {
  const readAt = await admin.beginRead()
  await admin.loadWallets(
    all.map((shard) => ({ ...aWallet, shard, user_id: shard + 1, credited: 1000 })),
    readAt,
  )
  await admin.loadTokens(
    all.map((shard) => ({ ...aToken, shard, token_id: shard + 1 })),
    readAt,
  )
}

const recover = (posted = postedNothing()) => testRecovery(servers, SHARDS, posted).check()

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tollgate-cluster-'))
})
afterEach(async () => {
  await heartbeat?.stop()
  await queue?.drain(0)
  servers?.disconnect()
  plain?.disconnect()
  await Promise.all([home?.stop(), cluster?.stop()])
  await rm(dir, { recursive: true, force: true })
})

/** Half a minute of requests on other masters. */
async function serveOthers(shards: readonly number[]): Promise<void> {
  const [shard = 0] = shards
  for (let second = 0; second < 30; second += 1) {
    skipped += 1000
    expect(await charge(shard, `meanwhile-${second}`, 1)).toMatchObject({ kind: 'settled' })
  }
}

const accountOf = (shard: number) => ({ shard, user_id: shard + 1, token_id: shard + 1 })
const reserve = (shard: number, request_id: string) =>
  ledger.reserve(aReserve({ ...accountOf(shard), request_id, want: 60, least: 60, not_after: heartbeat.notAfter(shard) }))

/** One whole request, as a relay makes it. */
async function charge(shard: number, request_id: string, amount = 60) {
  const held = await reserve(shard, request_id)
  if (held.kind !== 'held') return held
  queue.takeSlot()
  return await queue.settle(
    aSettle({ ...accountOf(shard), request_id, charge: amount, wallet_held: 60, token_held: 60, epoch: held.epoch }),
  )
}

/** The shards of one master. */
const shardsOf = (node: ClusterNode | undefined): readonly number[] =>
  partsOf(servers, all).find(({ redis }) => redis === servers.masters().find(({ address }) => address === node?.address)?.redis)?.shards ??
  []

const spentOf = async (shard: number): Promise<number> =>
  Number(await serverOf(servers, shard).hget(keys.wallet(shard, shard + 1), 'spent'))

/** Answers with the same kind for each of these shards. */
async function answersOf(shards: readonly number[], name: string): Promise<Set<string>> {
  const answers = await Promise.all(shards.map((shard) => reserve(shard, `${name}-${shard}`)))
  return new Set(answers.map(({ kind }) => kind))
}

/** A connection hears of an opening within a moment. A killed server may have lost an account, which is loaded again. */
async function allServed(name: string): Promise<void> {
  await vi.waitFor(async () => {
    const answers = await answersOf(all, name)
    if (answers.has('cold')) await load()
    expect(answers).toEqual(new Set(['held']))
  }, 5000)
}

describe('a ledger on three masters', () => {
  it('has its shards on all of them, and charges each account where it is', async () => {
    const { masters } = await open()
    const spread = masters.map((node) => shardsOf(node).length)
    expect(spread.every((count) => count > 0)).toBe(true)
    for (const shard of all) expect(await charge(shard, `first-${shard}`)).toMatchObject({ kind: 'settled', n: 1 })
    expect(await Promise.all(all.map(spentOf))).toEqual(all.map(() => 60))
    expect(await isIntact({ redis: servers, shards: SHARDS, posted: postedNothing() })).toBe(true)
    expect(await readLedgerProgress(servers, (await postedNothing().read(all)).cursors)).toMatchObject({
      is_open: true,
      lag_events: SHARDS,
    })
  })

  it('takes limits that users share wherever their counters are', async () => {
    await open()
    const limits = createSharedLimits(servers)
    const take = (name: string, at: number) =>
      limits.take({ request_id: `${name}-${at}`, tokens: 1, limits: [{ of: 'model', name, limits: { rpm: 1 } }] })
    const names = Array.from({ length: 10 }, (_, at) => `model-${at}`)
    expect((await Promise.all(names.map((name) => take(name, 1)))).every(({ kind }) => kind === 'taken')).toBe(true)
    expect((await Promise.all(names.map((name) => take(name, 2)))).every(({ kind }) => kind === 'over-limit')).toBe(true)
  })

  it('serves the shards of two masters while the third is away, and refuses those of the third', async () => {
    const { masters } = await open()
    const [gone] = masters
    const [away, left] = [shardsOf(gone), all.filter((shard) => !shardsOf(gone).includes(shard))]
    await gone?.kill()
    await vi.waitFor(async () =>
      expect([...(await answersOf(away, 'away'))].every((kind) => kind === 'closed' || kind === 'unavailable')).toBe(true),
    )
    await vi.waitFor(async () => expect(await answersOf(left, 'left')).toEqual(new Set(['held'])))
    expect(await recover()).toMatchObject({ kind: 'unavailable', opened: 0 })
    expect(await readLedgerProgress(servers, (await postedNothing().read(all)).cursors)).toMatchObject({
      is_open: false,
      closed_shards: away.length,
    })
    await gone?.start()
    await vi.waitFor(async () => expect(await recover()).toMatchObject({ kind: 'opened', intact: away }), 20_000)
    await allServed('back')
  })
})

describe('a master that is replaced', () => {
  it('has its shards closed until they are compared on the next one, which gets the charges that it never heard of', async () => {
    const { masters, replicas } = await open({ hasReplicas: true })
    const [old, next] = [masters[0], replicas[0]]
    const moved = shardsOf(old)
    const [shard = 0] = moved
    expect(await charge(shard, 'known')).toMatchObject({ kind: 'settled', n: 1 })
    await next?.redis.call('READONLY')
    await vi.waitFor(async () => expect(await next?.redis.hget(keys.fence(shard), 'n')).toBe('1'))
    // The replica hears nothing more, not even what its socket would hold.
    next?.pause()
    await old?.redis.call('CLIENT', 'KILL', 'TYPE', 'replica')
    expect(await charge(shard, 'unheard')).toMatchObject({ kind: 'settled', n: 2 })
    await old?.kill()
    await serveOthers(all.filter((one) => !moved.includes(one)))
    next?.resume()
    await promoted(next)
    await vi.waitFor(async () => expect(await answersOf(moved, 'early')).toEqual(new Set(['closed'])), 5000)
    expect(await recover()).toMatchObject({ kind: 'opened', intact: moved })
    await vi.waitFor(async () => expect(await chargedIn(shard)).toEqual(new Set(['known', 'unheard'])), 10_000)
    await allServed('late')
  }, 60_000)

  it('is left within seconds when it falls silent', async () => {
    const { masters, replicas } = await open({ hasReplicas: true })
    const [old, next] = [masters[0], replicas[0]]
    const [moved, left] = [shardsOf(old), all.filter((shard) => !shardsOf(old).includes(shard))]
    old?.pause()
    await vi.waitFor(async () => expect(await answersOf(left, 'meanwhile')).toEqual(new Set(['held'])))
    await promoted(next)
    await vi.waitFor(async () => expect(await recover()).toMatchObject({ kind: 'opened', intact: moved }), 10_000)
    await allServed('after')
    old?.resume()
    await vi.waitFor(async () => expect(await old?.redis.info('replication')).toContain('role:slave'), 20_000)
    await allServed('again')
  }, 60_000)
})

describe('a shard that moves', () => {
  it('is closed until recovery has opened it on the other master, and loses nothing', async () => {
    const { masters } = await open()
    const [from, to] = masters
    if (from === undefined || to === undefined) throw new Error('no masters')
    const [shard = 0, ...stay] = shardsOf(from)
    await charge(shard, 'before')
    const half: string[] = []
    await moveSlot(slotOfKey(keys.fence(shard)), from, to, async () => {
      half.push((await reserve(shard, 'moving')).kind)
      expect((await recover()).kind).not.toBe('opened')
      await vi.waitFor(async () => expect(await answersOf(stay, 'stay')).toEqual(new Set(['held'])))
    })
    expect(half).toEqual(['closed'])
    await vi.waitFor(() => expect(shardsOf(to)).toContain(shard), 5000)
    expect(await reserve(shard, 'moved')).toEqual({ kind: 'closed' })
    expect(await recover()).toEqual({ kind: 'opened', intact: [shard], repaired: [] })
    await allServed('after')
    expect(await charge(shard, 'next')).toMatchObject({ kind: 'settled', n: 2 })
    expect(await spentOf(shard)).toBe(120)
  }, 60_000)
})

/** The requests of a shard that have a usage event. */
async function chargedIn(shard: number): Promise<Set<string>> {
  const entries = await serverOf(servers, shard).xrange(keys.usage(shard), '-', '+')
  return new Set(entries.map(([, fields]) => fields[fields.indexOf('id') + 1] ?? ''))
}

/** Waits until the cluster, and this process, take the node for a master. */
async function promoted(node: ClusterNode | undefined): Promise<void> {
  await vi.waitFor(async () => {
    expect(servers.masters().map(({ address }) => address)).toContain(node?.address)
    expect(servers.masters().every(({ redis }) => redis.status === 'ready')).toBe(true)
  }, 20_000)
}
