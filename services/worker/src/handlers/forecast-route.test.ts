import { affinityKeyOf } from '@tollgate/domain/channel-choice/affinity-key'
import { createSealer, sealedBy, keyIdOf } from '@tollgate/config/sealing'
import { RoutingQuestion } from '@tollgate/contracts/channels/routing-forecast'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { activityStarts, LATENCY_BOUNDS_MS } from '@tollgate/domain/channel-health/activity'
import { createSharedLimits } from '@tollgate/ledger/limits/shared-limits'
import { replaceSnapshot } from '@tollgate/redis/snapshot/snapshot-store'
import { addChannelActivity } from '@tollgate/redis/stores/channel-activity'
import { aChannel } from '@tollgate/testing/a-channel'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { testKeys } from '../../test/worker-process.ts'
import { forecastRoute } from './forecast-route.ts'

const sealer = createSealer(testKeys)
let testbed: Testbed

beforeAll(async () => {
  testbed = await createTestbed()
  await testbed.addUser(1)
})
afterAll(() => testbed.close())
beforeEach(async () => {
  await testbed.db.deleteFrom('channels').execute()
  await testbed.db.deleteFrom('options').execute()
  await testbed.redis.flushall()
})

type Given = { readonly id: number } & Partial<ChannelSnapshot>

/** Channels as an operator saved them and as they were published. */
async function setChannels(given: readonly Given[]): Promise<void> {
  const channels = given.map((one) =>
    aChannel({ key_sealed: sealer.seal('sk-1\nsk-2', sealedBy.channelKey(one.id)), models: ['gpt-x'], groups: ['default'], ...one }),
  )
  for (const { id, type, name, status, key_sealed, models, groups } of channels) {
    const row = { id, type, name, status, key_sealed, key_hash: '', base_url: '', models: models.join(), created_time: 1 }
    await testbed.db
      .insertInto('channels')
      .values({ ...row, group: groups.join() })
      .execute()
    const abilities = groups.flatMap((group) => models.map((model) => ({ group, model, channel_id: id, enabled: status === 1 })))
    await testbed.db.insertInto('abilities').values(abilities).execute()
  }
  const groups = ['default', 'vip'].map((name) => ({ name, ratio: 1, usable_label: name === 'vip' ? null : name }))
  await replaceSnapshot(testbed.redis, { channels, prices: [], groups, options: {} }, Date.now())
}

const setOption = (key: string, value: string): Promise<unknown> =>
  testbed.db.insertInto('options').values({ key, value, updated_at: 1 }).execute()

function ask(question: z.input<typeof RoutingQuestion>) {
  const { redis } = testbed
  const deps = { db: testbed.db, redis, ledgerRedis: redis, channelKeys: sealer, secrets: sealer, now: () => Date.now() }
  const payload = RoutingQuestion.parse(question)
  return forecastRoute(deps)(payload, { signal: new AbortController().signal, attempt: 1 })
}

async function forecast(question: z.input<typeof RoutingQuestion>) {
  const answer = await ask(question)
  if (!('forecast' in answer)) throw new Error(answer.refusal.code)
  const { rows, ...rest } = answer.forecast
  return { ...rest, rows: rows.map(({ first, probabilities }) => [first.channel_id, first.result, ...probabilities]) }
}

