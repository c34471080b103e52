import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { sql } from 'kysely'
import { sqlOf } from '../../../test/sql-text.ts'
import type { Db, Tx } from '../../connect.ts'
import { isUniqueViolation } from '../../unique-violation.ts'
import { listEnabledModels, rebuildAbilities, toList } from '../channels/abilities.ts'
import {
  createChannels,
  listChannels,
  listRoutedChannels,
  lockChannels,
  removeChannels,
  searchChannels,
  takeChannelIds,
} from '../channels/channels.ts'
import { appendOutbox, closeOutbox, listOpenOutbox, removeClosedOutbox } from '../wallet/outbox.ts'
import { getSnapshotVersion, raiseSnapshotVersionAbove, raiseSnapshotVersion } from '../installation/snapshot.ts'
import {
  addGranted,
  createToken,
  createTokenGrant,
  listTokenOwnersByKeyHash,
  listTokenOwnersOfUser,
  listTokens,
  lockToken,
  removeToken,
  searchTokens,
  updateToken,
} from '../tokens/tokens.ts'
import {
  createUser,
  findAccount,
  findAccountByAccessToken,
  findAccountsForSignIn,
  findUser,
  isUsernameTaken,
  replacePasswordHash,
  setAccessTokenHash,
  updateUser,
} from './users.ts'
import { addCredited, createWalletEntry, listTokenStates, listWalletStates } from '../wallet/wallet.ts'

// Only the SQL text is compared: no statement runs, so a Db passes as a transaction.
const sqlInTx = (query: (tx: Tx) => Promise<unknown>): Promise<string> => sqlOf((db) => query(db as unknown as Tx))

