import { writeEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromFault } from '@tollgate/contracts/failures/fault'
import type { Channel, ChannelAttention, ChannelHealth } from '@tollgate/contracts/resources/channels'
import { recordChannelTest } from '@tollgate/db/queries/channels/channels'
import { recordModelCheck } from '@tollgate/db/queries/channels/model-checks'
import { recordChannelFailures } from '@tollgate/db/queries/channels/channel-failures'
import type { SystemHealth } from '@tollgate/contracts/resources/health'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { activityStarts } from '@tollgate/domain/channel-health/activity'
import { addChannelActivity, type ActivityReport } from '@tollgate/redis/stores/channel-activity'
import { addRunResult, startChannelRun } from '@tollgate/redis/stores/channel-run'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())

const list = async (query: string): Promise<Channel[]> => (await root('GET', `/api/channel/${query}`)).body.data as Channel[] // the contract's shape
const healthOf = async (id: number): Promise<ChannelHealth> => {
  const { body } = await root('GET', `/api/channel/health?ids=${id}`)
  const [health] = body.data as ChannelHealth[] // the contract's shape
  if (health === undefined) throw new Error('no health')
  return health
}
const attention = async (): Promise<ChannelAttention> => (await root('GET', '/api/channel/attention')).body.data as ChannelAttention // likewise
const make = async (fields: object = {}): Promise<number> => {
  await root('POST', '/api/channel/', { type: 1, name: 'c', key: 'sk-k', models: 'm', ...fields })
  return (await list('?page_size=1&id_sort=true'))[0]?.id ?? 0
}
const report = async (change: Partial<ActivityReport>): Promise<void> => {
  const now = test.deps.now()
  const [start = 0] = activityStarts(Math.floor(now / 1000), 1)
  await addChannelActivity(test.deps.redis, {
    start,
    now,
    relay_id: 'r',
    counts: new Map(),
    errors: new Map(),
    breakers: [],
    ...change,
  })
}

