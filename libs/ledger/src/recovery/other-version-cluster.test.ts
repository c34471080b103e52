import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RedisCluster } from '@tollgate/redis/cluster/redis-cluster'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { allShards, connectLedger, partsOf, serverOf, waitUntilLedgerReady } from '@tollgate/redis/ledger-servers'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startTestCluster, type TestCluster } from '@tollgate/testing/redis-cluster'
import { aReserve, aToken, aWallet, postedNothing, testRecovery } from '@tollgate/testing/test-ledger'
import { createLedgerAdmin } from '../accounts/ledger-admin.ts'
import { createLedger } from '../client/ledger.ts'
import { closeFence } from './fence.ts'
import { isIntact } from './recovery.ts'

const SHARDS = 12
const all = allShards(SHARDS)

describe('recovery on a cluster that another version of Tollgate has open', () => {
  let home: TestRedis
  let cluster: TestCluster
  let plain: Redis
  let servers: RedisCluster
  beforeAll(async () => {
    ;[home, cluster] = await Promise.all([startTestRedis(), startTestCluster()])
    plain = connectRedis(home.url, 'plain')
    await waitUntilReady(plain)
  })
  afterAll(async () => {
    servers?.disconnect()
    plain?.disconnect()
    await Promise.all([home?.stop(), cluster?.stop()])
  })
  beforeEach(async () => {
    servers?.disconnect()
    const made = connectLedger(cluster.url, 'ledger', plain)
    if (!(made instanceof RedisCluster)) throw new Error('not a cluster')
    servers = made
    await waitUntilLedgerReady(servers)
    await plain.flushall()
    for (const { redis } of cluster.masters) await redis.flushall()
    expect(await recover()).toEqual({ kind: 'opened', intact: all, repaired: [] })
    const admin = createLedgerAdmin(servers)
    // A read in the millisecond of the opening may count as before it.
    await vi.waitFor(async () => {
      const readAt = await admin.beginRead()
      const wallets = all.map((shard) => ({ ...aWallet, shard, user_id: shard + 1 }))
      const tokens = all.map((shard) => ({ ...aToken, shard, token_id: shard + 1 }))
      const loaded = [...(await admin.loadWallets(wallets, readAt)), ...(await admin.loadTokens(tokens, readAt))]
      expect(loaded.map(({ kind }) => kind)).not.toContain('old')
    })
    for (const { redis } of cluster.masters) await redis.script('FLUSH')
  })

  const recover = () => testRecovery(servers, SHARDS).check()
  const epochs = () => Promise.all(all.map((shard) => serverOf(servers, shard).hget(keys.fence(shard), 'epoch')))
  const shardsOfFirst = (): readonly number[] => partsOf(servers, all)[0]?.shards ?? []
  /** The masters as another version opens and serves from them. */
  const asOther = async (): Promise<void> => {
    for (const { redis, shards } of partsOf(servers, all)) {
      const sha = String(await redis.script('LOAD', 'return 1'))
      for (const shard of shards) await redis.hset(keys.fence(shard), 'script', sha)
    }
  }
  const answers = async () => {
    const ledger = createLedger(servers)
    const asked = all.map((shard) =>
      ledger.reserve(aReserve({ shard, user_id: shard + 1, token_id: shard + 1, request_id: `of-${shard}`, want: 1, least: 1 })),
    )
    return new Set((await Promise.all(asked)).map(({ kind }) => kind))
  }

  it('lets this version in on every master, and closes no shard', async () => {
    await asOther()
    const before = await epochs()

    expect(await recover()).toEqual({ kind: 'opened', intact: [], repaired: [] })

    expect(await epochs()).toEqual(before)
    expect(await answers()).toEqual(new Set(['held']))
    expect(await isIntact({ redis: servers, shards: SHARDS, posted: postedNothing() })).toBe(true)
    expect(await recover()).toEqual({ kind: 'open' })
  })

  it('compares only the shard that is closed', async () => {
    await asOther()
    await closeFence(servers, 5)
    const before = await epochs()

    expect(await recover()).toEqual({ kind: 'opened', intact: [], repaired: [5] })

    expect((await epochs()).flatMap((epoch, shard) => (epoch === before[shard] ? [] : [shard]))).toEqual([5])
  })

  it('compares only the shards of a master on which the scripts of the other version are gone', async () => {
    await asOther()
    const own = shardsOfFirst()
    const first = servers.masters()[0]
    await first?.redis.script('FLUSH')

    expect(await recover()).toEqual({ kind: 'opened', intact: [...own].toSorted((a, b) => a - b), repaired: [] })
  })

  it('compares only the shard that came from another master', async () => {
    await asOther()
    await serverOf(servers, 7).hset(keys.fence(7), 'store', 'another/master')

    expect(await recover()).toEqual({ kind: 'opened', intact: [7], repaired: [] })
  })

  it('compares every shard if this version had opened and its scripts are gone', async () => {
    expect(await recover()).toEqual({ kind: 'opened', intact: all, repaired: [] })
  })
})
