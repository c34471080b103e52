import { defaultText } from '@tollgate/contracts/options/registry'
import type { PricingAnswer } from '@tollgate/contracts/resources/pricing'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const CHAT = ['openai', 'openai-response', 'anthropic', 'gemini']

describe('prices, groups, models, first run', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  it('starts the checklist empty', async () => {
    expect((await root('GET', '/api/setup/first-run')).body.data).toEqual({
      channel: null,
      tested_channel: null,
      priced_model: null,
      unpriced_models: [],
      token: null,
      request: null,
    })
  })

  it('prices every enabled model by the rules of charging, and updates the checklist', async () => {
    const { db } = test.database
    const { id } = await db
      .insertInto('channels')
      .values({
        name: 'a',
        key_sealed: '',
        key_hash: '',
        created_time: 1,
        models: 'gpt-4o,dall-e-3,mystery,gpt-4-gizmo-x',
        response_time: 120,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ability = (model: string, group = 'default', enabled = true): object => ({ model, group, channel_id: id, enabled })
    const rows = [
      ability('gpt-4o'),
      ability('gpt-4o', 'vip'),
      ability('dall-e-3'),
      ability('mystery'),
      ability('gpt-4-gizmo-x'),
      ability('off', 'default', false),
    ]
    await db
      .insertInto('abilities')
      .values(rows as { model: string; group: string; channel_id: number; enabled: boolean }[])
      .execute() // as ability() makes them

    const { body } = await test.guest('GET', '/api/pricing')

    expect(body).toEqual({
      success: true,
      message: '',
      data: [
        {
          model_name: 'dall-e-3',
          quota_type: 1,
          model_price: 0.04,
          model_ratio: 0,
          completion_ratio: 0,
          owner_by: '',
          vendor: 'OpenAI',
          enable_groups: ['default'],
          supported_endpoint_types: ['image-generation'],
        },
        {
          model_name: 'gpt-4-gizmo-x',
          quota_type: 1,
          model_price: 0.1,
          model_ratio: 0,
          completion_ratio: 0,
          owner_by: '',
          vendor: 'OpenAI',
          enable_groups: ['default'],
          supported_endpoint_types: CHAT,
        },
        {
          model_name: 'gpt-4o',
          quota_type: 0,
          model_price: 0,
          model_ratio: 1.25,
          completion_ratio: 4,
          cache_ratio: 0.5,
          owner_by: '',
          vendor: 'OpenAI',
          enable_groups: ['default', 'vip'],
          supported_endpoint_types: CHAT,
          retires: '2027-01-14',
          successor: 'gpt-6-luna',
        },
      ],
      unpriced_models: [{ model_name: 'mystery', vendor: '', enable_groups: ['default'], supported_endpoint_types: CHAT }],
      group_ratio: { default: 1, vip: 1 },
      usable_group: { default: '默认分组', vip: 'vip分组' },
    })
    expect((await root('GET', '/api/setup/first-run')).body.data).toMatchObject({
      channel: { id, name: 'a', model: 'gpt-4o' },
      tested_channel: { id, time_ms: 120 },
      priced_model: 'dall-e-3',
      unpriced_models: ['mystery'],
    })
  })

  it('counts models without a price on the health page', async () => {
    expect((await root('GET', '/api/health')).body.data).toMatchObject({
      unpriced: ['mystery'],
      problems: expect.arrayContaining([{ code: 'unpriced-models', level: 'warning', values: { count: 1, models: 'mystery' } }]),
    })
  })

  it('reminds of no model that is marked as not for sale, and offers it to no visitor', async () => {
    await root('PUT', '/api/option/', { key: 'UnsoldModels', value: 'mystery\nother' })

    expect((await root('GET', '/api/health')).body.data).toMatchObject({ unpriced: [] })
    expect((await root('GET', '/api/setup/first-run')).body.data).toMatchObject({ unpriced_models: [] })
    expect((await test.guest('GET', '/api/pricing')).body).toMatchObject({ unpriced_models: [{ model_name: 'mystery' }] })
    await root('PUT', '/api/option/', { key: 'UnsoldModels', value: '' })
    expect((await root('GET', '/api/health')).body.data).toMatchObject({ unpriced: ['mystery'] })
  })

  it('shows the default ratio, and says so, where the site or the user accepts models without a price', async () => {
    const shown = { model_name: 'mystery', model_ratio: 37.5, is_unpriced: true }
    await root('PUT', '/api/user/setting', { accept_unset_model_ratio_model: true })

    expect((await root('GET', '/api/pricing')).body).toMatchObject({ data: [{}, {}, {}, shown], unpriced_models: [] })
    expect((await test.guest('GET', '/api/pricing')).body).toMatchObject({
      data: [{}, {}, {}],
      unpriced_models: [{ model_name: 'mystery' }],
    })
    await root('PUT', '/api/user/setting', { accept_unset_model_ratio_model: false })
    await root('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: 'true' })

    expect((await test.guest('GET', '/api/pricing')).body).toMatchObject({ data: [{}, {}, {}, shown], unpriced_models: [] })
    expect((await root('GET', '/api/setup/first-run')).body.data).toMatchObject({ unpriced_models: [] })
    expect((await root('GET', '/api/health')).body.data).toMatchObject({ unpriced: [] })
    await root('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: 'false' })
  })

  it('answers 304 to a caller that has the prices, until one of them changes', async () => {
    const { headers } = await test.guest('GET', '/api/pricing')
    const known = { 'If-None-Match': headers.get('etag') ?? '' }

    expect(headers.get('etag')).toMatch(/^W\/".{43}"$/)
    expect((await test.guest('GET', '/api/pricing', undefined, known)).status).toBe(304)
    expect((await test.guest('GET', '/api/pricing', undefined, { 'If-None-Match': `"other", ${known['If-None-Match']}` })).status).toBe(304)
    await root('PUT', '/api/option/', { key: 'ModelPrice', value: '{"dall-e-3": 0.05}' })
    const changed = await test.guest('GET', '/api/pricing', undefined, known)

    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(known['If-None-Match'])
    await root('PUT', '/api/option/', { key: 'ModelPrice', value: defaultText('ModelPrice') })
  })

  it('says what a scheduled change will make of a price, until it is cancelled', async () => {
    const priceOf = async (name: string) => {
      const { data } = (await test.guest('GET', '/api/pricing')).body as unknown as PricingAnswer // the declared shape
      return data.find(({ model_name }) => model_name === name)
    }
    const at = Math.floor(Date.now() / 1000) + 3600
    const { body } = await root('POST', '/api/option/price_change', { prices: { ModelRatio: '{"gpt-4o":3}' }, at })
    const { id } = body.data as { id: number } // as above

    expect(await priceOf('gpt-4o')).toMatchObject({ model_ratio: 1.25, coming: [{ at, model_ratio: 3, completion_ratio: 4 }] })
    expect(await priceOf('dall-e-3')).not.toHaveProperty('coming')
    await root('DELETE', `/api/option/price_change/${id}`)
    expect(await priceOf('gpt-4o')).not.toHaveProperty('coming')
  })

  it('names the end of a model and its successor', async () => {
    const { channel_id } = await test.database.db.selectFrom('abilities').select('channel_id').limit(1).executeTakeFirstOrThrow()
    await test.database.db.insertInto('abilities').values({ model: 'gpt-4', group: 'default', channel_id, enabled: true }).execute()
    await test.database.db.transaction().execute(raiseSnapshotVersion)
    const { data } = (await test.guest('GET', '/api/pricing')).body as unknown as PricingAnswer // the declared shape

    expect(data.find(({ model_name }) => model_name === 'gpt-4')).toMatchObject({
      retires: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      successor: expect.any(String),
    })
    expect(data.find(({ model_name }) => model_name === 'dall-e-3')).not.toHaveProperty('retires')
    await test.database.db.deleteFrom('abilities').where('model', '=', 'gpt-4').execute()
    await test.database.db.transaction().execute(raiseSnapshotVersion)
  })

  it('keeps the answer until a channel or an option changes, on every control plane', async () => {
    const { db } = test.database
    const second = createApp(test.deps, { isDraining: false, findObstacle: async () => undefined })
    const namesAt = async (app: TestApp['app']): Promise<string[]> => {
      const { data, unpriced_models } = (await (await app.request('/api/pricing')).json()) as PricingAnswer // the declared shape
      return [...data, ...unpriced_models].map(({ model_name }) => model_name)
    }
    const before = await namesAt(second)
    expect(before).toContain('mystery')
    expect(await namesAt(test.app)).toEqual(before)
    // Without a raised version, which every change of a channel raises: an answer that was computed again would lack the model.
    await db.deleteFrom('abilities').where('model', '=', 'mystery').execute()
    expect([await namesAt(test.app), await namesAt(second)]).toEqual([before, before])

    await db.transaction().execute(raiseSnapshotVersion)

    const after = before.filter((name) => name !== 'mystery')
    expect([await namesAt(test.app), await namesAt(second)]).toEqual([after, after])
    await root('PUT', '/api/option/', { key: 'UserUsableGroups', value: '{"default":"Open"}' })
    expect(await (await second.request('/api/pricing')).json()).toMatchObject({ usable_group: { default: 'Open' } })
    await root('PUT', '/api/option/', { key: 'UserUsableGroups', value: defaultText('UserUsableGroups') })
  })

  it('adds the own group for a signed-in visitor', async () => {
    await test.database.db.updateTable('users').set({ group: 'svip' }).where('username', '=', 'root').execute()
    const { body } = await root('GET', '/api/pricing')
    expect(body).toMatchObject({ usable_group: { default: '默认分组', vip: 'vip分组', svip: '用户分组' } })
  })

  it('shows no group that the visitor does not have, nor models of such groups only', async () => {
    const { db } = test.database
    const { channel_id } = await db.selectFrom('abilities').select('channel_id').limit(1).executeTakeFirstOrThrow()
    const only = { group: 'partners', channel_id, enabled: true }
    const rows = [
      { ...only, model: 'gpt-4o' },
      { ...only, model: 'partner-model' },
    ]
    await db.insertInto('abilities').values(rows).execute()
    await db.transaction().execute((tx) => raiseSnapshotVersion(tx))

    const { body } = await test.guest('GET', '/api/pricing')

    expect(JSON.stringify(body)).not.toContain('partner')
    await db.deleteFrom('abilities').where('group', '=', 'partners').execute()
    await db.transaction().execute((tx) => raiseSnapshotVersion(tx))
  })

  it('shows the ratio for the visitor’s user group', async () => {
    await root('PUT', '/api/option/', { key: 'GroupGroupRatio', value: '{"svip":{"vip":0.5,"gone":3}}' })

    expect((await root('GET', '/api/pricing')).body).toMatchObject({ group_ratio: { default: 1, svip: 1, vip: 0.5 } })
    expect((await root('GET', '/api/user/self/groups')).body.data).toMatchObject({ vip: { ratio: 0.5, desc: 'vip分组' } })
    expect((await test.guest('GET', '/api/pricing')).body).toMatchObject({ group_ratio: { default: 1, vip: 1 } })
  })

  it('lists groups, presets and known models', async () => {
    expect((await root('GET', '/api/group/')).body.data).toEqual(['default', 'svip', 'vip'])
    expect((await test.guest('GET', '/api/user/groups')).body.data).toEqual({
      default: { ratio: 1, desc: '默认分组' },
      vip: { ratio: 1, desc: 'vip分组' },
    })
    const presets = (await root('GET', '/api/models')).body.data as Record<string, string[]> // the declared shape
    expect(presets['1']).toContain('gpt-4o')
    const known = (await root('GET', '/api/channel/models')).body.data as { id: string; object: string; owned_by: string }[] // as above
    expect(new Set(known.map((model) => model.id)).size).toBe(known.length)
    expect(known.find((model) => model.id === 'gpt-4o')).toMatchObject({ object: 'model', owned_by: 'openai', created: 1_626_777_600 })
    expect((await root('GET', '/api/channel/models_enabled')).body.data).toEqual(['dall-e-3', 'gpt-4-gizmo-x', 'gpt-4o'])
  })
})
