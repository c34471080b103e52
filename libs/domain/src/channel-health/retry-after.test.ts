import { expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

it.each([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['a part of a second', { 'retry-after': '0.2' }, 200],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
  ['milliseconds, which are more exact', { 'retry-after': '2', 'retry-after-ms': '1250' }, 1250],
  ['a value above one hour is capped', { 'retry-after': '86400' }, 3_600_000],
  ['nothing', {}, undefined],
  ['zero', { 'retry-after': '0' }, 0],
  ['a past date', { 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, undefined],
  ['neither number nor date', { 'retry-after': 'soon' }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
])('%s', (_, headers, expected) => {
  expect(parseRetryAfter(headers, NOW)).toBe(expected)
})
