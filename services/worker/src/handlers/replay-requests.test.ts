import { createSealer } from '@tollgate/config/sealing'
import type { WhatIfCandidate, WhatIfLine, WhatIfResult } from '@tollgate/contracts/resources/what-if'
import { createWhatIf, findWhatIf, finishWhatIf, listWhatIfs } from '@tollgate/db/queries/channels/what-ifs'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEffectiveCosts } from '@tollgate/redis/stores/effective-costs'
import { recordedRow, type RecordedRowInput } from '../../test/recorded-rows.ts'
import { replayRequests } from './replay-requests.ts'

const NOW = 1_790_000_000
const HOUR = 3600
const secrets = createSealer(`one:${Buffer.alloc(32, 1).toString('base64url')}`)
const PAIR = [
  { id: 1, weight: 50 },
  { id: 2, weight: 5 },
]
/** Channel 2 fails for one in ten of its requests. */
const fails = (id: number, nth: number): boolean => id === 2 && nth % 10 === 0
const request = (nth: number, more: Partial<RecordedRowInput> = {}) =>
  recordedRow({ at: NOW - 6 * HOUR + nth, nth, channels: PAIR, model: 'gpt-4o', model_ratio: 1.25, user_id: 1 + (nth % 3), fails, ...more })
const ROWS = 6000
/** Requests whose only channel fails one time in two. */
const lone = (nth: number) =>
  request(nth, { channels: [{ id: 3, weight: 0 }], model: 'claude-x', model_ratio: 1.5, fails: (_, at) => at % 2 === 0, retries: 0 })

