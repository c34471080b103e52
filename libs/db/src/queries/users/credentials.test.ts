import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../connect.ts'
import { findAccountByBinding, isEmailTaken } from './bindings.ts'
import { noteDevice, setDeviceNotified } from './known-devices.ts'
import { isMailCodeValid, removeExpiredCodes, saveMailCode, useMailCode } from './mail-codes.ts'
import { createPasskey, notePasskeyUse } from './passkeys.ts'
import {
  countRecoveryCodes,
  findTwoFactor,
  removeTwoFactor,
  replaceRecoveryCodes,
  startTwoFactor,
  takeRecoveryCode,
  takeTotpStep,
} from './two-factor.ts'
import { eraseUser, removeUser } from './user-removal.ts'
import { listTokenNames, listUserIdsNamed } from './usernames.ts'

const NOW = 1_800_000_000
const DAY = 86_400

describe('what proves who a user is', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of ['mailed_codes', 'two_factor', 'recovery_codes', 'passkeys', 'known_devices', 'tokens', 'users'] as const) {
      await test.db.deleteFrom(table).execute()
    }
    const users = ['mira', 'Miro', 'a_b', 'axb'].map((username, nth) => ({
      id: nth + 1,
      shard: 1,
      username,
      email: `${username}@example.org`,
      oidc_id: `oidc-${nth + 1}`,
      aff_code: `code-${nth + 1}`,
      password_hash: 'h',
      created_at: 1,
    }))
    await test.db.insertInto('users').values(users).execute()
  })

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(work)
  const often = <T>(call: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 6 }, call))
  const count = (results: readonly boolean[]): number => results.filter(Boolean).length

  describe('a mailed code', () => {
    const CODE = { purpose: 'verification', address: 'a@example.org', code_hash: 'h1' } as const
    const save = (change: object = {}) => saveMailCode(test.db, { ...CODE, expires_at: NOW + 600, ...change })

    it('is used up by one of any number of parallel calls, with all others of its address', async () => {
      await save()
      await save({ code_hash: 'h2' })

      expect(count(await often(() => inTx((tx) => useMailCode(tx, { ...CODE, now: NOW }))))).toBe(1)
      expect(await isMailCodeValid(test.db, { ...CODE, code_hash: 'h2', now: NOW })).toBe(false)
    })

    it('is valid until its end, for its purpose and address only', async () => {
      await save()
      const isValid = (change: object) => isMailCodeValid(test.db, { ...CODE, now: NOW, ...change })

      expect(await isValid({ now: NOW + 599 })).toBe(true)
      expect(await isValid({ now: NOW + 600 })).toBe(false)
      expect(await isValid({ purpose: 'reset' })).toBe(false)
      expect(await isValid({ address: 'b@example.org' })).toBe(false)
      expect(await inTx((tx) => useMailCode(tx, { ...CODE, now: NOW + 600 }))).toBe(false)
    })

    it('lives on when it is mailed again, and is removed after its end', async () => {
      await save()
      await save({ expires_at: NOW + 900 })
      await removeExpiredCodes(test.db, NOW + 600)
      expect(await isMailCodeValid(test.db, { ...CODE, now: NOW + 700 })).toBe(true)

      await removeExpiredCodes(test.db, NOW + 900)
      expect(await test.db.selectFrom('mailed_codes').selectAll().execute()).toEqual([])
    })
  })

  describe('two-step verification', () => {
    const start = (secret_sealed = 's1') => startTwoFactor(test.db, { user_id: 1, secret_sealed, now: NOW })
    const take = (step: number, turnsOn = false) => takeTotpStep(test.db, { user_id: 1, step, turnsOn })

    it('accepts the code of a time step once, and none of an earlier step', async () => {
      await start()
      expect(await take(100), 'before it is on').toBe(false)
      expect(await take(100, true)).toBe(true)

      expect(await take(100)).toBe(false)
      expect(await take(99)).toBe(false)
      expect(count(await often(() => take(101)))).toBe(1)
    })

    it('keeps its secret once it is on', async () => {
      await start()
      expect(await start('s2')).toBe(true)
      await take(100, true)

      expect(await start('s3')).toBe(false)
      expect(await findTwoFactor(test.db, 1)).toEqual({ secret_sealed: 's2', is_on: true })
    })

    it('accepts each recovery code once, and none of an earlier set', async () => {
      await inTx((tx) => replaceRecoveryCodes(tx, 1, ['r0']))
      await inTx((tx) => replaceRecoveryCodes(tx, 1, ['r1', 'r2']))

      expect(await takeRecoveryCode(test.db, 1, 'r0')).toBe(false)
      expect(await takeRecoveryCode(test.db, 2, 'r1'), 'of another user').toBe(false)
      expect(count(await often(() => takeRecoveryCode(test.db, 1, 'r1')))).toBe(1)
      expect(await countRecoveryCodes(test.db, 1)).toBe(1)
    })

    it('leaves nothing when it is removed', async () => {
      await start()
      await inTx((tx) => replaceRecoveryCodes(tx, 1, ['r1']))

      await inTx((tx) => removeTwoFactor(tx, 1))

      expect([await findTwoFactor(test.db, 1), await countRecoveryCodes(test.db, 1)]).toEqual([undefined, 0])
    })
  })

  describe('a passkey', () => {
    const passkey = (counter: number) =>
      inTx((tx) =>
        createPasskey(tx, {
          user_id: 1,
          credential_id: `c${counter}`,
          public_key: 'k',
          counter,
          name: 'key',
          transports: '',
          created_at: NOW,
        }),
      )

    it('with a counter is refused when the counter does not rise: it was copied', async () => {
      const { id } = await passkey(5)
      const use = (counter: number) => notePasskeyUse(test.db, { id, counter, now: NOW })

      expect([await use(5), await use(4), await use(6), await use(6)]).toEqual([false, false, true, false])
      expect(await use(0), 'a counter that is gone').toBe(false)
    })

    it('without a counter is accepted each time', async () => {
      const { id } = await passkey(0)
      const use = () => notePasskeyUse(test.db, { id, counter: 0, now: NOW })

      expect([await use(), await use()]).toEqual([true, true])
    })
  })

  describe('a browser that signs in', () => {
    const note = (device_hash: string, { now = NOW, origin_hash = 'o1' } = {}) =>
      inTx((tx) => noteDevice(tx, { user_id: 1, device_hash, origin_hash, now }))

    it('is the first, then known, and new once when it signs in several times at once', async () => {
      expect([await note('d1'), await note('d1')]).toEqual(['first', 'known'])

      expect((await often(() => note('d2'))).toSorted()).toEqual(['known', 'known', 'known', 'known', 'known', 'new'])
    })

    it('of an origin that a notice named today needs none, also when one follows the other', async () => {
      await note('d1')
      await note('d2')
      await inTx((tx) => setDeviceNotified(tx, { user_id: 1, device_hash: 'd2', now: NOW }))

      expect(await note('d3', { now: NOW + 60 })).toBe('notified')
      expect(await note('d4', { origin_hash: 'o2' }), 'of another origin').toBe('new')
      expect(await note('d5', { now: NOW + DAY }), 'tomorrow').toBe('new')
    })

    it('is remembered among the fifty that were seen last', async () => {
      for (let nth = 0; nth < 51; nth += 1) await note(`d${nth}`, { now: NOW + nth })

      expect(await note('d0', { now: NOW + 60 })).toBe('new')
      expect(await note('d50', { now: NOW + 61 })).toBe('known')
    })
  })

  describe('an account', () => {
    it('is found by a binding, and never by an empty one', async () => {
      expect(await findAccountByBinding(test.db, 'oidc_id', 'oidc-2')).toMatchObject({ id: 2, deleted_at: null })
      expect(await findAccountByBinding(test.db, 'github_id', '')).toBeUndefined()
    })

    it('has its address in any case, until it is deleted', async () => {
      expect([await isEmailTaken(test.db, 'MIRA@example.org'), await isEmailTaken(test.db, '')]).toEqual([true, false])

      expect(await inTx((tx) => removeUser(tx, 1))).toBe(true)

      expect(await isEmailTaken(test.db, 'mira@example.org')).toBe(false)
      expect(await inTx((tx) => removeUser(tx, 1)), 'again').toBe(false)
    })

    it('that is erased frees its name and identities and keeps its row', async () => {
      await inTx((tx) => eraseUser(tx, 1))
      expect(await listUserIdsNamed(test.db, 'mira'), 'before it is deleted').toEqual([1])

      await inTx((tx) => removeUser(tx, 1))
      await inTx((tx) => eraseUser(tx, 1))

      const row = await test.db.selectFrom('users').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
      expect(row).toMatchObject({ username: 'deleted-user-1', email: '', oidc_id: '', password_hash: '', aff_code: null })
      await test.db.insertInto('users').values({ id: 9, shard: 1, username: 'mira', oidc_id: 'oidc-1', created_at: 1 }).execute()
      expect(await findAccountByBinding(test.db, 'oidc_id', 'oidc-1')).toMatchObject({ id: 9 })
    })

    it('is named exactly, or else by a part as it is written', async () => {
      expect(await listUserIdsNamed(test.db, 'mira')).toEqual([1])
      expect(await listUserIdsNamed(test.db, 'mir'), 'by name, as bytes order it').toEqual([2, 1])
      expect(await listUserIdsNamed(test.db, '_')).toEqual([3])
      expect(await listUserIdsNamed(test.db, '%')).toEqual([])
    })

    it('finds names of tokens of its own, and a name that no token has any more', async () => {
      const token = { key_sealed: 's', key_head: 'h', key_tail: 't', created_time: 1, expired_time: -1 }
      await test.db
        .insertInto('tokens')
        .values([
          { ...token, user_id: 1, name: 'ci-east', key_hash: 'k1' },
          { ...token, user_id: 2, name: 'ci-west', key_hash: 'k2' },
        ])
        .execute()

      expect(await listTokenNames(test.db, 'ci', undefined)).toEqual(['ci-east', 'ci-west'])
      expect(await listTokenNames(test.db, 'ci', 1)).toEqual(['ci-east'])
      expect(await listTokenNames(test.db, 'ci-east', undefined)).toEqual(['ci-east'])
      expect(await listTokenNames(test.db, 'gone', undefined)).toEqual(['gone'])
    })
  })
})
