import fc from 'fast-check'
import { sql } from 'kysely'
import { MEMBER_ROLES } from '@tollgate/contracts/rights'
import { hasRight } from '@tollgate/domain/access/rights'
import { setOptions } from '../../../test/options.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConfigPlan, ManagedRecord } from '@tollgate/contracts/resources/config'
import { hashTokenKey } from '@tollgate/config/sealing'
import { createTestApp, type Answer, type Caller, type TestApp } from '../../../test/test-app.ts'

type Files = Readonly<Record<string, unknown>>
type More = { readonly prune?: string; readonly owner?: string }

const bodyOf = (content: Files, more: More = {}) => ({
  files: [{ path: 'all.yaml', content: JSON.stringify(content) }],
  secrets: {},
  ...more,
})

describe('organisations, projects, tokens and budgets as files', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await root('POST', '/api/user/', { username: 'ann', password: 'a-long-password' })
  })
  afterAll(() => test.stop())
  afterEach(async () => {
    const { db } = test.database
    for (const table of ['managed_records', 'budget_windows', 'budgets', 'token_grants', 'tokens', 'projects', 'audit_entries'] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('organisation_members').execute()
    await db.deleteFrom('organisations').execute()
    await db.deleteFrom('options').execute()
  })

  const plan = async (content: Files, more?: More): Promise<ConfigPlan> => {
    const { body } = await root('POST', '/api/config/plan', bodyOf(content, more))
    expect(body).toMatchObject({ success: true })
    return body.data as ConfigPlan // the declared shape
  }
  const applyPlanned = ({ changes }: ConfigPlan, content: Files, more?: More): Promise<Answer> => {
    const seen = Object.fromEntries(changes.map(({ kind, name, version }) => [`${kind}/${name}`, version]))
    return root('POST', '/api/config/apply', { ...bodyOf(content, more), seen })
  }
  const apply = async (content: Files, more?: More): Promise<ConfigPlan> => {
    const planned = await plan(content, more)
    expect(planned.problems).toEqual([])
    const { body } = await applyPlanned(planned, content, more)
    expect(body).toMatchObject({ success: true })
    return body.data as ConfigPlan // the declared shape
  }
  const shortly = ({ changes }: ConfigPlan): string[] => changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
  const tokens = () =>
    test.database.db
      .selectFrom('tokens')
      .select(['id', 'user_id', 'name', 'status', 'granted', 'unlimited_quota', 'model_limits', 'key_hash', 'project_id'])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
  const budgets = () =>
    test.database.db
      .selectFrom('budgets')
      .select(['scope', 'window', 'amount', 'action', 'time_zone'])
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()

  const FILES = {
    groups: { partner: { ratio: 0.5, description: 'Partners' } },
    organisations: { Acme: { owner: 'ann', group: 'partner' } },
    projects: [{ organisation: 'Acme', name: 'Web/1' }],
    tokens: [
      { organisation: 'Acme', name: 'ci', project: 'Web/1', models: ['gpt-4o'], quota: 5000, limits: { rpm: 5 }, key: { file: 'ci.key' } },
      { user: 'ann', name: 'own', enabled: false, group: 'partner', expires_at: '2099-01-01T00:00:00Z', allow_ips: ['10.0.0.0/8'] },
    ],
    budgets: [
      { organisation: 'Acme', window: 'month', amount: 900 },
      { organisation: 'Acme', project: 'Web/1', window: 'day', amount: 100, action: 'warn', alert_percents: [50] },
      { organisation: 'Acme', member: 'ann', window: 'day', amount: 50 },
      { organisation: 'Acme', token: 'ci', window: 'total', amount: 70 },
      { user: 'ann', window: 'week', amount: 40, time_zone: 'Asia/Shanghai', start_day: 7 },
      { group: 'partner', window: 'day', amount: 30 },
    ],
  }

  it('are made in one transaction in the order in which they need each other, and then planned as nothing', async () => {
    const planned = await plan(FILES)
    expect(planned.problems).toEqual([])
    expect(shortly(planned)).toEqual([
      'create group partner',
      'create organisation Acme',
      'create project organisation:Acme/project:Web%2F1',
      'create token organisation:Acme/token:ci',
      'create token user:ann/token:own',
      'create budget organisation:Acme/month',
      'create budget organisation:Acme/project:Web%2F1/day',
      'create budget organisation:Acme/member:ann/day',
      'create budget organisation:Acme/token:ci/total',
      'create budget user:ann/week',
      'create budget group:partner/day',
    ])
    expect(await tokens()).toEqual([])

    const { body } = await applyPlanned(planned, FILES)
    const { keys = [] } = body.data as ConfigPlan // the declared shape

    const [ci, own] = await tokens()
    expect(keys.map(({ name, key }) => [name, hashTokenKey(key.slice('sk-'.length))])).toEqual([
      ['organisation:Acme/token:ci', ci?.key_hash],
      ['user:ann/token:own', own?.key_hash],
    ])
    expect(ci).toMatchObject({ status: 1, granted: 5000, unlimited_quota: false, model_limits: 'gpt-4o' })
    expect(own).toMatchObject({ status: 2, unlimited_quota: true, project_id: null })
    expect((await budgets()).map(({ scope, window, amount }) => [scope, window, amount])).toEqual([
      ['user', 'month', 900],
      ['project', 'day', 100],
      ['member', 'day', 50],
      ['token', 'total', 70],
      ['user', 'week', 40],
      ['group', 'day', 30],
    ])
    const again = await plan(FILES)
    expect(again).toMatchObject({ problems: [], changes: [], left: [], named: 11 })
    expect(again).not.toHaveProperty('keys')
    const audit = await test.database.db.selectFrom('audit_entries').select(['action', 'resource', 'resource_id', 'changes']).execute()
    expect(audit.map(({ resource }) => resource)).toEqual(expect.arrayContaining(['organisation', 'project', 'token', 'budget', 'config']))
    expect(audit.find(({ resource }) => resource === 'config')).toMatchObject({
      action: 'apply',
      resource_id: 'default',
      changes: [
        { field: 'created', after: '11' },
        { field: 'changed', after: '0' },
        { field: 'removed', after: '0' },
        { field: 'files_sha256', after: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      ],
    })
    expect(JSON.stringify(audit)).not.toContain(keys[0]?.key.slice(3))
  })

  it('are changed in place, show what the console changed as drift, and are removed by prune', async () => {
    await apply(FILES)
    const [ci] = await tokens()
    await test.database.db
      .updateTable('tokens')
      .set({ model_limits: 'o3' })
      .where('id', '=', ci?.id ?? 0)
      .execute()
    const [first, second, ...others] = FILES.tokens
    const [month, day, member, ofToken, week] = FILES.budgets
    const changed = {
      ...FILES,
      organisations: { Acme: {} },
      tokens: [{ ...first, quota: 6000 }, { ...second, enabled: true }, ...others],
      budgets: [{ ...month, amount: 901 }, day, member, ofToken, { ...week, time_zone: 'UTC' }],
    }

    const planned = await plan(changed, { prune: 'owned' })
    expect(
      planned.changes.map(({ name, action, fields }) => [action, name, ...fields.map(({ field, is_drift }) => [field, is_drift])]),
    ).toEqual([
      ['update', 'Acme', ['group', false]],
      ['update', 'organisation:Acme/token:ci', ['models', true], ['quota', false]],
      ['update', 'user:ann/token:own', ['enabled', false]],
      ['update', 'organisation:Acme/month', ['amount', false]],
      ['update', 'user:ann/week', ['time_zone', false]],
      ['remove', 'group:partner/day', ...['amount', 'time_zone', 'start_day', 'action', 'alert_percents'].map((field) => [field, false])],
    ])
    const { keys } = await apply(changed, { prune: 'owned' })
    expect(keys).toBeUndefined()
    expect(await tokens()).toMatchObject([{ granted: 6000, model_limits: 'gpt-4o', key_hash: ci?.key_hash }, { status: 1 }])
    expect(await budgets()).toMatchObject([{ amount: 901 }, {}, {}, {}, { window: 'week', time_zone: 'UTC' }])

    const none = { groups: FILES.groups }
    expect((await plan(none, { prune: 'owned' })).changes.length).toBe(9)
    await test.database.db.updateTable('users').set({ credited: 1 }).where('display_name', '=', 'Acme').execute()
    expect((await plan(none, { prune: 'owned' })).problems).toMatchObject([{ message: expect.stringContaining('Acme') as string }])
    await test.database.db.updateTable('users').set({ credited: 0 }).where('display_name', '=', 'Acme').execute()
    await apply(none, { prune: 'owned' })
    expect([await tokens(), await budgets()]).toEqual([[], []])
    const managed = (await root('GET', '/api/config/managed')).body.data as ManagedRecord[] // the declared shape
    expect(managed.map(({ kind, name }) => `${kind}/${name}`)).toEqual(['group/partner'])
  })

  it('that files never named are not removed', async () => {
    await root('POST', '/api/token/', { name: 'mine', unlimited_quota: true })
    await apply({ tokens: [{ user: 'ann', name: 'own' }], budgets: [{ user: 'ann', window: 'day', amount: 5 }] })

    const planned = await plan({ tokens: [{ user: 'ann', name: 'other' }] }, { prune: 'all' })
    expect(shortly(planned).toSorted()).toEqual([
      'create token user:ann/token:other',
      'remove budget user:ann/day',
      'remove token user:ann/token:own',
    ])
  })

  it.each([
    ['a user that does not exist', { tokens: [{ user: 'zoe', name: 'x' }] }, ['tokens', 0], 'user zoe'],
    [
      'a project that does not exist',
      { tokens: [{ user: 'ann', name: 'x', project: 'p' }] },
      ['tokens', 0],
      'a project belongs to an organisation',
    ],
    [
      'a budget of two owners',
      { budgets: [{ user: 'ann', group: 'default', window: 'day', amount: 1 }] },
      ['budgets', 0],
      'exactly one of',
    ],
    [
      'a budget of a token that does not exist',
      { budgets: [{ user: 'ann', token: 'x', window: 'day', amount: 1 }] },
      ['budgets', 0],
      'user:ann/token:x/day',
    ],
    ['a budget of a group without a ratio', { budgets: [{ group: 'none', window: 'day', amount: 1 }] }, ['budgets', 0], 'group none'],
    ['a new organisation without an owner', { organisations: { Acme: {} } }, ['organisations', 'Acme'], 'owner of a new organisation'],
    ['a key', { tokens: [{ user: 'ann', name: 'x', key: 'sk-literal' }] }, ['tokens', 0, 'key'], 'expected object'],
    [
      'a token named twice',
      {
        tokens: [
          { user: 'ann', name: 'x' },
          { user: 'ann', name: 'x' },
        ],
      },
      ['tokens', 1],
      'is in all.yaml already',
    ],
    ['a name that is too long', { tokens: [{ user: 'ann', name: 'x'.repeat(31) }] }, ['tokens', 0], '过长'],
  ])('are refused at the place of %s', async (_what, content, path, message) => {
    expect((await plan(content)).problems).toMatchObject([{ path, message: expect.stringContaining(message) as string }])
    expect(await tokens()).toEqual([])
  })

  it('are refused for a name that several have', async () => {
    await apply({ tokens: [{ user: 'ann', name: 'twin' }] })
    const [twin] = await tokens()
    const {
      id: _id,
      key_hash: _hash,
      ...row
    } = await test.database.db
      .selectFrom('tokens')
      .selectAll()
      .where('id', '=', twin?.id ?? 0)
      .executeTakeFirstOrThrow()
    await test.database.db
      .insertInto('tokens')
      .values({ ...row, key_hash: 'another', limits: null })
      .execute()

    expect((await plan({ tokens: [{ user: 'ann', name: 'twin' }] })).problems).toMatchObject([
      { message: expect.stringContaining('twin') as string },
    ])
  })

  describe('are marked where they are shown', () => {
    type Marked = { readonly name: string; readonly is_managed?: true }
    let ann: Caller
    let acme: number
    beforeAll(async () => {
      ann = await test.signIn('ann', 'a-long-password')
    })
    beforeEach(async () => {
      await apply(FILES)
      await ann('POST', '/api/token/', { name: 'by hand', unlimited_quota: true })
      const row = await test.database.db.selectFrom('organisations').select('id').where('name', '=', 'Acme').executeTakeFirstOrThrow()
      acme = row.id
      const at = { organisation_id: acme, created_at: 0 }
      await test.database.db
        .insertInto('projects')
        .values({ ...at, name: 'Other' })
        .execute()
    })
    /** The marks that a call shows, by name; undefined: it is refused. */
    const marks = async (caller: Caller, path: string, organisation?: number): Promise<[string, boolean][] | undefined> => {
      const headers = organisation === undefined ? {} : { 'New-Api-User': String(organisation) }
      const { body } = await caller('GET', path, undefined, headers)
      if (body.success !== true) return undefined
      const data = body.data as Marked | readonly Marked[] | { readonly items: readonly Marked[] } // the declared shapes
      const rows = Array.isArray(data) ? data : 'items' in data ? data.items : [data]
      return rows.map((row: Marked & { scope?: string; token_name?: string; group?: string }) => [
        row.scope === undefined ? row.name : `${row.scope} ${row.token_name === '' ? row.group : row.token_name}`,
        row.is_managed === true,
      ])
    }
    const CALLS = [
      ['organisation.read', '/api/organisation/', [['Acme', true]]],
      [
        'projects.read',
        '/api/organisation/projects',
        [
          ['Other', false],
          ['Web/1', true],
        ],
      ],
      ['tokens.read', '/api/token/?p=0&size=10', [['ci', true]]],
      [
        'budgets.read',
        '/api/budgets/',
        [
          ['user ', true],
          ['project Web/1', true],
          ['member ann', true],
          ['token ci', true],
          ['group partner', true],
        ],
      ],
    ] as const

    it.each(MEMBER_ROLES)('to the role %s of the organisation, as far as it may read them', async (role) => {
      await test.database.db.updateTable('organisation_members').set({ role }).where('organisation_id', '=', acme).execute()
      for (const [right, path, shown] of CALLS)
        expect([role, path, await marks(ann, path, acme)]).toEqual([role, path, hasRight(role, right) ? shown : undefined])
    })

    it('to a person, to administrators and to root, and to no other account of the same name', async () => {
      expect(await marks(ann, '/api/token/?p=0&size=10')).toEqual([
        ['by hand', false],
        ['own', true],
      ])
      const [own] = (await tokens()).filter(({ name }) => name === 'own')
      expect(await marks(ann, `/api/token/${own?.id}`)).toEqual([['own', true]])
      expect(await marks(root, `/api/user/${own?.user_id}/tokens`)).toEqual([
        ['by hand', false],
        ['own', true],
      ])
      expect(await marks(root, `/api/budgets/?user_id=${own?.user_id}`)).toEqual([['user ', true]])
      expect(await marks(root, '/api/budgets/?group=partner')).toEqual([['group partner', true]])
      expect(await marks(root, '/api/organisations/all')).toEqual([['Acme', true]])

      await setOptions(test.deps, { OrganisationFounders: 'admins' })
      const { id: twin } = (await root('POST', '/api/organisations/', { name: 'Acme' })).body.data as { id: number } // the declared shape
      for (const [caller, id] of [
        [root, twin],
        [ann, acme],
      ] as const) {
        await caller('POST', '/api/token/', { name: 'ci', unlimited_quota: true }, { 'New-Api-User': String(id) })
        for (const [, path] of CALLS)
          expect((await marks(caller, path, id))?.filter(([name, is]) => is && name !== 'group partner')).toEqual([])
      }
      expect(await marks(root, '/api/organisations/all')).toEqual([
        ['Acme', false],
        ['Acme', false],
      ])
    })
  })

  const exportOf = async (query = ''): Promise<Record<string, unknown>> =>
    (await root('GET', `/api/config/export${query}`)).body.data as Record<string, unknown> // the declared shape

  it('are exported with the tokens of people only on request, and not when these are too many for files', async () => {
    await apply({ tokens: [{ user: 'ann', name: 'own' }], budgets: [{ user: 'ann', token: 'own', window: 'day', amount: 5 }] })
    expect(await exportOf()).toMatchObject({ tokens: [], budgets: [] })
    expect(await exportOf('?user_tokens=true')).toMatchObject({
      tokens: [{ user: 'ann', name: 'own' }],
      budgets: [{ user: 'ann', token: 'own', window: 'day', amount: 5 }],
    })

    await sql`
      insert into tokens
      select (jsonb_populate_record(t, jsonb_build_object('id', 1000000 + n, 'name', 'many ' || n, 'key_hash', 'many ' || n))).*
      from tokens t, generate_series(1, 10000) n`.execute(test.database.db)
    const refused = await root('GET', '/api/config/export?user_tokens=true')
    expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('10000') as string })
    expect(await exportOf()).toMatchObject({ tokens: [] })
  })

  it('are exported without keys, and an export gives no difference, whatever they are', async () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9/%:.-]{0,8}[a-z]$/)
    const amount = fc.integer({ min: 1, max: 1_000_000 })
    const token = fc.record(
      {
        enabled: fc.boolean(),
        models: fc.uniqueArray(fc.constantFrom('a', 'b-1', 'c'), { maxLength: 3 }),
        quota: fc.nat(10_000),
        expires_at: fc.constant('2099-05-06T07:08:09Z'),
        allow_ips: fc.constant(['10.0.0.1', '10.1.0.0/16']),
        limits: fc.constant({ rpm: 3, concurrency: 1 }),
        cross_group_retry: fc.boolean(),
        fallback_models: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        telemetry_content: fc.boolean(),
        receipt_hashes: fc.boolean(),
        group: fc.constantFrom('', 'auto', 'default'),
      },
      { requiredKeys: [] },
    )
    const budget = fc.record(
      {
        amount,
        action: fc.constantFrom('warn', 'refuse'),
        time_zone: fc.constantFrom('UTC', 'Asia/Kolkata'),
        alert_percents: fc.constant([10]),
      },
      { requiredKeys: ['amount'] },
    )
    const installation = fc.record({
      organisations: fc.uniqueArray(name, { maxLength: 2 }),
      projects: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
      tokens: fc.uniqueArray(fc.tuple(name, token), { minLength: 1, maxLength: 2, selector: ([one]) => one }),
      windows: fc.uniqueArray(fc.tuple(fc.constantFrom('5h', 'day', 'week', 'month', 'total'), budget), {
        minLength: 1,
        maxLength: 2,
        selector: ([one]) => one,
      }),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(installation, async ({ organisations, projects, tokens: wanted, windows }) => {
        run += 1
        // Names are unique over the runs, whose organisations stay.
        const own = organisations.map((one) => `${run} ${one}`)
        const owners = own.flatMap((organisation) => [
          { organisation },
          { organisation, project: projects[0] },
          { organisation, member: 'ann' },
          { organisation, token: wanted[0]?.[0] },
        ])
        const content = {
          organisations: Object.fromEntries(own.map((one) => [one, { owner: 'ann' }])),
          projects: own.flatMap((organisation) => projects.map((one) => ({ organisation, name: one }))),
          tokens: [
            ...own.flatMap((organisation) => wanted.map(([one, fields]) => ({ organisation, name: one, project: projects[0], ...fields }))),
            ...wanted.map(([one, fields]) => ({ user: 'ann', name: `${run} ${one}`, ...fields })),
          ],
          budgets: [...owners, { user: 'ann', token: `${run} ${wanted[0]?.[0]}` }].flatMap((owner) =>
            windows.map(([window, fields]) => ({ ...owner, window, ...fields })),
          ),
        }
        await apply(content, { owner: String(run) })

        const exported = await exportOf('?user_tokens=true')
        expect(exported['tokens']).toEqual(
          expect.arrayContaining(wanted.map(([one]) => expect.objectContaining({ user: 'ann', name: `${run} ${one}` }) as unknown)),
        )
        expect(exported['budgets']).toEqual(
          expect.arrayContaining([expect.objectContaining({ user: 'ann', token: `${run} ${wanted[0]?.[0]}` })]),
        )
        expect(JSON.stringify(exported)).not.toMatch(/key_|sk-/)
        expect(await plan(exported, { owner: String(run) })).toMatchObject({ problems: [], changes: [], left: [] })
      }),
      { numRuns: 8 },
    )
  }, 60_000)
})