describe('channel health', () => {
  let id = 0
  beforeEach(async () => {
    await test.deps.db.deleteFrom('channels').execute()
    id = await make()
    await report({})
  })

  it('shows the calls of the last hour, the 95th percentile and the last error', async () => {
    const error = { at: test.deps.now(), status: 500, message: 'broken', model: 'm', request_id: 'r-1' }
    await report({ counts: new Map([[id, { ok: 9, failed: 1, latency: [0, 0, 9] }]]), errors: new Map([[id, error]]) })

    const health = await healthOf(id)

    expect(health).toMatchObject({ ok: 9, failed: 1, is_failing: false, last_error: { status: 500, message: 'broken', request_id: 'r-1' } })
    expect(health.p95_ms).toBeGreaterThan(100)
    expect(health.p95_ms).toBeLessThanOrEqual(150)
    expect(health.periods).toHaveLength(12)
    expect(health.periods.at(-1)).toEqual({ ok: 9, failed: 1 })
  })

  it('counts what users paid today by the hour, rolled up or not, and what it cost where the channel says so', async () => {
    const now = Math.floor(test.deps.now() / 1000)
    const midnight = now - (now % 86_400)
    const row = { type: 2, user_id: 1, model_name: 'm', prompt_tokens: 1, completion_tokens: 1, channel_id: id, group: 'default' }
    await addLogRows(test.deps.db, [
      { ...row, created_at: midnight, quota: 100 },
      { ...row, created_at: now, quota: 50 },
      { ...row, created_at: midnight - 10, quota: 999 },
    ])
    expect(await healthOf(id)).toMatchObject({ spent_today: 150 })
    expect((await healthOf(id)).cost_today).toBeUndefined()

    await rollupUsage(test.deps.db, { now, limit: 1000, signal: new AbortController().signal })
    await rollupUsage(test.deps.db, { now, limit: 1000, signal: new AbortController().signal })
    await root('PUT', '/api/channel/', { id, setting: '{"cost_ratio":0.6}' })

    expect(await healthOf(id)).toMatchObject({ spent_today: 150, cost_today: 90 })

    await addLogRows(test.deps.db, [{ ...row, model_name: 'cheap', created_at: now, quota: 100 }])
    await root('PUT', '/api/channel/', { id, setting: '{"cost_ratio":0.6,"cost_ratios":{"cheap":0.25}}' })
    expect((await healthOf(id)).cost_today, 'the ratio of a model before that of the channel').toBe(90 + 25)
    await root('PUT', '/api/channel/', { id, setting: '{"cost_ratios":{"cheap":0.25}}' })
    expect((await healthOf(id)).cost_today, 'a model without a ratio costs what users pay').toBe(150 + 25)
  })

  it('has the cost of useful tokens that the worker measured, by the cost ratios of now', async () => {
    await root('PUT', '/api/channel/', { id, setting: '{"cost_ratio":0.6,"cost_ratios":{"b":2}}' })
    const row = { channel_id: id, requests: 30, last_at: 90 }
    const rows = [
      { ...row, model: 'a', usd: 10, useful_tokens: 300 },
      { ...row, model: 'b', usd: 1, useful_tokens: 100 },
    ]
    await writeEffectiveCosts(test.deps.redis, { at: 100, hours: 6, models: {}, rows })

    const { effective_cost } = await healthOf(id)

    // (10 × 0.6 × 300 + 1 × 2 × 100) ÷ 400
    expect(effective_cost).toEqual({ usd_per_million: expect.closeTo(5), requests: 60, is_measured: true, last_at: 90, at: 100, hours: 6 })
  })

  it('keeps a channel that failed among those that need attention, until a test succeeds or a person dismisses it', async () => {
    const failed_at = test.deps.now() - 3 * 3_600_000
    const failure = { channel_id: id, failed_at, status: 401, message: 'wrong key', model: 'm' }
    await recordChannelFailures(test.deps.db, [failure])
    expect(await healthOf(id)).toMatchObject({ is_failing: true, failing_since: Math.floor(failed_at / 1000), ok: 0, failed: 0 })
    expect(await attention()).toMatchObject({ failing: 1, total: 1 })
    expect((await list('search?state=failing')).map((one) => one.id)).toEqual([id])
    const problems = async () => ((await root('GET', '/api/health')).body.data as SystemHealth).problems // the contract's shape
    expect(await problems()).toContainEqual({ code: 'channels-failing', level: 'warning', values: { count: 1, channels: `#${id} c` } })

    expect((await root('POST', `/api/channel/${id}/dismiss`)).body.success).toBe(true)
    expect([(await healthOf(id)).is_failing, (await attention()).failing]).toEqual([false, 0])
    expect((await problems()).map(({ code }) => code)).not.toContain('channels-failing')
    expect(
      await test.deps.db.selectFrom('audit_entries').select(['action', 'resource_id']).where('action', '=', 'dismiss').execute(),
    ).toEqual([{ action: 'dismiss', resource_id: String(id) }])

    await recordChannelFailures(test.deps.db, [{ ...failure, failed_at: test.deps.now() + 1000 }])
    expect((await attention()).failing).toBe(1)
    const passed = { capability: 'chat', ok: true, status: 200, message: '', model: 'm', time_ms: 12 } as const
    await recordChannelTest(test.deps.db, { id, test: { ...passed, at: Math.floor(test.deps.now() / 1000) + 5 } })
    expect((await attention()).failing).toBe(0)
  })

  it('counts and finds the channels that need an operator', async () => {
    const out = await make({ name: 'out' })
    const dead = await make({ name: 'dead' })
    const untested = await make({ name: 'untested' })
    const expiring = await make({ name: 'expiring' })
    const well = await make({ name: 'well' })
    await report({
      counts: new Map([[id, { ok: 1, failed: 5, latency: [] }]]),
      breakers: [{ channel_id: out, model: 'm', key_id: '', state: 'open', cause: 'failures', remaining_ms: 900 }],
    })
    await test.deps.db.updateTable('channels').set({ status: 3 }).where('id', '=', dead).execute()
    const failed = { capability: 'chat', ok: false, status: 401, message: 'wrong key', model: 'm', time_ms: 12, at: 5 } as const
    await recordChannelTest(test.deps.db, { id: untested, test: failed })
    const key_states = JSON.stringify({ k1: { disabled_at: 5 } })
    const key_expires_at = Math.floor(test.deps.now() / 1000) + 6 * 86_400
    await test.deps.db.updateTable('channels').set({ key_states, key_expires_at }).where('id', '=', expiring).execute()
    const { models } = (await list('?page_size=100')).find((channel) => channel.id === well) ?? { models: '' }
    const check = { at: 7, fresh: ['m-new'], gone: [], error: '' }
    await recordModelCheck(test.deps.db, { id: well, models, model_mapping: '', check })

    expect(await attention()).toEqual({
      failing: 2,
      auto_disabled: 1,
      keys_out: 0,
      test_failed: 1,
      low_balance: 0,
      keys_expiring: 1,
      keys_disabled: 1,
      models_differ: 1,
      total: 5,
      channels: 6,
      tags: 0,
    })
    const found = async (state: string): Promise<number[]> =>
      (await list(`search?id_sort=true&state=${state}`)).map((channel) => channel.id).toSorted((a, b) => a - b)
    expect(await found('failing')).toEqual([id, out])
    expect(await found('test-failed')).toEqual([untested])
    expect(await found('attention')).toEqual([id, out, dead, untested, expiring])
    expect(await found('keys-expiring')).toEqual([expiring])
    expect(await found('keys-disabled')).toEqual([expiring])
    expect(await found('models-differ')).toEqual([well])
    expect(await healthOf(expiring)).toMatchObject({ keys_disabled: 1 })
    expect(await healthOf(well)).toMatchObject({ models: check })
    expect(await healthOf(out)).toMatchObject({ is_failing: true, breakers: [{ model: 'm', state: 'open' }] })
  })

  it('says in the reader’s language why a test or a list of models failed', async () => {
    const { message, fault } = fromFault('channel-fault.timeout')
    const failed = { capability: 'chat', ok: false, status: 0, message, fault, model: 'm', time_ms: 12, at: 5 } as const
    await recordChannelTest(test.deps.db, { id, test: failed })
    const { models } = (await list('?page_size=1'))[0] ?? { models: '' }
    const check = { at: 7, fresh: [], gone: [], error: message, fault }
    await recordModelCheck(test.deps.db, { id, models, model_mapping: '', check })
    await startChannelRun(test.deps.redis, { id: 'run', kind: 'test', capability: 'auto', total: 1, now: 5 })
    await addRunResult(test.deps.redis, 'test', { channel_id: id, name: 'c', ok: false, status: 0, message, fault })

    for (const [language, text] of [
      ['zh', '上游未及时响应'],
      ['en', 'The upstream did not answer in time'],
    ] as const) {
      const read = async (path: string) => (await root('GET', `/api/channel/${path}`, undefined, { 'accept-language': language })).body.data
      expect(await read('?page_size=1')).toMatchObject([{ test_error: text }])
      expect(await read(`${id}`)).toMatchObject({ test_error: text })
      expect(await read(`health?ids=${id}`)).toMatchObject([{ tests: [{ message: text }], models: { error: text } }])
      expect(await read('runs?kind=test')).toMatchObject({ results: [{ message: text }] })
    }
  })

  it('keeps the last test of each capability, and its reason', async () => {
    const failed = { capability: 'chat', ok: false, status: 401, message: 'wrong key', model: 'm', time_ms: 12, at: 5 } as const
    await recordChannelTest(test.deps.db, { id, test: failed })
    await recordChannelTest(test.deps.db, { id, test: { ...failed, capability: 'stream', at: 6 } })
    expect((await list('?page_size=1'))[0]).toMatchObject({ test_error: 'wrong key', response_time: 12 })

    await recordChannelTest(test.deps.db, { id, test: { ...failed, ok: true, status: 200, message: '', at: 7 } })

    expect((await healthOf(id)).tests.map(({ capability, ok, at }) => [capability, ok, at])).toEqual([
      ['chat', true, 7],
      ['stream', false, 6],
    ])
    expect((await list('?page_size=1'))[0]).toMatchObject({ test_error: '' })
  })

  it('lists the channels without a tag', async () => {
    await make({ name: 'tagged', tag: 't' })

    expect((await list('?page_size=10&tag_mode=true&untagged=true')).map(({ name }) => name)).toEqual(['c'])
    expect((await list('?page_size=10&tag_mode=true')).map(({ name }) => name)).toEqual(['tagged'])
  })
})
