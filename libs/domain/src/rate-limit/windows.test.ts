import { expect, it } from 'vitest'
import { windowsFor, type RequestLimits } from './windows.ts'

const limits = (over: Partial<RequestLimits> = {}): RequestLimits => ({
  is_enabled: true,
  duration_minutes: 2,
  count: 10,
  success_count: 5,
  by_group: {},
  ...over,
})
const total = (max: number) => ({ name: 'total', max, window_ms: 120_000 })
const success = (max: number) => ({ name: 'success', max, window_ms: 120_000 })

it.each([
  ['both windows, the successful one first', limits(), 'default', [success(5), total(10)]],
  ['off', limits({ is_enabled: false }), 'default', []],
  ['a total of 0 is off', limits({ count: 0 }), 'default', [success(5)]],
  ['a group of its own', limits({ by_group: { vip: [100, 50] } }), 'vip', [success(50), total(100)]],
  ['a group without a total', limits({ by_group: { vip: [0, 50] } }), 'vip', [success(50)]],
  ['no minutes', limits({ duration_minutes: 0 }), 'default', []],
  ['a group named like what objects have by birth', limits(), 'constructor', [success(5), total(10)]],
])('%s', (_, given, group, expected) => {
  expect(windowsFor(given, group)).toEqual(expected)
})
