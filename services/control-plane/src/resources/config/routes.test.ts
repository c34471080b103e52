import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConfigPlan, ManagedRecord } from '@tollgate/contracts/resources/config'
import { createTestApp, type Answer, type Caller, type TestApp } from '../../../test/test-app.ts'

type Files = Readonly<Record<string, unknown>>
type More = { readonly secrets?: Readonly<Record<string, string>>; readonly prune?: string; readonly owner?: string }

const bodyOf = (files: Files, { secrets = {}, ...more }: More = {}) => ({
  files: Object.entries(files).map(([path, content]) => ({ path, content: JSON.stringify(content) })),
  secrets,
  ...more,
})

describe('configuration as files', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())
  afterEach(async () => {
    await test.database.db.deleteFrom('channels').execute()
    await test.database.db.deleteFrom('options').execute()
    await test.database.db.deleteFrom('managed_records').execute()
  })

  const plan = async (files: Files, more?: More): Promise<ConfigPlan> => {
    const { body } = await root('POST', '/api/config/plan', bodyOf(files, more))
    expect(body).toMatchObject({ success: true })
    return body.data as ConfigPlan // the declared shape
  }
  const seenOf = ({ changes }: ConfigPlan) => Object.fromEntries(changes.map(({ kind, name, version }) => [`${kind}/${name}`, version]))
  const applyPlanned = (planned: ConfigPlan, files: Files, more?: More): Promise<Answer> =>
    root('POST', '/api/config/apply', { ...bodyOf(files, more), seen: seenOf(planned) })
  const apply = async (files: Files, more?: More): Promise<ConfigPlan> => {
    const planned = await plan(files, more)
    expect(planned.problems).toEqual([])
    const { body } = await applyPlanned(planned, files, more)
    expect(body).toMatchObject({ success: true })
    return planned
  }
  const shortly = ({ changes }: ConfigPlan): string[] =>
    changes.map(({ action, kind, name, fields }) => `${action} ${kind}/${name} ${fields.map(({ field }) => field).join(' ')}`.trim())
  const channels = async () => await test.database.db.selectFrom('channels').selectAll().orderBy('id').execute()
  const managed = async () =>
    ((await root('GET', '/api/config/managed')).body.data as ManagedRecord[]).map(({ kind, name }) => `${kind}/${name}`)

  const FILES = {
    'options.yaml': { options: { SystemName: 'Acme', RetryTimes: 3, TelegramOAuthEnabled: true, TelegramBotToken: { env: 'BOT' } } },
    'prices.yaml': {
      groups: { partner: { ratio: 0.5, description: 'Partners', model_ratios: { m1: 0.25 } } },
      prices: { m1: { ModelRatio: 2, CompletionRatio: 4 } },
    },
    'channels.yaml': {
      channels: [
        {
          name: 'main',
          type: 1,
          key: { env: 'KEY' },
          models: ['m1', 'm2'],
          groups: ['default', 'partner'],
          weight: 5,
          setting: { header_override: { 'x-team': { file: 'team' } }, force_format: true },
        },
        { name: 'spare', type: 1, key: { env: 'KEY' }, enabled: false, models: ['m1'] },
      ],
    },
  }
  const SECRETS = { secrets: { 'env:BOT': '12:bot-token', 'env:KEY': 'sk-first', 'file:team': 'red-team' } }

  it('are planned without a change, applied in one transaction with audit entries, and then planned as nothing', async () => {
    const planned = await plan(FILES, SECRETS)

    expect(shortly(planned)).toEqual([
      'update option/RetryTimes value',
      'update option/SystemName value',
      'update option/TelegramBotToken value',
      'update option/TelegramOAuthEnabled value',
      'create group/partner ratio description model_ratios',
      'create price/m1 ModelRatio CompletionRatio',
      expect.stringMatching(/^create channel\/main type .*models.* setting.force_format.* key setting$/),
      expect.stringMatching(/^create channel\/spare .*enabled/),
    ])
    expect(JSON.stringify(planned)).not.toMatch(/bot-token|sk-first|red-team/)
    expect(await channels()).toEqual([])
    expect(await test.deps.options.get('SystemName')).not.toBe('Acme')

    const { body } = await applyPlanned(planned, FILES, SECRETS)

    expect(body).toMatchObject({ success: true, message: '' })
    expect(await channels()).toMatchObject([
      { name: 'main', type: 1, status: 1, models: 'm1,m2', group: 'default,partner', weight: 5 },
      { name: 'spare', status: 2, models: 'm1' },
    ])
    const options = await test.deps.options.all()
    expect(options).toMatchObject({ SystemName: 'Acme', RetryTimes: 3, TelegramOAuthEnabled: true, TelegramBotToken: '12:bot-token' })
    expect(options.GroupRatio).toMatchObject({ default: 1, partner: 0.5 })
    expect(options.ModelRatio['m1']).toBe(2)
    const audit = (await root('GET', '/api/audit/')).body.data as { items: { resource: string }[] }
    expect(audit.items.map(({ resource }) => resource)).toContain('channel')
    expect(JSON.stringify(audit)).not.toMatch(/bot-token|sk-first|red-team/)
    expect(await plan(FILES, SECRETS)).toMatchObject({ changes: [], left: [], named: 8 })
    expect(await managed()).toContain('channel/main')
  })

  it('carry the new prices for a replay', async () => {
    const { prices } = await plan({ a: { prices: { m1: { ModelRatio: 2 } }, groups: { vip: { ratio: 0.5 } } } })

    expect(JSON.parse(prices?.ModelRatio ?? '{}')).toMatchObject({ m1: 2 })
    expect(JSON.parse(prices?.GroupRatio ?? '{}')).toMatchObject({ vip: 0.5, default: 1 })
    expect((await plan({ a: { options: { RetryTimes: 1 } } })).prices).toBeUndefined()
  })

  it('show what the installation changed since as drift, field by field', async () => {
    await apply(FILES, SECRETS)
    const [main] = await channels()
    await root('PUT', '/api/channel/', { id: main?.id, weight: 9, key: 'sk-other' })

    const files = { ...FILES, 'more.yaml': { options: { About: 'us' } } }
    const { changes } = await plan(files, SECRETS)

    expect(changes).toMatchObject([
      {
        name: 'main',
        fields: [
          { field: 'weight', before: 9, after: 5, is_drift: true },
          { field: 'key', is_secret: true, is_drift: true },
        ],
      },
      { name: 'About', fields: [{ field: 'value', before: '', after: 'us', is_drift: false }] },
    ])
  })

  it('do not take a channel that was disabled automatically for a difference', async () => {
    await apply(FILES, SECRETS)
    await test.database.db.updateTable('channels').set({ status: 3 }).where('name', '=', 'main').execute()

    expect((await plan(FILES, SECRETS)).changes).toEqual([])
  })

  it('refuse a plan when something that it changes was changed in between, and name it', async () => {
    const planned = await plan(FILES, SECRETS)
    await root('PUT', '/api/option/', { key: 'SystemName', value: 'Elsewhere' })

    const refused = await applyPlanned(planned, FILES, SECRETS)

    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('option/SystemName') as string })
    expect(await channels()).toEqual([])

    await root('PUT', '/api/option/', { key: 'RetryTimes', value: '3' })
    expect((await applyPlanned(await plan({ a: { options: { SystemName: 'B' } } }), { a: { options: { SystemName: 'B' } } })).status).toBe(
      200,
    )
  })

  it('are applied by one of two calls at once, and the other is refused', async () => {
    const planned = await plan(FILES, SECRETS)

    const answers = await Promise.all([applyPlanned(planned, FILES, SECRETS), applyPlanned(planned, FILES, SECRETS)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await channels()).toHaveLength(2)
  })

  it('apply nothing when one change is refused', async () => {
    const files = {
      'a.yaml': { options: { SystemName: 'Acme', EmailVerificationEnabled: true } },
      'b.yaml': { channels: [{ name: 'main', type: 1, key: { env: 'KEY' }, base_url: 'ftp://x' }] },
    }

    expect((await plan({ 'a.yaml': files['a.yaml'] })).problems).toMatchObject([
      { file: 'a.yaml', path: ['options', 'EmailVerificationEnabled'] },
    ])
    const { body } = await root('POST', '/api/config/apply', { ...bodyOf(files, SECRETS), seen: {} })
    expect(body).toMatchObject({ success: false })
    expect(await test.deps.options.get('SystemName')).not.toBe('Acme')
    expect(await channels()).toEqual([])
  })

  it.each([
    ['an unknown key', { chanels: [] }, [], 'unknown: chanels'],
    ['an unknown option', { options: { NoSuch: 1 } }, ['options'], 'unknown: NoSuch'],
    ['an option of the wrong type', { options: { RetryTimes: 'three' } }, ['options', 'RetryTimes'], 'expected number'],
    ['an option beyond its limits', { options: { RetryTimes: 99 } }, ['options', 'RetryTimes'], '<=20'],
    ['a literal key', { channels: [{ name: 'a', type: 1, key: 'sk-literal' }] }, ['channels', 0, 'key'], 'never the value itself'],
    ['a literal secret of an option', { options: { SMTPToken: 'x' } }, ['options', 'SMTPToken'], 'never the value itself'],
    [
      'a literal secret of a setting',
      { channels: [{ name: 'a', type: 1, key: { env: 'KEY' }, setting: { header_override: { authorization: 'x' } } }] },
      ['channels', 0, 'setting', 'header_override', 'authorization'],
      'never the value itself',
    ],
    [
      'a password in an address',
      { channels: [{ name: 'a', type: 1, key: { env: 'KEY' }, base_url: 'https://u:p@host' }] },
      ['channels', 0, 'base_url'],
      'no user name or password',
    ],
    [
      'a secret without a value',
      { channels: [{ name: 'a', type: 1, key: { env: 'MISSING' } }] },
      ['channels', 0],
      'env:MISSING has no value',
    ],
    ['a new channel without a key', { channels: [{ name: 'a', type: 1 }] }, ['channels', 0], 'needs a key'],
    ['a price of the wrong shape', { prices: { m: { ModelRatio: 'x' } } }, ['prices', 'm'], 'm'],
    ['a channel of an unknown vendor', { channels: [{ name: 'a', type: 9999, key: { env: 'KEY' } }] }, ['channels', 0], '9999'],
    [
      'a name that is there twice',
      {
        channels: [
          { name: 'a', type: 1, key: { env: 'KEY' } },
          { name: 'a', type: 1, key: { env: 'KEY' } },
        ],
      },
      ['channels', 1],
      'is in file.yaml already',
    ],
  ])('are refused at the place of %s', async (_, content, path, message) => {
    const { problems, changes } = await plan({ 'file.yaml': content }, SECRETS)

    expect(changes).toEqual([])
    expect(problems).toMatchObject([{ file: 'file.yaml', path, message: expect.stringContaining(message) as string }])
    expect(JSON.stringify(problems)).not.toContain('sk-literal')
  })

  it('are refused for a name that several channels have, and cannot be exported then', async () => {
    for (const key of ['sk-a', 'sk-b']) await root('POST', '/api/channel/', { type: 1, name: 'twin', key, models: 'm' })

    const { problems } = await plan({ 'a.yaml': { channels: [{ name: 'twin', type: 1 }] } })

    expect(problems).toMatchObject([{ path: ['channels', 0], message: expect.stringContaining('twin') as string }])
    expect((await root('GET', '/api/config/export')).body).toMatchObject({
      success: false,
      message: expect.stringContaining('twin') as string,
    })
  })

  it('remove only what they managed before, and only with prune', async () => {
    await root('POST', '/api/channel/', { type: 1, name: 'by hand', key: 'sk-hand', models: 'm' })
    await apply(FILES, SECRETS)
    const fewer = { 'prices.yaml': { prices: FILES['prices.yaml'].prices } }

    const without = await plan(fewer)
    expect(without.changes).toEqual([])
    expect(without.left.map(({ kind, name }) => `${kind}/${name}`)).toContain('channel/main')

    expect((await plan(fewer, { prune: 'owned', owner: 'another' })).changes).toEqual([])
    await apply(fewer, { prune: 'owned' })
    expect((await channels()).map(({ name }) => name)).toEqual(['by hand'])
    const options = await test.deps.options.all()
    expect(options).toMatchObject({ RetryTimes: 0, TelegramOAuthEnabled: false, TelegramBotToken: '' })
    expect(options.GroupRatio).not.toHaveProperty('partner')
    expect(options.UserUsableGroups).not.toHaveProperty('partner')
    expect(options.ModelRatio).toHaveProperty('m1')
    expect(await managed()).toEqual(['price/m1'])

    await apply({ a: { channels: [{ name: 'new', type: 1, key: { env: 'KEY' } }] } }, { ...SECRETS, prune: 'all' })
    expect((await channels()).map(({ name }) => name)).toEqual(['new'])
  })

  it('are for the root account only', async () => {
    await root('POST', '/api/user/', { username: 'ann', password: 'a-long-password', display_name: 'ann', role: 10 })
    await test.database.db.updateTable('users').set({ role: 10 }).where('username', '=', 'ann').execute()
    const admin = await test.signIn('ann', 'a-long-password')

    expect((await admin('POST', '/api/config/plan', bodyOf({}))).body.success).toBe(false)
    expect((await admin('GET', '/api/config/export')).body.success).toBe(false)
    expect((await admin('GET', '/api/config/managed')).body).toMatchObject({ success: true, data: [] })
  })

  describe('that were exported', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/)
    const ratio = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1000)
    const json = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean(), fc.array(word, { maxLength: 2 })), { maxKeys: 3 })
    const channel = fc.record(
      {
        type: fc.constantFrom(1, 14, 24),
        models: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }).map((models) => models.join(',')),
        group: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((groups) => groups.join(',')),
        base_url: fc.constantFrom('', 'https://vendor.example', 'https://user:secret@vendor.example/base'),
        priority: fc.integer({ min: -5, max: 5 }),
        weight: fc.nat(9),
        auto_ban: fc.constantFrom(0, 1),
        tag: fc.option(word, { nil: '' }),
        model_mapping: fc.dictionary(word, word, { maxKeys: 2 }).map((map) => JSON.stringify(map)),
        status_code_mapping: fc.constantFrom('', '{"429":"500"}', '{"404": 503}'),
        param_override: json.map((map) => JSON.stringify({ ...map, api_key: 'hidden' })),
        setting: json.map((map) =>
          JSON.stringify({ ...map, proxy: 'http://me:pass@proxy:1080', header_override: { 'x-key': 'hidden', 'x-own': '{api_key}' } }),
        ),
        max_input_tokens: fc.nat(1000),
      },
      { requiredKeys: ['type', 'models'] },
    )
    const configuration = fc.record({
      channels: fc.dictionary(word, channel, { maxKeys: 3 }),
      off: fc.boolean(),
      options: fc.record(
        {
          SystemName: fc.string({ maxLength: 20, unit: 'grapheme' }),
          RetryTimes: fc.integer({ min: 0, max: 20 }).map(String),
          DrawingEnabled: fc.boolean().map(String),
          Chats: fc.array(fc.dictionary(word, word, { minKeys: 1, maxKeys: 1 }), { maxLength: 2 }).map((chats) => JSON.stringify(chats)),
          EmailDomainWhitelist: fc.uniqueArray(word, { maxLength: 3 }).map((list) => list.map((name) => `${name}.example`).join(',')),
          SMTPToken: word,
          ModelRatio: fc.dictionary(word, ratio, { maxKeys: 4 }).map((map) => JSON.stringify(map)),
          CompletionRatio: fc.dictionary(word, ratio, { maxKeys: 4 }).map((map) => JSON.stringify(map)),
          PriceCards: fc
            .dictionary(word, fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }), { maxKeys: 2 })
            .map((map) =>
              JSON.stringify(
                Object.fromEntries(
                  Object.entries(map).map(([name, above]) => [name, above.map((at) => ({ above: at * 1000, model_ratio: at }))]),
                ),
              ),
            ),
          GroupRatio: fc.dictionary(word, ratio, { maxKeys: 4 }).map((map) => JSON.stringify(map)),
          UserUsableGroups: fc.dictionary(word, word, { maxKeys: 3 }).map((map) => JSON.stringify(map)),
          GroupGroupRatio: fc
            .dictionary(word, fc.dictionary(word, ratio, { maxKeys: 2 }), { maxKeys: 2 })
            .map((map) => JSON.stringify(map)),
        },
        { requiredKeys: [] },
      ),
    })
    beforeEach(async () => {
      await root('PUT', '/api/option/', { key: 'SystemName', value: 'Before' })
    })

    it('give no difference and hold no secret, whatever was configured', async () => {
      await fc.assert(
        fc.asyncProperty(configuration, async ({ channels: wanted, options, off }) => {
          await test.database.db.deleteFrom('channels').execute()
          for (const [key, value] of Object.entries(options))
            expect((await root('PUT', '/api/option/', { key, value })).body, `${key} ${value}`).toMatchObject({ success: true })
          for (const [name, fields] of Object.entries(wanted))
            expect((await root('POST', '/api/channel/', { ...fields, name, key: `sk-${name}` })).body).toMatchObject({ success: true })
          if (off) await test.database.db.updateTable('channels').set({ status: 2 }).execute()

          const exported = (await root('GET', '/api/config/export')).body.data as Record<string, unknown>
          expect(JSON.stringify(exported)).not.toMatch(/hidden|me:pass|user:secret/)
          expect(await plan({ 'all.yaml': exported })).toMatchObject({ problems: [], changes: [], left: [] })
        }),
        { numRuns: 12 },
      )
    }, 60_000)
  })
})
