import { describe, expect, it } from 'vitest'
import { parseLogSearch, rangeOf } from './search.ts'

const DAY = 86_400
/** Monday, 00:00 UTC. */
const MONDAY = 1_700_438_400

describe('the range of the log', () => {
  it('has yesterday and the calendar week before, both closed', () => {
    const midnight = MONDAY + 2 * DAY
    const at = (preset: string) => rangeOf(parseLogSearch({ preset }), midnight + 600, midnight)

    expect(at('yesterday')).toEqual({ start_timestamp: midnight - DAY, end_timestamp: midnight - 1 })
    expect(at('last-week')).toEqual({ start_timestamp: MONDAY - 7 * DAY, end_timestamp: MONDAY - 1 })
    expect(at('today')).toEqual({ start_timestamp: midnight, end_timestamp: midnight + 4200 })
  })
})
