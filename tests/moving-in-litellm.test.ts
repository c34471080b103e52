import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportReport } from '@tollgate/contracts/moving-in/report'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { runOnEmpty } from '@tollgate/testing/gateway-stores'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { openSource } from '@tollgate/moving-in/open-source'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUp } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

const SCRIPT = join(import.meta.dirname, '../services/control-plane/src/import.ts')
/** Costs as the proxy keeps them in a row. */
const MAP = {
  model_map_information: {
    model_map_value: { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, cache_read_input_token_cost: 1.25e-6, key: 'gpt-4o' },
  },
}
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
const KEYS = {
  own: 'sk-own_key-0123456789',
  bo: 'sk-bo-key-0123456789abc',
  team: 'sk-team-key-0123456789',
  monthly: 'sk-monthly-key-0123456',
  blocked: 'sk-blocked-key-0123456',
  ended: 'sk-ended-key-012345678',
}

/** The columns that the import reads, as a proxy of 2026 has them. */
const STATEMENTS = [
  `create table "LiteLLM_UserTable" (user_id text primary key, user_alias text, user_email text, user_role text, max_budget double precision,
    spend double precision not null default 0, budget_duration text, budget_reset_at timestamp(3), password text, models text[], tpm_limit bigint, rpm_limit bigint,
    max_parallel_requests integer, created_at timestamp(3))`,
  `create table "LiteLLM_TeamTable" (team_id text primary key, team_alias text, max_budget double precision, spend double precision not null default 0,
    models text[], blocked boolean not null default false, members_with_roles jsonb, budget_duration text, budget_reset_at timestamp(3),
    max_parallel_requests integer, created_at timestamp(3))`,
  `create table "LiteLLM_VerificationToken" (token text primary key, key_name text, key_alias text, spend double precision not null default 0,
    total_spend double precision not null default 0, expires timestamp(3), models text[], user_id text, team_id text, blocked boolean, max_budget double precision,
    budget_duration text, budget_reset_at timestamp(3), budget_id text, rpm_limit bigint, created_at timestamp(3))`,
  `create table "LiteLLM_BudgetTable" (budget_id text primary key, max_budget double precision, budget_duration text, budget_reset_at timestamp(3))`,
  `create table "LiteLLM_OrganizationTable" (organization_id text primary key)`,
  `create table "LiteLLM_SpendLogs" (request_id text primary key, api_key text not null default '', spend double precision not null default 0,
    prompt_tokens integer not null default 0, completion_tokens integer not null default 0, "startTime" timestamp(3) not null, "endTime" timestamp(3) not null,
    model text not null default '', model_group text, "user" text, team_id text, end_user text, metadata jsonb, request_tags jsonb, status text,
    request_duration_ms integer, created_at timestamp(3) not null)`,
  `create table "LiteLLM_DailyUserSpend" (id text primary key, user_id text, date text not null, api_key text not null, model text, model_group text,
    prompt_tokens bigint not null default 0, completion_tokens bigint not null default 0, spend double precision not null default 0,
    api_requests bigint not null default 0)`,
  `create table "LiteLLM_DailyTeamSpend" (id text primary key, team_id text, date text not null, api_key text not null, model text, model_group text,
    prompt_tokens bigint not null default 0, completion_tokens bigint not null default 0, spend double precision not null default 0,
    api_requests bigint not null default 0)`,
  `insert into "LiteLLM_UserTable" (user_id, user_alias, user_email, user_role, max_budget, spend, tpm_limit, rpm_limit)
    values ('u1', 'Ann', 'ann@example.com', 'proxy_admin', 50, 12.5, 90000, 0)`,
  `insert into "LiteLLM_TeamTable" (team_id, team_alias, max_budget, spend, models, members_with_roles, max_parallel_requests)
    values ('t1', 'Team One', 20, 5, '{gpt-4o,"claude"}', '[{"role":"user","user_id":null},{"role":"admin","user_id":"u1"}]', 7)`,
  `insert into "LiteLLM_UserTable" (user_id, user_alias, user_role, max_budget, spend, budget_duration, budget_reset_at)
    values ('u2', 'Bo', 'internal_user', 40, 39.999998, '30d', '2099-01-15 00:00:00')`,
  `insert into "LiteLLM_TeamTable" (team_id, team_alias, max_budget, spend, members_with_roles, budget_duration, budget_reset_at)
    values ('t2', 'Team Two', 8, 3, '[{"role":"user","user_id":"u2"}]', '1d', '2099-01-15 00:00:00')`,
  `insert into "LiteLLM_BudgetTable" (budget_id, max_budget, budget_duration, budget_reset_at) values ('b1', 4, '7d', '2020-01-03 00:00:00')`,
  `insert into "LiteLLM_OrganizationTable" values ('o1')`,
  `insert into "LiteLLM_VerificationToken" (token, key_name, key_alias, spend, user_id, max_budget, models, rpm_limit) values
    ('${hashOf(KEYS.own)}', 'sk-...6789', 'own', 2, 'u1', 10, '{}', 60)`,
  `insert into "LiteLLM_VerificationToken" (token, key_name, key_alias, user_id) values ('${hashOf(KEYS.bo)}', 'sk-...6789', 'bo', 'u2')`,
  // Its budget is that of the row that it names, whose window has ended on a Friday.
  `insert into "LiteLLM_VerificationToken" (token, key_name, key_alias, spend, user_id, team_id, budget_id) values
    ('${hashOf(KEYS.team)}', 'sk-...6789', 'team', 3, 'u1', 't1', 'b1')`,
  `insert into "LiteLLM_VerificationToken" (token, key_name, key_alias, spend, user_id, max_budget, budget_duration, budget_reset_at) values
    ('${hashOf(KEYS.monthly)}', 'sk-...6789', 'monthly', 29.999998, 'u1', 30, '30d', '2099-01-15 00:00:00')`,
  `insert into "LiteLLM_VerificationToken" (token, key_alias, user_id, blocked) values ('${hashOf(KEYS.blocked)}', 'blocked', 'u1', true)`,
  `insert into "LiteLLM_VerificationToken" (token, key_alias, expires) values ('${hashOf(KEYS.ended)}', 'ended', '2025-01-01 00:00:00')`,
  `insert into "LiteLLM_VerificationToken" (token, key_alias, team_id) values ('${hashOf('sk-session')}', 'session', 'litellm-dashboard')`,
  ...[
    ['r1', KEYS.own, '', 'success', '1 hour'],
    ['r2', KEYS.team, 't1', 'success', '1 hour'],
    ['r3', KEYS.own, '', 'failure', '2 hours'],
    ['r4', KEYS.own, '', 'success', '100 days'],
  ].map(
    ([
      id,
      key = '',
      team,
      status,
      ago,
    ]) => `insert into "LiteLLM_SpendLogs" (request_id, api_key, spend, prompt_tokens, completion_tokens, "startTime",
    "endTime", model, model_group, "user", team_id, metadata, request_tags, status, request_duration_ms, created_at) select '${id}', '${hashOf(key)}',
    ${status === 'failure' ? 0 : 0.00275}, 1000, 100, at, at, 'openai/gpt-4o-2024-11-20', 'gpt-4o', 'u1', '${team}',
    '${JSON.stringify({ ...MAP, user_api_key_alias: 'alias', additional_usage_values: { cache_read_input_tokens: 600 } })}',
    '["blue", "User-Agent: curl"]', '${status}', 1500, date_trunc('hour', at)
    from (select (now() at time zone 'utc') - interval '${ago}' as at) t`,
  ),
  ...[
    ['LiteLLM_DailyUserSpend', 'user_id', 'd1', 'u1', KEYS.own, 200],
    // The same requests are in a row of the team.
    ['LiteLLM_DailyUserSpend', 'user_id', 'd2', 'u1', KEYS.team, 200],
    ['LiteLLM_DailyTeamSpend', 'team_id', 'd3', 't1', KEYS.team, 200],
    // No team's, and of days of which log rows are carried.
    ['LiteLLM_DailyTeamSpend', 'team_id', 'd4', '', KEYS.own, 200],
    ['LiteLLM_DailyUserSpend', 'user_id', 'd5', 'u1', KEYS.own, 0],
  ].map(
    ([
      table,
      column,
      id,
      owner,
      key,
      days,
    ]) => `insert into "${table}" (id, ${column}, date, api_key, model, model_group, prompt_tokens, completion_tokens,
    spend, api_requests) values ('${id}', '${owner}', to_char((now() at time zone 'utc') - interval '${days} days', 'YYYY-MM-DD'),
    '${hashOf(String(key))}', 'openai/gpt-4o', 'gpt-4o', 3000, 300, 0.5, 3)`,
  ),
]

