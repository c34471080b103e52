import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSealer, keyIdOf, sealedBy } from '@tollgate/config/sealing'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { aChannel } from '@tollgate/testing/a-channel'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import type { Deps } from '../deps.ts'
import { testKeys } from '../../test/worker-process.ts'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from '../verify/verify.ts'
import { chooseModelFor, chooseTestModel, testChannel } from './test-channel.ts'

/** Each ends in other characters. */
const KEYS = ['sk-0000000000000aaaa', 'sk-0000000000000bbbb', 'sk-0000000000000cccc']
let testbed: Testbed
let vendor: VendorServer
let outbound: Outbound
const sealer = createSealer(testKeys)
beforeAll(async () => {
  testbed = await createTestbed()
  vendor = await startVendorServer()
  outbound = createOutbound()
  await testbed.addUser(1)
  const channels = [
    { id: 1, type: 1, base_url: `${vendor.url}/ok` },
    { id: 2, type: 1, base_url: `${vendor.url}/status~401` },
    { id: 3, type: 2, base_url: '' },
    { id: 4, type: 1, base_url: vendor.url },
    { id: 5, type: 1, base_url: `${vendor.url}/ok`, models: 'DALL-E-3,whisper-1' },
    { id: 6, type: 1, base_url: 'http://127.0.0.1:9', models: 'tts-1' },
    { id: 7, type: 1, base_url: `${vendor.url}/ok`, models: 'sora-2,gpt-x' },
    { id: 8, type: 1, base_url: `${vendor.url}/ok`, key: KEYS.join('\n'), setting: { multi_key_mode: 'random' } },
  ]
  for (const { id, type, base_url, models = 'gpt-x,gpt-y', key = 'sk-vendor' } of channels) {
    await testbed.db
      .insertInto('channels')
      .values({
        id,
        type,
        name: `c${id}`,
        key_sealed: sealer.seal(key, sealedBy.channelKey(id)),
        key_hash: '',
        base_url,
        models,
        created_time: 1,
      })
      .execute()
  }
  await replaceSnapshot(
    testbed.redis,
    {
      channels: channels
        .filter(({ id }) => id !== 4)
        .map(({ id, type, base_url, key = 'sk-vendor', setting = {} }) =>
          aChannel({
            id,
            type,
            base_url,
            key_sealed: sealer.seal(key, sealedBy.channelKey(id)),
            setting,
            models: ['gpt-x', 'gpt-y'],
            groups: ['default'],
          }),
        ),
      prices: [{ model: 'gpt-x', ratio: 2, completion_ratio: 3 }],
      groups: [{ name: 'default', ratio: 1, usable_label: null }],
      options: {},
    },
    1,
  )
})
afterAll(async () => {
  await outbound.close()
  await vendor.stop()
  await testbed.close()
})

// Only the dependencies that the handler uses.
const handler = () =>
  testChannel({ db: testbed.db, redis: testbed.redis, channelKeys: sealer, outbound, now: () => Date.now() } as Partial<Deps> as Deps)
const test = (channel_id: number, model?: string) =>
  handler()({ channel_id, ...(model === undefined ? {} : { model }) }, { signal: new AbortController().signal, attempt: 1 })
const channelOf = (id: number) =>
  testbed.db.selectFrom('channels').select(['response_time', 'test_time']).where('id', '=', id).executeTakeFirstOrThrow()

