import type { BudgetCalendar } from '@tollgate/contracts/pricing/budgets'
import { describe, expect, it } from 'vitest'
import { NEVER, windowAt } from './window.ts'

const at = (text: string): number => Date.parse(text) / 1000
const calendar = (over: Partial<BudgetCalendar>): BudgetCalendar => ({
  window: 'day',
  time_zone: 'UTC',
  start_day: 1,
  starts_at: 0,
  ...over,
})

describe('the window of a budget', () => {
  it.each([
    // window, zone, start day, moment, start, end
    ['day', 'UTC', 1, '2026-11-28T23:59:59Z', '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z'],
    ['day', 'Asia/Shanghai', 1, '2026-11-28T15:59:59Z', '2026-11-27T16:00:00Z', '2026-11-28T16:00:00Z'],
    ['day', 'Asia/Kolkata', 1, '2026-11-28T18:30:00Z', '2026-11-28T18:30:00Z', '2026-11-29T18:30:00Z'],
    // 25 and 23 hours, where clocks are changed.
    ['day', 'America/New_York', 1, '2026-11-01T12:00:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['day', 'America/New_York', 1, '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    // Clocks go from 23:59:59 to 01:00: this day has no midnight.
    ['day', 'America/Santiago', 1, '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
    ['week', 'UTC', 1, '2026-11-28T12:00:00Z', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00Z'],
    ['week', 'UTC', 7, '2026-11-28T12:00:00Z', '2026-11-22T00:00:00Z', '2026-11-29T00:00:00Z'],
    ['week', 'UTC', 6, '2026-11-28T00:00:00Z', '2026-11-28T00:00:00Z', '2026-12-05T00:00:00Z'],
    ['month', 'UTC', 1, '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['month', 'UTC', 28, '2027-02-27T23:59:59Z', '2027-01-28T00:00:00Z', '2027-02-28T00:00:00Z'],
    ['month', 'Europe/Berlin', 15, '2026-11-14T23:00:00Z', '2026-11-14T23:00:00Z', '2026-12-14T23:00:00Z'],
    ['month', 'Pacific/Auckland', 1, '2026-11-30T11:00:00Z', '2026-11-30T11:00:00Z', '2026-12-31T11:00:00Z'],
  ] as const)('is a %s in %s from day %i around %s', (window, time_zone, start_day, now, start, end) => {
    expect(windowAt(calendar({ window, time_zone, start_day }), at(now))).toMatchObject({ start: at(start), end: at(end) })
  })

  it('is five hours from a start, before and after it', () => {
    const own = calendar({ window: '5h', starts_at: at('2026-11-28T01:30:00Z') })

    expect(windowAt(own, at('2026-11-28T06:29:59Z'))).toMatchObject({ start: at('2026-11-28T01:30:00Z'), end: at('2026-11-28T06:30:00Z') })
    expect(windowAt(own, at('2026-11-28T06:30:00Z'))).toMatchObject({ start: at('2026-11-28T06:30:00Z'), end: at('2026-11-28T11:30:00Z') })
    expect(windowAt(own, at('2026-11-28T01:29:59Z')).end).toBe(at('2026-11-28T01:30:00Z'))
  })

  it('of a total never ends', () => {
    expect(windowAt(calendar({ window: 'total' }), at('2026-11-28T00:00:00Z'))).toMatchObject({ start: 0, end: NEVER })
  })

  it.each(['day', 'week', 'month'] as const)('follows the one before without a gap: %s', (window) => {
    for (const time_zone of ['America/Santiago', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
      const own = calendar({ window, time_zone, start_day: 3 })
      let period = windowAt(own, at('2026-01-05T00:00:00Z'))
      for (let turns = 0; turns < 400 && period.end < at('2027-02-01T00:00:00Z'); turns += 1) {
        const next = windowAt(own, period.end)
        expect(next.start).toBe(period.end)
        expect(windowAt(own, period.end - 1)).toEqual(period)
        expect(next.previous_start).toBe(period.start)
        expect(windowAt(own, period.start - 1).start).toBe(next.old_start)
        period = next
      }
    }
  })
})
