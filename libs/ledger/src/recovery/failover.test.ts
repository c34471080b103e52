import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectRedis, waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { aReserve, aSettle, aToken, aWallet, openLedger, postedNothing, RELAY_ID, testRecovery } from '@tollgate/testing/test-ledger'
import { startHeartbeat } from '../heartbeat/heartbeat.ts'
import { createSettleQueue, type RelaySettleQueue } from '../settle/settle-queue.ts'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Heartbeat, Ledger, SettleResult } from '../client/types.ts'
import { isIntact } from './recovery.ts'

/** Two servers behind one address, as a managed Redis has them; `link` is the replica's way to its master. */
let [a, b]: TestRedis[] = []
let [ofA, ofB]: Redis[] = []
let [address, link]: TcpProxy[] = []
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin
let queue: RelaySettleQueue
let heartbeat: Heartbeat
let dir: string

beforeEach(async () => {
  ;[a, b] = await Promise.all([startTestRedis(), startTestRedis()])
  ;[ofA, ofB] = [connectRedis(a.url, 'plain'), connectRedis(b.url, 'plain')]
  ;[address, link] = await Promise.all([startTcpProxy(a.port), startTcpProxy(a.port)])
  // A full copy begins at once.
  await Promise.all([ofA, ofB].map((one) => one.config('SET', 'repl-diskless-sync-delay', '0')))
  await follow(ofB, a)
  ;({ redis, ledger, admin } = await openLedger(`redis://127.0.0.1:${address.port}`))
  await admin.loadWallets([aWallet], await admin.redisTime())
  await admin.loadTokens([aToken], await admin.redisTime())
  dir = await mkdtemp(join(tmpdir(), 'tollgate-failover-'))
  queue = createSettleQueue({ ledger, load: async () => undefined, capacity: 100, dir, relay_id: RELAY_ID })
  heartbeat = await startHeartbeat({
    redis,
    relay_id: RELAY_ID,
    shards: 2,
    listProgress: () => [],
    isKnown: () => true,
    settleUnknown: async () => undefined,
    onReopened: () => void queue.resendRecent(),
    intervalMs: 50,
  })
})
afterEach(async () => {
  await heartbeat.stop()
  await queue.drain(0)
  for (const one of [redis, ofA, ofB]) one?.disconnect()
  await Promise.all([address?.close(), link?.close()])
  await Promise.all([a?.stop(), b?.stop()])
  await rm(dir, { recursive: true, force: true })
})

/** Makes a server the replica of another, through `link`, and waits until it has everything. */
async function follow(replica: Redis | undefined, master: TestRedis): Promise<void> {
  link?.pointTo(master.port)
  await replica?.call('REPLICAOF', '127.0.0.1', String(link?.port))
  await caughtUp(replica)
}

async function caughtUp(replica: Redis | undefined): Promise<void> {
  await vi.waitFor(async () => expect(await replica?.info('replication')).toContain('master_link_status:up'), 10_000)
}

/** Promotes a server and points the address to it, as the operator of a managed Redis does. */
async function promote(next: Redis | undefined, server: TestRedis | undefined): Promise<void> {
  await next?.call('REPLICAOF', 'NO', 'ONE')
  address?.pointTo(server?.port ?? 0)
  address?.cut()
  await vi.waitFor(() => expect(redis.status).not.toBe('ready'))
  await waitUntilReady(redis)
}

const recover = async (posted = postedNothing()) => await testRecovery(redis, 2, posted).check()

/** Takes a hold; a connection hears of an opening within a moment. */
async function reserve(request_id: string) {
  return await vi.waitFor(async () => {
    const held = await ledger.reserve(aReserve({ request_id, want: 60, least: 60 }))
    if (held.kind !== 'held') throw new Error(`reserve answered ${held.kind}`)
    return held
  })
}

/** One whole request. */
async function charge(request_id: string): Promise<SettleResult | { kind: 'queued' }> {
  const held = await reserve(request_id)
  queue.takeSlot()
  return await queue.settle(aSettle({ request_id, charge: 60, wallet_held: 60, token_held: 60, epoch: held.epoch }))
}

/** The requests that have a usage event. */
async function listCharged(): Promise<Set<string>> {
  const entries = await redis.xrange(keys.usage(1), '-', '+')
  return new Set(entries.map(([, fields]) => fields[fields.indexOf('id') + 1] ?? ''))
}

