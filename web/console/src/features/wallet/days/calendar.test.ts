import { describe, expect, it } from 'vitest'
import { calendarOf, calendarStart } from './calendar.ts'

const DAY = 86_400
/** Thursday, 2023-11-23, 10:00 UTC. */
const NOW = 1_700_733_600
const sums = { requests: 1, errors: 0, tokens: 1, use_time_ms: 1, input_tokens: 1, cached_tokens: 0 }

describe('the calendar of spending', () => {
  it('begins on a Monday and ends today', () => {
    const start = calendarStart(NOW, 2)
    const { weeks } = calendarOf({ overall: [] }, start, NOW)

    expect(new Date(start * 1000).toISOString()).toBe('2023-11-13T00:00:00.000Z')
    expect(weeks.map((week) => [week[0]?.name, week.at(-1)?.name, week.length])).toEqual([
      ['2023-11-13', '2023-11-19', 7],
      ['2023-11-20', '2023-11-23', 4],
    ])
    expect(calendarStart(start, 1), 'on a Monday').toBe(start)
  })

  it('shades days by quarters of the largest', () => {
    const start = calendarStart(NOW, 1)
    const overall = [100, 76, 75, 1].map((quota, day) => ({ at: start + day * DAY, quota, ...sums }))
    const { weeks, total, used, largest } = calendarOf({ overall: [...overall, { at: start + 3600, quota: 0, ...sums }] }, start, NOW)

    expect(weeks[0]?.map(({ level }) => level)).toEqual([4, 4, 3, 1])
    expect([total, used, largest?.name]).toEqual([252, 4, '2023-11-20'])
  })

  it('has no largest day without spending', () => {
    expect(calendarOf({ overall: [] }, calendarStart(NOW, 1), NOW)).toMatchObject({ total: 0, used: 0, largest: undefined })
  })
})
