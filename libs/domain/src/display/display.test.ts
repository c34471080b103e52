import { describe, expect, it } from 'vitest'
import { countText, groupDigits } from './count-text.ts'
import { lastUseOf } from './last-use.ts'
import { exactQuotaText, quotaText } from './quota-text.ts'
import { ratioText, shownTokenGroupRatio } from './ratio-text.ts'
import { lookOfChannel, lookOfLogType, lookOfToken } from './status-tone.ts'
import { FIRST_TOKEN_MS, RATIO, RESPONSE_TIME_MS, TASK_SECONDS, toneOf, toneOfResponseTime, USE_TIME_SECONDS } from './thresholds.ts'
import { durationText, exactTimeText, parseTimeText, secondsText, timeText } from './time-text.ts'

const currency = { display_in_currency: true, quota_per_unit: 500_000 }
const plain = { display_in_currency: false, quota_per_unit: 500_000 }

describe('counts', () => {
  it.each([
    ['stays exact below ten thousand', 9_999, '9,999'],
    ['takes k from ten thousand', 10_000, '10k'],
    ['keeps one decimal', 12_345, '12.3k'],
    ['takes M from a million', 1_000_000, '1M'],
    ['does not say a thousand k', 999_960, '1M'],
    ['takes B from a billion', 2_500_000_000, '2.5B'],
    ['keeps the sign', -45_000, '-45k'],
    ['shows zero', 0, '0'],
  ])('%s', (_why, count, text) => {
    expect(countText(count)).toBe(text)
  })

  it('groups the exact number', () => {
    expect(groupDigits(1_234_567.25)).toBe('1,234,567.25')
    expect(groupDigits(-1_000)).toBe('-1,000')
  })
})

describe('quota', () => {
  it.each([
    ['totals have two decimals', 500_000, 'total', currency, '$1.00'],
    ['charges have six', 61, 'charge', currency, '$0.000122'],
    ['thousands are grouped', 617_283_950_000, 'total', currency, '$1,234,567.90'],
    ['a debt keeps its sign before the currency', -250_000, 'total', currency, '-$0.50'],
    ['nothing has two decimals', 0, 'total', currency, '$0.00'],
    ['a total below a cent has six', 62, 'total', currency, '$0.000124'],
    ['so has a debt below a cent', -4_999, 'total', currency, '-$0.009998'],
    ['a cent has two', 5_000, 'total', currency, '$0.01'],
    ['a debt that rounds to nothing shows none', -1, 'charge', { ...currency, quota_per_unit: 5_000_000 }, '$0.000000'],
    ['plain sites show the integer', 1_250_000, 'total', plain, '1,250,000'],
  ] as const)('%s', (_why, quota, kind, style, text) => {
    expect(quotaText(quota, kind, style)).toBe(text)
  })

  it('names both readings in the exact text', () => {
    expect(exactQuotaText(61, currency)).toBe('$0.000122 = 61')
  })
})

describe('times', () => {
  it('writes year-month-day hour:minute:second in local time', () => {
    const time = Math.floor(new Date(2026, 10, 5, 7, 8, 9).getTime() / 1_000)

    expect(timeText(time)).toBe('2026-11-05 07:08:09')
  })

  it('adds milliseconds where one request is explained', () => {
    expect(exactTimeText(new Date(2026, 10, 5, 7, 8, 9, 42).getTime())).toBe('2026-11-05 07:08:09.042')
  })

  it('reads back what it writes', () => {
    const time = Math.floor(new Date(2026, 1, 28, 23, 59, 59).getTime() / 1_000)

    expect(parseTimeText(timeText(time))).toBe(time)
  })

  it.each(['', 'tomorrow', '2026-02-31', '2026-13-01', '2026-01-01 25:00', '2026-01-01 10:75', '-1'])('refuses %j', (text) => {
    expect(parseTimeText(text)).toBeUndefined()
  })

  it.each([
    [0, '0 ms'],
    [0.42, '0.4 ms'],
    [850.4, '850 ms'],
    [999.7, '1.00 s'],
    [1_240, '1.24 s'],
    [12_440, '12.4 s'],
    [59_960, '1 m 00 s'],
    [185_000, '3 m 05 s'],
    [7_800_000, '2 h 10 m'],
  ])('says %s ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })

  it('does not pretend to know more than whole seconds', () => {
    expect([0, 12, 185].map(secondsText)).toEqual(['<1 s', '12 s', '3 m 05 s'])
  })
})

describe('the last use of a token', () => {
  it.each([
    ['is never while it is new', { created_time: 10, accessed_time: 10, used_quota: 0 }, 0],
    ['is its last request', { created_time: 10, accessed_time: 20, used_quota: 0 }, 20],
    ['may be in the second of its creation', { created_time: 10, accessed_time: 10, used_quota: 1 }, 10],
  ])('%s', (_case, token, time) => {
    expect(lastUseOf(token)).toBe(time)
  })
})

describe('thresholds', () => {
  it.each([
    [
      'response time',
      RESPONSE_TIME_MS,
      [
        [1_000, 'green'],
        [1_001, 'lime'],
        [3_000, 'lime'],
        [3_001, 'yellow'],
        [5_000, 'yellow'],
        [5_001, 'red'],
      ],
    ],
    [
      'time of a task',
      TASK_SECONDS,
      [
        [60, 'green'],
        [61, 'red'],
      ],
    ],
    [
      'use time',
      USE_TIME_SECONDS,
      [
        [100, 'green'],
        [101, 'orange'],
        [299, 'orange'],
        [300, 'red'],
      ],
    ],
    [
      'first token',
      FIRST_TOKEN_MS,
      [
        [2_999, 'green'],
        [3_000, 'orange'],
        [9_999, 'orange'],
        [10_000, 'red'],
      ],
    ],
    [
      'ratio',
      RATIO,
      [
        [1, 'green'],
        [1.01, 'blue'],
        [3, 'blue'],
        [3.1, 'orange'],
        [5, 'orange'],
        [5.1, 'red'],
      ],
    ],
  ] as const)('colours %s at its limits', (_what, threshold, expected) => {
    const tones = expected.map(([value]) => [value, toneOf(threshold, value)])

    expect(tones).toEqual(expected)
  })

  it('does not praise a channel that was never tested', () => {
    expect(toneOfResponseTime(0)).toBe('grey')
    expect(toneOfResponseTime(20)).toBe('green')
  })
})

describe('ratios', () => {
  it('are written without binary noise', () => {
    expect(ratioText(0.1 + 0.2)).toBe('0.3×')
  })

  it.each([
    ['the recorded value minus 0.2', 1, 0.8],
    ['rounded to the recorded decimals', 1.25, 1.05],
    ['never below zero', 0.1, 0],
  ])('of token groups are shown as %s', (_why, recorded, shown) => {
    expect(shownTokenGroupRatio(recorded)).toBe(shown)
  })
})

describe('statuses', () => {
  it('have their own look, and unknown numbers say so', () => {
    expect([1, 2, 3, 4, 9].map((status) => lookOfToken(status).text)).toEqual(['enabled', 'disabled', 'expired', 'exhausted', 'unknown'])
    expect([1, 2, 3, 0].map((status) => lookOfChannel(status).tone)).toEqual(['green', 'grey', 'red', 'grey'])
    expect([1, 2, 3, 4, 5].map((type) => lookOfLogType(type).text)).toEqual(['top-up', 'consume', 'admin', 'system', 'error'])
  })
})