describe('replaying recorded requests', () => {
  let test: TestDatabase
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    test = await createTestDatabase()
    server = await startTestRedis()
    redis = connectRedis(server.url, 'plain')
    const channel = (id: number, models: string, setting: object) => ({
      id,
      type: 1,
      name: `channel-${id}`,
      status: 1,
      key_sealed: '',
      key_hash: '',
      base_url: '',
      models,
      group: 'default',
      setting: JSON.stringify(setting),
      created_time: 1,
    })
    await test.db
      .insertInto('channels')
      .values([channel(1, 'gpt-4o', {}), channel(2, 'gpt-4o', { cost_ratio: 0.5 }), channel(3, 'claude-x', {})])
      .execute()
    const rows = [
      ...Array.from({ length: ROWS }, (_, nth) => request(nth)),
      ...Array.from({ length: 1000 }, (_, nth) => lone(ROWS + nth)),
      { ...request(9000), explanation: null },
      { ...request(9001), at: 0, created_at: NOW - 8 * HOUR },
      { ...request(9002), state: 'late' },
    ].map(({ ...row }) => Object.fromEntries(Object.entries(row).filter(([key]) => key !== 'at')) as ReturnType<typeof request>)
    for (let start = 0; start < rows.length; start += 1000)
      await test.db
        .insertInto('logs')
        .values(rows.slice(start, start + 1000))
        .execute()
  }, 60_000)
  afterAll(async () => {
    redis.disconnect()
    await Promise.all([test.drop(), server.stop()])
  })

  const order = (candidate: WhatIfCandidate, hours = 7) =>
    test.db
      .transaction()
      .execute((tx) =>
        createWhatIf(tx, { candidate, since: NOW - hours * HOUR, until: NOW, total: 1, requested_by: 'root', created_at: NOW }),
      )
  const replay = async (candidate: WhatIfCandidate): Promise<WhatIfResult> => {
    const { id } = await order(candidate)
    await replayRequests({ db: test.db, redis, secrets, now: () => NOW * 1000 })(
      { id },
      { signal: new AbortController().signal, attempt: 1 },
    )
    const found = await findWhatIf(test.db, id)
    if (found?.result === null || found === undefined) throw new Error(`it has no result: ${found?.state}`)
    return found.result
  }
  const lineOf = (lines: readonly WhatIfLine[], id: number): WhatIfLine => {
    const found = lines.find((line) => line.id === id)
    if (found === undefined) throw new Error(`there is no line of ${id}`)
    return found
  }

  it('leads an unchanged configuration to what was recorded, without a difference', async () => {
    const result = await replay({ channels: [] })

    expect(result).toMatchObject({ requests: 7000, changed: 0, newly_answered: 0, newly_failed: 0, by_rate: 0, unmeasured: 0, unpriced: 0 })
    // The entry without an explanation; the one that is older and the correction are no requests of this time.
    expect(result.missing).toEqual({ choice: 1, cut: 0, differs: 0, groups: 0 })
    for (const { before, after } of [result.total, ...result.channels, ...result.models, ...result.users, ...result.series])
      expect(after).toEqual(before)
    expect(result.total.before).toMatchObject({ requests: 7000, failures: 500 })
    expect(result.channels.map(({ name }) => name).toSorted()).toEqual(['channel-1', 'channel-2', 'channel-3'])
    // 1 600 prompt tokens' worth at ratio 1.25 are 2 000 quota; channel 2 takes half of it.
    const second = lineOf(result.channels, 2).before
    expect(second.revenue).toBe(second.requests * 2000)
    expect(second.cost).toBe(second.requests * 1000)
    expect(result.series.reduce((sum, { before }) => sum + before.requests, 0)).toBe(7000)
  })

  it('moves everything away from a channel that is off, with the rate and the price of the other', async () => {
    const { total, channels, changed, by_rate, users } = await replay({ channels: [{ id: 1, is_enabled: false }] })

    const [first, second] = [lineOf(channels, 1), lineOf(channels, 2)]
    expect(first.after).toMatchObject({ requests: 0, attempts: 0 })
    expect(second.after.attempts).toBe(ROWS)
    expect(changed).toBeGreaterThanOrEqual(first.before.requests)
    expect(by_rate).toBeGreaterThan(0)
    // One in ten calls of channel 2 failed.
    expect(second.after.failures / ROWS).toBeCloseTo(0.1, 1)
    expect(second.after.cost).toBe(second.after.requests * 1000)
    expect(total.after.failures).toBeGreaterThan(total.before.failures)
    expect(users.reduce((sum, { after }) => sum + after.revenue, 0)).toBe(total.after.revenue)
  })

  it('gives the same result twice', async () => {
    const candidate: WhatIfCandidate = { channels: [{ id: 2, weight: 90, cost_ratio: 0.7 }], strategies: { '*': 'price' } }

    expect(await replay(candidate)).toEqual(await replay(candidate))
  })

  it('goes by the price of channels, and counts a changed purchase price', async () => {
    const result = await replay({ channels: [{ id: 1, cost_ratio: 0.25 }], strategies: { default: 'price' } })

    expect(lineOf(result.channels, 1).after.requests).toBeGreaterThan(5900)
    expect(lineOf(result.channels, 1).after.cost).toBe(lineOf(result.channels, 1).after.requests * 500)
  })

  it('goes by the measured cost of channels, times the cost ratio that is considered', async () => {
    const row = (channel_id: number, usd: number) => ({
      channel_id,
      model: 'gpt-4o',
      usd,
      requests: 100,
      useful_tokens: 1000,
      last_at: NOW,
    })
    await writeEffectiveCosts(redis, { at: NOW, hours: 6, models: { 'gpt-4o': 4 }, rows: [row(1, 2), row(2, 3)] })

    const found = await replay({ channels: [], strategies: { '*': 'effective-cost' } })
    const dearer = await replay({ channels: [{ id: 2, cost_ratio: 2 }], strategies: { '*': 'effective-cost' } })

    // 3 dollars at a cost ratio of 0.5 are less than 2 at 1.
    expect(lineOf(found.channels, 2).after.attempts).toBe(ROWS)
    expect(lineOf(dearer.channels, 1).after.attempts).toBe(ROWS)
  })

  it('charges other prices without moving a request', async () => {
    const { total, changed } = await replay({ channels: [], prices: [{ model: 'gpt-4o', model_ratio: 2.5, completion_ratio: 4 }] })

    expect(changed).toBe(0)
    expect(total.after.revenue).toBeGreaterThan(total.before.revenue)
    expect(total.after.cost).toBe(total.before.cost)
  })

  it('has another model answer what failed, and counts it without money', async () => {
    const result = await replay({ channels: [], fallbacks: { '*': { 'claude-x': ['gpt-4o'] } } })

    expect(result.newly_answered).toBeGreaterThan(450)
    expect(result.total.after.failures).toBe(500 - result.newly_answered)
    expect(result.total.after.revenue).toBe(result.total.before.revenue)
  })

  it('ends when it is cancelled, and an earlier one ends when another is ordered', async () => {
    const first = await order({ channels: [] })
    const second = await order({ channels: [] })

    expect((await listWhatIfs(test.db)).find(({ id }) => id === first.id)?.state).toBe('cancelled')
    expect(await finishWhatIf(test.db, second.id, { state: 'cancelled', finished_at: NOW })).toBe(true)
    const run = replayRequests({ db: test.db, redis, secrets, now: () => NOW * 1000 })
    expect(await run({ id: second.id }, { signal: new AbortController().signal, attempt: 1 })).toEqual({ state: 'cancelled', requests: 0 })
    const third = await order({ channels: [] })
    expect(await run({ id: third.id }, { signal: AbortSignal.abort(), attempt: 1 })).toMatchObject({ state: 'stopped' })
  })
})
