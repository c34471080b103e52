import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { resealAll } from './reseal-all.ts'

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64url')}`
const [oldKey, freshKey] = [newKey('old'), newKey('new')]
const old = createSealer(oldKey)
const both = createSealer(`${freshKey},${oldKey}`)
const fresh = createSealer(freshKey)
const sealers = { channels: both, options: both }

describe('resealing', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    const { db } = test
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_secret: old.seal('hook', sealedBy.webhookSecret(1)) })
    await db.insertInto('users').values({ id: 1, shard: 0, username: 'anna', created_at: 1, setting }).execute()
    await db
      .insertInto('two_factor')
      .values({ user_id: 1, secret_sealed: old.seal('totp', sealedBy.totp(1)), created_at: 1 })
      .execute()
    const key_sealed = old.seal('code', sealedBy.redemptionKey('hash'))
    await db.insertInto('redemptions').values({ user_id: 1, key_hash: 'hash', key_sealed, created_time: 1 }).execute()
    const pem = old.seal('pem', sealedBy.receiptKey('one'))
    await db.insertInto('receipt_keys').values({ kid: 'one', public_x: 'x', key_sealed: pem, created_at: 1 }).execute()
    const secrets = {
      secret_sealed: old.seal('whsec_new', sealedBy.webhookEndpoint(3)),
      old_secret_sealed: old.seal('whsec_old', sealedBy.webhookEndpoint(3)),
    }
    await db
      .insertInto('webhook_endpoints')
      .values({ id: 3, name: 'n', url: 'u', events: '[]', ...secrets, created_at: 1 })
      .execute()
    const value = old.seal('mail', sealedBy.option('SMTPToken'))
    await db.insertInto('options').values({ key: 'SMTPToken', value, is_sealed: true, updated_at: 1 }).execute()
    const sealed = { key_sealed: old.seal('sk-vendor', sealedBy.channelKey(7)), setting_sealed: old.seal('{}', sealedBy.channelSetting(7)) }
    await db
      .insertInto('channels')
      .values({ id: 7, ...sealed, key_hash: old.fingerprint('sk-vendor'), created_time: 1 })
      .execute()
  })
  afterAll(() => test.drop())

  it('leaves every secret readable with the new key alone, and does nothing the second time', async () => {
    const version = async () => (await test.db.selectFrom('snapshot_versions').select('version').executeTakeFirstOrThrow()).version
    const before = await version()
    const first = await resealAll(test.db, sealers)
    const second = await resealAll(test.db, sealers)

    expect(first).toEqual({
      options: 1,
      channels: 1,
      tokens: 0,
      redemptions: 1,
      two_factor: 1,
      webhooks: 1,
      receipt_keys: 1,
      webhook_endpoints: 1,
    })
    expect(second).toEqual({
      options: 0,
      channels: 0,
      tokens: 0,
      redemptions: 0,
      two_factor: 0,
      webhooks: 0,
      receipt_keys: 0,
      webhook_endpoints: 0,
    })
    expect(await version()).toBeGreaterThan(before)
    const { db } = test
    const user = await db.selectFrom('users').select('setting').executeTakeFirstOrThrow()
    const { notify_type, webhook_secret } = JSON.parse(user.setting) as { notify_type: string; webhook_secret: string }
    const totp = await db.selectFrom('two_factor').select('secret_sealed').executeTakeFirstOrThrow()
    const code = await db.selectFrom('redemptions').select('key_sealed').executeTakeFirstOrThrow()
    const option = await db.selectFrom('options').select('value').executeTakeFirstOrThrow()
    const channel = await db.selectFrom('channels').select(['key_sealed', 'key_hash', 'setting_sealed']).executeTakeFirstOrThrow()
    expect(notify_type).toBe('webhook')
    expect(fresh.unseal(webhook_secret, sealedBy.webhookSecret(1))).toBe('hook')
    expect(fresh.unseal(totp.secret_sealed, sealedBy.totp(1))).toBe('totp')
    const receipt = await db.selectFrom('receipt_keys').select('key_sealed').executeTakeFirstOrThrow()
    const endpoint = await db.selectFrom('webhook_endpoints').select(['secret_sealed', 'old_secret_sealed']).executeTakeFirstOrThrow()
    expect(fresh.unseal(endpoint.secret_sealed, sealedBy.webhookEndpoint(3))).toBe('whsec_new')
    expect(fresh.unseal(endpoint.old_secret_sealed, sealedBy.webhookEndpoint(3))).toBe('whsec_old')
    expect(fresh.unseal(receipt.key_sealed, sealedBy.receiptKey('one'))).toBe('pem')
    expect(fresh.unseal(code.key_sealed, sealedBy.redemptionKey('hash'))).toBe('code')
    expect(fresh.unseal(option.value, sealedBy.option('SMTPToken'))).toBe('mail')
    expect(fresh.unseal(channel.key_sealed, sealedBy.channelKey(7))).toBe('sk-vendor')
    expect(fresh.unseal(channel.setting_sealed, sealedBy.channelSetting(7))).toBe('{}')
    expect(channel.key_hash).toBe(fresh.fingerprint('sk-vendor'))
  })

  it('names a secret that no key opens', async () => {
    const stranger = createSealer(newKey('other'))

    await expect(resealAll(test.db, { channels: stranger, options: stranger })).rejects.toThrow('options|value|SMTPToken cannot be opened')
  })
})
