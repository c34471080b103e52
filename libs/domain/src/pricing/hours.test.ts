import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { describe, expect, it } from 'vitest'
import { chargeOf, quotaOf } from './charge.ts'
import { holdFor } from './hold.ts'
import { weekMinuteOf, windowAt, withHours } from './hours.ts'
import { quoteFor } from './quote.ts'

/** DeepSeek's cheaper hours, as litellm 1.110.2 states them. */
const OFF_PEAK: PriceWindow[] = [
  { days: [1, 2, 3, 4, 5], from: '00:00', to: '01:00', ratio: 0.5 },
  { days: [1, 2, 3, 4, 5], from: '04:00', to: '06:00', ratio: 0.5 },
  { days: [1, 2, 3, 4, 5], from: '10:00', to: '24:00', ratio: 0.5 },
  { days: [6, 7], from: '00:00', to: '24:00', ratio: 0.5 },
]
const ROW: PriceSnapshot = { model: 'deepseek-v4-pro', ratio: 0.66, completion_ratio: 3, hours: OFF_PEAK }
const usage: Usage = { ...ZERO_USAGE, source: 'upstream', text_in: 1_000_000, text_out: 1_000_000 }

function quoteAt(time: string, row = ROW): Quote {
  const quote = quoteFor({
    model: row.model,
    group: 'default',
    prices: () => row,
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced') throw new Error('the test names a price')
  return withHours(quote, row.hours, weekMinuteOf(Date.parse(time)))
}

describe('hours with another price', () => {
  it.each([
    ['1970-01-01T00:00:00Z', 3 * 1440],
    ['2026-11-30T00:00:00Z', 0],
    ['2026-11-29T23:59:59.999Z', 10_065],
    ['2026-11-30T00:14:59Z', 0],
    ['2026-11-30T00:15:00Z', 15],
  ])('count from Monday in UTC, by the quarter: %s', (time, minute) => {
    expect(weekMinuteOf(Date.parse(time))).toBe(minute)
  })

  it.each([
    ['Monday, peak', '2026-11-30T02:00:00Z', 5.28],
    ['the last second before the peak', '2026-11-30T00:59:59Z', 2.64],
    ['the first second of the peak', '2026-11-30T01:00:00Z', 5.28],
    ['the end of a day', '2026-11-30T23:59:59Z', 2.64],
    ['Saturday at an hour of the peak', '2026-11-28T02:00:00Z', 2.64],
  ])('charge a million tokens in and out of DeepSeek V4 Pro on %s', (_when, time, dollars) => {
    expect(quotaOf(quoteAt(time), usage)).toBe(dollars * 500_000)
  })

  it('stand in the charge as a factor of each line, and in the hold', () => {
    const cheap = quoteAt('2026-11-28T02:00:00Z')
    const { charge, lines } = chargeOf(cheap, usage)
    expect(lines.map(({ factors }) => factors.find(({ name }) => name === 'hours_ratio')?.value)).toEqual(['0.5', '0.5'])
    const hold = (quote: Quote) =>
      holdFor(quote, { prompt_tokens: 1_000_000, max_tokens: 1_000_000, hold_output_tokens: 0, pre_consumed: 0 })
    expect(hold(cheap).want).toBe(charge)
    expect(hold(quoteAt('2026-11-30T02:00:00Z')).want).toBe(charge * 2)
  })

  it('may have a factor for each class, and another for calls', () => {
    const window = { from: '00:00', to: '24:00', ratio: { model_ratio: 0.5, completion_ratio: 1 } }
    expect(quotaOf(quoteAt('2026-11-30T02:00:00Z', { ...ROW, hours: [window] }), usage)).toBe(0.66 * 1_000_000 * (0.5 + 3))
    const call = quoteAt('2026-11-30T02:00:00Z', { model: 'draw', price: 0.04, hours: [{ ...window, ratio: 2 }] })
    expect(quotaOf(call, { ...usage, text_in: 0, text_out: 0 })).toBe(0.08 * 500_000)
  })

  it('leave the quote of a model without such hours as it is', () => {
    expect(quoteAt('2026-11-30T02:00:00Z', { model: 'm', ratio: 1 })).not.toHaveProperty('hours')
  })

  it('are those of the first entry that holds the time', () => {
    const both = [
      { from: '01:00', to: '02:00', ratio: 3 },
      { from: '00:00', to: '24:00', ratio: 2 },
    ]
    expect([windowAt(both, 60)?.ratio, windowAt(both, 120)?.ratio]).toEqual([3, 2])
  })
})
