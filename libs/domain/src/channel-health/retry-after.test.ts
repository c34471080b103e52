import { expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')

it.each([
  ['seconds', { 'retry-after': '7' }, 7000],
  ['a part of a second', { 'retry-after': '0.2' }, 200],
  ['a date', { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }, 30_000],
  ['milliseconds, which are more exact', { 'retry-after': '2', 'retry-after-ms': '1250' }, 1250],
  ['no more than an hour', { 'retry-after': '86400' }, 3_600_000],
  ['nothing', {}, undefined],
  ['no time at all', { 'retry-after': '0' }, undefined],
  ['a date that is over', { 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, undefined],
  ['neither number nor date', { 'retry-after': 'soon' }, undefined],
  ['a number below nothing', { 'retry-after': '-5' }, undefined],
])('%s', (_, headers, expected) => {
  expect(parseRetryAfter(headers, NOW)).toBe(expected)
})
