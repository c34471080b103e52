import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../connect.ts'
import { takeInviteQuota } from '../users/invites.ts'
import { addBalanceCorrections, listBalanceCorrections, removeBalanceCorrections } from './balance-corrections.ts'
import { addBonusClaims } from './bonus-claims.ts'
import { addInviteReward, findInviter } from './invite-rewards.ts'
import { countOpenOutbox, listOpenOutbox } from './outbox.ts'
import { createRedemptions, listRedemptions, removeRedemption, takeRedemption, updateRedemption } from './redemptions.ts'
import { creditWallet, listWalletStates, type Credit } from './wallet.ts'

const NOW = 1_800_000_000

describe('money that does not come from requests', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of [
      'wallet_entries',
      'ledger_outbox',
      'redemptions',
      'bonus_claims',
      'invite_rewards',
      'balance_corrections',
    ] as const) {
      await test.db.deleteFrom(table).execute()
    }
    await test.db.deleteFrom('users').execute()
    const users = [1, 2].map((id) => ({ id, shard: id, username: `user-${id}`, aff_code: `code-${id}`, created_at: 1, credited: 100 }))
    await test.db.insertInto('users').values(users).execute()
  })

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(work)
  const userOf = (id: number) => test.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  describe('a credit', () => {
    const credit = (change: Partial<Credit> = {}) =>
      inTx((tx) =>
        creditWallet(tx, { user_id: 1, kind: 'redemption', amount: 50, reference: 'redemption:1', actor: 0, now: NOW, ...change }),
      )

    it('of one reference is booked once, in parallel too, and is synced to Redis', async () => {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => credit()))

      expect(outcomes.toSorted()).toEqual(['booked', 'known', 'known', 'known', 'known', 'known'])
      expect(await listWalletStates(test.db, [1])).toMatchObject([{ user_id: 1, shard: 1, credited: 150, spent: 0 }])
      expect(await listOpenOutbox(test.db, { after: 0, limit: 10 })).toMatchObject([{ subject: 'user', subject_id: 1 }])
    })

    it('of another kind with the same reference is another one', async () => {
      await credit()

      expect(await credit({ kind: 'top-up', amount: -20 })).toBe('booked')
      expect((await userOf(1)).credited).toBe(130)
    })

    it('raises the version by which relays notice it', async () => {
      const before = (await userOf(1)).wallet_version

      await credit()

      expect((await userOf(1)).wallet_version).toBe(before + 1)
    })

    it('for a user that does not exist leaves nothing behind', async () => {
      await expect(credit({ user_id: 99 })).rejects.toThrow('99')

      expect(await test.db.selectFrom('wallet_entries').selectAll().execute()).toEqual([])
      expect(await countOpenOutbox(test.db, 10)).toBe(0)
    })

    it('beyond what a sum may reach is refused by the database', async () => {
      await expect(credit({ amount: 1_000_000_000_000_000 })).rejects.toThrow('an amount is out of range')

      expect((await userOf(1)).credited).toBe(100)
    })
  })

  describe('a redemption code', () => {
    const codes = (...fields: readonly { readonly name?: string; readonly expired_time?: number }[]) =>
      inTx((tx) =>
        createRedemptions(
          tx,
          fields.map((change, nth) => ({
            user_id: 1,
            key_hash: `hash-${nth}`,
            key_sealed: 's',
            name: 'gift',
            quota: 7,
            created_time: 1,
            ...change,
          })),
        ),
      )
    const take = (nth = 0, user_id = 2) => inTx((tx) => takeRedemption(tx, { key_hash: `hash-${nth}`, user_id, now: NOW }))

    it('is given to one of any number of parallel calls', async () => {
      const [id] = await codes({})

      const taken = await Promise.all(Array.from({ length: 6 }, (_, nth) => take(0, nth + 1)))

      expect(taken.filter((code) => code !== undefined)).toEqual([{ id, quota: 7, name: 'gift' }])
      expect(await take()).toBeUndefined()
    })

    it('is given until the second before its end', async () => {
      await codes({ expired_time: NOW }, { expired_time: NOW + 1 })

      expect([await take(0), await take(1)]).toMatchObject([undefined, { quota: 7 }])
    })

    it('that was disabled or deleted is given to no user', async () => {
      const [disabled = 0, removed = 0] = await codes({}, {})
      await inTx((tx) => updateRedemption(tx, { id: disabled, patch: { status: 2 } }))
      expect(await inTx((tx) => removeRedemption(tx, removed))).toBe(true)

      expect([await take(0), await take(1)]).toEqual([undefined, undefined])
      expect(await inTx((tx) => removeRedemption(tx, removed)), 'again').toBe(false)
    })

    it('is found by the start of its name as it is written, or by its id', async () => {
      const [percent, plain] = await codes({ name: '50%_off' }, { name: '50 off' })
      const find = async (keyword: string) => (await listRedemptions(test.db, { keyword, limit: 10, offset: 0 })).items.map(({ id }) => id)

      expect(await find('50%')).toEqual([percent])
      expect(await find('50')).toEqual([plain, percent])
      expect(await find('off')).toEqual([])
      expect(await find(String(plain))).toEqual([plain])
      expect(await find('')).toEqual([plain, percent])
    })
  })

  describe('a bonus', () => {
    const claim = (...claims: readonly (readonly [newest: string, ...older: string[]])[]) =>
      inTx((tx) =>
        addBonusClaims(
          tx,
          claims.map((all) => ({ newest: all[0], all })),
          NOW,
        ),
      )

    it('is given once for an identity, in parallel too', async () => {
      const given = await Promise.all(Array.from({ length: 6 }, () => claim(['mail'], ['github'])))

      expect(given.filter(Boolean)).toHaveLength(1)
    })

    it('is given once for many identities in any order, and no transaction waits for one that waits for it', async () => {
      const all = Array.from({ length: 8000 }, (_, nth) => [`identity-${nth}`] as const)

      const given = await Promise.all(Array.from({ length: 6 }, (_, nth) => claim(...(nth % 2 === 0 ? all : all.toReversed()))))

      expect(given.filter(Boolean)).toHaveLength(1)
    })

    it('is not given again after the key of the hashes was changed', async () => {
      expect(await claim(['old'])).toBe(true)

      expect(await claim(['new', 'old'])).toBe(false)
      expect(await claim(['other', 'unknown'])).toBe(true)
      expect(await claim(), 'without an identity').toBe(true)
    })
  })

  describe('an invite', () => {
    it('is of an account that is neither banned nor deleted', async () => {
      expect(await inTx((tx) => findInviter(tx, 'code-1'))).toEqual({ id: 1, username: 'user-1' })
      await test.db.updateTable('users').set({ status: 2 }).where('id', '=', 1).execute()
      await test.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', 2).execute()

      expect(await inTx((tx) => findInviter(tx, 'code-1'))).toBeUndefined()
      expect(await inTx((tx) => findInviter(tx, 'code-2'))).toBeUndefined()
    })

    it('is rewarded once for an invited account', async () => {
      const reward = (invitee_id: number) => inTx((tx) => addInviteReward(tx, { inviter_id: 1, invitee_id, amount: 30, now: NOW }))
      await reward(2)

      await expect(reward(2)).rejects.toThrow(/unique constraint/)
      expect(await userOf(1)).toMatchObject({ aff_count: 1, aff_quota: 30, aff_history: 30 })
    })

    it('pays out no more than was earned, in parallel too', async () => {
      await test.db.updateTable('users').set({ aff_quota: 100 }).where('id', '=', 1).execute()

      const taken = await Promise.all(Array.from({ length: 5 }, () => inTx((tx) => takeInviteQuota(tx, { id: 1, amount: 40 }))))

      expect(taken.filter(Boolean)).toHaveLength(2)
      expect((await userOf(1)).aff_quota).toBe(20)
    })
  })

  describe('a balance correction', () => {
    const accounts = [
      { subject: 'user', subject_id: 1 },
      { subject: 'user', subject_id: 99 },
    ] as const
    const listed = () => inTx((tx) => listBalanceCorrections(tx, [4], 10))

    it('has the posted sum of an account that exists, in its shard only', async () => {
      await test.db.updateTable('users').set({ spent: 12 }).where('id', '=', 1).execute()
      await inTx((tx) => addBalanceCorrections(tx, { shard: 4, n: 5, accounts }))

      expect(await listed()).toMatchObject([{ subject: 'user', subject_id: 1, posted: 12 }])
      expect(await inTx((tx) => listBalanceCorrections(tx, [5], 10))).toEqual([])
    })

    it('that a later posting recorded stays when an earlier one was applied', async () => {
      await inTx((tx) => addBalanceCorrections(tx, { shard: 4, n: 5, accounts }))
      await inTx((tx) => addBalanceCorrections(tx, { shard: 4, n: 8, accounts: accounts.slice(0, 1) }))

      await removeBalanceCorrections(test.db, { shard: 4, n: 7, accounts })
      expect(await listed()).toHaveLength(1)

      await removeBalanceCorrections(test.db, { shard: 4, n: 8, accounts })
      expect(await listed()).toEqual([])
    })
  })
})
