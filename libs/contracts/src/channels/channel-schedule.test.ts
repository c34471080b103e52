import { describe, expect, it } from 'vitest'
import { isSchedule, readHours } from './channel-schedule.ts'

describe('the schedule of a channel', () => {
  it.each([
    ['09:00-18:00', { from: 540, until: 1080 }],
    ['22:00-06:00', { from: 1320, until: 360 }],
    ['00:00-24:00', { from: 0, until: 1440 }],
    ['00:00-24:30', undefined],
    ['24:00-06:00', undefined],
    ['09:00-09:00', undefined],
    ['9:00-18:00', undefined],
    ['09:60-18:00', undefined],
    ['09:00–18:00', undefined],
    [' 09:00-18:00', undefined],
    ['', undefined],
  ])('reads the hours “%s” as %j', (text, hours) => {
    expect(readHours(text)).toEqual(hours)
  })

  it.each<[unknown, boolean]>([
    [{ hours: '09:00-18:00' }, true],
    [{ hours: '22:00-06:00', time_zone: 'Asia/Shanghai', days: [1, 7] }, true],
    [{ hours: '22:00-06:00', time_zone: 'Mars/Base' }, false],
    [{ hours: '22:00-06:00', time_zone: 8 }, false],
    [{ hours: '22:00-06:00', days: [] }, false],
    [{ hours: '22:00-06:00', days: [0] }, false],
    [{ hours: '22:00-06:00', days: [8] }, false],
    [{ hours: '22:00-06:00', days: [1.5] }, false],
    [{ hours: '22:00-06:00', days: ['1'] }, false],
    [{ hours: '22:00-06:00', timezone: 'UTC' }, false],
    [{ time_zone: 'UTC' }, false],
    ['09:00-18:00', false],
    [['09:00-18:00'], false],
    [null, false],
  ])('of %j can be saved: %s', (value, expected) => {
    expect(isSchedule(value)).toBe(expected)
  })
})
