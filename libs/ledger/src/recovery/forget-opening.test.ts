import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { aReserve, aToken, aWallet, openLedger, testRecovery } from '@tollgate/testing/test-ledger'
import type { Ledger } from '../client/types.ts'
import { checkStore } from '../scripts/checked-store.ts'
import { forgetOpening } from './store-mark.ts'

let [left, next]: TestRedis[] = []
let [atLeft, atNext]: Redis[] = []
let redis: Redis
let ledger: Ledger

beforeEach(async () => {
  ;[left, next] = await Promise.all([startTestRedis(), startTestRedis()])
  ;[atLeft, atNext] = [connectRedis(left.url, 'plain'), connectRedis(next.url, 'plain')]
  const opened = await openLedger(left.url)
  ;({ redis, ledger } = opened)
  await opened.admin.loadWallets([aWallet], await opened.admin.redisTime())
  await opened.admin.loadTokens([aToken], await opened.admin.redisTime())
})
afterEach(async () => {
  for (const one of [redis, atLeft, atNext]) one?.disconnect()
  await Promise.all([left?.stop(), next?.stop()])
})

const forget = (of: Redis | undefined, ledgerAt: Redis | undefined): Promise<void> => {
  if (of === undefined || ledgerAt === undefined) throw new Error('there are two servers')
  return forgetOpening(of, ledgerAt)
}

describe('a server that the ledger left', () => {
  it('is closed from the next heartbeat, and compared before it serves again', async () => {
    expect(await ledger.reserve(aReserve())).toMatchObject({ kind: 'held' })

    await forget(atLeft, atNext)

    await checkStore(redis, { redis, shards: [0, 1] })
    expect(await ledger.reserve(aReserve({ request_id: '20261120000000000000002' }))).toMatchObject({ kind: 'closed' })
    expect(await testRecovery(redis).check()).toMatchObject({ kind: 'opened', intact: [0, 1] })
    await vi.waitFor(async () => {
      expect(await ledger.reserve(aReserve({ request_id: '20261120000000000000003' }))).toMatchObject({ kind: 'held' })
    })
  })

  it('stays open if it is the server of the ledger by another name', async () => {
    const byAnotherName = connectRedis((left?.url ?? '').replace('127.0.0.1', 'localhost'), 'plain')

    await forget(byAnotherName, atLeft)

    byAnotherName.disconnect()
    await checkStore(redis, { redis, shards: [0, 1] })
    expect(await ledger.reserve(aReserve())).toMatchObject({ kind: 'held' })
  })
})