describe('test-channel', () => {
  it('calls the channel with its own key and first model, stores the time, and logs a row with quota 0', async () => {
    const result = await test(1)

    expect(result).toMatchObject({ ok: true, message: '' })
    const [call] = vendor.callsOf('ok')
    expect(call?.headers.authorization).toBe('Bearer sk-vendor')
    expect(JSON.parse(call?.text ?? '')).toMatchObject({ model: 'gpt-x', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] })
    expect((await channelOf(1)).test_time).toBeGreaterThan(1)
    const rows = await testbed.db.selectFrom('logs').selectAll().execute()
    expect(rows).toMatchObject([
      {
        type: 2,
        user_id: 1,
        username: 'user-1',
        token_name: '模型测试',
        content: '模型测试',
        quota: 0,
        channel_id: 1,
        model_name: 'gpt-x',
        prompt_tokens: 12,
        completion_tokens: 6,
      },
    ])
    // (12 + 6 × 3) × 2
    expect(JSON.parse(rows[0]?.other ?? '')).toMatchObject({ test_cost: 60, model_ratio: 2, admin_info: { use_channel: ['1'] } })
    const verdict = await verifyLedger({
      db: testbed.db,
      redis: testbed.redis,
      limits: { shards: 4, maxHoldAgeMs: 1000, maxLagMs: 60_000 },
    })
    expect(verdict.is_sound, verdict.text).toBe(true)
  })

  it('tests a channel of models whose calls cost money by the vendor’s list, and says so', async () => {
    const unreachable = await test(6)
    const listed = await test(5)

    expect(unreachable).toMatchObject({ ok: false, status: 0 })
    expect(vendor.callsOf('ok').at(-1)?.path).toBe('/v1/models')
    expect(listed).toMatchObject({ ok: true, fault: { code: 'channel-fault.listed', params: { model: 'DALL-E-3' } } })
    expect(vendor.callsOf('ok').filter(({ path }) => /images|audio/.test(path))).toEqual([])
  })

  it('tests one of several keys, whatever its state, and says which in its answer, in the channel and in the log', async () => {
    const [, second = '', third = ''] = KEYS
    const key_states = JSON.stringify({ [keyIdOf(KEYS[0] ?? '')]: { disabled_at: 5 }, [keyIdOf(third)]: { disabled_at: 5 } })
    await testbed.db.updateTable('channels').set({ key_states }).where('id', '=', 8).execute()
    const call = () => vendor.callsOf('ok').at(-1)?.headers.authorization
    const logged = async () => {
      const rows = await testbed.db.selectFrom('logs').select('other').where('channel_id', '=', 8).orderBy('id').execute()
      return rows.map(({ other }) => (JSON.parse(other) as { admin_info: { key: string } }).admin_info.key) // what the test writes
    }
    const run = (key_id?: string) =>
      handler()({ channel_id: 8, ...(key_id === undefined ? {} : { key_id }) }, { signal: new AbortController().signal, attempt: 1 })

    expect([await run(keyIdOf(third)), call()]).toEqual([expect.objectContaining({ ok: true, key: third.slice(-4) }), `Bearer ${third}`])
    // Without a name, one that no person disabled.
    expect([await run(), call()]).toEqual([expect.objectContaining({ ok: true, key: second.slice(-4) }), `Bearer ${second}`])
    expect(await logged()).toEqual([`…${third.slice(-4)}`, `…${second.slice(-4)}`])
    const { tests } = await testbed.db.selectFrom('channels').select('tests').where('id', '=', 8).executeTakeFirstOrThrow()
    expect(JSON.parse(tests)).toMatchObject([{ key: second.slice(-4) }])
    expect(await run('unknown')).toMatchObject({ ok: false, fault: { code: 'channels.key-unknown' } })
  })

  it('prefers a model that a cheap call can test', async () => {
    expect(await test(7)).toMatchObject({ ok: true })
    expect(JSON.parse(vendor.callsOf('ok').at(-1)?.text ?? '')).toMatchObject({ model: 'gpt-x' })
  })

  it('logs zeros for a model without a price', async () => {
    await test(1, 'unpriced-x')

    const row = await testbed.db.selectFrom('logs').select('other').where('model_name', '=', 'unpriced-x').executeTakeFirstOrThrow()
    expect(JSON.parse(row.other)).toMatchObject({
      test_cost: 0,
      model_ratio: 0,
      completion_ratio: 0,
      group_ratio: 1,
      cache_tokens: 0,
      cache_ratio: 0,
      model_price: -1,
    })
  })

  it('returns the vendor’s error, stores the time, and logs nothing', async () => {
    const before = await testbed.db.selectFrom('logs').select('id').execute()

    expect(await test(2)).toMatchObject({ ok: false, message: expect.stringContaining('status code 401') })

    expect((await channelOf(2)).test_time).toBeGreaterThan(1)
    expect(await testbed.db.selectFrom('logs').select('id').execute()).toHaveLength(before.length)
  })

  it.each([
    [3, 'channels.test-kind', 'midjourney channel test is not supported'],
    [4, 'channel-fault.unpublished', 'The channel has not reached the relays yet; try again in a few seconds'],
    [99, 'channel-fault.missing', 'Channel 99 does not exist'],
  ])('refuses channel %i: %s', async (id, code, message) => {
    expect(await test(id)).toMatchObject({ ok: false, status: 0, time_ms: 0, message, fault: { code } })
  })

  it.each([
    ['asked', { test_model: 'own', models: 'a,b' }, 'asked'],
    [undefined, { test_model: 'own', models: 'a,b' }, 'own'],
    ['', { test_model: ' ', models: ' ,a,b' }, 'a'],
    [undefined, { test_model: '', models: '' }, 'gpt-4o-mini'],
  ])('chooses %j of %j', (asked, channel, expected) => {
    expect(chooseTestModel(channel, asked)).toBe(expected)
  })

  it.each([
    ['image', undefined, { test_model: 'own', models: 'a,dall-e-3' }, 'dall-e-3'],
    ['image', undefined, { test_model: 'own', models: 'a,b' }, undefined],
    ['embeddings', 'asked', { test_model: 'own', models: 'a,b' }, 'asked'],
    ['embeddings', '', { test_model: 'own', models: 'a, bge-m3' }, 'bge-m3'],
    ['tools', undefined, { test_model: 'own', models: 'a' }, 'own'],
  ] as const)('chooses for %s, asked for %j of %j: %j', (capability, asked, channel, expected) => {
    expect(chooseModelFor(capability, channel, asked)).toBe(expected)
  })
})
