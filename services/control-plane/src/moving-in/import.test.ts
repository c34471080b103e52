import { errors } from '@tollgate/contracts/errors'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashTokenKey } from '@tollgate/config/sealing'
import { importCodeText } from '@tollgate/contracts/moving-in/texts'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import {
  compareChannels,
  compareCharged,
  compareCredited,
  compareGranted,
  compareInvites,
  compareKinds,
  compareLogged,
  compareRefunded,
  compareSpent,
  compareTasks,
  compareTokenUse,
  compareUnpostedTasks,
} from '@tollgate/db/queries/ledger/verify'
import { ADVISORY_LOCKS, whileLocked } from '@tollgate/db/queries/installation/advisory-locks'
import { saveOption } from '@tollgate/db/queries/installation/options'
import { openSource } from '@tollgate/moving-in/open-source'
import {
  gatewayTables,
  GENERATIONS,
  OLD_PASSWORD,
  oldKey,
  SECOND_STEP_SECRET,
  writeGatewayFile,
  type Generation,
  type Tables,
} from '@tollgate/testing/gateway-database'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../test/browser.ts'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { totpOf } from '../authentication/second-factor.ts'
import { reportPage } from './report-page.ts'
import { shownReport } from './shown-report.ts'
import { runImport, type ImportOptions } from './run-import.ts'

const COMPARISONS = {
  compareCredited,
  compareSpent,
  compareRefunded,
  compareGranted,
  compareCharged,
  compareTokenUse,
  compareChannels,
  compareInvites,
  compareLogged,
  compareTasks,
}

/** Every sum that the verifier compares; empty without differences. */
async function differences({ deps }: TestApp): Promise<unknown[]> {
  const found: unknown[] = []
  for (const [name, compare] of Object.entries(COMPARISONS)) {
    const { differences: count, mismatches } = await compare(deps.db)
    if (count > 0) found.push({ name, mismatches })
  }
  const kinds = await compareKinds(deps.db, 0)
  const unposted = await compareUnpostedTasks(deps.db, Date.now() * 2)
  if (kinds.differences > 0) found.push({ name: 'compareKinds', mismatches: kinds.mismatches })
  if (unposted.compared > 0) found.push({ name: 'compareUnpostedTasks' })
  return found
}