describe('a forecast of routing', () => {
  it('goes by the strategy of the group, by schedules and by the limits of channels', async () => {
    await setOption('RetryTimes', '1')
    await setOption('RoutingStrategies', '{"*":"latency","vip":"price"}')
    const full = { limits: { rpm: 1 } }
    await setChannels([
      { id: 1, setting: { cost_ratio: 0.5 }, groups: ['default', 'vip'] },
      { id: 2, groups: ['default', 'vip'] },
      { id: 3, setting: full },
      { id: 4, setting: { schedule: { hours: '00:00-24:00', days: [((new Date().getUTCDay() + 2) % 7) + 1] } } },
    ])
    const limits = createSharedLimits(testbed.redis)
    await limits.take({ request_id: 'r1', tokens: 1, limits: [{ of: 'channel', name: '3', limits: full.limits }] })
    const answers = (bucket: number) => ({ ok: 9, failed: 0, latency: LATENCY_BOUNDS_MS.map((_, at) => (at === bucket ? 9 : 0)) })
    const [start = 0] = activityStarts(Math.floor(Date.now() / 1000), 1)
    const counts = new Map([
      [1, answers(9)],
      [2, answers(2)],
    ])
    await addChannelActivity(testbed.redis, { start, counts, errors: new Map(), breakers: [], relay_id: 'a', now: Date.now() })

    expect((await forecast({ model: 'gpt-x', group: 'default' })).rows).toEqual([
      [1, 'slower', 0, 1],
      [2, 'chosen', 1, 0],
      [3, 'limit-reached', 0, 0],
      [4, 'off-schedule', 0, 0],
    ])
    expect((await forecast({ model: 'gpt-x', group: 'vip' })).rows).toEqual([
      [1, 'chosen', 1, 0],
      [2, 'costlier', 0, 1],
    ])
  })

  it('gives each attempt its shares, and says why the others are passed over', async () => {
    await setOption('RetryTimes', '2')
    await setChannels([
      { id: 1, weight: 20 },
      { id: 2, weight: 0 },
      { id: 3, priority: 5, status: 3 },
      { id: 4, priority: -1, model_mapping: { 'gpt-x': 'gpt-y' } },
      { id: 5, type: 38 },
      { id: 6, groups: ['vip'] },
    ])
    await addChannelActivity(testbed.redis, {
      start: 0,
      counts: new Map(),
      errors: new Map(),
      breakers: [{ channel_id: 2, model: 'gpt-other', key_id: '', state: 'open', cause: 'failures', remaining_ms: 5000 }],
      relay_id: 'a',
      now: Date.now(),
    })

    expect(await forecast({ model: 'gpt-x', group: 'default' })).toEqual({
      group: 'default',
      groups: ['default'],
      allowed_attempts: 3,
      attempts: 3,
      is_cut: false,
      rows: [
        [1, 'chosen', 0.75, 0.25, 0],
        [2, 'chosen', 0.25, 0.75, 0],
        [3, 'auto-disabled', 0, 0, 0],
        [4, 'lower-priority', 0, 0, 1],
        [5, 'unsupported', 0, 0, 0],
      ],
    })
  })

  it('leaves out a channel whose breaker is open, and its disabled keys', async () => {
    await setChannels([{ id: 1, setting: { multi_key_mode: 'random' }, keys_out: [keyIdOf('sk-1')] }, { id: 2 }])
    const breaker = { model: 'gpt-x', state: 'open', cause: 'failures', remaining_ms: 4000 } as const
    const report = { start: 0, counts: new Map(), errors: new Map(), relay_id: 'a', now: Date.now() }
    await addChannelActivity(testbed.redis, { ...report, breakers: [{ ...breaker, channel_id: 1, key_id: keyIdOf('sk-2') }] })

    const { rows } = await forecast({ model: 'gpt-x', group: 'default' })

    expect(rows.map(([id, result]) => [id, result])).toEqual([
      [1, 'breaker-open'],
      [2, 'chosen'],
    ])
  })

  it('keeps a conversation of a token on one channel', async () => {
    await setChannels([{ id: 1 }, { id: 2 }, { id: 3 }])

    const certain = await forecast({ model: 'gpt-x', token_id: 1, conversation: 'c-1' })
    const again = await forecast({ model: 'gpt-x', token_id: 1, conversation: 'c-1' })

    expect(certain.rows.map(([, , probability]) => probability).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 0, 1])
    expect(again).toEqual(certain)
  })

  it('refuses what the relay would refuse', async () => {
    await setChannels([
      { id: 1, status: 2 },
      { id: 2, models: ['gpt-z'] },
    ])
    await testbed.db.updateTable('tokens').set({ model_limits_enabled: true, model_limits: 'gpt-z' }).where('id', '=', 1).execute()

    expect(await ask({ model: 'gpt-x', group: 'default' })).toEqual({ refusal: { code: 'channel.none', group: 'default', model: 'gpt-x' } })
    expect(await ask({ model: 'gpt-q', group: 'default' })).toEqual({ refusal: { code: 'model.unknown', model: 'gpt-q' } })
    expect(await ask({ model: 'gpt-x', group: 'gone' })).toEqual({ refusal: { code: 'access.group-gone', group: 'gone' } })
    expect(await ask({ model: 'gpt-x', token_id: 1 })).toEqual({ refusal: { code: 'access.model', model: 'gpt-x' } })
    expect(await ask({ model: 'gpt-x', token_id: 99 })).toEqual({ refusal: { code: 'record.missing' } })

    await testbed.db.updateTable('tokens').set({ model_limits_enabled: false }).where('id', '=', 1).execute()
  })

  it('takes the first automatic group with a healthy channel', async () => {
    await setOption('AutoGroups', '["vip","default"]')
    await setChannels([{ id: 1 }, { id: 2, groups: ['vip'], status: 2 }])

    expect(await forecast({ model: 'gpt-x', group: 'auto' })).toMatchObject({ group: 'default', rows: [[1, 'chosen', 1]] })
  })

  it('goes on to the next group of a token that may, after the last channel that does not pause', async () => {
    await setOption('AutoGroups', '["default","vip"]')
    await setOption('RetryTimes', '4')
    await setChannels([{ id: 1 }, { id: 2, groups: ['default', 'vip'] }, { id: 3, groups: ['vip'] }])
    await testbed.db.updateTable('users').set({ group: 'vip' }).where('id', '=', 1).execute()
    const token = testbed.db.updateTable('tokens').where('id', '=', 1)
    await token.set({ group: 'auto', cross_group_retry: true }).execute()

    expect(await forecast({ model: 'gpt-x', token_id: 1 })).toMatchObject({
      group: 'default',
      groups: ['default', 'vip'],
      attempts: 3,
      rows: [
        [1, 'chosen', 0.5, 0.5, 0],
        [2, 'chosen', 0.5, 0.5, 0],
        [2, 'already-tried', 0, 0, 0],
        [3, 'chosen', 0, 0, 1],
      ],
    })
    await token.set({ cross_group_retry: false }).execute()
    expect(await forecast({ model: 'gpt-x', token_id: 1 })).toMatchObject({ groups: ['default'], attempts: 2 })
  })

  it('goes on to the next models of the chain, each with its own attempts', async () => {
    await setOption('ModelFallbacks', '{"*":{"gpt-x":["gpt-y","gone","gpt-z"]}}')
    await setOption('RetryTimes', '1')
    await setChannels([{ id: 1 }, { id: 2, models: ['gpt-x', 'gpt-y'] }, { id: 3 }, { id: 4, models: ['gpt-z'], status: 2 }])

    expect(await forecast({ model: 'gpt-x', group: 'default' })).toMatchObject({
      groups: ['default'],
      attempts: 3,
      rows: [
        [1, 'chosen', expect.closeTo(1 / 3), expect.closeTo(1 / 3), 0],
        [2, 'chosen', expect.closeTo(1 / 3), expect.closeTo(1 / 3), 0],
        [3, 'chosen', expect.closeTo(1 / 3), expect.closeTo(1 / 3), 0],
        [2, 'chosen', 0, 0, 1],
      ],
    })
    expect(await forecast({ model: 'gpt-x', group: 'default', call: 'openai-embeddings' })).toMatchObject({ attempts: 2 })
    await testbed.db.deleteFrom('channels').execute()
    await setChannels([{ id: 5, models: ['gpt-y'] }])
    expect(await forecast({ model: 'gpt-x', group: 'default' })).toMatchObject({ attempts: 1, rows: [[5, 'chosen', 1]] })
  })

  it('goes where the conversation of a recorded request went', async () => {
    await setChannels([{ id: 1 }, { id: 2 }, { id: 3 }])
    const named = await forecast({ model: 'gpt-x', group: 'default', conversation: 'thread-7' })
    const session = affinityKeyOf({ user_id: 0, body: { prompt_cache_key: 'thread-7' }, texts: [], prompt_tokens: 0 })?.toString(36) ?? ''

    const recorded = await forecast({ model: 'gpt-x', group: 'default', session })

    expect(recorded).toEqual(named)
    expect(recorded.rows.filter(([, , first]) => first === 1)).toHaveLength(1)
  })

  it.each([
    ['openai-chat', 37, true],
    ['openai-chat', 38, false],
    ['openai-images', 17, true],
    ['openai-images', 1, true],
    ['openai-images', 14, false],
    ['openai-image-edits', 1, true],
    ['openai-image-edits', 14, false],
    ['openai-image-edits-json', 1, true],
    ['openai-transcriptions', 1, true],
    ['gemini-embeddings', 24, true],
    ['openai-speech', 1, true],
    ['openai-moderations', 1, true],
    ['rerank', 38, true],
    ['openai-responses', 14, true],
    ['anthropic-messages', 24, true],
    ['gemini', 1, true],
    ['openai-completions', 1, true],
    ['openai-embeddings', 34, true],
  ] as const)('knows whether %s can be served by a channel of type %i: %s', async (call, type, isServed) => {
    await setChannels([{ id: 1, type }])

    expect((await forecast({ model: 'gpt-x', group: 'default', call })).rows[0]?.[1]).toBe(isServed ? 'chosen' : 'unsupported')
  })
})
