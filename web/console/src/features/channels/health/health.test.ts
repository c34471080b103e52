import type { RunResult } from '@tollgate/contracts/channels/channel-runs'
import type { ChannelHealth } from '@tollgate/contracts/resources/channels'
import { describe, expect, it } from 'vitest'
import { limitOf, withLimit } from '../form/limits.ts'
import { scheduleFieldOf, withScheduleField } from '../form/schedule.ts'
import { costRatioOf, withCostRatio } from '../form/cost-ratio.ts'
import { inOrder, summaryOf } from '../runs/run-view.ts'
import { typeOptions } from '../form/type-options.ts'
import { offeredTypes } from '../channel-display.ts'
import { barsOf, marginOf, successText, textOfBreaker, toneOfSuccess, worstBreaker } from './health.ts'

const breaker = (change: Partial<ChannelHealth['breakers'][number]>) =>
  ({ model: 'm', key_id: '', state: 'open', cause: 'failures', remaining_ms: 1000, ...change }) as const

describe('a channel’s health', () => {
  it.each([
    [{ ok: 5, failed: 0 }, '100%', 'green'],
    [{ ok: 9999, failed: 1 }, '99.9%', 'green'],
    [{ ok: 95, failed: 5 }, '95%', 'yellow'],
    [{ ok: 0, failed: 3 }, '0%', 'red'],
  ])('%o reads %s in %s', (counts, text, tone) => {
    expect([successText(counts), toneOfSuccess(counts)]).toEqual([text, tone])
  })

  it('names the breaker that keeps most requests away', () => {
    const trying = breaker({ state: 'half-open' })
    const dead = breaker({ cause: 'dead', model: '*' })

    expect(worstBreaker([trying, breaker({}), dead])).toBe(dead)
    expect([trying, breaker({}), dead, breaker({ cause: 'limited' })].map(textOfBreaker)).toEqual(['trying', 'paused', 'dead', 'limited'])
    expect(worstBreaker([])).toBeUndefined()
  })

  it('draws a bar per period, and shows a single failure among many calls', () => {
    const [none, few, most] = barsOf(
      [
        { ok: 0, failed: 0 },
        { ok: 1, failed: 0 },
        { ok: 999, failed: 1 },
      ],
      { width: 30, height: 20 },
    )

    expect(none).toEqual({ x: 0, height: 0, failedHeight: 0 })
    expect(few).toEqual({ x: 10, height: 2, failedHeight: 0 })
    expect(most).toEqual({ x: 20, height: 20, failedHeight: 1.5 })
  })

  it('knows the margin only with a cost and a charge', () => {
    const health = { spent_today: 200, cost_today: 150 } as ChannelHealth // the two fields that it reads
    expect(marginOf(health)).toBe(25)
    expect(marginOf({ ...health, cost_today: 260 })).toBe(-30)
    expect(marginOf({ ...health, spent_today: 0 })).toBeUndefined()
  })
})

describe('a run over channels', () => {
  const result = (channel_id: number, change: Partial<RunResult> = {}): RunResult => ({
    channel_id,
    name: `c${channel_id}`,
    ok: true,
    status: 200,
    message: '',
    ...change,
  })

  it('counts what passed, failed and changed', () => {
    const results = [result(1), result(2, { ok: false, change: 'disabled' }), result(3, { change: 'enabled' })]
    expect(summaryOf(results)).toEqual({ ok: 2, failed: 1, skipped: 0, disabled: 1, enabled: 1 })
  })

  it('counts what a test left out neither as passed nor as failed', () => {
    const results = [result(1), result(2, { ok: false, skipped: 'disabled' })]
    expect(summaryOf(results)).toMatchObject({ ok: 1, failed: 0, skipped: 1 })
  })

  it('shows the newest first while it runs, then what failed, then what has no balance', () => {
    const results = [result(1), result(2, { ok: false, has_no_balance: true }), result(3), result(4, { ok: false })]
    expect(inOrder(results, true).map(({ channel_id }) => channel_id)).toEqual([4, 3, 2, 1])
    expect(inOrder(results, false).map(({ channel_id }) => channel_id)).toEqual([4, 2, 1, 3])
  })
})

describe('channel types', () => {
  const options = typeOptions(offeredTypes(1), { section: (name) => name, unserved: 'not yet', language: 'en' })

  it('are grouped, with the common ones first', () => {
    expect(options[0]).toEqual({ value: '1', label: 'OpenAI', section: 'common' })
    expect([...new Set(options.map(({ section }) => section))]).toEqual(
      ['common', 'cloud', 'self', 'media', 'other', 'unserved'].filter((name) => options.some(({ section }) => section === name)),
    )
  })

  it('that cannot be served say so, and only they', () => {
    expect(
      options
        .filter(({ note }) => note !== undefined)
        .map(({ value }) => Number(value))
        .toSorted((a, b) => a - b),
    ).toEqual(
      offeredTypes(1)
        .filter(({ isSupported }) => !isSupported)
        .map(({ type }) => type)
        .toSorted((a, b) => a - b),
    )
  })
})

it('keeps the schedule of a channel in its setting while there are hours', () => {
  const hours = withScheduleField('{"proxy":"p"}', 'hours', '09:00-18:00')
  const both = withScheduleField(hours, 'time_zone', 'Asia/Shanghai')

  expect(JSON.parse(both)).toEqual({ proxy: 'p', schedule: { hours: '09:00-18:00', time_zone: 'Asia/Shanghai' } })
  expect([scheduleFieldOf(both, 'hours'), scheduleFieldOf(both, 'time_zone')]).toEqual(['09:00-18:00', 'Asia/Shanghai'])
  expect(JSON.parse(withScheduleField(both, 'time_zone', ''))).toEqual(JSON.parse(hours))
  expect(JSON.parse(withScheduleField(both, 'hours', ''))).toEqual({ proxy: 'p' })
})

it('keeps an unfinished cost ratio until it is a number', () => {
  expect(withCostRatio('', '0.')).toBe(withCostRatio('{"cost_ratio":1}', '0.'))
  expect(JSON.parse(withCostRatio('{"proxy":"p"}', '0.85'))).toEqual({ proxy: 'p', cost_ratio: 0.85 })
  expect(costRatioOf(withCostRatio('', '0.'))).toBe('0.')
  expect(JSON.parse(withCostRatio('{"proxy":"p","cost_ratio":1}', ''))).toEqual({ proxy: 'p' })
})

it('keeps limits among the other settings, and removes them with the last one', () => {
  const one = withLimit('{"proxy":"p"}', 'rpm', '60')
  expect(JSON.parse(withLimit(one, 'concurrency', '1 0'))).toEqual({ proxy: 'p', limits: { rpm: 60, concurrency: 10 } })
  expect([limitOf(one, 'rpm'), limitOf(one, 'tpm'), limitOf('{"limits":3}', 'rpm')]).toEqual(['60', '', ''])
  expect(JSON.parse(withLimit(one, 'rpm', ''))).toEqual({ proxy: 'p' })
  expect(withLimit(withLimit('', 'tpm', '5'), 'tpm', 'x')).toBe('')
})