describe('an import', () => {
  let dir: string
  let app: TestApp
  let files = 0
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
  })
  afterAll(() => rm(dir, { recursive: true }))
  afterEach(() => app.stop())

  const importTables = async (tables: Tables, options: Partial<ImportOptions> = {}): Promise<ImportReport> => {
    files += 1
    const path = join(dir, `${files}.db`)
    writeGatewayFile(path, tables)
    const source = await openSource(path, { now: 0 })
    try {
      return await runImport(app.deps, source, { name: 'old', isDryRun: false, merge: 'none', ...options })
    } finally {
      await source.close()
    }
  }
  const importGeneration = (generation: Generation, options: Partial<ImportOptions> = {}): Promise<ImportReport> =>
    importTables(gatewayTables(generation), options)

  it('does not begin while another one runs', async () => {
    app = await createTestApp()
    const [generation] = GENERATIONS
    const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<unknown>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<unknown>()
    const other = whileLocked(app.deps.db, ADVISORY_LOCKS.imports, async () => {
      begin(undefined)
      await mayEnd
    })
    await isUnderWay

    await expect(importGeneration(generation)).rejects.toMatchObject({ code: 'import.running' })
    end(undefined)
    await other

    expect(await importGeneration(generation)).toMatchObject({ counts: { users: { created: 6 } } })
  })

  it.each(GENERATIONS)('of %s carries every balance to the unit, and the ledger has no difference', async (generation) => {
    app = await createTestApp()
    const report = ImportReport.parse(await importGeneration(generation, { logDays: 100_000 }))

    expect(await differences(app)).toEqual([])
    expect(report.sums.map(({ source, target }) => source - target)).toEqual([0, 0, 0])
    expect(report.counts).toMatchObject({
      users: { read: 6, created: 6, refused: 0 },
      channels: { created: 5, refused: 0 },
      tokens: { created: 8, refused: 0 },
      codes: { created: 2 },
      logs: { created: 4 },
    })
    const users = await app.deps.db
      .selectFrom('users')
      .select(['username', 'role', 'status', 'group', sql<number>`credited - spent`.as('quota'), 'spent', 'request_count'])
      .where('username', 'in', ['alice', 'bob', '张三', 'user.with.a.long.name'])
      .orderBy('id')
      .execute()
    // A subscription of alice became balance.
    const subscription = generation === 'new-api-2026' ? 3_800_000 : 0
    expect(users).toEqual([
      { username: 'alice', role: 1, status: 1, group: 'vip', quota: 1_733_978 + subscription, spent: 5589, request_count: 13 },
      { username: 'bob', role: 10, status: 1, group: 'default', quota: 99_999_999, spent: 0, request_count: 0 },
      { username: '张三', role: 1, status: 2, group: 'default', quota: 500_000, spent: 0, request_count: 0 },
      { username: 'user.with.a.long.name', role: 1, status: 1, group: 'default', quota: -1200, spent: 1200, request_count: 2 },
    ])
  })

  it('lets an old password sign in, replaces its hash, and asks for the old second step', async () => {
    app = await createTestApp()
    await importGeneration('new-api-2026')
    const alice = await app.signIn('alice', OLD_PASSWORD)
    const { body } = await alice('GET', '/api/user/self')

    expect(body.data).toMatchObject({
      username: 'alice',
      quota: 1_733_978 + 3_800_000,
      used_quota: 5589,
      email: 'alice@example.com',
      group: 'vip',
      aff_quota: 300,
    })
    const { password_hash } = await app.deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('username', '=', 'alice')
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id/)
    const browser = createBrowser(app.app)
    await browser.call('POST', '/api/user/login', { username: 'bob', password: OLD_PASSWORD })
    expect((await browser.call('GET', '/api/user/self')).body.success).toBe(false)
    const code = totpOf({ secret: SECOND_STEP_SECRET, label: '', issuer: '' }).generate()
    const signedIn = await browser.call('POST', '/api/user/login/second-step', { code })
    expect(signedIn.body).toMatchObject({ success: true, data: { username: 'bob' } })
  })

  it('keeps keys, ids, limits and states of tokens', async () => {
    app = await createTestApp()
    await importGeneration('new-api-2026')
    const rows = await app.deps.db
      .selectFrom('tokens')
      .select([
        'id',
        'key_hash',
        'status',
        sql<number>`granted - charged`.as('remain'),
        'used_quota',
        'model_limits',
        'allow_ips',
        'group',
        'unlimited_quota',
      ])
      .orderBy('id')
      .execute()

    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(rows.map(({ key_hash }) => key_hash)).toEqual(rows.map(({ id }) => hashTokenKey(oldKey(id))))
    expect(rows[0]).toMatchObject({ status: 1, remain: 499_652, used_quota: 5348, model_limits: 'gpt-4o-mini,gpt-4o' })
    expect(rows[1]).toMatchObject({
      remain: -336,
      used_quota: 241,
      allow_ips: '10.0.0.1\n192.168.0.0/16',
      group: 'vip',
      unlimited_quota: true,
    })
  })

  it('carries channels with their keys, their states, mappings and overrides, and names what changed its type', async () => {
    app = await createTestApp()
    const report = await importGeneration('new-api-2026')
    const root = await app.signIn('root', OLD_PASSWORD)
    const channel = async (id: number) => (await root('GET', `/api/channel/${id}`)).body.data as Record<string, unknown>

    expect(await channel(1)).toMatchObject({
      name: 'channel 1',
      weight: 5,
      priority: 10,
      models: 'gpt-4o,gpt-4o-mini',
      group: 'default,vip',
      used_quota: 6489,
    })
    expect(await channel(2)).toMatchObject({ status: 2, model_mapping: '{"gpt-4o-mini":"gpt-4o-mini-2024-07-18"}' })
    expect(await channel(3)).toMatchObject({ status: 3, other: '2024-08-01-preview' })
    expect(await channel(4)).toMatchObject({ type: 43, param_override: '{"temperature":0.3}', status_code_mapping: '{"400":"500"}' })
    expect(JSON.parse(String((await channel(5))['setting']))).toMatchObject({
      multi_key_mode: 'polling',
      header_override: { 'X-Team': '******' },
    })
    const keys = (await root('GET', '/api/channel/5/keys')).body.data
    expect(JSON.stringify(keys)).toContain('"disabled"')
    expect(report.counts.channels.refused).toBe(0)
  })

  it('maps known options, lists unknown ones, and takes prices that the option lacks from the log', async () => {
    app = await createTestApp()
    const { changed, prices } = await importGeneration('new-api-2025')

    expect(await app.deps.options.get('SystemName')).toBe('我的 API 站')
    expect(await app.deps.options.get('SMTPToken')).toBe('smtp-secret')
    expect((await app.deps.options.get('CompletionRatio'))['gpt-4o-mini']).toBe(4)
    expect(changed.filter(({ code }) => code === 'unknown-option')).toEqual([
      { kind: 'options', at: 'options theme.of.another.console', code: 'unknown-option', detail: '4 characters' },
    ])
    expect(prices.find(({ model }) => model === 'my-model')).toEqual({
      model: 'my-model',
      from: 'source',
      model_ratio: 3,
      completion_ratio: 2,
      model_price: null,
    })
  })

  it('lists the settings that an administrator saved here and the source replaces, in a dry run too, and once', async () => {
    app = await createTestApp()
    const saved = { key: 'SystemName', value: 'Ours', is_sealed: false, updated_at: 1, updated_by: 1 }
    await app.deps.db.transaction().execute((tx) => saveOption(tx, saved))
    const replaced = ({ changed }: ImportReport) => changed.filter(({ code }) => code === 'setting-replaced')

    const dry = await importGeneration('new-api-2026', { isDryRun: true })
    expect(replaced(dry)).toEqual([{ kind: 'options', at: 'options SystemName', code: 'setting-replaced', detail: 'Ours' }])
    expect(replaced(await importGeneration('new-api-2026'))).toEqual(replaced(dry))
    expect(replaced(await importGeneration('new-api-2026'))).toEqual([])
  })

  it('leaves out single settings, until a later run takes them', async () => {
    app = await createTestApp()
    const { options } = app.deps
    await app.deps.db
      .transaction()
      .execute((tx) => saveOption(tx, { key: 'SystemName', value: 'Ours', is_sealed: false, updated_at: 1, updated_by: 1 }))
    const kept = ({ changed }: ImportReport) => changed.filter(({ code }) => code === 'setting-kept').map(({ at }) => at)

    expect(kept(await importGeneration('new-api-2025', { keep: ['SystemName'], isDryRun: true }))).toEqual(['options SystemName'])
    expect(kept(await importGeneration('new-api-2025', { keep: ['SystemName'] }))).toEqual(['options SystemName'])
    expect([await options.get('SystemName'), await options.get('SMTPToken')]).toEqual(['Ours', 'smtp-secret'])

    await importGeneration('new-api-2025')
    expect(await options.get('SystemName')).toBe('我的 API 站')
    for (const name of ['SystemNames', 'ModelRatio'])
      await expect(importGeneration('new-api-2025', { keep: [name] })).rejects.toMatchObject({ code: 'import.keep', params: { name } })
  })

  it('prices the requests of the log as the source did', async () => {
    app = await createTestApp()
    const { samples } = await importGeneration('new-api-2026')

    expect(samples.map(({ model, charged, formula, here }) => ({ model, charged, formula, here }))).toEqual([
      { model: 'gpt-4o-mini', charged: 16, formula: 16, here: 16 },
      { model: 'gpt-4o', charged: 335, formula: 335, here: 335 },
    ])
  })

  it('prices expressions with tiers as the source does, at and around each bound, and lists those that no price here says', async () => {
    app = await createTestApp()
    const expressions = {
      short: 'tier("base", p * 2.5 + c * 10)',
      long: 'len <= 200000 ? tier("a", p * 3 + c * 15 + cr * 0.3 + cc * 3.75) : tier("b", p * 6 + c * 22.5 + cr * 0.6 + cc * 7.5)',
      three: 'len < 32000 ? tier("a", p * 0.8 + c * 2) : len < 128000 ? tier("b", p * 1.2 + c * 16) : tier("c", p * 2.4 + c * 24)',
      older: 'p <= 1000 ? tier("a", p + c + cr * 0.5) : tier("b", p * 2 + c + cr * 0.5)',
      free: 'p * 0 + c * 0',
      call: 'fixed(0.04)',
      'by-answer': 'c <= 200 ? tier("a", p) : tier("b", p * 2)',
      'by-hour': 'hour("Asia/Shanghai") < 8 ? p : p * 2',
      'by-header': 'p * 5|||when(header("x") has "y") * 6',
      'output-only': 'c * 3',
    }
    const models = [...Object.keys(expressions), 'by-ratio']
    const tables = gatewayTables('new-api-2026')
    const stored = {
      'billing_setting.billing_mode': JSON.stringify(
        Object.fromEntries(models.map((model) => [model, model === 'by-ratio' ? 'ratio' : 'tiered_expr'])),
      ),
      'billing_setting.billing_expr': JSON.stringify({ ...expressions, 'by-ratio': 'p * 99' }),
    }
    const more = (table: string, rows: readonly object[]): object => ({ ...tables[table], rows: [...(tables[table]?.rows ?? []), ...rows] })
    const source = {
      ...tables,
      options: more(
        'options',
        Object.entries(stored).map(([key, value]) => ({ key, value })),
      ),
      channels: { ...tables['channels'], rows: tables['channels']?.rows.map((row) => ({ ...row, models: models.join(',') })) },
    } as Tables
    const { samples, prices, refused, decisions, changed } = await importTables(source)

    const carried = ['short', 'long', 'three', 'older', 'free', 'call']
    expect(
      prices
        .filter(({ from }) => from === 'source')
        .map(({ model }) => model)
        .toSorted(),
    ).toEqual(carried.toSorted())
    const at = (model: string): number[] => [...new Set(samples.filter((row) => row.model === model).map((row) => row.prompt_tokens))]
    expect(at('long')).toEqual([200_000, 200_001, 199_999, 1000, 400_000])
    expect(at('three')).toEqual([31_999, 32_000, 31_998, 127_999, 128_000, 127_998, 1000, 255_998])
    const unequal = samples.filter(({ charged, formula, here }) => charged !== formula || charged !== here)
    // The old gateway left cached tokens out of this bound.
    expect(
      unequal
        .filter(({ model }) => carried.includes(model))
        .map(({ model, prompt_tokens, cached_tokens }) => [model, prompt_tokens, cached_tokens]),
    ).toEqual([
      ['older', 1001, 500],
      ['older', 2000, 1000],
    ])
    expect(decisions.filter(({ code }) => code === 'bound-with-cached').map(({ at: place, detail }) => [place, detail])).toEqual([
      ['options billing_setting.billing_expr older', '1000'],
    ])
    expect(
      refused.filter(({ code }) => code === 'price-expression').map(({ at: place, detail }) => [place.split(' ').at(-1), detail]),
    ).toEqual([
      ['by-answer', 'a condition on c'],
      ['by-hour', 'hour'],
      ['by-header', 'rules of the request'],
      ['output-only', 'output 3, input 0'],
    ])
    expect(changed.filter(({ code, at: place }) => code === 'unknown-option' && place.includes('billing')).length).toBe(0)
  })

  it('prices 200 requests of other models, groups and caches as the source charged them', async () => {
    app = await createTestApp()
    const tables = gatewayTables('new-api-2026')
    const groups = { default: 1, vip: 0.8, svip: 0.5 } as const
    const models = Array.from({ length: 25 }, (_, n) => ({
      name: `model-${n}`,
      model_ratio: (n + 1) * 0.035,
      completion_ratio: 1 + n * 0.5,
      cache_ratio: n % 2 === 0 ? 0.25 : 1,
      model_price: n % 5 === 4 ? 0.01 + n / 1000 : -1,
    }))
    const logs = Array.from({ length: 300 }, (_, n) => {
      const { name, ...prices } = models[n % models.length] ?? {
        name: '',
        model_ratio: 0,
        completion_ratio: 0,
        cache_ratio: 0,
        model_price: 0,
      }
      const group = (['default', 'vip', 'svip'] as const)[n % 3] ?? 'default'
      const [prompt, cached, answer] = [97 + n * 13, (n * 7) % 90, n * 3]
      const tokens = prompt - cached + cached * prices.cache_ratio + answer * prices.completion_ratio
      const exact = prices.model_price >= 0 ? prices.model_price * 500_000 * groups[group] : tokens * prices.model_ratio * groups[group]
      const other = { ...prices, group_ratio: groups[group], cache_tokens: cached }
      const row = {
        quota: Math.round(Number(exact.toPrecision(12))),
        prompt_tokens: prompt,
        completion_tokens: answer,
        group,
        model_name: name,
      }
      return { ...tables['logs']?.rows[1], ...row, id: 100 + n, other: JSON.stringify(other) }
    })
    // Half of the prices are the operator's, the others are known from the log alone.
    const own = models.filter((_, n) => n < 12)
    const priced = own.filter(({ model_price }) => model_price < 0)
    const texts: Record<string, string> = {
      ModelRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model.name, model.model_ratio]))),
      CompletionRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model.name, model.completion_ratio]))),
      CacheRatio: JSON.stringify(Object.fromEntries(priced.map((model) => [model.name, model.cache_ratio]))),
      ModelPrice: JSON.stringify(
        Object.fromEntries(own.filter((model) => !priced.includes(model)).map((model) => [model.name, model.model_price])),
      ),
    }
    const options = tables['options']?.rows.map((row) => ({ ...row, value: texts[String(row['key'])] ?? row['value'] }))
    const channels = tables['channels']?.rows.map((row) => ({ ...row, models: models.map(({ name }) => name).join(',') }))
    const changed: Record<string, unknown> = { logs, options, channels }
    const source = Object.fromEntries(
      Object.entries(tables).map(([table, { columns, rows }]) => [table, { columns, rows: changed[table] ?? rows }]),
    ) as Tables
    const { samples, prices } = await importTables(source)

    expect(samples).toHaveLength(200)
    expect(samples.filter(({ charged, formula, here }) => charged !== formula || charged !== here)).toEqual([])
    expect(new Set(samples.map(({ model }) => model)).size).toBe(25)
    expect(Object.groupBy(prices, ({ from }) => from)).toMatchObject({ source: { length: 12 }, log: { length: 13 } })
  })

  it('writes nothing in a dry run, whose report has the counts of the run that follows', async () => {
    app = await createTestApp()
    const dry = await importGeneration('new-api-2026', { isDryRun: true, logDays: 100_000 })
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from users) + (select count(*) from tokens) + (select count(*) from channels) + (select count(*) from options)
        + (select count(*) from logs) + (select count(*) from imports) + (select count(*) from usage_hours) as count`.execute(app.deps.db)
    expect(rows).toEqual([{ count: 0 }])

    const real = await importGeneration('new-api-2026', { logDays: 100_000 })
    expect(dry.counts).toEqual(real.counts)
    expect({ ...dry, ...same }).toEqual({ ...real, ...same })
  })
  const same = { is_dry_run: false, started_at: 0, finished_at: 0, sums: [] }

  it('does nothing the second time, and then takes over what changed', async () => {
    app = await createTestApp()
    const tables = gatewayTables('new-api-2026')
    const first = await importTables(tables, { logDays: 100_000 })
    const second = await importTables(tables)
    for (const [kind, { read, created, updated }] of Object.entries(second.counts)) {
      const isLog = kind === 'logs'
      expect({ kind, created, updated, read: isLog ? 0 : read }).toEqual({
        kind,
        created: 0,
        updated: 0,
        read: isLog ? 0 : first.counts[kind as 'users'].read,
      })
    }
    expect(await differences(app)).toEqual([])

    const later = {
      ...tables,
      users: {
        ...tables['users'],
        rows: tables['users']?.rows.map((row) =>
          row['id'] === 2 ? { ...row, quota: 1_733_878, used_quota: 5689, request_count: 14, group: 'svip' } : row,
        ),
      },
      tokens: {
        ...tables['tokens'],
        rows: tables['tokens']?.rows.map((row) => (row['id'] === 1 ? { ...row, remain_quota: 499_552, used_quota: 5448 } : row)),
      },
    } as Tables
    const third = await importTables(later)
    expect(third.counts).toMatchObject({ users: { updated: 1, same: 5 }, tokens: { updated: 1, same: 7 } })
    expect(third.sums.map(({ source, target }) => source - target)).toEqual([0, 0, 0])
    const alice = await app.deps.db
      .selectFrom('users')
      .select(['group', 'spent', sql<number>`credited - spent`.as('quota')])
      .where('username', '=', 'alice')
      .execute()
    expect(alice).toEqual([{ group: 'svip', spent: 5689, quota: 1_733_878 + 3_800_000 }])
    expect(await differences(app)).toEqual([])
  })

  it('counts each request once where log rows are carried after the sums by hour', async () => {
    const totals = async (): Promise<unknown> =>
      await app.deps.db
        .selectFrom('usage_hours')
        .select([
          sql<number>`sum(requests)`.as('requests'),
          sql<number>`sum(quota)`.as('quota'),
          sql<number>`sum(prompt_tokens)`.as('tokens'),
        ])
        .where('type', '=', 2)
        .executeTakeFirst()
    app = await createTestApp()
    await importGeneration('new-api-2026', { logDays: 100_000 })
    const atOnce = await totals()
    await app.stop()
    app = await createTestApp()
    await importGeneration('new-api-2026')
    const { counts } = await importGeneration('new-api-2026', { logDays: 100_000 })

    expect(counts).toMatchObject({ logs: { created: 4 }, hours: { created: 0 } })
    expect(await totals()).toEqual(atOnce)
    expect(await differences(app)).toEqual([])
    expect((await importGeneration('new-api-2026')).counts).toMatchObject({ hours: { updated: 0 }, logs: { read: 0 } })
  })

  it('is refused where accounts are in use, unless the rule for names is given', async () => {
    app = await createTestApp()
    const root = await app.setUp()
    await root('POST', '/api/user/', { username: 'alice', password: 'another-password' })
    await expect(importGeneration('new-api-2026')).rejects.toMatchObject({ code: 'import.in-use' })

    const { decisions } = await importGeneration('new-api-2026', { merge: 'rename' })
    expect(decisions.filter(({ code }) => code === 'renamed' || code === 'joined')).toEqual([
      { kind: 'users', at: 'users 2', code: 'renamed', detail: 'alice → alice_2', name: 'alice' },
      { kind: 'users', at: 'users 1', code: 'joined', detail: 'root', name: 'root' },
    ])
    expect(await differences(app)).toEqual([])
  })

  it('lists the models that channels here serve, too, once for each carried channel', async () => {
    app = await createTestApp()
    const root = await app.setUp()
    const mine = { name: 'mine', type: 1, key: 'sk-a', group: 'default', models: 'gpt-4o,other' }
    expect((await root('POST', '/api/channel/', mine)).body).toMatchObject({ success: true })
    const shared = ({ decisions }: ImportReport) =>
      decisions.filter(({ code }) => code === 'models-shared').map(({ at, detail }) => `${at}: ${detail}`)

    const asked = shared(await importGeneration('new-api-2026', { merge: 'rename', isDryRun: true }))

    expect(asked.length).toBeGreaterThan(0)
    expect(new Set(asked.map((line) => line.replace(/^channels \d+: /, '')))).toEqual(new Set(['gpt-4o']))
    expect(shared(await importGeneration('new-api-2026', { merge: 'rename' }))).toEqual(asked)
  })

  it('lists in the run that goes on what the stopped run has found', async () => {
    const found = ({ refused, decisions, changed }: ImportReport) =>
      [...refused, ...decisions, ...changed].map(({ at, code, detail }) => `${at} ${code} ${detail}`).toSorted()
    const inUse = async (): Promise<void> => {
      app = await createTestApp()
      const root = await app.setUp()
      await root('POST', '/api/user/', { username: 'alice', password: 'another-password' })
    }
    await inUse()
    const atOnce = found(await importGeneration('new-api-2026', { merge: 'rename' }))
    await app.stop()

    await inUse()
    const stopping = new AbortController()
    const stopped = importGeneration('new-api-2026', {
      merge: 'rename',
      signal: stopping.signal,
      onProgress: ({ kind }) => (kind === 'tokens' ? stopping.abort() : undefined),
    })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    const goneOn = await importGeneration('new-api-2026', { merge: 'rename' })

    expect(goneOn.counts).toMatchObject({ users: { created: 0 }, tokens: { created: 0 } })
    expect(atOnce.join()).toContain('renamed alice → alice_2')
    expect(found(goneOn)).toEqual(atOnce)
    // A row that the source has changed since keeps its new name, and the report says so.
    const tables = gatewayTables('new-api-2026')
    const rows = (tables['users']?.rows ?? []).map((row) => (row['id'] === 2 ? { ...row, display_name: 'Changed' } : row))
    const users = { ...tables['users'], rows } as Tables[string] // only its rows are others
    const later = await importTables({ ...tables, users }, { merge: 'rename' })
    expect(later.counts).toMatchObject({ users: { updated: 1 } })
    expect(found(later).join()).toContain('renamed alice → alice_2')
  })

  it('carries or lists each row of a database in disorder, and stops at none', async () => {
    app = await createTestApp()
    const tables = gatewayTables('new-api-2026')
    const [alice, token, channel, log] = (['users', 'tokens', 'channels', 'logs'] as const).map((table) => tables[table]?.rows[1] ?? {})
    const users = [
      {
        ...alice,
        id: 20,
        username: 'ALICE',
        display_name: '<b>',
        email: 'other@example.com',
        github_id: 'octo',
        aff_code: 'c2',
        access_token: null,
      },
      { ...alice, id: 21, username: 'mail twin', email: 'Alice@Example.com', github_id: '', aff_code: '', access_token: null },
      {
        ...alice,
        id: 22,
        username: new Uint8Array([0x62, 0xff, 0xfe, 0x64]),
        email: '',
        github_id: '',
        aff_code: 'x22',
        access_token: null,
      },
      { ...alice, id: 23, username: 'rich', quota: 9e18, used_quota: -9e18, email: '', github_id: '', aff_code: 'x23', access_token: null },
      {
        ...alice,
        id: 24,
        username: 'big',
        quota: 2 ** 31,
        used_quota: 2 ** 33,
        aff_quota: -7,
        inviter_id: 999,
        email: '',
        github_id: '',
        aff_code: 'x24',
        access_token: null,
      },
      { ...alice, id: 25, username: '', email: '', github_id: '', aff_code: 'x25', access_token: null },
      {
        ...alice,
        id: 26,
        username: 'no json',
        setting: '{"notify_type":',
        password: 'plain',
        group: '',
        email: '',
        github_id: '',
        aff_code: 'x26',
        access_token: null,
      },
      { ...alice, id: 27, username: Buffer.from('nul\0in\u202Eside'), email: '', github_id: '', aff_code: 'x27', access_token: null },
    ]
    const tokens = [
      { ...token, id: 20, user_id: 12_345, key: oldKey(20) },
      { ...token, id: 21, key: 'short' },
      { ...token, id: 22, key: oldKey(22) + 'long' },
      { ...token, id: 23, key: oldKey(1) },
      { ...token, id: 24, key: oldKey(24), remain_quota: -5e15, unlimited_quota: false },
      { ...token, id: 25, key: oldKey(25), allow_ips: 'not an address\n10.0.0.0/8' },
      { ...token, id: 26, key: oldKey(26), model_limits: 'm'.repeat(9000) },
      { ...token, id: 27, key: oldKey(27), status: 77, expired_time: 'tomorrow' },
    ]
    const channels = [
      { ...channel, id: 20, type: 9999 },
      { ...channel, id: 21, key: '' },
      { ...channel, id: 22, param_override: 'temperature=1' },
      { ...channel, id: 23, model_mapping: '{"a":{"b":1}}', channel_info: 'no json', used_quota: -5 },
      { ...channel, id: 24, base_url: 'not a url', header_override: '{"X Bad":"\\n"}' },
    ]
    const logs = [
      { ...log, id: 20, created_at: 0 },
      { ...log, id: 21, user_id: 999, token_id: 999, channel_id: 999 },
      { ...log, id: 22, quota: -50, other: '[1,2' },
      { ...log, id: 23, type: 99, model_name: new Uint8Array([0xc3, 0x28]) },
    ]
    const more: Record<string, readonly object[]> = { users, tokens, channels, logs }
    const hostile = Object.fromEntries(
      Object.entries(tables).map(([table, { columns, rows }]) => [table, { columns, rows: [...rows, ...(more[table] ?? [])] }]),
    ) as Tables
    const report = await importTables(hostile, { logDays: 100_000 })

    for (const { read, created, refused, skipped, updated, same } of Object.values(report.counts))
      expect(created + refused + skipped + updated + same).toBe(read)
    expect(await differences(app)).toEqual([])
    const reasons = (items: ImportReport['refused']) => items.map(({ at, code }) => `${at} ${code}`).filter((text) => /\b2\d\b/.test(text))
    expect(reasons(report.refused).toSorted()).toEqual([
      'channels 20 channel',
      'logs 20 time',
      'tokens 20 no-owner',
      'tokens 21 token-key',
      'tokens 22 token-key',
      'tokens 23 key-taken',
      'tokens 26 list-long',
      'users 25 name',
    ])
    expect(reasons(report.decisions)).toEqual(
      expect.arrayContaining([
        'users 20 renamed',
        'users 20 taken',
        'users 21 taken',
        'tokens 25 addresses',
        'channels 21 no-key',
        'channels 24 part-left',
      ]),
    )
    expect(reasons(report.changed)).toEqual(
      expect.arrayContaining([
        'users 22 encoding',
        'users 23 out-of-range',
        'users 26 not-json',
        'users 26 password',
        'channels 22 not-json',
        'tokens 27 not-a-number',
      ]),
    )
    // Every reason has a text in both languages, and rows of the source stay text in the page.
    const pages = (['en', 'zh'] as const).map((language) => reportPage(report, language))
    for (const { code } of [...report.refused, ...report.decisions, ...report.changed])
      expect([code, importCodeText(code, 'en'), importCodeText(code, 'zh')].filter((text) => text === code)).toEqual([code])
    for (const page of pages) expect(page).not.toMatch(/<script|<b>/)
    // The rule that a channel or setting breaks is a sentence.
    const broken = (language: 'zh' | 'en') =>
      shownReport(report, language).refused.filter(({ code }) => code === 'channel' || code === 'option')
    const rules = [...broken('zh'), ...broken('en')].flatMap(({ items }) => items.map(({ detail }) => detail))
    expect(rules.length).toBeGreaterThan(0)
    expect(rules.filter((rule) => Object.hasOwn(errors, rule))).toEqual([])
    // A quota beyond what can be held is cut, and the sums say so.
    expect(report.is_complete).toBe(false)
  })
})
