import { expect, it } from 'vitest'
import { lastDays } from './last-days.ts'

it.each([
  ['on a day of 25 hours', '2026-10-25T23:30:00+01:00', ['2026-10-23', '2026-10-24', '2026-10-25']],
  ['after a day of 25 hours', '2026-10-26T23:30:00+01:00', ['2026-10-24', '2026-10-25', '2026-10-26']],
  ['after a day of 23 hours', '2026-03-30T00:30:00+02:00', ['2026-03-28', '2026-03-29', '2026-03-30']],
])('has each day once %s', (_when, now, days) => {
  expect(lastDays('Europe/Berlin', Date.parse(now) / 1000, 3)).toEqual(days)
})
