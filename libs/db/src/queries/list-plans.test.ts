import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedLedger } from '@tollgate/testing/ledger-rows'
import { seedChannels, seedTasks } from '@tollgate/testing/list-rows'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { createPool } from '../pool.ts'
import { STATEMENT_LIMITS } from '../statement-limits.ts'
import type { Database } from '../schema.ts'
import type { Tx } from '../connect.ts'
import { rollupUsage } from '../rollup-usage.ts'
import { listChannels, searchChannels } from './channels/channels.ts'
import { sumLogQuota } from './logs/log-counts.ts'
import type { LogFilter } from '../log-store.ts'
import { listModelsLike } from './logs/log-filter.ts'
import { getLogPage } from './logs/log-pages.ts'
import { getLogRate } from './logs/logs.ts'
import { listTasks, type TaskFilter } from './tasks/task-list.ts'
import { listTokens, searchTokens } from './tokens/tokens.ts'
import { listUsage, listUsageOfUser } from './usage/usage.ts'
import { listUsers } from './users/user-list.ts'

/** The newest row: in the middle of an hour and a day, so that both have unfinished periods. */
const UNTIL = Date.UTC(2026, 9, 20, 12, 30) / 1000
const HOURS = 25 * 24
const ROWS = 30_000
const SEEDING_MS = 180_000

type Plan = { readonly 'Node Type': string; readonly Plans?: readonly Plan[]; readonly [detail: string]: unknown }

/**
 * Shapes of the query plans of frequent queries, for review: node types, relations and indexes, without costs. Taken on 30 000 rows with
 * default planner settings, except: no parallel workers, no JIT, and `random_page_cost` 1.1 as on an SSD, with which a large table has
 * the same plans. Data and times are the same in every run.
 */