describe('moving in from LiteLLM', () => {
  let dir: string
  let vendor: VendorServer
  let stack: Stack
  let source: TestDatabase
  let carried: ImportReport
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
    vendor = await startVendorServer()
    stack = await startStack()
    await setUp(stack.controlPlane.url)
    source = await createTestDatabase()
    await runOnEmpty(source.url, STATEMENTS)
    await writeFile(
      join(dir, 'config.yaml'),
      `model_list:
  - {model_name: gpt-4o, litellm_params: {model: openai/gpt-4o-2024-11-20, api_base: os.environ/VENDOR_BASE, api_key: os.environ/VENDOR_KEY, input_cost_per_token: 0.0000025, output_cost_per_token: 0.00001}}
  - {model_name: long, litellm_params: {model: openai/long, api_base: os.environ/VENDOR_BASE, api_key: os.environ/VENDOR_KEY}, model_info: {input_cost_per_token: 0.000003,
      output_cost_per_token: 0.000015, cache_read_input_token_cost: 0.0000003, input_cost_per_token_above_200k_tokens: 0.000006, output_cost_per_token_above_200k_tokens: 0.0000225}}
  - {model_name: house, litellm_params: {model: openai/gpt-4o-mini, api_base: os.environ/VENDOR_BASE, api_key: os.environ/VENDOR_KEY}}
  - {model_name: "openai/*", litellm_params: {model: "openai/*"}}
  - {model_name: odd, litellm_params: {model: unheard_of/model}}
router_settings:
  model_group_alias: {nick: gpt-4o}
  num_retries: 2
  fallbacks: [{gpt-4o: [other]}]
general_settings: {master_key: sk-master}
`,
    )
  })
  afterAll(async () => {
    await stack.stop()
    await source.drop()
    await vendor.stop()
    await rm(dir, { recursive: true })
  })

  const importFrom = (address: string, ...more: readonly string[]): Promise<ImportReport> => {
    const report = join(dir, 'report.json')
    const env = { ...stack.env, VENDOR_BASE: `${vendor.url}/ok/v1`, VENDOR_KEY: 'sk-vendor' }
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [SCRIPT, '--from', address, '--report', report, ...more], { env }, (error, _stdout, stderr) => {
        if (stderr !== '' || (error !== null && error.code !== 2)) reject(new Error(stderr))
        else readFile(report, 'utf8').then((text) => resolve(ImportReport.parse(JSON.parse(text))), reject)
      })
    })
  }
  const ask = (key: string, model: string): Promise<Response> =>
    fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    })
  const statusOf = async (key: string, model = 'gpt-4o'): Promise<number> => {
    const answer = await ask(key, model)
    await answer.body?.cancel()
    return answer.status
  }

  it('makes channels and prices of the configuration, and lists what has no counterpart', async () => {
    const { counts, refused, prices, samples } = await importFrom(join(dir, 'config.yaml'))

    expect(counts).toMatchObject({ channels: { created: 1 }, options: { created: 2 } })
    expect(refused.map(({ at }) => at)).toEqual(['model_list 3', 'model_list 4', 'general_settings.master_key'])
    // Requests at the bound of the long prompts cost what the proxy's formula says.
    const long = samples.filter(({ model }) => model === 'long')
    expect(long.map(({ prompt_tokens }) => prompt_tokens)).toEqual(expect.arrayContaining([199_999, 200_000, 200_001, 1000]))
    expect(long.find(({ prompt_tokens, cached_tokens }) => prompt_tokens === 200_001 && cached_tokens === 0)).toMatchObject({
      formula: 605_628,
      here: 605_628,
    })
    expect(samples.filter(({ here, formula }) => here !== formula)).toEqual([])
    expect(prices.find(({ model }) => model === 'nick')).toMatchObject({ from: 'source', model_ratio: 1.25, completion_ratio: 4 })
    const option = await stack.database.db.selectFrom('options').select('value').where('key', '=', 'ModelFallbacks').execute()
    expect(option).toEqual([{ value: '{"*":{"gpt-4o":["other"]}}' }])
    // A model without a price of its own costs what its vendor's model does.
    expect(prices.find(({ model }) => model === 'house')).toMatchObject({ from: 'default', model_ratio: 0.075 })
    const [channel] = await stack.database.db.selectFrom('channels').select(['models', 'model_mapping', 'base_url']).execute()
    expect(channel).toEqual({
      models: 'gpt-4o,nick,long,house',
      model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20","nick":"gpt-4o-2024-11-20","house":"gpt-4o-mini"}',
      base_url: `${vendor.url}/ok`,
    })
  })

  it('lets keys whose hash is all that is known answer, within their budget and that of their team', async () => {
    carried = await importFrom(source.url, '--logs', '90d')
    const { counts, sums, refused, decisions } = carried

    expect(counts).toMatchObject({ users: { created: 5 }, tokens: { read: 7, created: 6, skipped: 1 } })
    expect(refused.map(({ at, code }) => `${at} ${code}`)).toEqual(['LiteLLM_OrganizationTable left-organisations'])
    expect(sums.map((sum) => sum.source - sum.target)).toEqual([0, 0, 0])
    const rows = await stack.database.db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([
        'tokens.name',
        'users.username',
        sql<number>`granted - charged`.as('remain'),
        'unlimited_quota',
        'model_limits',
        'tokens.limits',
      ])
      .where('tokens.name', 'in', ['own', 'team', 'ended'])
      .orderBy('tokens.name')
      .execute()
    expect(rows).toEqual([
      { name: 'ended', username: 'litellm', remain: 0, unlimited_quota: true, model_limits: '', limits: null },
      { name: 'own', username: 'Ann', remain: 4_000_000, unlimited_quota: false, model_limits: '', limits: { rpm: 60 } },
      { name: 'team', username: 'Team One', remain: 0, unlimited_quota: true, model_limits: 'gpt-4o,claude', limits: null },
    ])
    const budgets = await stack.database.db
      .selectFrom('budgets as b')
      .leftJoin('tokens as t', 't.id', 'b.token_id')
      .innerJoin('users as u', 'u.id', 'b.user_id')
      .innerJoin('budget_windows as w', 'w.budget_id', 'b.id')
      .select([
        sql<string>`coalesce(t.name, u.username)`.as('name'),
        'b.scope',
        'b.amount',
        'b.window',
        'b.start_day',
        'b.action',
        'w.base',
      ])
      .orderBy('name')
      .execute()
    // What was spent in the window that runs counts.
    expect(budgets).toEqual([
      { name: 'Bo', scope: 'user', amount: 20_000_000, window: 'month', start_day: 15, action: 'refuse', base: 19_999_999 },
      { name: 'Team Two', scope: 'user', amount: 4_000_000, window: 'day', start_day: 1, action: 'refuse', base: 1_500_000 },
      { name: 'monthly', scope: 'token', amount: 15_000_000, window: 'month', start_day: 15, action: 'refuse', base: 14_999_999 },
      { name: 'team', scope: 'token', amount: 2_000_000, window: 'week', start_day: 5, action: 'refuse', base: 0 },
    ])
    const accounts = await stack.database.db
      .selectFrom('users')
      .select(['username', 'limits'])
      .where('username', 'in', ['Ann', 'Team One'])
      .execute()
    expect(Object.fromEntries(accounts.map(({ username, limits }) => [username, limits]))).toEqual({
      Ann: { tpm: 90_000 },
      'Team One': { concurrency: 7 },
    })
    expect(decisions.filter(({ code }) => code === 'limits').map(({ kind, detail }) => [kind, detail])).toEqual([['users', 'rpm_limit 0']])
    const members = await stack.database.db
      .selectFrom('organisation_members as m')
      .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['o.name', 'u.username', 'm.role'])
      .execute()
    expect(members.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'Team One', username: 'Ann', role: 'owner' },
      { name: 'Team Two', username: 'Bo', role: 'owner' },
    ])
    expect(decisions.filter(({ code }) => code === 'budget-of-account').map(({ at, detail }) => `${at}: ${detail}`)).toEqual([
      'LiteLLM_UserTable u2: 40 USD per 30d, balance 0.000002 USD',
      'LiteLLM_TeamTable t2: 8 USD per 1d, balance 5 USD',
    ])
    await expect.poll(() => statusOf(KEYS.own), { timeout: 10_000 }).toBe(200)
    expect(await statusOf(KEYS.team)).toBe(200)
    // One unit of quota is left in its month.
    expect(await (await ask(KEYS.monthly, 'gpt-4o')).json()).toMatchObject({ error: { code: 'budget_exceeded' } })
    expect(await statusOf(KEYS.team, 'nick')).toBe(404)
    expect([await statusOf(KEYS.blocked), await statusOf(KEYS.ended), await statusOf('sk-unknown-key-0123456')]).toEqual([401, 401, 401])
  })

  it('refuses the keys of a user whose budget of the month is spent', async () => {
    await stack.database.db.transaction().execute(async (tx) => {
      const { id } = await tx.selectFrom('users').select('id').where('username', '=', 'Bo').executeTakeFirstOrThrow()
      await creditWallet(tx, {
        user_id: id,
        kind: 'admin',
        amount: 10_000_000,
        reference: 'more',
        actor: 0,
        note: '',
        now: Math.floor(Date.now() / 1000),
      })
    })
    await expect
      .poll(async () => await (await ask(KEYS.bo, 'gpt-4o')).json(), { timeout: 10_000 })
      .toMatchObject({ error: { code: 'budget_exceeded' } })
  })

  it('carries the log of the last days and the sums of the days before, each request once', async () => {
    expect(carried.counts).toMatchObject({ logs: { read: 3, created: 3 }, hours: { read: 5, created: 3, skipped: 2 } })
    const logged = carried.samples.map(({ model, cached_tokens, charged, formula, here }) => ({
      model,
      cached_tokens,
      charged,
      formula,
      here,
    }))
    expect(logged).toEqual(
      Array.from({ length: 3 }, () => ({ model: 'gpt-4o', cached_tokens: 600, charged: 1375, formula: 1375, here: 1375 })),
    )
    const rows = await stack.database.db
      .selectFrom('logs as l')
      .innerJoin('users as u', 'u.id', 'l.user_id')
      .select([
        'u.username',
        'l.type',
        'l.token_name',
        'l.model_name',
        'l.quota',
        'l.use_time',
        sql<string>`l.other::json->>'source_request_id'`.as('id'),
      ])
      .where('l.other', 'like', '%source_request_id%')
      .execute()
    expect(rows.toSorted((a, b) => a.id.localeCompare(b.id)).map((row) => Object.values(row).join(' '))).toEqual([
      'Ann 2 alias gpt-4o 1375 2 r1',
      'Team One 2 alias gpt-4o 1375 2 r2',
      'Ann 5 alias gpt-4o 0 2 r3',
    ])
    const days = await stack.database.db
      .selectFrom('usage_hours as h')
      .innerJoin('users as u', 'u.id', 'h.user_id')
      .select(['u.username', 'h.requests', 'h.quota'])
      .where('h.model_name', '=', 'gpt-4o')
      .where('h.quota', '=', 250_000)
      .execute()
    expect(days.map(({ username }) => username).toSorted()).toEqual(['Ann', 'Team One'])

    await sql`insert into "LiteLLM_SpendLogs" (request_id, api_key, spend, "startTime", "endTime", model, "user", created_at)
      select 'a-late-one', ${hashOf(KEYS.own)}, 0.001, at, at, 'm', 'u1', at from (select now() at time zone 'utc' as at) t`.execute(
      source.db,
    )
    expect((await importFrom(source.url, '--since-last')).counts).toMatchObject({ logs: { read: 1, created: 1 } })
  })

  it('reads rows of the same moment once each, page by page', async () => {
    const opened = await openSource(source.url, { now: 0 })
    const ids: string[] = []
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const page = await opened.read('logs', { after, limit: 1 })
      ids.push(...page.records.map(({ request_id }) => request_id))
      after = page.next
    }
    await opened.close()
    expect(ids).toEqual(['r4', 'r3', 'r1', 'r2', 'a-late-one'])
  })

  it('gives an account without a budget no balance, unless the operator says how much', async () => {
    const noted = ({ decisions, changed }: ImportReport) =>
      [...decisions, ...changed]
        .filter(({ kind, code }) => kind === 'users' && /^no-budget|^balance/.test(code))
        .map(({ code, detail }) => [code, detail])

    const account = await stack.database.db.selectFrom('users').select('credited').where('username', '=', 'litellm').executeTakeFirst()
    expect(account).toEqual({ credited: 0 })
    expect(noted(await importFrom(source.url, '--dry-run'))).toEqual([['no-budget', '']])
    expect(noted(await importFrom(source.url, '--dry-run', '--unlimited-as', '25'))).toEqual([['balance-as-asked', '25 USD']])
  })
})