describe('SQL of accounts, tokens and channels', () => {
  let test: TestDatabase
  let db: Db
  let count = 0
  beforeAll(async () => {
    test = await createTestDatabase()
    db = test.db
  })
  afterAll(() => test.drop())

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work)
  const aUser = (fields: object = {}): Promise<number> => {
    count += 1
    const user = {
      username: `u${count}`,
      password_hash: 'h',
      display_name: '',
      role: 1,
      group: 'default',
      aff_code: `a${count}`,
      shards: 16,
      now: 7,
      ...fields,
    }
    return inTx((tx) => createUser(tx, user))
  }
  const aToken = (user_id: number, fields: object = {}): Promise<number> => {
    count += 1
    const token = {
      user_id,
      name: `t${count}`,
      key_hash: `hash${count}`,
      key_sealed: 's',
      key_head: 'head',
      key_tail: 'tail',
      created_time: 1,
      expired_time: -1,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      ...fields,
    }
    return inTx((tx) => createToken(tx, token))
  }
  const aChannel = async (fields: object = {}): Promise<number> =>
    inTx(async (tx) => {
      const [id = 0] = await takeChannelIds(tx, 1)
      const channel = {
        id,
        type: 1,
        name: 'c',
        status: 1,
        key_sealed: 's',
        key_hash: 'h',
        openai_organization: '',
        test_model: '',
        base_url: '',
        other: '',
        models: 'm',
        group: 'default',
        model_mapping: '',
        status_code_mapping: '',
        param_override: '',
        setting: '',
        setting_sealed: '',
        max_input_tokens: 0,
        priority: 0,
        weight: 0,
        auto_ban: 1,
        tag: '',
        created_time: 1,
        ...fields,
      }
      await createChannels(tx, [channel])
      await rebuildAbilities(tx, [channel])
      return id
    })

  it('matches the reviewed text for frequent queries', async () => {
    expect({
      account: await sqlOf((on) => findAccount(on, 1)),
      accessToken: await sqlOf((on) => findAccountByAccessToken(on, 'h')),
      signIn: await sqlOf((on) => findAccountsForSignIn(on, 'n')),
      tokenOwners: await sqlOf((on) => listTokenOwnersByKeyHash(on, ['h'])),
      tokens: await sqlOf((on) => listTokens(on, { user_id: 1, limit: 10, offset: 0 })),
      tokenSearch: await sqlOf((on) => searchTokens(on, { user_id: 1, keyword: 'k', key: { head: 'a', tail: 'b' }, limit: 10 })),
      wallets: await sqlOf((on) => listWalletStates(on, [1])),
      tokenStates: await sqlOf((on) => listTokenStates(on, [1])),
      channels: await sqlOf((on) => listChannels(on, { order: 'priority', limit: 10, offset: 0 })),
      channelSearch: await sqlOf((on) =>
        searchChannels(on, { keyword: '7', key_hash: 'h', group: 'g', model: 'm', order: 'id', limit: 10 }),
      ),
      routed: await sqlOf((on) => listRoutedChannels(on, [1])),
      lockedChannels: await sqlInTx((tx) => lockChannels(tx, [2, 1])),
      lockedToken: await sqlInTx((tx) => lockToken(tx, { id: 1, user_id: 1 })),
      openOutbox: await sqlOf((on) => listOpenOutbox(on, { after: 0, limit: 100 })),
      credited: await sqlInTx((tx) => addCredited(tx, { user_id: 1, amount: 1 })),
      raisedVersion: await sqlInTx((tx) => raiseSnapshotVersion(tx)),
      models: await sqlOf((on) => listEnabledModels(on, ['g'])),
    }).toMatchSnapshot()
  })

  it('assigns a shard by user id that never changes', async () => {
    const id = await aUser()
    const [wallet] = await listWalletStates(db, [id])
    expect(wallet).toEqual({ user_id: id, shard: id % 16, posted_n: 0, credited: 0, spent: 0, version: 1, auth: 1, budgets: [] })
  })

  it('finds the user to sign in by name before e-mail, by both in any case, and no deleted user', async () => {
    const byName = await aUser({ username: 'both@x.org' })
    const byMail = await aUser()
    await db.updateTable('users').set({ email: 'Both@X.org' }).where('id', '=', byMail).execute()

    expect((await findAccountsForSignIn(db, 'both@x.org'))[0]?.id).toBe(byName)
    expect((await findAccountsForSignIn(db, 'BOTH@x.org'))[0]?.id).toBe(byName)
    await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', byName).execute()
    expect((await findAccountsForSignIn(db, 'BOTH@x.org'))[0]?.id).toBe(byMail)
    await db.updateTable('users').set({ deleted_at: new Date() }).where('id', 'in', [byName, byMail]).execute()
    expect(await findAccountsForSignIn(db, 'both@x.org')).toEqual([])
    expect(await findUser(db, byName)).toBeUndefined()
    expect(await isUsernameTaken(db, { username: 'both@x.org', except: 0 })).toBe(true)
  })

  it('distinguishes a taken name from other failures', async () => {
    await aUser({ username: 'taken' })
    const error: unknown = await aUser({ username: 'taken' }).catch((cause: unknown) => cause)
    expect([
      isUniqueViolation(error, 'users_username_key'),
      isUniqueViolation(error, 'users_email'),
      isUniqueViolation(new Error('x')),
    ]).toEqual([true, false, false])
  })

  it('raises the version numbers only for fields that relays read', async () => {
    const id = await aUser()

    await inTx((tx) => updateUser(tx, { id, patch: { display_name: 'x', password_hash: 'y' } }))
    expect((await listWalletStates(db, [id]))[0]).toMatchObject({ version: 1, auth: 1 })
    await inTx((tx) => updateUser(tx, { id, patch: { group: 'vip' } }))

    expect((await listWalletStates(db, [id]))[0]).toMatchObject({ version: 2, auth: 2 })
    expect(await inTx((tx) => updateUser(tx, { id: 999_999, patch: { group: 'vip' } }))).toBe(false)
  })

  it('does not restore an old password with a rehash', async () => {
    const id = await aUser({ password_hash: 'new' })
    expect(await replacePasswordHash(db, { id, from: 'old', to: 'rehash' })).toBe(false)
    expect(await replacePasswordHash(db, { id, from: 'new', to: 'rehash' })).toBe(true)
    expect((await findAccount(db, id))?.password_hash).toBe('rehash')
  })

  it('finds an access token by its hash until it is replaced', async () => {
    const id = await aUser()
    await setAccessTokenHash(db, { id, hash: 'first' })
    expect((await findAccountByAccessToken(db, 'first'))?.id).toBe(id)
    await setAccessTokenHash(db, { id, hash: undefined })
    expect(await findAccountByAccessToken(db, 'first')).toBeUndefined()
  })

  it('adds sums above 2³¹, and each reference once', async () => {
    const user_id = await aUser()
    const entry = { user_id, kind: 'admin', amount: 3_000_000_000, reference: 'big', actor_id: 0, note: '', now: 1 } as const

    await inTx(async (tx) => {
      expect(await createWalletEntry(tx, entry)).toBeGreaterThan(0)
      expect(await createWalletEntry(tx, entry)).toBeUndefined()
      expect(await addCredited(tx, { user_id, amount: 3_000_000_000 })).toBe(true)
      expect(await addCredited(tx, { user_id, amount: 3_000_000_000 })).toBe(true)
      expect(await addCredited(tx, { user_id: 999_999, amount: 1 })).toBe(false)
    })

    expect((await listWalletStates(db, [user_id]))[0]).toMatchObject({ credited: 6_000_000_000, version: 3 })
  })

  it('raises version and auth_version of a token at each change, and only version at a grant', async () => {
    const user_id = await aUser()
    const id = await aToken(user_id)
    const state = async () => (await listTokenStates(db, [id]))[0]

    await inTx(async (tx) => {
      expect(await createTokenGrant(tx, { token_id: id, kind: 'edit', amount: 5, reference: 'g', actor_id: 0, now: 1 })).toBe(true)
      expect(await createTokenGrant(tx, { token_id: id, kind: 'edit', amount: 5, reference: 'g', actor_id: 0, now: 1 })).toBe(false)
      await addGranted(tx, { token_id: id, amount: 5 })
    })
    expect(await state()).toEqual({
      token_id: id,
      user_id,
      posted_n: 0,
      shard: user_id % 16,
      granted: 5,
      charged: 0,
      is_limited: true,
      version: 2,
      auth: 1,
      budgets: [],
    })
    await inTx((tx) => updateToken(tx, { id, user_id, patch: { unlimited_quota: true } }))
    expect(await state()).toMatchObject({ is_limited: false, version: 3, auth: 2 })
    expect(await inTx((tx) => removeToken(tx, { id, user_id: user_id + 1 }))).toBe(false)
    expect(await inTx((tx) => removeToken(tx, { id, user_id }))).toBe(true)

    expect(await state()).toMatchObject({ version: 4, auth: 3 })
    expect(await listTokenOwnersOfUser(db, user_id)).toEqual([])
    expect(await listTokens(db, { user_id, limit: 10, offset: 0 })).toEqual([])
  })

  it('closes outbox rows and deletes old closed ones', async () => {
    const [one, two] = await inTx(async (tx) => [
      await appendOutbox(tx, { subject: 'user', subject_id: 1, now: 10 }),
      await appendOutbox(tx, { subject: 'token', subject_id: 2, now: 10 }),
    ])

    await closeOutbox(db, { ids: [one], now: 20 })
    await closeOutbox(db, { ids: [], now: 20 })

    expect(await listOpenOutbox(db, { after: 0, limit: 10 })).toEqual([{ id: two, subject: 'token', subject_id: 2 }])
    expect(await listOpenOutbox(db, { after: two, limit: 10 })).toEqual([])
    expect(await removeClosedOutbox(db, 21)).toBe(1)
  })

  it('numbers configuration changes in commit order', async () => {
    const before = await getSnapshotVersion(db)
    const raised = await Promise.all(Array.from({ length: 5 }, () => inTx((tx) => raiseSnapshotVersion(tx))))

    expect(raised.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5].map((step) => before + step))
    await raiseSnapshotVersionAbove(db, before)
    expect(await getSnapshotVersion(db)).toBe(before + 5)
    await raiseSnapshotVersionAbove(db, before + 100)
    expect(await getSnapshotVersion(db)).toBe(before + 101)
  })

  it('parses comma-separated lists without blanks and duplicates', () => {
    expect(toList(' a, b,,a ,c')).toEqual(['a', 'b', 'c'])
  })

  it('writes only the abilities that differ', async () => {
    const id = await aChannel({ models: 'a,b', group: 'g,h' })
    const channel = { id, status: 1, models: 'a,b', group: 'g,h' }
    const written = async () =>
      await db
        .selectFrom('abilities')
        .select(['group', 'model', 'enabled', sql<string>`xmin::text`.as('by')])
        .where('channel_id', '=', id)
        .orderBy('group')
        .orderBy('model')
        .execute()
    const before = await written()

    expect(await inTx((tx) => rebuildAbilities(tx, [channel]))).toBe(4)
    expect(await written()).toEqual(before)

    expect(await inTx((tx) => rebuildAbilities(tx, [{ ...channel, models: ' b, c ,b,', group: 'g' }]))).toBe(2)
    const [kept, added, ...others] = await written()
    expect(kept).toEqual(before[1])
    expect(added).toMatchObject({ group: 'g', model: 'c' })
    expect(others).toEqual([])

    expect(await inTx((tx) => rebuildAbilities(tx, [{ ...channel, models: 'b,c', group: 'g', status: 2 }]))).toBe(2)
    expect((await written()).map(({ enabled }) => enabled)).toEqual([false, false])
    expect(await inTx((tx) => rebuildAbilities(tx, [{ ...channel, models: ',' }]))).toBe(0)
    expect(await written()).toEqual([])
  })

  it('writes more abilities than one statement can hold, and deletes them with the channel', async () => {
    const models = Array.from({ length: 12_000 }, (_unused, index) => `model-${index}`).join(',')
    const id = await aChannel({ models })
    const abilitiesOf = async () => (await db.selectFrom('abilities').select('model').where('channel_id', '=', id).execute()).length

    expect(await abilitiesOf()).toBe(12_000)
    expect(await inTx((tx) => removeChannels(tx, [id, 999_999]))).toEqual([{ id, name: 'c' }])
    expect(await abilitiesOf()).toBe(0)
  })

  it('finds channels by substring with literal wildcards, and by exact group', async () => {
    const id = await aChannel({ name: '50%_off', group: 'vip,default', key_hash: 'own' })
    await aChannel({ name: 'other', group: 'vip2' })
    const found = async (search: object) =>
      (await searchChannels(db, { keyword: '', key_hash: '-', group: '', model: '', order: 'id', limit: 10, ...search })).map(
        (row) => row.id,
      )

    expect(await found({ keyword: '0%_' })).toEqual([id])
    expect(await found({ keyword: 'own', key_hash: 'own' })).toEqual([id])
    expect(await found({ group: 'vip' })).toEqual([id])
    expect(await found({ keyword: '_' })).toEqual([id])
  })
})