describe('a store that was replaced and comes back', () => {
  /** A serves; B takes over and serves three calls that A never hears of; B dies, and A takes over with its old scripts. */
  const failBack = async (): Promise<void> => {
    expect(await charge('first')).toMatchObject({ kind: 'settled', n: 1 })
    await vi.waitFor(async () => expect(await ofB?.hget(keys.fence(1), 'n')).toBe('1'))
    await promote(ofB, b)
    expect((await recover()).kind).toBe('opened')
    if (b !== undefined) await follow(ofA, b)
    await vi.waitFor(async () => expect(await ofA?.get(keys.opened())).toBe(await redis.get(keys.opened())))
    link?.fallSilent()
    for (const id of ['second', 'third', 'fourth']) expect(await charge(id)).toMatchObject({ kind: 'settled' })
    await b?.kill()
    await promote(ofA, a)
  }

  it('is closed to every call, although it knows every script, until recovery has compared it', async () => {
    await failBack()

    expect(await ledger.reserve(aReserve({ request_id: 'r' }))).toEqual({ kind: 'closed' })
    expect(await ledger.settle(aSettle({ request_id: 'first' }))).toEqual({ kind: 'closed' })
    expect(await isIntact({ redis, shards: 2, posted: postedNothing() })).toBe(false)

    expect(await recover()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
    expect(await reserve('r')).toMatchObject({ kind: 'held' })
  })

  it('gets the charges that it never heard of from the relay that was answered', async () => {
    await failBack()
    expect(await listCharged()).toEqual(new Set(['first']))

    await recover()

    // The first one too, which it has: posting drops the repetition.
    await vi.waitFor(async () => expect(await listCharged()).toEqual(new Set(['first', 'second', 'third', 'fourth'])), 5000)
  })

  it('is repaired when Postgres has posted more than it ever had', async () => {
    await failBack()

    const posted = postedNothing({ shard: 1, last_n: 4, last_id: '99999999999999-0' })
    expect(await isIntact({ redis, shards: 2, posted })).toBe(false)
    expect(await recover(posted)).toEqual({ kind: 'opened', intact: [0], repaired: [1] })
    expect(await redis.hget(keys.fence(1), 'n')).toBe('4')
  })

  it('opens again by itself after planned changes of the master without a loss', async () => {
    await charge('first')
    await vi.waitFor(async () => expect(await ofB?.hget(keys.fence(1), 'n')).toBe('1'))
    await promote(ofB, b)
    expect(await ledger.reserve(aReserve({ request_id: 'r' }))).toEqual({ kind: 'closed' })
    expect(await recover()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
    if (b !== undefined) await follow(ofA, b)
    await charge('second')
    await vi.waitFor(async () => expect(await ofA?.hgetall(keys.fence(1))).toEqual(await redis.hgetall(keys.fence(1))))

    await promote(ofA, a)

    expect(await ledger.reserve(aReserve({ request_id: 's' }))).toEqual({ kind: 'closed' })
    expect(await recover()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
    expect(await recover()).toEqual({ kind: 'open' })
    expect(await charge('third')).toMatchObject({ kind: 'settled' })
  })
})

describe('a server that was promoted under an open connection', () => {
  it('is closed within a heartbeat', async () => {
    // The master does not answer, so that nothing is copied.
    await ofA?.call('REPLICAOF', '127.0.0.1', '1')
    await ofA?.call('REPLICAOF', 'NO', 'ONE')

    await heartbeat.refresh()

    expect(await ledger.reserve(aReserve({ request_id: 'r' }))).toEqual({ kind: 'closed' })
    expect((await recover()).kind).toBe('opened')
    expect(await reserve('r')).toMatchObject({ kind: 'held' })
  })

  it('serves nothing while it is a replica', async () => {
    await promote(ofB, b)
    await recover()
    if (b !== undefined) await follow(ofA, b)
    address?.pointTo(a?.port ?? 0)
    address?.cut()
    await vi.waitFor(() => expect(redis.status).not.toBe('ready'))
    await waitUntilReady(redis)

    expect(await ledger.reserve(aReserve({ request_id: 'r' }))).toEqual({ kind: 'closed' })
    expect(await recover()).toMatchObject({ kind: 'unavailable' })
  })
})

describe('an open shard whose store is behind', () => {
  it.each([
    ['its number of events', { last_n: 2, last_id: '0-0' }],
    ['its stream', { last_n: 1, last_id: '99999999999999-7' }],
  ])('is found with every script loaded, by %s', async (_name, known) => {
    await charge('first')

    expect(await isIntact({ redis, shards: 2, posted: postedNothing({ shard: 1, ...known }) })).toBe(false)
    expect(await recover(postedNothing({ shard: 1, ...known }))).toEqual({ kind: 'opened', intact: [], repaired: [1] })
  })
})