describe('plans of the hot queries', () => {
  let test: TestDatabase
  let db: Kysely<Database>
  let sent: CompiledQuery[] = []
  beforeAll(async () => {
    test = await createTestDatabase()
    await seedLedger(test.url, {
      rows: ROWS,
      users: 60,
      shards: 8,
      hours: HOURS,
      until: UNTIL,
      channels: 40,
      tokenNames: 20,
      isSkewed: true,
      rareOneIn: 3000,
      isBare: true,
    })
    await seedChannels(test.url, 2000)
    await seedTasks(test.url, { count: ROWS, until: UNTIL * 1000 })
    const now = UNTIL + 60
    expect(await rollupUsage(test.db, { now, limit: 10_000, signal: new AbortController().signal })).toMatchObject({ isDone: true })
    db = new Kysely<Database>({
      dialect: new PostgresDialect({
        pool: createPool({ url: test.url, max: 1, name: 'plans', prepares: false, limits: STATEMENT_LIMITS.call, followsPrimary: false }),
      }),
      log: ({ level, query }) => void (level === 'query' && sent.push(query)),
    })
    for (const setting of ['max_parallel_workers_per_gather = 0', 'jit = off', 'random_page_cost = 1.1'])
      await sql.raw(`set ${setting}`).execute(db)
    // Statistics of every row: those of a sample differ between runs, and with them plans whose costs are close.
    await sql`set default_statistics_target = 10000`.execute(db)
    // Index-only scans depend on the visibility map.
    await sql`vacuum (analyze, freeze) logs, usage_hours, usage_totals, usage_rollup_periods, usage_models, channels, channel_usage, tokens, tasks`.execute(
      db,
    )
  }, SEEDING_MS)
  afterAll(async () => {
    await db.destroy()
    await test.drop()
  })

  /** The plans of all statements that a call sends. */
  const plansOf = async (call: (tx: Tx) => Promise<unknown>): Promise<string> => {
    sent = []
    await db.transaction().execute(call)
    const plans: string[] = []
    for (const query of sent.filter((one) => /^\s*(select|with)/.test(one.sql))) plans.push(await planOf(query))
    return `\n${plans.join('\n\n')}\n`
  }
  const planOf = async ({ sql: text, parameters }: CompiledQuery): Promise<string> => {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
      ...sql`select`.compile(db),
      sql: `explain (format json, costs off) ${text}`,
      parameters,
    })
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    return plan === undefined ? '' : shapeOf(plan, 0).join('\n')
  }

  const page = (filter: LogFilter, offset = 0) => plansOf((tx) => getLogPage(tx, { filter, limit: 10, offset }))
  const tasks =
    (filter: Omit<TaskFilter, 'isDrawing'>, isDrawing = true) =>
    (tx: Tx) =>
      listTasks(tx, { filter: { isDrawing, ...filter }, limit: 10, offset: 20 })
  const month = { from: (UNTIL - 30 * 86_400) * 1000, to: UNTIL * 1000 }
  const week = { from: UNTIL - 7 * 86_400 - 1234, to: UNTIL - 99 }

  it.each<[string, LogFilter, number]>([
    ['the first page of everything', {}, 0],
    ['a deep page of everything', {}, 20_000],
    ['a week that is cut within hours', week, 100],
    ['a rare model', { models: ['rare'] }, 0],
    ['a user', { user_id: 1 }, 1000],
    ['a channel', { channel_id: 1 }, 1000],
    ['a token name', { token_name: 'token-7' }, 0],
    ['a channel and a user, which no sum is kept for', { channel_id: 1, user_id: 1 }, 0],
    ['a channel and a token name, which no sum is kept for', { channel_id: 1, token_name: 'token-1' }, 0],
  ])('of %s', async (_what, filter, offset) => {
    expect(await page(filter, offset)).toMatchSnapshot('plans')
  })

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['the sum of everything', (tx) => sumLogQuota(tx, {})],
    ['the sum of a user and a model', (tx) => sumLogQuota(tx, { user_id: 1, models: ['model-3'] })],
    ['the sum of a channel and a token name', (tx) => sumLogQuota(tx, { channel_id: 1, token_name: 'token-1' })],
    ['the last minute', (tx) => getLogRate(tx, {}, UNTIL - 60)],
    ['the models that match a pattern', (tx) => listModelsLike(tx, '%are')],
    ['the dashboard of all users', (tx) => listUsage(tx, { from: UNTIL - 30 * 86_400, to: UNTIL })],
    ['the dashboard of a user', (tx) => listUsageOfUser(tx, { user_id: 1, from: UNTIL - 30 * 86_400, to: UNTIL })],
    ['a page of channels', (tx) => listChannels(tx, { order: 'priority', limit: 100, offset: 900 })],
    [
      'a search of channels',
      (tx) => searchChannels(tx, { keyword: 'nowhere', key_hash: 'h', group: '', model: '', order: 'priority', limit: 1000 }),
    ],
    ['a page of users', (tx) => listUsers(tx, { keyword: '', group: '', limit: 10, offset: 20 })],
    ['a search of users', (tx) => listUsers(tx, { keyword: 'nowhere', group: '', limit: 10, offset: 0 })],
    ['a page of tokens', (tx) => listTokens(tx, { user_id: 1, limit: 10, offset: 0 })],
    ['a page of drawings', tasks(month)],
    ['a page of a user’s drawings', tasks({ ...month, user_id: 1 })],
    ['a page of other tasks', tasks(month, false)],
    ['a page of a user’s other tasks', tasks({ ...month, user_id: 1 }, false)],
    ['a page of a channel’s drawings', tasks({ ...month, channel_id: 7 })],
    ['tasks that failed', tasks({ status: 'FAILURE' }, false)],
    ['a task', tasks({ task_id: 'task_2' })],
    ['tasks that are followed', tasks({ ids: [2, 4, 6] })],
    ['a search of tokens', (tx) => searchTokens(tx, { user_id: 1, keyword: 'x', key: undefined, limit: 100 })],
  ])('of %s', async (_what, call) => {
    expect(await plansOf(call)).toMatchSnapshot('plans')
  })
})

function shapeOf(plan: Plan, depth: number): string[] {
  const { 'Relation Name': relation, 'Index Name': index, 'CTE Name': cte, 'Scan Direction': direction, 'Parent Relationship': role } = plan
  const parts = [
    plan['Node Type'],
    direction === 'Backward' ? 'backward' : '',
    typeof relation === 'string' ? `on ${relation}` : '',
    typeof index === 'string' ? `using ${index}` : '',
    typeof cte === 'string' ? `of ${cte}` : '',
    role === 'InitPlan' || role === 'SubPlan' ? `(${role})` : '',
  ]
  return [`${'  '.repeat(depth)}${parts.filter(Boolean).join(' ')}`, ...(plan.Plans ?? []).flatMap((child) => shapeOf(child, depth + 1))]
}
